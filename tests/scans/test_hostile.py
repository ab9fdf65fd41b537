"""Files that ask for a thousand times their size: each said in a sentence, in bounded memory and time."""

import base64
from collections import Counter

import pytest

pytest.importorskip("zxingcpp")

from generator.basics.errors import UserError
from generator.reading import collect
from generator.reading.blank_map import PrintedSheet
from generator.reading.papers import Class
from scans.paper import BLANKS, SHEET, SIZE, page

SHEET_OF_TWO = PrintedSheet(SHEET, 0, "rechnung.json", SIZE, 2, BLANKS)
# 2 GB of spaces, deflated three times
SPACES = base64.b85decode(
    b"c-pJD_4bao-<(8=wug#70vvoz3I-8n0nSDeCQK%Yj7zrhaU8tf<NBarhTa0c&c_QP7`Pgnd`{~;-oM_v_SaPZeRuZ9-TN2U^UwPJ"
    b"yt=nJ_w@Q17#JEFt?T#2#QdnsIWPB}zYip`&^j_!^1OTF`NwN*pMwMr?!NVRquGDO4|Qc$Wqd#pi9Nmj*H6}P@0kBL(!PWrETVo8NH"
    b"KT_@_=-RfjJovjs!AiRAy9WRAy9WRAy9WRAy9WRAy9WRAy9WkjTue+w<?=JSH{%&BvF{U%YMi#jj^i{jz_zZ2dt1q&q8>"
)


def pdf(path, *, kids=1, count=None, contents=b"", filters=b"", more=b"", media=b"0 0 595 842"):
    """A PDF of pages that are all the same, written by hand."""
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (b"3 0 R " * kids, count or kids),
        b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>" % media,
        b"<<%s/Length %d>>stream\n%s\nendstream" % (filters, len(contents), contents),
        b"<</Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Length 0%s>>stream\n\nendstream" % more,
    ]
    text = b"%PDF-1.5\n"
    places = []
    for number, part in enumerate(parts, 1):
        places.append(len(text))
        text += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    path.write_bytes(
        text
        + b"xref\n0 6\n0000000000 65535 f \n%strailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
        % (table, len(text))
    )
    return path


def read_anew(files):
    read = Class()
    collect.join(read, collect.collect(files, [SHEET_OF_TWO], lambda *_: None), [SHEET_OF_TWO], {})
    return read


def test_bombs_are_said_and_the_rest_is_read(tmp_path):
    page(2, {}).save(tmp_path / "z.png")
    files = [
        pdf(tmp_path / "spaces.pdf", contents=SPACES, filters=b"/Filter[" + b"/FlateDecode" * 3 + b"]"),
        pdf(tmp_path / "picture.pdf", contents=b"9 0 0 9 0 0 cm /I Do", more=b"/Width 30000/Height 30000"),
        pdf(tmp_path / "many.pdf", count=1_000_000),
        pdf(tmp_path / "wide.pdf", media=b"0 0 1000000000 1"),
        tmp_path / "z.png",
    ]
    read = read_anew(files)
    assert [paper.pages for paper in read.papers] == [[2]]
    assert [*read.notes, *read.missing] == [
        "„many.pdf“ hat 1000000 Seiten; möglich sind 3000 auf einmal.",
        "„spaces.pdf“ lässt sich nicht lesen: Dazu wäre mehr Speicher oder Zeit nötig, als ein Scan braucht.",
        "„picture.pdf“ hat 900 Megapixel; möglich sind 80.",
        "„wide.pdf“ ist leer.",
        "Bei Blatt 1 fehlt die Seite 1; ihre Felder zählen als leer.",
    ]


def test_a_file_of_many_bombs_is_left_after_three(tmp_path, monkeypatch):
    calls = Counter()

    def confined(read, title, content, *arguments):
        calls[read.__name__] += 1
        if read.__name__ == "count":
            return 300
        raise UserError(f"{title} lässt sich nicht lesen: Dazu wären …")

    monkeypatch.setattr(collect, "confined", confined)
    read = read_anew([pdf(tmp_path / "a.pdf")])
    assert calls["read_pages"] < 20
    assert 2 < len(read.notes) < 10
    assert sum("und die folgenden bleiben ungelesen" in note for note in read.notes) == 1
