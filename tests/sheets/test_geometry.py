"""Every page in many configurations: what a teacher would object to, and if worksheet and key match.

Both are printed with one layout; that it shows what each would alone is looked at in tests/pdf.
"""

import io

import pytest
from cases import BOOKLETS, CASES, TEN, Made, booklet, made, thorough_but
from congruence import differences
from faults import all_faults, crossings, empty_pages, half_empty, margins, narrow_blanks, overlaps, spills
from pypdf import PdfReader

from generator.calculation.build import build
from generator.options.options import Options
from generator.production.worksheet import fitted_to_lesson
from generator.sheet.fields import BOTTOM, TOP, page_format
from generator.stations.make_sheet import make_sheet
from generator.teacher.lesson import group_sheets

SHOWN = 12
MOST_PAGES = 34
LARGEST_HOLE = 0.43  # before station 8's table or a head with its keys, which stay whole
MATRICES = (  # what stands above or beside a matrix of the feed-forward network, and what needs it
    ("Das Bild zeigt die Zahlen deiner Einheiten in", "und wende ReLU an"),
    ("Dann multiplizierst du die Ergebnisse von ReLU", "die 4 Komponenten von"),
)
TIP = ("Tausche ein Wort", "Mein Tipp:", "Ist dein Tipp", "durch die Summe aller,")


def looked_at(found, *more):
    """Pages without any fault. more: other faults of them."""
    assert len(found.pages) > 1
    faults = [*all_faults(found), *more]
    assert not faults, "\n".join([f"{len(faults)} faults", *faults[:SHOWN]])
    return found


def of_whole(whole):
    return Made(whole.built, whole.sheet, whole.desk)


# What the booklet and lessons have, too, is laid out here with --gruendlich.
@pytest.mark.parametrize("case", thorough_but(("ten_words_much_given", "two_narrow", "long_words"), CASES))
def test_pages_hold_what_they_promise_and_worksheet_and_key_lie_on_each_other(case):
    sheet = made(case)
    looked_at(sheet.both, *differences(sheet.worksheet, sheet.both), *crossings(sheet.both))


@pytest.mark.parametrize("sentence", thorough_but(BOOKLETS[:1], BOOKLETS))
def test_the_default_booklet_is_short_and_its_pages_are_full(sentence):
    found = booklet(sentence).both
    looked_at(found, *crossings(found))
    assert len(found.pages) <= MOST_PAGES
    holes = half_empty(found)
    assert max(holes.values(), default=0.0) <= LARGEST_HOLE
    assert len(holes) <= 2
    notes, cells = found.of_class("notes"), found.of_class("write")
    assert notes or sentence == TEN
    for keys in notes:  # they stand on the page of the table that needs them
        assert any(cell.page == keys.page and cell.top >= keys.bottom for cell in cells)
    for matrix, task in MATRICES:
        assert page_with(found, matrix) == page_with(found, task)
    tip, written, solved, shared = (page_with(found, begin) for begin in TIP)
    assert tip == written < solved == shared
    assert len({box.page for box in found.of_class("explained")}) == 1  # the four steps of attention
    assert heads_alone(found) == []


def heads_alone(found):
    """Stations whose head stands on a page without anything that they begin with."""
    alone = []
    for station in (box for box in found.of_class("station") if "apart" not in box.classes):
        inside = [box for box in station.children if box.kind in ("BlockBox", "TableBox", "LineBox")]
        head = next((n for n, box in enumerate(inside) if box.tag == "h1"), None)
        if head is not None:
            after = [b for b in inside[head + 1 :] if not b.classes & {"aim", "board"} and b.height > 0]
            alone += [] if after else [str(inside[head])]
    return alone


def page_with(found, words):
    """The first page with these words; a line that ends between them has no space."""
    squeezed = words.replace(" ", "")
    blocks = (box for box in found.boxes if box.kind == "BlockBox")
    return next(box.page for box in blocks if squeezed in "".join(box.words().split()))


LESSON, PAGES_OF_A_LESSON = "Der Hund holt den Ball", 4
thorough = pytest.mark.thorough


@pytest.mark.parametrize(
    "options",
    [
        {},
        *(pytest.param(each, marks=thorough) for each in ({"gewichte": "auswahl"}, {"heads": 1})),
        *(pytest.param({"satz": each}, marks=thorough) for each in BOOKLETS),
    ],
)
def test_a_lesson_has_four_pages_and_each_has_something_to_do(options):
    built, _ = fitted_to_lesson(build(Options.asked({"satz": LESSON, "zeit": 45, **options})))
    found = looked_at(of_whole(make_sheet(built, ranges=built.ranges())).both)
    for name in ("task", "phase"):
        assert {box.page for box in found.of_class(name)} == set(range(1, PAGES_OF_A_LESSON + 1))
    assert len(found.pages) == PAGES_OF_A_LESSON


@pytest.mark.parametrize(
    "options",
    [
        {"gruppen": "heads"},
        pytest.param({"satz": BOOKLETS[0], "gruppen": "token"}, marks=thorough),
        pytest.param({"gruppen": "heads", "heads": 4}, marks=thorough),
    ],
)
def test_sheets_of_a_jigsaw_have_no_faults_and_two_pages(options):
    built = build(Options.asked({"satz": LESSON, **options}))
    for whole in group_sheets(built, built.ranges()).values():
        assert len(looked_at(of_whole(whole).both).pages) == 2


SIX_PLACES = {"zielsatz": "The cat sits", "stationen": "10", "nachkommastellen": 6, "dimension": 8}
LEARNING = {"zielsatz": "The cat", "lernen": "attention", "stationen": "9,11", "endezeichen": "<Ende>"}


@pytest.mark.parametrize("options", [SIX_PLACES, pytest.param(LEARNING, marks=thorough)], ids=str)
def test_ranges_beside_the_values_of_the_key_fit_their_cells_and_nothing_moves_for_them(options):
    built = build(Options.from_mapping({"satz": "Die Katze", **options}))
    ranged = of_whole(make_sheet(built, ranges=built.ranges()))
    looked_at(ranged.both, *differences(ranged.worksheet, ranged.both))
    texts = [box for box in ranged.both.boxes if box.text and "accepted" in box.around]
    assert len(texts) > 30
    beyond = [box for box in texts if (cell := box.cell) and (box.left < cell.left or box.right > cell.right)]
    assert not beyond, "\n".join(map(str, beyond))


# Large print: all of a page grows, and nothing leaves it. The size of the print and what is printed.
LARGE = {
    14: {"satz": "Die Katze sitzt", "stationen": ("0", "4b", "5"), "rand": "rechts"},
    16: {"satz": "Der alte Hund jagt heute den roten Ball", "stationen": ("2", "3", "4a", "8"), "heads": 1},
    18: {"satz": "Die Katze sitzt", "stationen": ("1", "6", "9"), "rand": "links"},
}


@pytest.mark.parametrize("size", thorough_but([18], LARGE))
def test_large_print_grows_and_nothing_leaves_the_page(size):
    options = Options(**LARGE[size], schrift=size)
    sheet, page = of_whole(make_sheet(build(options))), page_format(size, options.rand)
    found = sheet.both
    assert [round(side) for side in PdfReader(io.BytesIO(found.pdf)).pages[0].mediabox[2:]] == [842, 595]
    assert max(blank.right for blank in found.layout.result(b"").blanks) > 200  # mm of the sheet that is seen
    frame = (page.left, page.width - page.right, TOP, page.height - BOTTOM)
    faults = all_faults(found, [overlaps, spills, narrow_blanks, empty_pages])
    faults += crossings(found)
    beyond = margins(found, tuple(side / page.zoom for side in frame))
    faults += [str(box) for box in beyond if not box.in_margin]
    running = [box for box in found.boxes if box.kind == "TextBox" and box.tag == "p"]
    running = [box for box in running if not box.element.get("class")]
    faults += [str(box) for box in running if box.height * page.zoom < size * 25.4 / 72]
    assert running
    assert not faults, "\n".join(faults[:SHOWN])


@pytest.mark.parametrize(("side", "left", "right"), [(None, 25, 20), ("links", 33, 12), ("rechts", 12, 33)])
def test_a_wider_margin_on_either_side(side, left, right):
    page = page_format(None, side)
    assert (page.left, page.right, page.width, page.height, page.zoom) == (left, right, 210, 297, 1)
