"""The cards of the lessons: minutes without gaps, pages of the sheet, numbers of the calculation."""

import re

import pytest

from generator.basics.files import CARDS
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.pdf import paginate
from generator.production.worksheet import group_documents, jigsaw_of, review, taught
from generator.sheet.page import Objects, Sides
from generator.stations.make_sheet import make_sheet
from generator.teacher.board import Board
from generator.teacher.card import in_words
from generator.teacher.teacher import teacher_parts
from teacher.sheets import KATZE, fitted, made, parts, recorded
from tests.laid_out import documents_of

REPEATED = "Wenn Fliegen hinter Fliegen fliegen, fliegen Fliegen Fliegen nach."
HUND = "Der Hund holt den Ball"  # of whose models other tests make sheets, too


def cards_of(**options):
    return parts(**options)[2]["cards"]


@pytest.mark.parametrize("options", [{}, {"stationen": "9"}])
def test_the_stretches_of_a_lesson_follow_each_other_and_fill_it(options):
    for card in cards_of(**options):
        ends = [0, *(stretch.end for stretch in card.stretches)]
        assert [stretch.start for stretch in card.stretches] == ends[:-1]
        assert ends == sorted(set(ends))
        assert ends[-1] == card.length
        assert [card.stretches[0].kind, card.stretches[-1].kind] == ["opening", "comparing"]


def test_every_task_stands_on_one_card_and_answers_and_three_mistakes_are_named():
    cards = cards_of()
    printed = [(each.task.number, id(each)) for station in recorded() for each in station.exercises]
    dealt = [
        (each.task.number, id(each)) for card in cards for part in card.parts for each, _ in part.exercises
    ]
    assert sorted(dealt) == sorted(printed)
    for card in cards:
        counted_only = {part.badge for part in card.parts} <= {"9", "Σ"}  # words, and parameters to count
        assert len(card.stumbles) + len(card.checks) == 3 or (counted_only and not card.stumbles)
        assert card.answers
        assert all(mistake.sentence.startswith("Steht dort ") for mistake in card.stumbles)


def jigsaw(**options):
    """Its sheets, and the parts of its teacher's pages."""
    whole = make_sheet(Options.asked(options))
    sheets = jigsaw_of(whole)
    keys = [*group_documents(sheets.sheets, Objects())]
    reviewed = review(whole.sheet, whole.desk, whole.ranges)
    taught_with = taught(sheets, keys)
    return sheets.sheets, teacher_parts(whole.sheet, whole.desk, (), reviewed, None, taught_with)


@pytest.mark.parametrize(
    "options",
    [
        {"satz": HUND, "gruppen": "heads"},
        {"satz": KATZE, "gruppen": 3, "gewichte": "auswahl", "stationen": "4b"},
    ],
)
def test_a_jigsaw_is_one_lesson_on_the_sheets_of_its_groups(options):
    sheets, found = jigsaw(**options)
    (card,) = found["cards"]
    phases = {stretch.kind: stretch for stretch in card.stretches}
    *own, last = sheets
    assert (phases["groups"].files, phases["together"].files) == (tuple(own), (last,))
    minutes = {each.file: each.minutes for each in found["groups"]}
    assert phases["groups"].minutes == max(minutes[name] for name in own)
    assert phases["together"].minutes >= minutes[last]
    assert card.length % 45 == 0
    tasks = {
        (label.casefold().replace("\xa0", "-"), number)
        for label, number in (where.split(", Aufgabe\xa0") for where, _ in card.answers)
    }
    printed = {
        (name, str(task.number))
        for name, whole in sheets.items()
        for station in whole.sheet.stations
        for task in station.tasks.values()
    }
    assert tasks
    assert {task for task in tasks if task[0] != "jede gruppe"} <= printed
    assert {number for _, number in tasks} <= {number for _, number in printed}
    assert [part.points for part in found["stations"]] == [whole.sheet.points for whole in sheets.values()]
    sums = {whole.sheet.points + sheets[last].sheet.points for name, whole in sheets.items() if name != last}
    assert {each.points for each in found["graded"]} == sums


def test_nothing_on_the_pages_of_a_jigsaw_is_about_another_sheet():
    whole = make_sheet(Options.asked({"satz": HUND, "gruppen": "heads"}))
    pages = {name: page.html for name, page in documents_of(whole, Typesetter("screen")).items()}
    shown = " ".join(html for name, html in pages.items() if name.startswith(("gruppe", "zusammen")))
    (board,) = re.findall(r'(?s)<div class="blackboard">(.*?)</div>', pages[CARDS])
    assert set(numbers_in(board)) <= set(numbers_in(shown))
    for name in ("lehrkraft", CARDS):
        assert not re.search("Maske|W_O|−∞|Diktat|Bogenmaß|d_k", pages[name])
        assert "gruppe-1.pdf und gruppe-2.pdf, bei 28 Lernenden je 14-mal" in re.sub(r"\s+", " ", pages[name])
    for head in (1, 2):
        assert f"Head {head}, Gewicht „den“" in pages["lehrkraft"]


@pytest.mark.parametrize("options", [{"gruppen": "heads"}, {"gruppen": "token", "gewichte": "auswahl"}])
def test_the_card_of_a_jigsaw_is_one_page(options):
    eight = {"satz": HUND, "dimension": 8, "heads": 4, "stationen": "4b"}
    whole, typesetter = make_sheet(Options.asked(eight | options)), Typesetter("pdf")
    html = documents_of(whole, typesetter)[CARDS].html
    assert paginate(html, typesetter.images).pages == 1
    assert "Vorwissen" in html
    said = re.findall(r"(?s)Aufgabe.\d+:</b> (.*?)</li>", html)
    assert len(set(said)) == len(said) > 0


def test_pages_are_those_of_the_worksheet():
    said = in_words({"a": 2, "end-a": 5, "b": 5, "end-b": 9}, 9)
    sides = [Sides("a", "end-a"), Sides("b", "end-b"), Sides("a", "b"), Sides("b", "b")]
    assert [said(each).replace("\xa0", " ") for each in sides] == ["S. 2–5", "S. 5–9", "S. 2–5", "S. 5"]
    assert in_words({}, 0)(sides[0]) == ""
    # where a lesson begins on the page with which the last one ended
    places = {"t4a-4": 16, "t4a-5": 16, "end-4a": 17, "t4a-6": 16}
    said = [in_words(places, 20)(Sides("t4a-5", end, "t4a-4")) for end in ("end-4a", "t4a-6")]
    assert [each.replace("\xa0", " ") for each in said] == [
        "S. 17 (S. 16 haben sie schon)",
        "nichts (S. 16 haben sie schon)",
    ]
    # with the first station goes the cover, which has room for the name
    places = {"station-2": 2, "end-2": 3, "station-3": 4, "end-3": 5}
    said = [in_words(places, 5)(Sides(f"station-{n}", f"end-{n}")) for n in (2, 3)]
    assert [each.replace("\xa0", " ") for each in said] == ["S. 1–3", "S. 4–5"]


def test_no_page_is_copied_with_two_cards():
    """Also where a station begins below the one before it."""
    _, _, found = parts()
    sides = [card.pages for card in found["cards"]]
    ends = [each.last for each in sides if each]
    assert [each.had for each in sides if each] == ["", *ends[:-1]]


def test_the_board_shows_the_calculation_of_the_last_word_and_of_many_columns_the_largest():
    _, desk, _ = parts(stationen="4a,8")
    weights = desk.quantity("unmasked.head1.weight").values[desk.path]
    shown = Board(desk, desk.path).table([("unmasked.head1.weight", "Gewicht"), ("no.such", "nichts")])
    assert shown.rows == (("Gewicht", tuple(desk.format.text(float(w), 2) for w in weights)),)
    _, long, _ = parts(satz="Der alte Hund jagt heute den roten Ball im Garten", stationen="4a")
    name = "unmasked.head1.weight"
    shown = Board(long, long.path).table([(name, "Gewicht")], bar=name)
    largest = long.words[int(long.quantity(name).values[long.path].argmax())]
    assert largest in shown.heads
    assert len(shown.heads) == len(shown.rows[0][1]) == len(shown.bars) == 8
    own = {f"{bar.share:.2f}".replace(".", ",") for bar in shown.bars if bar.share is not None}
    assert own == set(shown.rows[0][1]) - {"…"}  # on the sheet, 1 is the whole width, too


@pytest.mark.parametrize(
    "options",
    [
        {"zeit": 45},
        pytest.param({"zeit": 45, "satz": HUND}, marks=pytest.mark.thorough),
        pytest.param({"zeit": 90, "satz": HUND}, marks=pytest.mark.thorough),
        {"satz": HUND},
        pytest.param({"satz": REPEATED}, marks=pytest.mark.thorough),
    ],
)
def test_a_card_is_one_page_and_names_pages_of_the_sheet(options):
    built, choice = fitted(**options)
    whole, typesetter = make_sheet(built), Typesetter("pdf")
    made = documents_of(whole, typesetter, choice)
    html = {name: document.html for name, document in made.items()}
    places = dict.fromkeys(re.findall(r'id="([^"]*)"', html["arbeitsblatt"]), 1)
    card = made[CARDS].document.page
    sides = [each for part in card.root.iter() if isinstance(each := card.objects.of(part), Sides)]
    assert sides
    assert all(name in places for each in sides for name in (each.first, each.last, each.had) if name)
    assert paginate(html[CARDS], typesetter.images).pages == html[CARDS].count('class="card"')


TWO = {"stationen": "10,11", "zielsatz": "The cat sits", "lernen": "alles"}


@pytest.mark.parametrize("options", [{}, pytest.param(TWO, marks=pytest.mark.thorough)])
def test_no_two_cards_open_alike(options):
    html = made(**options)[2][CARDS]
    said = re.findall(
        r'(?s)<p class="aim">.*?</p>|<p class="opening">.*?</p>|<div class="blackboard">.*?</div>', html
    )
    cards = [tuple(said[i : i + 3]) for i in range(0, len(said), 3)]
    assert len(cards) == html.count('class="card"')
    assert len(set(cards)) == len(cards)


@pytest.mark.parametrize("path", [pytest.param("ausgabe", marks=pytest.mark.thorough), "alles"])
def test_the_way_back_and_two_sentences_have_wrong_numbers_with_their_causes(path):
    cards = cards_of(stationen="10,11", zielsatz="The cat sits", lernen=path)
    assert {card.name for card in cards} == {"cross_attention", "learning"}
    assert all(len(card.stumbles) == 3 for card in cards if card.parts[0].begins)
    said = " ".join(mistake.place + mistake.sentence + mistake.help for c in cards for mistake in c.stumbles)
    assert "Taste log statt ln" in said
    assert "„sits“ zu „" in said  # the words of both sentences
    assert "d_k" not in said


LESSONS = (
    {},
    {"stationen": "2,4a"},
    {"stationen": "4a", "zeit": 45},
    {"stationen": "11", "lernen": "ausgabe"},
    {"stationen": "10,11", "zielsatz": "The cat sits", "lernen": "attention"},
    {"satz": HUND, "stationen": "2,4a,11", "lernen": "ausgabe", "gewichte": "gelernt"},
)


@pytest.mark.parametrize("options", LESSONS)
def test_a_card_has_no_number_that_the_sheet_does_not_have(options):
    pages = made(**options)[2]
    given = set(numbers_in(pages["loesung"]))
    for board in re.findall(r'(?s)<div class="blackboard">(.*?)</div>', pages[CARDS]):
        assert set(numbers_in(board)) <= given


def numbers_in(html):
    """Those with decimals; a minus is a sign of its own in formulas."""
    return re.findall(r"\d+,\d+", re.sub(r"<[^>]+>", " ", html))


def test_the_board_has_the_answer_to_its_question_of_the_most_similar_word():
    sheet, desk, found = parts(stationen="2")
    own, name = found["board"].of_row("similarity.cosine"), "similarity.cosine"
    word = desk.vocabulary.index(own.word)
    pairs = {frozenset(number.index) for number in sheet.numbers if number.name == name} - {frozenset([word])}
    others = [other for pair in pairs if word in pair for other in pair - {word}]
    shown = own.compared(name, "Kosinus")
    assert set(shown.heads) == {desk.vocabulary[other] for other in others}
    assert len(shown.heads) > 3
    closest = max(others, key=desk.quantity(name).values[word].__getitem__)
    assert desk.number(name, word, closest).text in shown.rows[0][1]


def test_what_a_sheet_does_not_have_is_not_asked_for_on_its_teachers_pages():
    sheet, _, pages = made(stationen="11", lernen="ausgabe")
    assert len(sheet.stations) == 1
    for name in ("lehrkraft", CARDS):
        assert not re.search("Maske|Encoder|Decoder|d_k|<i>d</i><sub>k</sub>|Selbst gerechnet", pages[name])
    assert "Maske" in made(stationen="11", lernen="attention")[2]["lehrkraft"]
