"""Stations 0, 1, 1b, 10 and Σ: sizes, IDs and rules, a target sentence, formulas, each told once more."""

import re
from collections import Counter
from importlib import import_module
from itertools import pairwise, product

import pytest
from laid_out import KATZE, LONGEST, html_of, page_of, sheet_of

from engine.model.weights import GPT2_SMALL
from engine.texts.byte_pairs import encode, pieces_of
from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.calculation.document import document_of
from generator.figures.course_map import course_map
from generator.options.course import BY_ID, COURSE, STATIONS
from generator.options.limits import for_paper
from generator.options.options import Options
from generator.output.render import environment
from generator.sheet.page import Formula, signs_in
from generator.sheet.sheet import Solution
from generator.stations.make_sheet import chosen
from generator.teacher.teacher import snippet, target_words
from generator.words.byte_pair_corpus import corpus_for
from generator.words.target_vectors import END, START

# Station 0 says true sizes; the map every station, which are printed and where one is.


GPT2 = {"n": 1024, "V": 50257, "d_model": 768, "h": 12, "d_k": 64, "d_ff": 3072, "B": 12}
OURS = {"n": 5, "V": 3, "d_model": 6, "h": 3, "d_k": 2, "d_ff": 10, "B": 2}


def value(text):
    return int(text.replace("\N{NARROW NO-BREAK SPACE}", ""))


def test_sizes_are_those_of_the_two_models():
    six = {"dimension": 6, "heads": 3, "ffn": 10, "bloecke": 2}
    sheet, _ = sheet_of("die Maus und die Maus", stationen="0", **six)
    rows = {row.head: row.cells for row in sheet.stations[0].parts.sizes.rows}
    for column, sizes in ((1, OURS), (2, GPT2)):
        assert {name: value(cells[column].text) for name, cells in rows.items()} == sizes


def test_map_shows_every_station_which_are_printed_and_where_one_is():
    row_by_row = sorted(COURSE, key=lambda stop: stop.place[::-1])
    for here, printed in product(("0", "4a", "11", "S"), (STATIONS, ("0", "1", "2"), ("0",))):
        drawing = course_map(printed, here).drawing
        for stop in COURSE:
            assert f">{stop.sign}</text>" in drawing.shapes
            assert f"{stop.sign} {stop.title}" in drawing.text
        assert drawing.shapes.count("Du bist hier") == 1
        assert f"Du bist hier: Station {BY_ID[here].sign}," in drawing.text
        lacking = [stop.sign for stop in row_by_row if stop.id not in printed]
        dashed = bool(lacking) and len(printed) > 1
        assert ("gestrichelt" in drawing.shapes) == dashed
        assert (f"Nicht in diesem Heft: {', '.join(lacking)}." in drawing.text) == dashed


def test_every_station_of_the_course_has_its_own_place_its_module_and_its_text():
    assert len({stop.place for stop in COURSE}) == len({stop.name for stop in COURSE}) == len(COURSE)
    for stop in COURSE:
        assert stop.place in product(range(5), range(4))
        assert callable(import_module(f"generator.stations.{stop.name}.station").station)
        assert environment().get_template(f"stations/{stop.name}/pupils.html.j2")


def test_every_station_but_the_map_itself_shows_where_one_stands():
    page = html_of(*sheet_of(stationen="0,1,7,S", bloecke=2), "worksheet")
    heads = [part.split("<h1>")[0] for part in re.split(r'class="station[" ]', page)[1:]]
    assert ['class="strip"' in head for head in heads] == [False, True, True, False, True]
    assert "Du bist hier: Station Σ" in heads[-1]


# Stations 1 and 1b: IDs as in the document; counts, rules, cut words as counted on paper, cell by cell.


FLIEGEN = "Wenn Fliegen hinter Fliegen fliegen, fliegen Fliegen 3 Fliegen nach."
NEXT = "\N{NO-BREAK SPACE}| "
every_sentence = pytest.mark.parametrize("sentence", [KATZE, FLIEGEN, LONGEST, "a a"])


def parts_of(sentence, station):
    sheet, desk = sheet_of(sentence, stationen=station)
    return sheet.stations[0].parts, desk


def merged(words, pair):
    """The corpus after one rule, with the help of text replacement alone."""
    out = []
    for pieces, count in words:
        text = "\0" + "\0".join(pieces) + "\0"
        while (found := f"\0{pair[0]}\0{pair[1]}\0") in text:
            text = text.replace(found, f"\0{pair[0]}{pair[1]}\0", 1)
        out.append((tuple(text.strip("\0").split("\0")), count))
    return out


def counted(words):
    counts = Counter()
    for pieces, count in words:
        for pair in pairwise(pieces):
            counts[pair] += count
    return counts


@every_sentence
def test_ids_are_those_of_the_document(sentence):
    parts, desk = parts_of(sentence, "1")
    numbers = [number for table in parts.sentence.ids for number in table.rows[0].cells]
    document = document_of(desk.built, {})
    assert [int(number.text) for number in numbers] == document["token_ids"]
    assert [number.blank for number in numbers] == [k > 0 for k in range(desk.n)]
    assert int(parts.sentence.count.text) == len(document["vocabulary"])
    assert int(parts.sentence.id_sum) == sum(document["token_ids"])


@every_sentence
def test_counts_rules_and_cut_words_agree_with_counting_again(sentence):
    parts, desk = parts_of(sentence, "1b")
    corpus = corpus_for(desk.calculation.model.tokens)
    states = [[(pieces_of(word), count) for word, count in corpus.counts.items()]]
    for round_, shown in zip(corpus.training.rounds, [parts.bpe.first, *parts.bpe.rounds], strict=False):
        counts = counted(states[-1])
        by_text = {f"{a}\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}{b}": (a, b) for a, b in counts}
        listed = set()
        for written, line, number in (row.cells for row in shown.table.rows):
            pair = by_text[written.text]
            listed.add(pair)
            assert int(number.text) == counts[pair]
            assert (number.name, list(round_.counts)[number.index[0]]) == (
                f"bpe.round{round_.number}.count",
                pair,
            )
            products = re.sub(r"\s\([^)]*\)", "", line.text).replace("·", "*").replace("\xa0", " ")
            assert eval(products) == counts[pair]  # digits, + and * alone
        others = [count for pair, count in counts.items() if pair not in listed]
        assert shown.rest == (str(max(others)) if others else "")
        best = {pair for pair in counts if counts[pair] == max(counts.values())}
        assert round_.merge.pair in best & listed
        assert best <= listed or len(listed) == 8
        states.append(merged(states[-1], round_.merge.pair))

    rows = [row.cells for table in parts.bpe.corpus for row in table.rows]
    for k, (count, *cells) in enumerate(rows):
        assert int(count.text) == states[0][k][1]
        for step, cell in enumerate(cells):
            unchanged = step == 2 and states[2][k] == states[1][k]
            assert cell.text == ("–" if unchanged else NEXT.join(states[step][k][0]))
            assert isinstance(cell, Solution) == (step == 2)

    word = parts.bpe.word
    assert word.new == (word.word not in corpus.counts)
    cut, rows = encode(word.word, corpus.training), word.steps.rows
    rules = [row.cells[0].text for row in rows if row.cells[0].text != "–"]
    assert rules == [str(step.rule) for step in cut.steps][: len(rows)]
    assert len(rows) >= 3
    pieces, ids = ([c.text for t in word.pieces for c in t.rows[place].cells] for place in (0, 1))
    assert "".join(pieces) == "␣" + word.word
    assert [corpus.training.vocabulary[int(i)] for i in ids] == list(cut.pieces)
    assert int(word.id_sum) == sum(map(int, ids))


# Station 10: a target sentence and numbers of a file, those that are used and those that are refused.


CROSS = "decoder.block1.cross.head1"


def built_with(folder, content):
    """The calculation with a file of these numbers."""
    path = folder / "zahlen.toml"
    path.write_text(content, encoding="utf-8")
    return build(Options(satz=KATZE, zielsatz="The cat", gewichte=path))


def test_words_and_weights_of_the_file_are_used(tmp_path):
    content = (
        "[zielvektoren]\ncat = [0.1, 0.8, 0.2, 0.3]\nsleeps = [0, 0.2, 0.7, 0]\n"
        f'"⟨Start⟩" = [0.4, 0.3, 0.2, 0.1]\n[{CROSS}]\nW_Q = [[1, 2], [0, 0], [0, 0], [0, 0]]\n'
    )
    model = built_with(tmp_path, content).two.calculation.model
    assert model.vocabulary == ("The", "cat", "sleeps", END)
    assert model.vector_of("cat").tolist() == model.embedding[2].tolist() == [0.1, 0.8, 0.2, 0.3]
    assert model.embedding[0].tolist() == [0.4, 0.3, 0.2, 0.1]
    assert model.weights[f"{CROSS}.W_Q"].tolist() == [[1, 2], [0, 0], [0, 0], [0, 0]]


@pytest.mark.parametrize("target", ["   ", "\u00ad", "a\x00b", 7, "a " * 24, "猫が座る", "The 🐈 sits"])
def test_a_target_that_is_no_sentence_or_cannot_be_printed_is_refused(target):
    with pytest.raises(UserError, match="--zielsatz"):
        for_paper(Options(satz=KATZE, zielsatz=target))


def test_the_station_exists_only_with_a_target_sentence():
    for options, here in (({}, ()), ({"zielsatz": "The cat"}, ("10",))):
        wanted = tuple(s.id for s in COURSE if not s.extra and (not s.needs or s.id in here))
        assert chosen(Options(satz=KATZE, **options)) == wanted
    with pytest.raises(UserError, match="--zielsatz"):
        chosen(Options(satz=KATZE, stationen="10"))


def test_the_teacher_sees_which_target_words_are_guessed():
    _, desk = sheet_of(zielsatz="The Katerchen sits", stationen="10")
    rows = {row.word: row for row in target_words(desk)}
    assert list(rows) == [START, "The", "Katerchen", "sits", END]
    assert [word for word, row in rows.items() if row.guessed] == ["Katerchen"]
    assert snippet(desk)[-2:] == ["[zielvektoren]", "Katerchen = [0.0, 0.0, 0.0, 0.9]"]


# Station Σ: the numbers of GPT-2 beside the formulas that the sheet gives; every sign is explained.


SIZES = GPT2_SMALL.sizes
D, BLOCKS = SIZES.d_model, SIZES.n_blocks
FORMULAS = {
    "embedding": GPT2_SMALL.vocabulary * D,
    "positions": GPT2_SMALL.context * D,
    "attention": 3 * BLOCKS * D**2,
    "W_O": BLOCKS * D**2,
    "ffn": 2 * BLOCKS * D * SIZES.d_ff,
    "norm": 4 * BLOCKS * D,
}


def test_formulas_and_numbers_of_parameters_agree():
    """GPT-2 has more than the formula says from the matrices on."""
    parts = sheet_of(stationen="S", dimension=6, heads=3, bloecke=2)[0].stations[0].parts
    rows = {row.head: value(row.cells[2].text) for row in parts.parameters.rows}
    assert rows.pop("total") == sum(rows.values()) == 124_439_808
    assert list(rows) == list(FORMULAS)
    compared = [(rows[name] > said) - (rows[name] < said) for name, said in FORMULAS.items()]
    assert compared == [0, 0, 1, 1, 1, 1]
    line, total = parts.probe.text.split(" = ")
    plain = line.replace("\N{NO-BREAK SPACE}", "").replace("·", "*").replace("²", "**2")
    assert eval(plain) == value(total) == value(parts.parameters.rows[-1].cells[1].text)


@pytest.mark.parametrize(
    "options",
    [
        {"gewichte": "gelernt"},
        {"zielsatz": "The cat sits", "lernen": "alles"},
        {"lernen": "attention", "maske": False, "skalierung": False},
    ],
    ids=str,
)
def test_every_sign_of_a_booklet_is_in_its_list(options):
    page = page_of(*sheet_of("Die Katze sitzt", **options))

    def signs(element):
        things = map(page.objects.of, element.iter())
        return set().union(*(signs_in(each.latex) for each in things if isinstance(each, Formula)))

    (listed,) = [each for each in page.root.iter("div") if each.get("class") == "symbols"]
    of_each = [part[0] for part in listed.iter("li")]
    assert len(of_each) > 20
    assert signs(page.root) - set().union(*map(signs, of_each)) == set()
