"""Answers files as they come: from spreadsheets, by hand, broken, hostile."""

import json
from decimal import Decimal

import pytest

from generator.basics.errors import UserError
from generator.check.answers import read_answers
from generator.commands.check_command import run

AXES = {"block1.head1.weight": 2, "block1.head1.exp_sum": 1, "temperature1.exp_sum": 0, "logit": 1}
W = "block1.head1.weight"


def entries(path):
    return [(e.name, e.index, e.value) for e in read_answers(path, AXES).entries]


SAME = [
    f'name,index,wert\n{W},"2,1",0.27\n',
    f"name;index;wert\r\n{W};2,1;0,27\r\n",
    f"{W};2,1;0,27",
    f"{W},2,1,0.27",
    f"{W},2,1,0,27",
    f'{W},"2,1","0,27"',
    f"{W}\t2 1\t0,27",
    f"sep=;\nname;index;wert\n{W};(2|1);≈ 0,27",
    f"wert;name;index\n0,27;{W};[2, 1]\n",
    f"name;index;wert\n{W};2;1;0,27\n",
    f"\n\nName;Index;Wert\n;;\n{W};2,1; 27 %\n\n",
    f'"{W}";"2,1";"0,27";;;\n',
    f"name;index;wert\n{W};2,1;0,27;unsicher\n",
    f"{W},2,1,0,27,unsicher\n",
    f"{W.upper()};2,1;0,27\n",
    f"{W},[2,1],0,27\n",
    f"{W},[2,1],0.27\n",
    f"name;index;wert\n{W}\t2,1\t0,27\n",
]


LOGITS = [("logit", (0,), Decimal("-1.14")), ("logit", (1,), Decimal("0.87"))]


def test_all_these_say_the_same(answers):
    for text in SAME:
        assert entries(answers(text)) == [(W, (2, 1), Decimal("0.27"))], text
    for two_numbers in (f"{W};2,1;0,27;0,28\n", f"{W}\t2,1\t0,27\t0,28\n"):
        assert entries(answers(two_numbers)) == [(W, (2, 1), None)]
    assert entries(answers("block1.head1.exp_sum;3;2,40\ntemperature1.exp_sum;;7,047\n")) == [
        ("block1.head1.exp_sum", (3,), Decimal("2.40")),
        ("temperature1.exp_sum", (), Decimal("7.047")),
    ]
    assert entries(answers("logit,0,-1.14\nlogit,1,0,87\n")) == LOGITS
    for encoding in ("cp1252", "utf-8", "utf-8-sig", "utf-16"):
        text = "Größe;Zelle;Wert\nlogit;0;–1,14\nlogit;1;0,87\n"
        assert entries(answers(text.encode(encoding))) == LOGITS


def test_json_keeps_nesting_and_leaves_null_out(answers):
    found = entries(answers({W: [[1, None], None, ["0,27", "≈ 0.5"]], "temperature1.exp_sum": 7.047}))
    assert found == [
        (W, (0, 0), Decimal("1")),
        (W, (2, 0), Decimal("0.27")),
        (W, (2, 1), Decimal("0.5")),
        ("temperature1.exp_sum", (), Decimal("7.047")),
    ]
    text = '{"logit": [1e999999999, 12345678901234567890123456789, NaN, Infinity, {"a": 1}, false, "=cmd|x"]}'
    read = read_answers(answers(text), AXES).entries
    assert [each.value for each in read] == [None] * 7
    assert [each.text for each in read[4:6]] == ["eine Tabelle", "false"]


def test_empty_cells_are_counted_and_unreadable_ones_kept(answers):
    read = read_answers(answers("logit;0;\nlogit;1;keine Ahnung\nlogit;2;1/0\nlogit;3;nan\n"), AXES)
    assert read.left_out == 1
    assert [(e.text, e.value, e.where) for e in read.entries] == [
        ("keine Ahnung", None, "Zeile 2"),
        ("1/0", None, "Zeile 3"),
        ("nan", None, "Zeile 4"),
    ]


NO_FILES = [
    ("", "a.csv", "leer"),
    ("\n\n", "a.csv", "leer"),
    ("{", "a.json", r"kein gültiges JSON \(Zeile 1"),
    ("[1, 2]", "a.json", "muss so aussehen"),
    ("[" * 100_000, "a.json", "verschachtelt"),
    ('{"quantities": {}}', "a.json", "keine Antworten"),
    ("logit;0;1\n" * 250_001, "viele.csv", "mehr als 250000 Einträge"),
    ('{"logit": [' + "1," * 250_000 + "1]}", "viele.json", "mehr als 250000 Einträge"),
]


def test_what_is_no_answers_file_is_said(answers):
    for content, name, says in NO_FILES:
        with pytest.raises(UserError, match=says):
            read_answers(answers(content, name), AXES)


def test_a_quotation_mark_that_is_never_closed_spoils_one_line(answers):
    found = entries(answers(f'{W};0,0;"1,00\n{W};1,0;0,46\n'))
    assert (W, (1, 0), Decimal("0.46")) in found
    assert len(found) == 2


def test_tens_of_thousands_of_lines_end(answers, rechnung):
    lines = f"{W};1,0;0,46\n" + "unbekannt;1;2\n" * 60_000
    text = run(str(rechnung), str(answers(lines)))
    assert "60000 Einträge dazu werden nicht gewertet" in text
    assert len(text) < 5000


def test_hostile_names_never_reach_the_report_as_code(answers, rechnung, tmp_path):
    nasty = "<script>alert(1)</script>"
    content = f"=cmd|' /C calc'!A0;0;1\n{nasty};{nasty};{nasty}\nlogit;0;{nasty}\nlogit;1;\x1b[31mrot\n"
    for form in ("html", "md", "txt"):
        target = tmp_path / f"bericht.{form}"
        run(str(rechnung), str(answers(content)), bericht=str(target))
        text = target.read_text("utf-8")
        assert "alert" in text
        assert "\x1b" not in text
        if form != "txt":
            assert "<script>" not in text


def test_json_output_loses_nothing(answers, rechnung):
    content = (
        "gibtsnicht;0;1,5\nlogit;77;2\nblock1.head1.weight;0,3;0,5\nlogit;0;hm\nlogit;1;0,87\nlogit;1;0,88\n"
    )
    report = json.loads(run(str(rechnung), str(answers(content)), as_json=True))
    assert len(report["cells"]) == 6
    assert report["summary"]["unlesbar"] == 5
    assert report["summary"]["falsch"] == 0
    assert {cell["answer"] for cell in report["cells"]} == {1.5, 2, 0.5, "hm", 0.87, 0.88}


def test_what_is_not_judged_is_said_briefly_and_in_the_order_of_the_lines(answers, rechnung):
    lines = ["name;index;wert", "blok1.head1.weight;1,0;1", f"{W};0,3;0,1", f"{W};1,0;viel"]
    lines += [f"{W};1,1;0,{digit}" for digit in range(10)]
    text = run(str(rechnung), str(answers("\n".join(lines))))
    found = text[text.index("Nicht gewertet") :].splitlines()[1:]
    assert [line.split(":")[0] for line in found] == [f"  - Zeile {number}" for number in range(2, 6)]
    assert "(gemeint ist vielleicht „block1.head1.weight“)" in found[0]
    assert found[3].endswith("9 frühere Einträge werden nicht gewertet.")


def test_why_an_entry_is_no_number_is_said(answers, rechnung):
    text = run(str(rechnung), str(answers("logit;0;(0,5)\nlogit;1;1.23,4\n")))
    assert "„(0,5)“ lässt sich nicht als Zahl lesen: das kann auch eine negative Zahl sein." in text
    assert "mehrere Lesarten" in text
