"""Word's side of a .docx: runs of text in WordprocessingML, page, styles, header, footer, lists, contents."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from math import ceil
from typing import TYPE_CHECKING, Any, Final
from xml.sax.saxutils import escape

from generator.output.formats.tree import Bar, Blank, Break, Field, Formula, Page, Printed, Run, Runs, Words
from generator.output.formats.word_equations import W, equation
from generator.sheet.fields import BLANK_WIDTHS, LEFT, PAGE, RIGHT, TEXT_WIDTH

if TYPE_CHECKING:
    from docx.document import Document

_SPACE: Final = "\N{NO-BREAK SPACE}"
TOC: Final = "toc 1"
_TWIPS_PER_MM: Final = 56.7
_BLANK_SIZE: Final = 18.0  # pt: a frame of 8 mm, as high as a hand needs
_ACCEPTED_SIZE: Final = 6.5
_SMALL_SIZE: Final = 8.0
_BAR_SIGNS: Final = 8
_MM_OF_A_SPACE: Final = 1.03
_MM_OF_A_BLANK: Final = _BLANK_SIZE * 0.278 * 25.4 / 72  # the width of a space of that size
_FRAME: Final = '<w:bdr w:val="single" w:sz="10" w:space="0" w:color="000000"/>'

_LEVELS: Final = {
    "line": "",
    "sub": '<w:vertAlign w:val="subscript"/>',
    "sup": '<w:vertAlign w:val="superscript"/>',
}


def twips(millimetres: float) -> int:
    return round(millimetres * _TWIPS_PER_MM)


def parsed(xml: str) -> Any:
    from docx.oxml import parse_xml

    return parse_xml(xml)


def written(runs: Runs, in_cell: bool = False) -> str:
    """in_cell: the cell is the frame of its blank."""
    return "".join(_run(run, in_cell) for run in runs)


def text(
    words: str,
    *,
    bold: bool = False,
    italic: bool = False,
    level: str = "line",
    size: float = 0.0,
    underlined: str = "",
    frame: bool = False,
) -> str:
    """A run. size: in pt, 0 for that of its paragraph. underlined: kind of the line."""
    if not words:
        return ""
    properties = [
        "<w:b/>" * bold,
        "<w:i/>" * italic,
        f'<w:sz w:val="{round(size * 2)}"/>' if size else "",
        f'<w:u w:val="{underlined}"/>' if underlined else "",
        _FRAME * frame,
        _LEVELS[level],
    ]
    said = "".join(properties)
    face = f"<w:rPr>{said}</w:rPr>" if said else ""
    return f'<w:r>{face}<w:t xml:space="preserve">{escape(words)}</w:t></w:r>'


def _run(run: Run, in_cell: bool) -> str:
    match run:
        case Words(words, bold, italic, level, mark):
            underlined = "double" if mark == "changed" else ""
            size = _SMALL_SIZE if mark == "small" else 0.0
            return text(words, bold=bold, italic=italic, level=level, underlined=underlined, size=size)
        case Printed(_, words, bold, changed):
            return text(words, bold=bold, underlined="double" if changed else "")
        case Blank():
            return _blank(run, in_cell)
        case Formula(_, mathml, display):
            return equation(mathml, display)
        case Field(label, width, written_there):
            room = _SPACE * (round(width / _MM_OF_A_SPACE) - 2 * len(written_there))
            line = text(written_there + room, underlined="single")
            return text(f"{label} " if label else "") + line + text(" " if label else _SPACE)
        case Bar(share):
            return "" if share is None else text("█" * max(1, round(share * _BAR_SIGNS)), size=6)
        case Break():
            return "<w:r><w:br/></w:r>"


def _blank(blank: Blank, in_cell: bool) -> str:
    value = text(blank.text, bold=True, underlined="double" if blank.changed else "")
    if in_cell:
        return value + _accepted(blank, "<w:r><w:br/></w:r>")
    room = ceil(BLANK_WIDTHS[blank.places] / _MM_OF_A_BLANK)
    if not blank.text:
        return text(_SPACE * room, size=_BLANK_SIZE, frame=True)
    beside = _SPACE * max(1, (room * 5 // 3 - 2 * len(blank.text)) // 2)
    framed = text(f"{beside}{blank.text}{beside}", bold=True, frame=True)
    return framed + _accepted(blank, text(" "))


def _accepted(blank: Blank, before: str) -> str:
    return before + text(f"({blank.accepted})", size=_ACCEPTED_SIZE) if blank.accepted else ""


FONT: Final = "Arial"
_MARGINS: Final = {"top": 16.0, "right": RIGHT, "bottom": 18.0, "left": LEFT}  # mm; holes at the left
_LICENCE_SIZE: Final = 7.5

_MADE: Final = datetime(2026, 1, 1)  # the same page gives the same bytes
_KEEP: Final = "<w:keepNext/>"


def edge(side: str, kind: str, size: int, space: int = 0) -> str:
    """size: in eighths of a point."""
    return f'<w:{side} w:val="{kind}" w:sz="{size}" w:space="{space}" w:color="000000"/>'


def borders(kind: str, size: int, *sides: str, space: int = 4) -> str:
    return f"<w:pBdr>{''.join(edge(side, kind, size, space) for side in sides)}</w:pBdr>"


_INSIDE: Final = '<w:ind w:left="{0}" w:right="{1}"/>'  # twips: rules beside text stand in the column, too
_BARRED, _FRAMED = _INSIDE.format(160, 0), _INSIDE.format(100, 100)
_ALL: Final = ("top", "left", "bottom", "right")
_INDENT: Final = f'<w:ind w:left="{twips(8)}" w:hanging="{twips(8)}"/>'
SPACER: Final = "Abstand"  # what Word asks for after a table


def task_tabs(room: float) -> str:
    """Where a task's text begins and its points end, in a column so many mm wide."""
    stops = [("left", 8.0), ("right", room), *[("clear", TEXT_WIDTH)] * (room != TEXT_WIDTH)]
    tabs = (f'<w:tab w:val="{kind}" w:pos="{twips(place)}"/>' for kind, place in stops)
    return f"<w:tabs>{''.join(tabs)}</w:tabs>"


_DENSE: Final = '<w:spacing w:before="0" w:after="0" w:line="240" w:lineRule="auto"/>'
# Name -> properties of the paragraph and of its text, each in the order that Word asks for.
STYLES: Final[dict[str, tuple[str, str]]] = {
    "Ziel": ('<w:spacing w:after="120"/>', "<w:i/>"),
    "Kastentitel": (
        _KEEP + borders("single", 24, "left") + '<w:spacing w:before="120" w:after="20"/>' + _BARRED,
        '<w:b/><w:sz w:val="17"/>',
    ),
    "Vergleich": (borders("single", 36, "left") + _BARRED, ""),
    "Zwischenstand": (_KEEP + borders("single", 18, "left") + _BARRED, ""),
    "Selbst prüfen": (borders("dashed", 6, *_ALL) + _FRAMED, '<w:sz w:val="19"/>'),
    "Zusammenfassung": (borders("single", 12, "top") + '<w:spacing w:before="200"/>', ""),
    "Kasten": (borders("single", 6, *_ALL) + _FRAMED, ""),
    "Aufgabe": (_KEEP + task_tabs(TEXT_WIDTH) + '<w:spacing w:before="125" w:after="60"/>' + _INDENT, ""),
    "Schreiblinie": (
        borders("single", 4, "bottom", "between", space=0)
        + f'<w:spacing w:before="0" w:after="0" w:line="{twips(8)}" w:lineRule="exact"/>',
        "",
    ),
    SPACER: ('<w:spacing w:before="0" w:after="0" w:line="91" w:lineRule="exact"/>', '<w:sz w:val="2"/>'),
    "Zeichen": (_DENSE, '<w:sz w:val="17"/>'),
    "Erwartung": (borders("single", 4, "left") + _BARRED, '<w:sz w:val="19"/>'),
    "In der Tabelle": (_DENSE, '<w:sz w:val="19"/>'),
    "In enger Tabelle": (_DENSE, '<w:sz w:val="14"/>'),
    "Begriff": (_KEEP + '<w:spacing w:before="60" w:after="0"/>', '<w:sz w:val="19"/>'),
    "Dicht": (_DENSE, '<w:sz w:val="19"/>'),
    "Rechnung": ('<w:spacing w:line="290" w:lineRule="auto"/>', ""),
    TOC: (f'<w:tabs><w:tab w:val="right" w:leader="dot" w:pos="{twips(TEXT_WIDTH)}"/></w:tabs>', ""),
}
_BASIC: Final[dict[str, tuple[str, str]]] = {
    "Normal": (
        '<w:spacing w:before="0" w:after="80" w:line="264" w:lineRule="auto"/>',
        '<w:sz w:val="21"/>',
    ),
    "Title": ('<w:spacing w:before="1200" w:after="200"/>', '<w:b/><w:sz w:val="60"/>'),
    "Subtitle": ('<w:spacing w:after="200"/>', '<w:sz w:val="34"/>'),
    "Heading 1": (_KEEP + '<w:spacing w:before="120" w:after="60"/>', '<w:b/><w:sz w:val="34"/>'),
    "Heading 2": (_KEEP + '<w:spacing w:before="170" w:after="60"/>', '<w:b/><w:sz w:val="25"/>'),
    "Heading 3": (_KEEP + '<w:spacing w:before="115" w:after="45"/>', '<w:b/><w:sz w:val="21"/>'),
    "Caption": (_KEEP + '<w:spacing w:after="40"/>', '<w:b/><w:sz w:val="19"/>'),
}


_LEFTOVERS: Final = ("thumbnail", "stylesWithEffects", "customXml")


def empty(title: str) -> Document:
    """The library's document without what nobody reads and Word would have to mend."""
    import docx

    document = docx.Document()
    for relations in (document.part.rels, document.part.package.rels):
        for name in [n for n, each in relations.items() if each.reltype.rpartition("/")[2] in _LEFTOVERS]:
            del relations[name]
    properties = document.core_properties
    properties.title, properties.author, properties.language = title, "Papierformer", "de-DE"
    properties.comments = ""
    return document


def prepare(document: Document, page: Page) -> None:
    """A4, our styles, the names to fill in above, licence and page number below."""
    from docx.enum.section import WD_ORIENT

    for name, (paragraph, face) in (_BASIC | STYLES).items():
        _set_style(document, name, paragraph, face)
    section = document.sections[0]
    section.page_width, section.page_height = map(_mm, PAGE if page.zoom == 1 else PAGE[::-1])
    if page.zoom != 1:
        section.orientation = WD_ORIENT.LANDSCAPE
    for side, width in _MARGINS.items():
        setattr(section, f"{side}_margin", _mm(width))
    section.header_distance = section.footer_distance = _mm(7)
    for part, inside in ((section.header, _header(page)), (section.footer, _footer(page))):
        part.paragraphs[0]._p[:] = parsed(f"<w:p {W}>{inside}</w:p>")
    properties = document.core_properties
    properties.revision, properties.created, properties.modified = 1, _MADE, _MADE


def _set_style(document: Document, name: str, paragraph: str, face: str) -> None:
    from docx.enum.style import WD_STYLE_TYPE

    styles = document.styles
    known = [each for each in styles if each.name == name]
    style: Any = known[0] if known else styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH, name == TOC)
    if not known:
        style.base_style, style.quick_style = styles["Normal"], True
    for tag in ("w:pPr", "w:rPr"):
        for old in style.element.findall(tag, style.element.nsmap):
            style.element.remove(old)
    outline = f'<w:outlineLvl w:val="{int(name[-1]) - 1}"/>' if name.startswith("Heading ") else ""
    style.element.append(parsed(f"<w:pPr {W}>{paragraph}{outline}</w:pPr>"))
    fonts = f'<w:rFonts w:ascii="{FONT}" w:hAnsi="{FONT}" w:cs="{FONT}" w:eastAsia="{FONT}"/>'
    language = '<w:lang w:val="de-DE"/>'
    bold, *size = face.partition("<w:sz")
    colour = '<w:color w:val="000000"/>' if name in _BASIC else ""
    style.element.append(parsed(f"<w:rPr {W}>{fonts}{bold}{colour}{''.join(size)}{language}</w:rPr>"))


def _mm(length: float) -> Any:
    from docx.shared import Mm

    return Mm(length)


def _header(page: Page) -> str:
    """Subject, and lines for name, class and date; the teacher's pages have none."""
    if not page.subject:
        return text(page.title, size=_LICENCE_SIZE)
    ends = ((55.0, "none"), (105.0, "underscore"), (135.0, "underscore"), (TEXT_WIDTH, "underscore"))
    tabs = "".join(f'<w:tab w:val="left" w:leader="{leader}" w:pos="{twips(end)}"/>' for end, leader in ends)
    names = (f"Name {page.pupil}", " Klasse ", " Datum ")
    fields = "".join(f"<w:r><w:tab/></w:r>{text(name, size=8.5)}" for name in names)
    end = "<w:r><w:tab/></w:r>"
    return f"<w:pPr><w:tabs>{tabs}</w:tabs></w:pPr>{text(page.subject, size=8.5)}{fields}{end}"


def _footer(page: Page) -> str:
    lines = "<w:r><w:br/></w:r>".join(text(line, size=_LICENCE_SIZE) for line in page.foot)
    tab = f'<w:tabs><w:tab w:val="right" w:pos="{twips(TEXT_WIDTH)}"/></w:tabs>'
    number = f"{text('Seite ', size=8)}{_field('PAGE')}{text(' von ', size=8)}{_field('NUMPAGES')}"
    return f"<w:pPr>{tab}</w:pPr>{lines}<w:r><w:tab/></w:r>{number}"


def _field(name: str) -> str:
    size = '<w:rPr><w:sz w:val="16"/></w:rPr>'
    return f'<w:fldSimple w:instr="{name}"><w:r>{size}<w:t>1</w:t></w:r></w:fldSimple>'


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

    def new(self, kind: str, first: int) -> int:
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
