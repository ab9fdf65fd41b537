"""Answers files as they come: from spreadsheets, by hand, broken, or asking for far more than they hold."""

import json
import subprocess
import sys
import zlib
from decimal import Decimal

import pytest

from generator.basics import reading
from generator.basics.errors import UserError
from generator.basics.reading import MEMORY, confined
from generator.check.answers import answers_in, read_answers
from generator.commands.check_command import run

AXES = {"block1.head1.weight": 2, "block1.head1.exp_sum": 1, "temperature1.exp_sum": 0, "logit": 1}
W = "block1.head1.weight"


def entries(path):
    return [(e.name, e.index, e.value) for e in read_answers(path, AXES).entries]


SAME = [
    f'name,index,wert\n{W},"2,1",0.27\n',
    f"name;index;wert\r\n{W};2,1;0,27\r\n",
    f"{W},2,1,0.27",
    f"{W},2,1,0,27",
    f"{W}\t2 1\t0,27",
    f"sep=;\nname;index;wert\n{W};(2|1);≈ 0,27",
    f"wert;name;index\n0,27;{W};[2, 1]\n",
    f"name;index;wert\n{W};2;1;0,27\n",
    f"\n\nName;Index;Wert\n;;\n{W};2,1; 27 %\n\n",
    f'"{W}";"2,1";"0,27";;;\n',
    f"{W},2,1,0,27,unsicher\n",
    f"{W.upper()};2,1;0,27\n",
    f"{W},[2,1],0,27\n",
    f"name;index;wert\n{W}\t2,1\t0,27\n",
]


def test_all_these_say_the_same(answers):
    for text in SAME:
        assert entries(answers(text)) == [(W, (2, 1), Decimal("0.27"))], text
    for two_numbers in (f"{W};2,1;0,27;0,28\n", f"{W}\t2,1\t0,27\t0,28\n"):
        assert entries(answers(two_numbers)) == [(W, (2, 1), None)]
    assert entries(answers("temperature1.exp_sum;;7,047\n")) == [
        ("temperature1.exp_sum", (), Decimal("7.047"))
    ]
    for encoding in ("cp1252", "utf-8", "utf-8-sig", "utf-16"):
        text = "Größe;Zelle;Wert\nlogit;0;–1,14\nlogit;1;0,87\n"
        found = entries(answers(text.encode(encoding)))
        assert found == [("logit", (0,), Decimal("-1.14")), ("logit", (1,), Decimal("0.87"))]
    read = read_answers(answers("logit;0;\nlogit;1;keine Ahnung\nlogit;2;1/0\n"), AXES)
    assert (read.left_out, [each.value for each in read.entries]) == (1, [None, None])
    assert [(each.text, each.where) for each in read.entries] == [
        ("keine Ahnung", "Zeile 2"), ("1/0", "Zeile 3")
    ]  # fmt: skip
    unclosed = entries(answers(f'{W};0,0;"1,00\n{W};1,0;0,46\n'))
    assert (len(unclosed), unclosed[-1]) == (2, (W, (1, 0), Decimal("0.46"))), "it spoils one line"


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


NO_CELL = "keine einzige Zelle dieses Blatts"  # a list of names was marked as a paper without a right number
REFUSED = [
    ("\n\n", "a.csv", "leer"),
    ("{", "a.json", r"kein gültiges JSON \(Zeile 1"),
    ("[1, 2]", "a.json", "muss so aussehen"),
    ("[" * 100_000, "a.json", "verschachtelt"),
    ('{"quantities": {}}', "a.json", "keine Antworten"),
    pytest.param(
        "logit;0;1\n" * 250_001, "viele.csv", "mehr als 250000 Einträge", marks=pytest.mark.thorough
    ),
    ('{"logit": [' + "1," * 250_000 + "1]}", "viele.json", "mehr als 250000 Einträge"),
    ("Name;Vorname\nMüller;Anna\nSchmidt;Ben\n", "namen.csv", NO_CELL),
    (bytes(range(1, 250)) * 12, "namen.csv", NO_CELL),
    ('{"unbekannt": [1, 2], "auch": 3}', "a.json", NO_CELL),
    (f"{W};nirgends;0,5\n", "a.csv", NO_CELL),
]


@pytest.mark.parametrize(("content", "name", "says"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_answers_file_is_said(answers, content, name, says):
    with pytest.raises(UserError, match=says):
        read_answers(answers(content, name), AXES)


def test_hostile_names_never_reach_the_report_as_code(answers, rechnung, tmp_path):
    nasty = "<script>alert(1)</script>"
    content = f"=cmd|' /C calc'!A0;0;1\n{nasty};{nasty};{nasty}\nlogit;0;{nasty}\nlogit;1;\x1b[31mrot\n"
    for form in ("html", "md", "txt"):
        target = tmp_path / f"bericht.{form}"
        run(str(rechnung), str(answers(content)), bericht=str(target))
        text = target.read_text("utf-8")
        assert ("alert" in text, "\x1b" in text) == (True, False)
        assert form == "txt" or "<script>" not in text


def test_json_output_loses_nothing(answers, rechnung):
    lines = ["gibtsnicht;0;1,5", "logit;77;2", f"{W};0,3;0,5", "logit;0;hm", "logit;1;0,87", "logit;1;0,88"]
    report = json.loads(run(str(rechnung), str(answers("\n".join(lines))), as_json=True))
    assert sorted(str(cell["answer"]) for cell in report["cells"]) == [
        "0.5",
        "0.87",
        "0.88",
        "1.5",
        "2",
        "hm",
    ]
    assert (report["summary"]["unlesbar"], report["summary"]["falsch"]) == (5, 0)


def test_what_is_not_judged_is_said_briefly_with_its_reason_and_in_the_order_of_the_lines(answers, rechnung):
    lines = ["name;index;wert", "blok1.head1.weight;1,0;1", f"{W};0,3;0,1", "logit;0;(0,5)", "logit;1;1.23,4"]
    lines += [f"{W};1,1;0,{digit}" for digit in range(10)]
    text = run(str(rechnung), str(answers("\n".join(lines))))
    found = text[text.index("Nicht gewertet") :].splitlines()[1:]
    assert [line.split(":")[0] for line in found] == [f"  - Zeile {number}" for number in range(2, 7)]
    assert "(gemeint ist vielleicht „block1.head1.weight“)" in found[0]
    assert "„(0,5)“ lässt sich nicht als Zahl lesen: das kann auch eine negative Zahl sein." in found[2]
    assert "mehrere Lesarten" in found[3]
    assert found[4].endswith("9 frühere Einträge werden nicht gewertet.")


def test_a_large_table_is_read_as_a_small_one_is():
    """In a process of its own."""
    few, axes = {"a": [[1.5, "2,5", None, "x"]], "b": 7, "wort.1": "weil"}, {"a": 2, "b": 0}
    for small, filling in ((json.dumps(few), " "), ("name;index;wert\na;0,1;2,5\na;q;x\nb;;\n", "\n")):
        large = answers_in((small + filling * 600_000).encode(), "„x“", axes)
        assert large == answers_in(small.encode(), "„x“", axes)


def form(drawn):
    """A PDF with one field that is filled in; drawn: how many letters its page is drawn with."""
    stream = zlib.compress(b"q " * (drawn // 2), 9)
    parts = [
        b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]>>>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Annots[5 0 R]>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Annot/Subtype/Widget/FT/Tx/T(score[0,0])/V(3)/Rect[10 10 50 50]/P 3 0 R>>",
    ]
    content, offsets = b"%PDF-1.7\n", []
    for number, part in enumerate(parts, 1):
        offsets.append(len(content))
        content += b"%d 0 obj%sendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    head = b"xref\n0 6\n0000000000 65535 f \n"
    return content + head + table + b"trailer<</Root 1 0 R/Size 6>>\nstartxref\n%d\n%%%%EOF" % len(content)


READS = """
import resource, sys
from generator.basics.errors import UserError
from generator.check.answers import answers_in

def most(whose):
    return resource.getrusage(whose).ru_maxrss

before = most(resource.RUSAGE_SELF)
try:
    answers_in(sys.stdin.buffer.read(), "„x.pdf“", {})
except UserError as error:
    print(most(resource.RUSAGE_SELF) - before, most(resource.RUSAGE_CHILDREN), error)
"""


def test_a_small_pdf_that_asks_for_gigabytes_is_one_sentence_and_an_honest_one_is_read():
    (entry,) = answers_in(form(2), "„x.pdf“", {"score": 2}).entries
    assert (entry.name, entry.index, entry.text) == ("score", (0, 0), "3")
    # A process of its own: what other tests have taken is not counted.
    command = [sys.executable, "-X", "utf8", "-c", READS]
    said = subprocess.run(command, input=form(40_000_000), capture_output=True, check=True)
    ours, readers, message = said.stdout.decode().split(" ", 2)
    assert "„x.pdf“ lässt sich nicht lesen: Dazu wären mehr als 1 GB" in message
    assert int(ours) < 50_000, "kB"
    assert int(readers) * 1024 < 1.1 * MEMORY


def sleeps(content):
    import time

    time.sleep(60)


def test_what_never_ends_is_ended(monkeypatch):
    monkeypatch.setattr(reading, "PATIENCE", 1)
    with pytest.raises(UserError, match="30 Sekunden Rechenzeit"):
        confined(sleeps, "Die Datei", b"")
