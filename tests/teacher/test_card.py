"""The cards of the lessons: minutes without gaps, pages of the sheet, numbers of the calculation."""

import re
from math import ceil

import pytest

from generator.basics.files import CARDS
from generator.sheet.page import Sides
from generator.teacher.board import Board
from generator.teacher.card import in_words
from teacher.sheets import HUND, PAPER, SHEETS, every_sheet, printed, taught
from tests.laid_out import written

REPEATED = "Wenn Fliegen hinter Fliegen fliegen, fliegen Fliegen Fliegen nach."


def numbers_in(html):
    """Those with decimals; a minus is a sign of its own in formulas."""
    return set(re.findall(r"\d+,\d+", re.sub(r"<[^>]+>", " ", html)))


@every_sheet
def test_a_lesson_is_filled_and_every_task_stands_on_one_card(sheet):
    own = taught(**SHEETS[sheet])
    cards, printed_tasks = own.found["cards"], [each for station in own.key for each in station.exercises]
    dealt = [each for card in cards for part in card.parts for each, _ in part.exercises]
    assert sorted(map(id, dealt)) == sorted(map(id, printed_tasks))
    for card in cards:
        ends = [0, *(stretch.end for stretch in card.stretches)]
        assert [stretch.start for stretch in card.stretches] == ends[:-1]
        assert ends == sorted(set(ends))
        assert ends[-1] == card.length
        assert [card.stretches[0].kind, card.stretches[-1].kind] == ["opening", "comparing"]
        minutes = {stretch.kind: stretch.minutes for stretch in card.stretches}
        if "spare" in minutes:
            work = sum(stretch.minutes for stretch in card.stretches if stretch.kind == "work")
            assert work == ceil(sum(part.minutes for part in card.parts))
    sides = [card.pages for card in cards if card.pages]
    assert [each.had for each in sides] == ["", *(each.last for each in sides[:-1])], (
        "no page is copied twice"
    )


@every_sheet
def test_boards_have_numbers_of_the_sheet_and_no_two_cards_open_alike(sheet):
    own = taught(**SHEETS[sheet])
    board = r'(?s)<div class="blackboard">.*?</div>'
    assert all(
        numbers_in(each) <= numbers_in(own.html["loesung"]) for each in re.findall(board, own.html[CARDS])
    )
    parts = r'(?s)<p class="aim">.*?</p>|<p class="opening">.*?</p>|' + board[4:]
    said = re.findall(parts, own.html[CARDS])
    cards = {tuple(said[i : i + 3]) for i in range(0, len(said), 3)}
    assert len(cards) == own.html[CARDS].count('class="card"') == len(own.found["cards"])


def test_answers_and_three_mistakes_are_named():
    for card in taught().found["cards"]:
        counted_only = {part.badge for part in card.parts} <= {"9", "Σ"}  # words, and parameters to count
        assert len(card.stumbles) + len(card.checks) == 3 or (counted_only and not card.stumbles)
        assert card.answers
        assert all(mistake.sentence.startswith("Steht dort ") for mistake in card.stumbles)
    cards = taught(**SHEETS["both sentences"]).found["cards"]
    assert {card.name for card in cards} == {"cross_attention", "learning"}
    assert all(len(card.stumbles) == 3 for card in cards if card.parts[0].begins)
    said = " ".join(mistake.place + mistake.sentence + mistake.help for c in cards for mistake in c.stumbles)
    assert "Taste log statt ln" in said
    assert "„sits“ zu „" in said  # the words of both sentences
    assert "d_k" not in said


def test_pages_are_those_of_the_worksheet():
    def told(places, pages, *sides):
        return [in_words(places, pages)(each).replace("\xa0", " ") for each in sides]

    sides = [Sides("a", "end-a"), Sides("b", "end-b"), Sides("a", "b"), Sides("b", "b")]
    places = {"a": 2, "end-a": 5, "b": 5, "end-b": 9}
    assert told(places, 9, *sides) == ["S. 2–5", "S. 5–9", "S. 2–5", "S. 5"]
    assert told({}, 0, sides[0]) == [""]
    # where a lesson begins on the page with which the last one ended
    places = {"t4a-4": 16, "t4a-5": 16, "end-4a": 17, "t4a-6": 16}
    had = [Sides("t4a-5", end, "t4a-4") for end in ("end-4a", "t4a-6")]
    assert told(places, 20, *had) == ["S. 17 (S. 16 haben sie schon)", "nichts (S. 16 haben sie schon)"]
    # with the first station goes the cover, which has room for the name
    places = {"station-2": 2, "end-2": 3, "station-3": 4, "end-3": 5}
    assert told(places, 5, *(Sides(f"station-{n}", f"end-{n}") for n in (2, 3))) == ["S. 1–3", "S. 4–5"]


@pytest.mark.parametrize(
    "options",
    [
        SHEETS["lesson"],
        SHEETS["booklet"],
        *(
            pytest.param(each, marks=pytest.mark.thorough)
            for each in ({"zeit": 90, "satz": HUND}, {"satz": HUND}, {"satz": REPEATED})
        ),
    ],
)
def test_a_card_is_one_page_and_names_pages_of_the_sheet(options):
    own = taught(**options)
    places = set(re.findall(r'id="([^"]*)"', written(own.pages["arbeitsblatt"].page, PAPER)))
    page = own.pages[CARDS].page
    sides = [each for part in page.root.iter() if isinstance(each := page.objects.of(part), Sides)]
    assert sides
    assert {name for each in sides for name in (each.first, each.last, each.had) if name} <= places
    assert printed(CARDS, **options).pages == len(own.found["cards"])


def test_the_board_shows_the_calculation_of_the_last_word_and_of_many_columns_the_largest():
    desk, name = taught(**SHEETS["few"]).desk, "unmasked.head1.weight"
    weights = desk.quantity(name).values[desk.path]
    shown = Board(desk, desk.path).table([(name, "Gewicht"), ("no.such", "nichts")])
    assert shown.rows == (("Gewicht", tuple(desk.format.text(float(w), 2) for w in weights)),)
    long = taught("Der alte Hund jagt heute den roten Ball im Garten", stationen="4a").desk
    shown = Board(long, long.path).table([(name, "Gewicht")], bar=name)
    largest = long.words[int(long.quantity(name).values[long.path].argmax())]
    assert largest in shown.heads
    assert len(shown.heads) == len(shown.rows[0][1]) == len(shown.bars) == 8
    own = {f"{bar.share:.2f}".replace(".", ",") for bar in shown.bars if bar.share is not None}
    assert own == set(shown.rows[0][1]) - {"…"}  # on the sheet, 1 is the whole width, too


def test_the_board_has_the_answer_to_its_question_of_the_most_similar_word():
    own = taught(**SHEETS["plain"])
    name, desk = "similarity.cosine", own.desk
    board = own.found["board"].of_row(name)
    word = desk.vocabulary.index(board.word)
    pairs = {frozenset(number.index) for number in own.sheet.numbers if number.name == name}
    others = [other for pair in pairs - {frozenset([word])} if word in pair for other in pair - {word}]
    shown = board.compared(name, "Kosinus")
    assert set(shown.heads) == {desk.vocabulary[other] for other in others}
    assert len(shown.heads) > 3
    closest = max(others, key=desk.quantity(name).values[word].__getitem__)
    assert desk.number(name, word, closest).text in shown.rows[0][1]


def test_the_board_is_about_the_word_that_pupils_calculate():
    """And not about the one of the picture."""
    own, name = taught(stationen="4a", gewichte="gelernt"), "unmasked.head1.weight"
    rows = {blank.index[0] for blank in own.sheet.blanks() if blank.name == name}
    (word,) = {own.desk.words[row] for row in rows}
    (opening,) = re.findall(r'(?s)<p class="opening">(.*?)</p>', own.html[CARDS])
    (board,) = re.findall(r'(?s)<div class="blackboard">(.*?)</div>', own.html[CARDS])
    assert f"‚{word}‘" in opening
    assert {own.desk.number(name, min(rows), j).text for j in range(own.desk.n)} <= numbers_in(board)
