"""What a reader of a file sees or hears, for the kinds of files that several formats share."""

from __future__ import annotations

import io
import re
import zipfile
from xml.etree import ElementTree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"


def in_word(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        body = ElementTree.fromstring(package.read("word/document.xml"))
    return "\n".join(map(_paragraph, body.iter(f"{W}p")))


def in_a_question_bank(data: bytes) -> str:
    """What questions say before anybody has answered them."""
    texts = "\n".join(each.findtext("questiontext/text") or "" for each in ElementTree.fromstring(data))
    shown = re.sub(r"\{\d+:NUMERICAL:[^{}]*\}", " ", texts)  # what only Moodle knows until it is asked
    return re.sub(r"<img [^>]*alt=\"([^\"]*)\"[^>]*>", r" \1 ", shown).replace("{,}", ",")


def _paragraph(paragraph: ElementTree.Element) -> str:
    parts = (
        each.text or ""
        if each.tag in (f"{W}t", f"{M}t")
        else f" {each.get('descr')} "
        if each.get("descr")
        else ""
        for each in paragraph.iter()
    )
    return re.sub(r"<[^>]*>", " ", "".join(parts)).replace("{,}", ",")
