"""The worksheet tells nothing of what is to be written: in its text, attributes, pictures or metadata."""

import io
from collections import defaultdict
from dataclasses import fields, is_dataclass, replace
from itertools import count

import pytest
from cases import CASES, KATZE, LEARNT, LITTLE, MUCH, TWO, Made, made, made_from, on
from markupsafe import Markup
from pypdf import PdfReader
from reading import classes, numbers, text_of, tree

from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.pdf import write_pdf
from generator.output.render import render
from generator.sheet.desk import Desk
from generator.sheet.sheet import Bar, Drawing, Figure, Finding, Given, Number, Record, Solution
from generator.stations.make_sheet import build_sheet, page_values
from tests.laid_out import sheet_of, written
from tests.pdf import signs

SENTINEL = "98{}76"  # worked lines read it as a number


def scrambled(part):
    """The same part of a sheet with everything withheld exchanged for something else."""
    if isinstance(part, Number) and part.blank:
        return replace(part, text="98765", accepted="97…99", changed=True)
    if isinstance(part, Solution) and part.blank:
        return replace(part, text="etwas ganz anderes")
    if isinstance(part, Finding):
        return part.but(**{name: in_other_words(each) for name, each in vars(part).items() if name != "case"})
    if isinstance(part, Bar) and part.blank:
        return replace(part, share=0.123)
    if isinstance(part, Figure) and part.blank:
        return replace(part, drawing=Drawing(Markup('<path d="M1 1L2 2"/>'), "etwas ganz anderes"))
    if isinstance(part, tuple | list):
        made = type(part)._make if hasattr(part, "_make") else type(part)
        return made(scrambled(child) for child in part)
    if isinstance(part, dict):
        return {key: scrambled(child) for key, child in part.items()}
    if isinstance(part, Record):
        return part.but(**{name: scrambled(child) for name, child in vars(part).items()})
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{f.name: scrambled(getattr(part, f.name)) for f in fields(part)})
    return part


def in_other_words(part):
    """What a finding says, exchanged: all of it is for the key alone."""
    if isinstance(part, str):
        return "etwas ganz anderes"
    if isinstance(part, list):
        return [in_other_words(each) for each in part]
    return scrambled(part) if isinstance(part, Finding) else part


@pytest.mark.parametrize("case", ["small", "all_tokens", "two_sentences"])
def test_other_withheld_values_make_the_same_worksheet_on_paper(case):
    """On the screen it is asked of every station."""
    sheet = made(case)
    other = replace(sheet, sheet=scrambled(sheet.sheet))
    assert same_text(other.html("worksheet", "pdf"), sheet.html("worksheet", "pdf")) == ""
    assert same_text(other.html("key", "pdf"), sheet.html("key", "pdf")) != ""


def test_what_all_pages_share_tells_the_worksheet_nothing():
    """The cover of a trained model's booklet draws its guess on the key."""
    sheet, desk = sheet_of(**LEARNT)
    values = page_values(desk, sheet)
    screen = Typesetter("screen")

    def told(view):
        pages = (written(render(sheet, view, each), screen) for each in (scrambled(values), values))
        return same_text(*pages)

    assert told("worksheet") == ""
    assert told("key") != ""


def same_text(found, wanted):
    """Where two texts part, in a few signs: a whole page would take minutes to compare in a message."""
    if found == wanted:
        return ""
    place = next((i for i, (a, b) in enumerate(zip(found, wanted, strict=False)) if a != b), -1)
    return f"…{found[max(0, place - 200) : place + 100]}…"


def told_in_blanks(root):
    """Blanks that hold something, or whose attributes say more than their place; answers outside them."""
    told = [e for e in root.iter() if classes(e) & {"value", "expected", "accepted", "changed"}]
    for element in root.iter():
        if "blank" in classes(element):
            full = (
                text_of(element) or len(element) or set(element.attrib) - {"class", "id", "data-q", "data-i"}
            )
            told += [element] if full else []
        if "write" in classes(element) and element.tag == "td":
            text = text_of(element).translate(dict.fromkeys(map(ord, "| \xa0")))
            told += [element] if text not in ("", "()") or set(element.attrib) - {"class"} else []
    return told


def with_sentinels(sheet, monkeypatch):
    """The sheet with a text of its own in every cell that is to be written, wherever it would show.

    Rows of the table of all words keep theirs: there the exercise is to find them.
    """
    asked = {blank.cell for blank in sheet.sheet.blanks() if blank.name in sheet.desk.hand}
    assert len(asked) >= 10
    marks = dict(zip(sorted(asked), map(SENTINEL.format, count(1000)), strict=False))
    original = Desk.number

    def number(self, name, *index, **how):
        found = original(self, name, *index, **how)
        marked = how.get("given") is not Given.LOOKED_UP
        return replace(found, text=marks.get((name, index), found.text)) if marked else found

    monkeypatch.setattr(Desk, "number", number)
    return Made(sheet.built, *build_sheet(sheet.built)), {mark: at for at, mark in marks.items()}


# What one station asks for, another one (or a worked line) printed.
COPIED = [
    *(CASES[name] for name in ("example", "two_blocks", "all_tokens", "two_sentences")),
    on("3,5"),
    on("2", KATZE, LITTLE, dimension=8),
    on("1,2,3,4a", dimension=2, heads=1),
    on("6,7,8,11", KATZE, LITTLE, lernen="alles"),
    on("7,11", lernen="attention", bloecke=3, heads=4, gewichte="ganzzahlig"),
    on("3,5,6,7,8,11", KATZE, MUCH, lernen="alles"),
]


@pytest.mark.parametrize("options", COPIED, ids=str)
def test_a_value_to_write_stands_nowhere_on_the_worksheet(options, monkeypatch):
    sheet, marks = with_sentinels(made_from(Options.from_mapping(options)), monkeypatch)
    assert shown_in(sheet.html("worksheet"), marks) == []
    assert len(shown_in(sheet.html("key"), marks)) == len(marks)


def shown_in(text, marks):
    """The cells whose marks stand in a text."""
    return [at for mark, at in marks.items() if mark in text]


def test_the_pdf_holds_no_value_to_write_either(monkeypatch):
    options = on("4a", "Vögel singen", nachkommastellen=4)
    sheet, marks = with_sentinels(made_from(Options.from_mapping(options)), monkeypatch)
    typesetter = Typesetter("pdf")
    worksheet, key = (
        everything_in(
            write_pdf(written(sheet.page(view), typesetter), title="t", images=typesetter.images).data
        )
        for view in ("worksheet", "key")
    )
    assert shown_in(worksheet, marks) == []
    assert len(shown_in(key, marks)) > 0.9 * len(marks)  # a line may break inside one


def everything_in(data):
    """Text of the pages, all strings of all objects (metadata, alternatives, names), all streams unpacked."""
    reader = PdfReader(io.BytesIO(data))
    parts = [signs.text_of(page) for page in signs.pages_of(data)]
    for number in range(1, reader.trailer["/Size"]):
        found = reader.get_object(number)
        parts.append(str(found))
        if hasattr(found, "get_data"):
            parts.append(found.get_data().decode("latin-1"))
    return "\n".join(parts)


# What one station asks for stands in no other under another name: encoder and decoder, the way back.
OF_TWO = ("encoder.", "decoder.", "gradient.", "step.", "after.", "loss")


def place_of(name, index, sizes):
    """The same for quantities that would be the same number if two models were alike.

    The gradient of a head's output stands in that of all heads side by side.
    """
    at, _, head = name.partition(".head")
    if name.startswith("gradient.block") and head.endswith(".output"):
        start = (int(head.partition(".")[0]) - 1) * sizes.d_head
        return f"{at}.residual1", (index[0], start + index[1])
    name = name.removeprefix("encoder.").replace("unmasked.", "block1.")
    return name.replace(".normalised", ".output") if ".norm" in name else name, index


@pytest.mark.parametrize(
    "options",
    [LITTLE | {"heads": 1, "maske": False, "bloecke": 2}, MUCH | {"maske": False, "lernen": "attention"}],
    ids=str,
)
def test_no_number_to_find_is_given_under_another_name(options):
    sheet = made_from(Options.from_mapping(on("4a,4b,5,7,8,10,11", KATZE, TWO, options)))
    exact, sizes = sheet.built.passes.exact, sheet.desk.sizes
    places = defaultdict(set)
    for number in numbers(tree(sheet.html("worksheet"))):
        if number.name in exact:
            value = round(float(exact[number.name].values[number.index]), 11)
            places[(*place_of(number.name, number.index, sizes), value)].add((*number.address, number.blank))
    told = []
    for found in places.values():
        blanks, givens = ([each[:2] for each in found if each[2] == blank] for blank in (True, False))
        if any(name.startswith(OF_TWO) for name, _ in (*blanks, *givens)):
            told += [(blank, given) for blank in blanks for given in givens]
    assert told[:5] == []
    assert sum(len(found) > 1 for found in places.values()) > 1  # there is something to compare
