"""Files that ask for far more than they hold: their reader is stopped, ours goes on."""

import json
import subprocess
import sys
import zlib

import pytest

from generator.basics import reading as module
from generator.basics.errors import UserError
from generator.basics.reading import MEMORY, confined
from generator.check.answers import answers_in


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


_READS = """
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


def test_an_honest_form_is_read():
    (entry,) = answers_in(form(2), "„x.pdf“", {"score": 2}).entries
    assert (entry.name, entry.index, entry.text) == ("score", (0, 0), "3")


def test_a_small_pdf_that_asks_for_gigabytes_is_one_sentence():
    content = form(40_000_000)
    assert len(content) < 60_000
    # A process of its own: what other tests have taken is not counted.
    said = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", _READS], input=content, capture_output=True, check=True
    )
    ours, readers, message = said.stdout.decode().split(" ", 2)
    assert "„x.pdf“ lässt sich nicht lesen: Dazu wären mehr als 1 GB" in message
    assert int(ours) < 50_000, "kB"
    assert int(readers) * 1024 < 1.1 * MEMORY


def _sleeps(content):
    import time

    time.sleep(60)


def test_what_never_ends_is_ended(monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 1)
    with pytest.raises(UserError, match="30 Sekunden Rechenzeit"):
        confined(_sleeps, "Die Datei", b"")


def test_a_large_table_is_read_as_a_small_one_is():
    few, axes = {"a": [[1.5, "2,5", None, "x"]], "b": 7, "wort.1": "weil"}, {"a": 2, "b": 0}
    small = answers_in(json.dumps(few).encode(), "„x“", axes)
    large = answers_in(json.dumps(few).encode() + b" " * 600_000, "„x“", axes)
    assert large == small
    lines = "name;index;wert\na;0,1;2,5\na;q;x\nb;;\n"
    assert answers_in((lines + "\n" * 600_000).encode(), "„x“", {"a": 2, "b": 0}) == answers_in(
        lines.encode(), "„x“", {"a": 2, "b": 0}
    )


def test_what_names_no_cell_of_the_sheet_is_no_paper():
    """A list of names was marked as a paper without a right number."""
    for content in (
        b"Name;Vorname\nM\xc3\xbcller;Anna\nSchmidt;Ben\n",
        bytes(range(1, 250)) * 12,
        b'{"unbekannt": [1, 2], "auch": 3}',
        b"block1.head1.weight;nirgends;0,5\n",
    ):
        with pytest.raises(UserError, match="keine einzige Zelle dieses Blatts"):
            answers_in(content, "„namen.csv“", {"block1.head1.weight": 2})
