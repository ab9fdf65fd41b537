"""Answers files as they come: from spreadsheets, by hand, broken, hostile."""

import json
from decimal import Decimal

import pytest

from generator.basics.errors import UserError
from generator.check.answers import read_answers
from generator.check.entries import index_of, number_of
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


def test_all_these_say_the_same(answers):
    for text in SAME:
        assert entries(answers(text)) == [(W, (2, 1), Decimal("0.27"))], text


def test_other_shapes_of_index(answers):
    text = "block1.head1.exp_sum;3;2,40\ntemperature1.exp_sum;;7,047\nlogit,0,-1.14\nlogit,1,0,87\n"
    found = entries(answers(text.replace("logit,0,-1.14\nlogit,1,0,87\n", "")))
    assert found == [
        ("block1.head1.exp_sum", (3,), Decimal("2.40")),
        ("temperature1.exp_sum", (), Decimal("7.047")),
    ]
    found = entries(answers("logit,0,-1.14\nlogit,1,0,87\n"))
    assert found == [("logit", (0,), Decimal("-1.14")), ("logit", (1,), Decimal("0.87"))]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-8-sig", "utf-16"])
def test_encodings_of_spreadsheets(answers, encoding):
    text = "Größe;Zelle;Wert\nlogit;0;–1,14\nlogit;1;0,87\n"
    assert entries(answers(text.encode(encoding))) == [
        ("logit", (0,), Decimal("-1.14")),
        ("logit", (1,), Decimal("0.87")),
    ]


@pytest.mark.parametrize("minus", ["-", "−", "–"])
def test_every_minus(answers, minus):
    assert entries(answers(f"logit;0;{minus}1,14")) == [("logit", (0,), Decimal("-1.14"))]


def test_json_keeps_nesting_and_leaves_null_out(answers):
    found = entries(answers({W: [[1, None], None, ["0,27", "≈ 0.5"]], "temperature1.exp_sum": 7.047}))
    assert found == [
        (W, (0, 0), Decimal("1")),
        (W, (2, 0), Decimal("0.27")),
        (W, (2, 1), Decimal("0.5")),
        ("temperature1.exp_sum", (), Decimal("7.047")),
    ]


def test_empty_cells_are_counted_and_unreadable_ones_kept(answers):
    read = read_answers(answers("logit;0;\nlogit;1;keine Ahnung\nlogit;2;1/0\nlogit;3;nan\n"), AXES)
    assert read.left_out == 1
    assert [(e.text, e.value, e.where) for e in read.entries] == [
        ("keine Ahnung", None, "Zeile 2"),
        ("1/0", None, "Zeile 3"),
        ("nan", None, "Zeile 4"),
    ]


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        ("", "a.csv", "leer"),
        ("\n\n", "a.csv", "leer"),
        ("{", "a.json", "kein gültiges JSON (Zeile 1"),
        ("[1, 2]", "a.json", "muss so aussehen"),
        ("[" * 100_000, "a.json", "verschachtelt"),
        ('{"quantities": {}}', "a.json", "keine Antworten"),
    ],
)
def test_what_is_no_answers_file_is_said(answers, content, name, says):
    with pytest.raises(UserError, match=says.replace("(", r"\(")):
        read_answers(answers(content, name), AXES)


def test_a_file_that_is_not_there_and_a_folder(tmp_path):
    for path in (tmp_path / "fehlt.csv", tmp_path):
        with pytest.raises(UserError, match="lässt sich nicht lesen"):
            read_answers(path, AXES)


def test_monsters_in_json_are_no_numbers(answers):
    text = '{"logit": [1e999999999, 123456789012345678901234567890, NaN, Infinity, true, {"a": 1}, "=cmd|x"]}'
    assert all(value is None for _, _, value in entries(answers(text)))


def test_what_is_no_number_in_json_is_said_in_german(answers):
    said = [each.text for each in read_answers(answers('{"logit": [{"a": 1}, false]}'), AXES).entries]
    assert said == ["eine Tabelle", "false"]


def test_a_quotation_mark_that_is_never_closed_spoils_one_line(answers):
    found = entries(answers(f'{W};0,0;"1,00\n{W};1,0;0,46\n'))
    assert (W, (1, 0), Decimal("0.46")) in found
    assert len(found) == 2


def test_tens_of_thousands_of_lines_end(answers, rechnung):
    lines = f"{W};1,0;0,46\n" + "unbekannt;1;2\n" * 60_000
    text = run(str(rechnung), str(answers(lines)))
    assert "60000 Einträge dazu werden nicht gewertet" in text
    assert len(text) < 5000


def test_numbers_and_indices():
    assert number_of("36,7 %") == Decimal("0.367")
    assert number_of("1" * 30) is None
    assert index_of("") == ()
    assert index_of("a,b") is None
    assert index_of("-1,2") is None


def test_hostile_names_never_reach_the_report_as_code(answers, rechnung, tmp_path):
    nasty = "<script>alert(1)</script>"
    content = f"=cmd|' /C calc'!A0;0;1\n{nasty};{nasty};{nasty}\nlogit;0;{nasty}\nlogit;1;\x1b[31mrot\n"
    for form in ("html", "md", "txt"):
        target = tmp_path / f"bericht.{form}"
        run(str(rechnung), str(answers(content)), bericht=str(target))
        text = target.read_text("utf-8")
        assert "alert(1)" in text or "alert" in text
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
    assert [line.split(":")[0] for line in found] == [
        "  - Zeile 2",
        "  - Zeile 3",
        "  - Zeile 4",
        "  - Zeile 5",
    ]
    assert "(gemeint ist vielleicht „block1.head1.weight“)" in found[0]
    assert found[3].endswith("9 frühere Einträge werden nicht gewertet.")


def test_two_numbers_in_one_line_are_not_joined(answers):
    for line in (f"{W};2,1;0,27;0,28\n", f"{W}\t2,1\t0,27\t0,28\n"):
        assert entries(answers(line)) == [(W, (2, 1), None)]


def test_why_an_entry_is_no_number_is_said(answers, rechnung):
    text = run(str(rechnung), str(answers("logit;0;(0,5)\nlogit;1;1.23,4\n")))
    assert "„(0,5)“ lässt sich nicht als Zahl lesen: das kann auch eine negative Zahl sein." in text
    assert "mehrere Lesarten" in text


@pytest.mark.parametrize("name", ["viele.json", "viele.csv"])
def test_more_entries_than_any_sheet_has_are_refused(name, tmp_path):
    path = tmp_path / name
    lines = "logit;0;1\n" * 250_001
    path.write_text('{"logit": [' + "1," * 250_000 + "1]}" if name.endswith("json") else lines)
    with pytest.raises(UserError, match="mehr als 250000 Einträge"):
        read_answers(path, {"logit": 1})
