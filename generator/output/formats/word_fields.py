"""What Word counts itself: the numbers of tasks and lists, the table of contents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from generator.output.formats.word import TOC, W, parsed, twips

if TYPE_CHECKING:
    from docx.document import Document

_LEVEL: Final = (
    '<w:abstractNum {w} w:abstractNumId="{id}"><w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0">'
    '<w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/>'
    '<w:pPr><w:ind w:left="{left}" w:hanging="{left}"/></w:pPr><w:rPr>{face}</w:rPr></w:lvl></w:abstractNum>'
)
NUMBERED: Final = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{}"/></w:numPr>'
_KINDS: Final = {"task": ("%1", 8.0, '<w:b/><w:sz w:val="25"/>'), "list": ("%1.", 6.35, "")}


class Lists:
    """Word's own numbering: every list that begins anew is one more of its kind."""

    def __init__(self, document: Document) -> None:
        self._element: Any = document.part.numbering_part.element
        self._kinds: dict[str, int] = {}
        for kind, (shown, left, face) in _KINDS.items():
            self._kinds[kind] = self._free("abstractNum")
            level = _LEVEL.format(w=W, id=self._kinds[kind], text=shown, left=twips(left), face=face)
            self._element.num_lst[0].addprevious(parsed(level))

    def begun(self, kind: str, first: int) -> int:
        """The number of a new list that begins with `first`."""
        number = self._free("num")
        of_kind = f'<w:abstractNumId w:val="{self._kinds[kind]}"/>'
        start = f'<w:lvlOverride w:ilvl="0"><w:startOverride w:val="{first}"/></w:lvlOverride>'
        self._element.append(parsed(f'<w:num {W} w:numId="{number}">{of_kind}{start}</w:num>'))
        return number

    def _free(self, tag: str) -> int:
        ids = self._element.xpath(f"w:{tag}/@w:{tag}Id")
        return 1 + max(map(int, ids), default=0)


def contents(entries: Sequence[str]) -> str:
    """Word's table of contents. entries: the runs of each heading, in their order.

    No page is known before Word lays them out: it is told to.
    """
    begin = '<w:r><w:fldChar w:fldCharType="begin" w:dirty="true"/></w:r>'
    begin += '<w:r><w:instrText xml:space="preserve">TOC \\o "1-1" \\h \\z \\u</w:instrText></w:r>'
    begin += '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    links = [f'<w:hyperlink w:anchor="{mark(n)}">{runs}</w:hyperlink>' for n, runs in enumerate(entries, 1)]
    links[0] = begin + links[0]
    links[-1] += '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    return "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{TOC.replace(" ", "")}"/></w:pPr>{link}</w:p>' for link in links
    )


def mark(number: int) -> str:
    """The name of the bookmark at a heading of the contents."""
    return f"_Toc{number:06}"


def marked(number: int, runs: str) -> str:
    """The heading's runs, where the contents lead to."""
    start = f'<w:bookmarkStart w:id="{number}" w:name="{mark(number)}"/>'
    return f'{start}{runs}<w:bookmarkEnd w:id="{number}"/>'
