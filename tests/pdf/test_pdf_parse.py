"""Our HTML is read by the quick parser, with the same result as by the parser of HTML."""

from __future__ import annotations

import re

import pytest
import tinyhtml5

from generator.options.course import STATIONS
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.markup import parse
from generator.output.pdf import write_pdf
from generator.stations.make_sheet import make_sheet
from tests.laid_out import documents_of

STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
HOSTILE = "Die <b> & \"Katze\" 'sitzt' & nbsp; ]]> --> auf"


def everything() -> Options:
    stations = STATIONS
    return Options(satz=HOSTILE, zielsatz="The <i> & cat", lernen="ausgabe", stationen=stations)


def test_every_document_of_ours_is_well_formed_and_read_alike() -> None:
    for document in documents_of(make_sheet(everything()), Typesetter("pdf")).values():
        assert parse(document.html) is not None, document.name
        if document.name == "arbeitsblatt":  # the key says the same and more
            continue
        unstyled = STYLE.sub("", document.html)  # its fonts take the usual parser seconds
        usual = tinyhtml5.parse(unstyled, namespace_html_elements=False)
        assert content(parse(unstyled)) == content(usual)


def content(tree: object) -> list[object]:
    """Tags, attributes and text, without the white space around html and body."""
    return [
        (element.tag, sorted(attributes(element)), (element.text or "").strip(), (element.tail or "").strip())
        for element in tree.iter()  # type: ignore[attr-defined]
    ]


def attributes(element: object) -> list[tuple[str, str]]:
    return [(name, value) for name, value in element.attrib.items() if not name.endswith("}xmlns")]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "html", ["<p>1", "<!doctype html><p>1<p>2", "<!doctype html><html><p>a & b</p></html>"]
)
def test_other_html_is_left_to_the_usual_parser(html: str) -> None:
    assert parse(html) is None
    assert write_pdf(html, title="t").pages == 1


def test_entities_of_a_document_type_are_not_read() -> None:
    bomb = '<!doctype html [<!ENTITY a SYSTEM "file:///etc/passwd">]><html>&a;</html>'
    assert parse(bomb) is None
