"""From pictures of pages to papers: what is found where, what is said of every page, who confirms what."""

import re

import numpy as np
import pytest

pytest.importorskip("zxingcpp")
from PIL import Image, ImageDraw

from generator.basics.errors import UserError
from generator.options.options import Options
from generator.output.page_marks import EARLIER, MARKS
from generator.reading import judge, scan
from generator.reading.blank_map import PrintedSheet
from generator.reading.boxes import boxes_of
from generator.reading.collect import collect, join
from generator.reading.network import texts_of
from generator.reading.pages import find_pages, seen_at
from generator.reading.papers import MACHINE, PERSON, Class, ReadBlank, ReadPaper, Review
from generator.stations.make_sheet import make_sheet
from scans.paper import BLANKS, FINE, SHEET, SIZE, as_map, page, skewed

FIRST = [blank for blank in BLANKS if blank.page == 1]
KNOWN = {"karten": [as_map()], "blaetter": {f"{SHEET}0000": 0}, "genannt": f"{SHEET}0000"}


def found_in(image):
    (found,) = find_pages(np.asarray(image, np.float32), {SHEET: (SIZE, MARKS)}, (SIZE, MARKS))
    return found


def in_picture(image):
    """Its boxes, all of them settled."""
    found = found_in(image)
    assert (found.mark.sheet, found.mark.page, found.fault) == (SHEET, 1, "")
    boxes = boxes_of(np.asarray(image, np.float32), found, FIRST)
    assert all(box.settled for box in boxes)
    return found, boxes


@pytest.mark.parametrize(
    ("corners", "desk"),
    [
        ([(0.06, 0.04), (0.95, 0.07), (0.92, 0.96), (0.03, 0.93)], 90),
        ([(0.052, 0.037), (0.947, 0.087), (0.957, 0.916), (0.048, 0.954)], 30),  # as dark as a mark
    ],
)
def test_boxes_are_found_within_half_a_millimetre_on_a_photo(corners, desk):
    image = skewed(page(), corners, desk)
    found, boxes = in_picture(image)
    for box in boxes:
        wide, high = box.blank.right - box.blank.left, box.blank.bottom - box.blank.top
        assert box.at == pytest.approx((3, 3, 3 + wide, 3 + high), abs=0.5)
    for place, corner in zip([(0, 0), (210, 0), (210, 297), (0, 297)], corners, strict=True):
        u, v = seen_at(found.map, *place)
        assert (u / image.width, v / image.height) == pytest.approx(corner, abs=0.003)


@pytest.mark.parametrize(
    ("seen", "fault"),
    [
        (lambda image: image.point(lambda grey: 255 * (grey > 128)), ""),
        (lambda image: image.crop((0, 0, image.width, image.height // 2)), "cropped"),
        (lambda image: image.point(lambda grey: grey // 7), "dark"),
        (lambda image: image.resize((image.width // 2, image.height // 2)), ""),
    ],
    ids=["1 bit", "half a page", "dark", "100 dpi"],
)
def test_what_a_page_lacks(seen, fault):
    assert found_in(seen(page())).fault == fault


@pytest.mark.parametrize(
    ("share", "lost", "turn"), [(1.0, 8.0, 3), (0.93, 0.0, 180), (0.93, 8.0, 90), (1.03, 4.0, -2)]
)
def test_a_printer_that_loses_its_edges_or_prints_smaller_however_the_page_lies(share, lost, turn):
    image = page()
    paper = Image.new("L", image.size, 255)
    small = image.resize((round(image.width * share), round(image.height * share)))
    paper.paste(small, ((image.width - small.width) // 2, (image.height - small.height) // 2))
    edge = round(lost * FINE)
    kept = paper.crop((edge, edge, image.width - edge, image.height - edge))
    paper.paste(255, (0, 0, *image.size))
    paper.paste(kept, (edge, edge))
    in_picture(paper.rotate(turn, expand=turn % 90 == 0, fillcolor=255))


def without_code(number, **others):
    image = page(number, **others)
    left, top = (round(side * FINE) for side in MARKS.matrix_corner(SIZE[0]))
    image.paste(120, (left + 10, top + 10, left + 40, top + 70))
    return image


def read_from(image, folder, known=KNOWN):
    image.save(folder / "a.png")
    return scan.read_pages(b"", [(str(folder / "a.png"), 0)], known)[0]


@pytest.mark.parametrize(("turn", "number"), [(0, 1), (2, 2), (90, 1), (180, 2), (270, 1)])
def test_a_page_whose_code_is_lost_is_known_by_its_boxes(number, turn, tmp_path):
    image = without_code(number).rotate(turn, expand=turn % 90 == 0, fillcolor=255)
    (found,) = read_from(image, tmp_path)
    assert (found["fault"], found["mark"]) == ("", [SHEET, 0, number])
    assert all(box["settled"] for box in found["boxes"])


def test_it_is_not_guessed_where_pages_are_alike_or_sheets_are_many(tmp_path):
    alike = as_map()
    alike["felder"] += [[3, *field[1:]] for field in alike["felder"] if field[0] == 1]
    two = KNOWN | {"blaetter": {f"{SHEET}0000": 0, "EFGH0000": 0}, "genannt": None}
    other = without_code(1)
    other.paste(255, (0, 300, other.width, other.height - 200))
    for line in range(600, 1800, 60):  # a page of other boxes
        other.paste(0, (300, line, 1300, line + 4))
    for image, known in (
        (without_code(1), KNOWN | {"karten": [alike]}),
        (without_code(1), two),
        (other, KNOWN),
    ):
        assert read_from(image, tmp_path, known) == [{"fault": "unmarked"}]


def test_a_sheet_of_before_is_read_with_its_own_marks_and_two_pages_in_one_photo():
    image = page(marks=EARLIER)
    (found,) = find_pages(np.asarray(image, np.float32), {SHEET: (SIZE, EARLIER)}, (SIZE, MARKS))
    assert found.fault == ""
    assert all(box.settled for box in boxes_of(np.asarray(image, np.float32), found, FIRST))
    both = Image.new("L", (image.width * 2, image.height), 120)
    for number in (1, 2):
        both.paste(page(number), ((number - 1) * image.width, 0))
    found = find_pages(np.asarray(both, np.float32), {SHEET: (SIZE, MARKS)}, (SIZE, MARKS))
    assert {each.mark.page for each in found} == {1, 2}


def as_pdf(path, *images):
    images[0].save(path, save_all=True, append_images=images[1:], resolution=FINE * 25.4)
    return path


def added(read, files, sheet, names=()):
    join(read, collect(files, [sheet], lambda *_: None), [sheet], dict(names))
    return read


def test_what_is_said_of_every_page(tmp_path):
    sheet = PrintedSheet(SHEET, 7, "rechnung.json", SIZE, 2, BLANKS)
    blank = Image.new("L", page().size, 250)
    foreign = page(1, sheet="ZZZZ")
    small = page(2, pupil=7).resize((700, 990))
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 255, page().size[::-1]).astype(np.uint8))
    first = as_pdf(tmp_path / "a.pdf", page(1, pupil=7), blank, foreign, page(1, pupil=7), noise)
    (tmp_path / "broken.pdf").write_bytes(first.read_bytes()[:3000])
    small.save(tmp_path / "small.png")
    (tmp_path / "text.txt").write_text("kein Bild")
    Image.new("1", (12_000, 9_000)).save(tmp_path / "large.png")
    names = ("a.pdf", "broken.pdf", "small.png", "text.txt", "large.png", "no.pdf")
    read = added(Class(), [tmp_path / name for name in names], sheet, {7: "Anna"})
    assert [(paper.label, paper.name, paper.pages) for paper in read.papers] == [("7", "Anna", [1])]
    assert len(read.papers[0].fields) == len(FIRST)
    told = """Seite 2 ist leer|Seite 3 gehört zu Blatt ZZZZ|Seite 4 ist doppelt|Seite 5 hat keine Marke
    |„broken.pdf“ ist beschädigt|„small.png“|zu grob|„text.txt“ ist weder|108 Megapixel
    |„no.pdf“ gibt es nicht|fehlt die Seite 2"""
    said = " ".join(read.said)
    assert [part for part in map(str.strip, told.split("|")) if part not in said] == []


def test_copies_of_one_sheet_become_papers_in_their_order(tmp_path):
    sheet = PrintedSheet(SHEET, 0, "rechnung.json", SIZE, 2, BLANKS)
    file = as_pdf(tmp_path / "a.pdf", page(2), page(1), page(1), page(2))
    read = added(Class(), [file], sheet)
    assert [(paper.label, paper.pages) for paper in read.papers] == [("1", [1, 2]), ("2", [1, 2])]
    assert read.said == []


def test_numbers_are_read_and_what_is_crossed_out_or_none_is_not_taken(tmp_path):
    rng, kinds = np.random.default_rng(1), ("crossed", "number", "words", "number")
    texts = {b.cell: f"{rng.integers(0, 9)},{rng.integers(10, 99)}" for b in FIRST}
    kind_of = {b.cell: kinds[number % 4] for number, b in enumerate(FIRST)}
    image = page(1, {cell: "nein" if kind_of[cell] == "words" else text for cell, text in texts.items()})
    draw = ImageDraw.Draw(image)
    for blank in (each for each in FIRST if kind_of[each.cell] == "crossed"):
        left, top, _, bottom = (side * FINE for side in blank[1:5])
        for more in (0, 11):
            draw.line([left + 13, bottom - 22 - more, left + 91, top + 20 + more], fill=30, width=4)
    (found,) = read_from(image, tmp_path)
    for box in found["boxes"]:
        text, share = box["guesses"][0]
        others = max((share for guess, share in box["guesses"] if "X" in guess), default=0.0)
        believed = share >= judge.LIKELY and others <= judge.OTHER_SHARE
        assert believed == (kind_of[box["cell"]] == "number")
        assert not believed or text == texts[box["cell"]]


def test_prefix_search_counts_all_ways_to_write_a_text():
    steps = np.full((2, 14), 0.0)
    steps[:, 0], steps[:, 2], steps[:, 3] = 0.4, 0.35, 0.25  # no sign, 1, 2
    best = texts_of(steps)[0]
    assert best.text == "1"
    assert best.likely == pytest.approx(2 * 0.4 * 0.35 + 0.35**2)


def field(cell, text, likely=0.99, ink=5.0, settled=True):
    return ReadBlank(f"block1.head1.{cell}", 1, [[text, likely]], "", settled, ink)


def test_a_machine_confirms_what_is_sure_and_right_and_nothing_else():
    options = Options(satz="Die Katze sitzt", gewichte="ganzzahlig", stationen=("4b",))
    rebuilt = make_sheet(options).rebuilt()
    right = rebuilt.calculation.hand["block1.head1.weight"].values[1, 0]
    fields = {  # why a person has to look, or who confirms it
        MACHINE: field("weight[1,0]", f"{float(right):.2f}".replace(".", ",")),
        f"{MACHINE} too": field("score[2,0]", "", ink=0.0),
        "likely": field("weight[1,1]", "0,20", 0.05),
        "range": field("weight[2,0]", "77,77"),
        "form: negative": field("weight[2,1]", "-0,20"),
        "form: places": field("weight[2,2]", "0,2"),
        "other": field("score[1,0]", "X"),
        "place": field("score[1,1]", "0,20", settled=False),
        "ink: dirt": field("score[2,1]", "", ink=3.0),
        "ink: thin": field("score[2,2]", "0,2", 0.05, ink=0.2),
    }
    read = Class([ReadPaper("1", "", SHEET, 0, "r", [1], "", list(fields.values()))])
    before = [each.guesses for each in fields.values()]
    judge.confirm_readings(read, {"r": rebuilt})
    assert [each.by or each.doubt for each in fields.values()] == [
        re.split("[ :]", name)[0] for name in fields
    ]
    assert [each.guesses for each in fields.values()] == before
    keys = dict(zip(fields, (key for key, _, _ in read.keyed()), strict=True))
    read.confirm(Review({keys["likely"]: "0,21", keys["other"]: "?"}, frozenset([keys[MACHINE]])))
    assert (fields["likely"].value, fields["likely"].by) == ("0,21", PERSON)
    assert fields["range"].by == ""
    assert judge.values_of(read.papers[0])["block1.head1.score[1,0]"] == "?"
    assert "1 Feldern" in judge.words_on_sample(read)
    with pytest.raises(UserError, match="anderen Blättern"):
        read.confirm(Review({"9.9": "1"}))


@pytest.mark.parametrize(
    "said", [None, 3, "werte", [], {}, {"werte": []}, {"werte": {"a": 1}}, {"werte": {}, "geprueft": [[1]]}]
)
def test_only_a_review_is_taken_for_one(said):
    with pytest.raises(UserError, match="keine Durchsicht"):
        Review.of(said)


def test_a_state_is_kept_and_read_back(tmp_path):
    read = Class([ReadPaper("1", "Zoë", SHEET, 0, "r", [1], "", [field("weight[0]", "1")])], ["Hinweis"])
    read.save(tmp_path)
    assert Class.load(tmp_path) == read
    (tmp_path / "stand.json").write_text("{}")
    with pytest.raises(UserError, match="beschädigt"):
        Class.load(tmp_path)
