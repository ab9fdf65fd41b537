"""Every page of both views, in many configurations: what a teacher would object to, and if they match."""

import pytest
from cases import LAID_OUT, TEN, Made, booklet, made, made_from, thorough_but
from congruence import differences
from faults import MOST_EMPTY, all_faults, crossings, emptiness, ends_a_station, long_lines
from paper import paper

from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.render import on_paper
from generator.production.worksheet import fitted_to_lesson
from generator.stations.make_sheet import make_sheet
from generator.teacher.lesson import group_sheets
from tests.laid_out import page_of

SHOWN = 12
BOOKLETS = (
    "Die Katze sitzt auf der Matte",
    "Der Mond leuchtet hell über dem See",
    "Meine Oma backt sonntags einen Kuchen",
    "Vögel bauen ein Nest",
    "Mein Nachbar baut im Garten eine Hütte",
    "Die Ärztin hilft am Abend dem Kind",
    "Mein Bruder spielt abends gern Gitarre",
    "Die Gärtnerin schneidet morgens die Rosen",
    TEN,
)
LONG_WORDS = "Mein Vater repariert am Wochenende das alte Fahrrad"
MOST_PAGES = 34
MATRICES = (  # what stands above or beside a matrix of the feed-forward network, and what needs it
    ("Das Bild zeigt ihre Zahlen in", "und wende ReLU an"),
    ("Dann multiplizierst du die Ergebnisse von ReLU", "die 4 Komponenten von"),
)
LARGEST_HOLE = 0.43  # before station 8's table or a head with its keys, which stay whole


def looked_at(made, signs=False):
    """The worksheet's pages, without any fault, as the key's: laying them out is what takes time.

    signs: whether each sign of the key is looked at, too, also in pictures.
    """
    pages = {"worksheet": made.worksheet, "key": paper(*made.page("key", "pdf"))}
    assert len(pages["worksheet"].pages) > 1
    found = [f"{view}: {fault}" for view in pages for fault in all_faults(pages[view])]
    found += differences(pages["worksheet"], pages["key"])
    found += crossings(pages["key"]) if signs else ()
    assert not found, "\n".join([f"{len(found)} faults", *found[:SHOWN]])
    # On the key the expected answers stand small in the room of the ruled lines; it is read by teachers.
    lines = list(long_lines(pages["worksheet"]))
    assert not lines, "\n".join([f"{len(lines)} long lines", *lines[:SHOWN]])
    return pages["worksheet"]


def worksheet_of(sentence, **options):
    return made_from(Options.asked({"satz": sentence, **options})).worksheet


@pytest.mark.parametrize("case", LAID_OUT)
def test_pages_hold_what_they_promise(case):
    looked_at(made(case), signs=True)


@pytest.mark.parametrize("sentence", thorough_but(BOOKLETS[:1], BOOKLETS))
def test_the_default_booklet_is_short_and_its_pages_are_full(sentence):
    """Where a station ends early, the page stays white: it is not counted here."""
    made = booklet(sentence)
    found = looked_at(made, signs=True)
    typesetter = Typesetter("pdf")  # what is printed: one layout for worksheet and key
    both = on_paper(page_of(made.sheet, made.desk, "key"), typesetter, both=True)
    assert len(paper(both, typesetter.images).pages) == len(found.pages)
    shares = emptiness(found)
    inside = [page for page in range(1, len(shares)) if not ends_a_station(found, page)]
    holes = {page: shares[page - 1] for page in inside if shares[page - 1] > MOST_EMPTY}
    assert len(shares) <= MOST_PAGES
    assert max(holes.values(), default=0.0) <= LARGEST_HOLE
    assert len(holes) <= 2
    notes, cells = found.of_class("notes"), found.of_class("write")
    assert notes or sentence == TEN
    for keys in notes:  # they stand on the page of the table that needs them
        assert any(cell.page == keys.page and cell.top >= keys.bottom for cell in cells)
    for matrix, task in MATRICES:
        assert page_with(found, matrix) == page_with(found, task)
    assert heads_alone(found) == []


ONE_EXCHANGE = "Im Herbst fallen die Blätter von den Bäumen"  # of two texts; station 8 has no tip then


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


def test_no_question_stands_alone_at_the_foot_of_a_page():
    found = worksheet_of(ONE_EXCHANGE, stationen="6,8", dimension=6)
    for question in (*found.of_class("question"), *(box for box in found.boxes if box.tag == "h2")):
        below = (box for box in found.content(question.page) if box.kind == "LineBox" and box.words().strip())
        assert any(line.top > question.bottom - 1 for line in below), question


def page_with(found, words):
    """The first page with these words; a line that ends between them has no space."""
    squeezed = words.replace(" ", "")
    blocks = (box for box in found.boxes if box.kind == "BlockBox")
    return next(box.page for box in blocks if squeezed in "".join(box.words().split()))


LESSONS = ("Der Hund holt den Ball", "Meine Oma backt sonntags einen Kuchen", *BOOKLETS)
PAGES_OF_A_LESSON = 4


OTHER_LESSONS = [{"satz": LESSONS[0], "heads": 1}, *({"satz": each} for each in LESSONS[1:])]


@pytest.mark.parametrize(
    "options",
    [
        {"satz": LESSONS[0]},
        {"satz": LESSONS[0], "gewichte": "auswahl"},
        *(pytest.param(each, marks=pytest.mark.thorough) for each in OTHER_LESSONS),
    ],
)
def test_a_lesson_has_four_pages_and_each_has_something_to_do(options):
    built, _ = fitted_to_lesson(build(Options.asked({"zeit": 45, **options})))
    whole = make_sheet(built, ranges=built.ranges())
    found = looked_at(Made(whole.built, whole.sheet, whole.desk))
    for name in ("task", "phase"):
        assert {box.page for box in found.of_class(name)} == set(range(1, PAGES_OF_A_LESSON + 1))
    assert len(found.pages) == PAGES_OF_A_LESSON


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"satz": BOOKLETS[0], "gruppen": "token"},
        pytest.param({"satz": "Die Ärztin hilft dem Kind"}, marks=pytest.mark.thorough),
        pytest.param({"heads": 4}, marks=pytest.mark.thorough),
    ],
)
def test_sheets_of_a_jigsaw_have_no_faults_and_two_pages(options):
    built = build(Options.asked({"satz": LESSONS[0], "gruppen": "heads", **options}))
    for whole in group_sheets(built, built.ranges()).values():
        found = looked_at(Made(whole.built, whole.sheet, whole.desk))
        assert len(found.pages) == 2


@pytest.mark.parametrize("sentence", thorough_but(BOOKLETS[:1], (BOOKLETS[0], LONG_WORDS)))
def test_the_tip_is_written_before_the_page_that_has_its_solution(sentence):
    found = worksheet_of(sentence, stationen="8")
    pages = {
        begin: next(box.page for box in found.boxes if box.kind == "BlockBox" and begin in box.words())
        for begin in ("Tausche ein Wort", "Mein Tipp:", "Ist dein Tipp", "Teile")
    }
    assert pages["Tausche ein Wort"] == pages["Mein Tipp:"] < pages["Ist dein Tipp"] == pages["Teile"]


# The ranges beside the values of the key: in their cells, and nothing else moves for them.

SHEETS = {
    "two sentences, six places": {
        "satz": "Die Katze",
        "zielsatz": "The cat sits",
        "lernen": "attention",
        "stationen": "10,11",
        "nachkommastellen": 6,
        "dimension": 8,
    },
    "texts and a lesson": {
        "satz": "Die Katze sitzt",
        "lernen": "alles",
        "stationen": "9,11",
        "endezeichen": "<Ende>",
    },
}


@pytest.mark.parametrize("sheet", thorough_but(["two sentences, six places"], SHEETS))
def test_ranges_fit_their_cells(sheet):
    built = build(Options.from_mapping(SHEETS[sheet]))
    whole = make_sheet(built, ranges=built.ranges())
    made = Made(whole.built, whole.sheet, whole.desk)
    key = paper(*made.page("key", "pdf"))
    texts = [
        box
        for box in key.boxes
        if box.text and any("accepted" in outer.classes for outer in (box, *box.ancestors))
    ]
    assert len(texts) > 40
    beyond = []
    for box in texts:
        cell = next((outer for outer in box.ancestors if outer.kind == "TableCellBox"), None)
        if cell is not None and (box.left < cell.left or box.right > cell.right):
            beyond.append(f"page {box.page}: {box.text} is {box.width:.1f} mm, its cell {cell.width:.1f} mm")
    assert beyond == []
    assert list(all_faults(key)) == []
    assert differences(made.worksheet, key) == []


OF_FOUR_STEPS = [{"gewichte": "auswahl"}, {}, {"dimension": 8, "heads": 2}]


@pytest.mark.parametrize("more", thorough_but(OF_FOUR_STEPS[:1], OF_FOUR_STEPS))
def test_the_picture_of_the_four_steps_of_attention_stands_on_one_page(more):
    found = worksheet_of(TEN, stationen="4a", **more)
    assert len({box.page for box in found.of_class("explained")}) == 1
