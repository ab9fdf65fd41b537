"""Verdicts in every pass, from rechnung.json alone: the sentence, its texts, two sentences, lessons."""

import json
import math
from decimal import Decimal
from functools import cache, reduce
from operator import getitem

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judging import answers_of, judge

from engine.judging.mistakes import MISTAKES, numbers_of_variant
from engine.numbers.arrays import half_up
from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.calculation.document import to_json
from generator.calculation.rebuild import rebuild
from generator.check.answers import Answers
from generator.check.check import ACCEPTED, FOLLOWS, RIGHT, UNREADABLE, WRONG
from generator.check.entries import Entry, recomputed
from generator.options.options import Options
from tests.laid_out import contents_of, document

SATZ = "Die Katze sitzt"
SHEETS = {
    "texts": {"endezeichen": "<Ende>", "laenge": 4, "topk": 4},
    "two": {"zielsatz": "The cat sits"},
    "output": {"lernen": "ausgabe", "temperatur": [0.5]},
    "attention": {"lernen": "attention", "zielsatz": "The cat"},
    "all": {"lernen": "alles", "zielsatz": "The", "stationen": "8,11", "heads": 1},
}
OTHERS = [  # other ways to calculate, for what is read back
    {"satz": "Der Ball rollt und rollt", "maske": False, "positionen": False, "bloecke": 2},
    {"satz": "Übung macht den Meister", "gewichte": "dezimal", "nachkommastellen": 3, "temperatur": [0.7]},
    {"satz": "Vögel singen", "gewichte": "ganzzahlig", "skalierung": False, "dimension": 6, "heads": 3},
]
# A cell of each pass, a number that nobody can have meant, and what depends on it.
SLIPS = [
    ("texts", "block1.head1.weight", (2, 1), "0.84", "block1.head1.output"),
    ("texts", "top_p.round1.probability", (2,), "0.9", "top_p.round1.cumulative"),
    ("two", "decoder.block1.cross.head1.weight", (3, 1), "0.9", "decoder.logit"),
    ("two", "round1.decoder.logit", (0,), "7", "round1.decoder.temperature1.probability"),
    ("output", "gradient.logit", (0,), "0.6", "step.vocabulary_embedding"),
    ("attention", "gradient.block1.head1.score", (2, 1), "0.9", "step.block1.head1.W_Q"),
    ("all", "gradient.block1.ffn.hidden", (2, 1), "2", "after.loss"),
]
REFUSED = r"Das ist keine vollständige rechnung\.json"


@cache
def contents(sheet):
    """The text, as a reader of the file gets it."""
    return to_json(document({"satz": SATZ} | SHEETS[sheet]))


@cache
def rebuilt(sheet):
    return rebuild(json.loads(contents(sheet)))


def checked(sheet, tables):
    found = rebuilt(sheet)
    return judge(found.calculation, answers_of(found.calculation, tables), found.ranges, words=found.words)


def verdict(sheet, name, index, text):
    found = rebuilt(sheet)
    report = judge(found.calculation, Answers((Entry(name, index, text, Decimal(text)),), 0), found.ranges)
    return report.cells[0].verdict


def tables_of(calculation):
    return {name: quantity.values for name, quantity in calculation.hand.items()}


@pytest.mark.parametrize("sheet", [*SHEETS, *range(len(OTHERS))])
def test_the_file_alone_gives_every_quantity_again_and_the_key_is_right(sheet):
    other = isinstance(sheet, int)
    text = to_json(contents_of(Options.from_mapping(OTHERS[sheet]))) if other else contents(sheet)
    whole = json.loads(text)
    written, found = whole["quantities"], rebuild(whole) if other else rebuilt(sheet)
    assert found.changed == ()
    assert list(found.calculation.hand) == list(written)
    for name, quantity in found.calculation.exact.items():
        exact = np.array(written[name]["exact"], dtype=float)
        np.testing.assert_allclose(np.nan_to_num(exact, nan=0.0), quantity.values, atol=1e-9)
    if not other:
        report = checked(sheet, tables_of(found.calculation))
        assert report.summary()[RIGHT] == len(report.cells) > 200
        assert (report.charges(), report.findings) == (0, ())


@pytest.mark.parametrize(("sheet", "name", "index", "value", "follows"), SLIPS)
def test_a_slip_is_charged_once_and_followed_through(sheet, name, index, value, follows):
    calculation = rebuilt(sheet).calculation
    place = f"{name}[{','.join(map(str, index))}]={value}"
    report = checked(sheet, tables_of(recomputed(calculation, [place]).calculation))
    assert [(cell.entry.name, cell.index) for cell in report.cells if cell.charged] == [(name, index)]
    assert report.charges() == 1
    assert report.summary()[UNREADABLE] == 0
    assert FOLLOWS in {cell.verdict for cell in report.cells if cell.entry.name == follows}


def test_honest_rounding_is_accepted_and_more_is_not():
    low, high = rebuilt("output").ranges["loss"].low, rebuilt("output").ranges["loss"].high
    assert high - low > 0.01
    assert verdict("output", "loss", (), f"{high:.4f}") == ACCEPTED
    assert verdict("output", "loss", (), f"{high + 0.001:.4f}") == WRONG


@pytest.mark.parametrize("share", ["0", "-0.2"])
def test_a_probability_without_a_logarithm_gets_a_verdict(share):
    """The loss that cannot be computed from it is the key's; what else follows from the share follows."""
    found = rebuilt("output")
    word = found.calculation.model.vocabulary.index(found.options["richtig"])
    again = recomputed(found.calculation, [f"temperature1.probability[{word}]={share}"])
    report = checked("output", tables_of(again.calculation))
    verdicts = {(cell.entry.name, cell.index): cell.verdict for cell in report.cells}
    assert verdicts["temperature1.probability", (word,)] == WRONG
    assert verdicts["loss", ()] == RIGHT
    assert verdicts["gradient.logit", (word,)] == FOLLOWS
    assert report.charges() == 1


@pytest.mark.parametrize(("sheet", "mistake"), [("two", "scaling_forgotten"), ("all", "residual_forgotten")])
def test_typical_mistakes_are_named_in_the_further_passes_too(sheet, mistake):
    """Made in the second sentence, in the lesson, as in the first: the same steps are exchanged."""
    calculation = rebuilt(sheet).calculation
    made = next(each for each in MISTAKES if each.id == mistake)
    report = checked(sheet, numbers_of_variant(calculation, {}, made.variants[0], made.rounding))
    assert {finding.ids[0] for finding in report.findings} == {mistake}
    cells = {name for finding in report.findings for name, _ in finding.cells}
    assert any(name.startswith("decoder.") for name in cells) or sheet == "all"
    assert not report.slips()


def test_what_a_file_holds_is_taken_from_it():
    """One without further stations, as before; random numbers are not drawn anew: a library may change."""
    older = json.loads(contents("texts"))
    ways = ("greedy.", "sampled.", "top_k.", "top_p.", "end.")
    older["quantities"] = {n: q for n, q in older["quantities"].items() if not n.startswith(ways)}
    found = rebuild(older)
    assert (list(found.calculation.hand), found.changed) == (list(older["quantities"]), ())
    changed = json.loads(contents("texts"))
    way = next(w for w in ("sampled", "top_k", "top_p") if f"{w}.round2.logit" in changed["quantities"])
    changed["quantities"][f"{way}.random"]["hand"][0] = 0.0
    found, first = rebuild(changed), f"{way}.round1.cumulative"
    assert found.calculation[f"{way}.random"].values[0] == 0.0
    assert np.array_equal(found.calculation[first].values, rebuilt("texts").calculation[first].values)
    assert any(name.startswith(f"{way}.round2") for name in found.changed)


# What nobody reads: it is said elsewhere in the file, or only for people.
UNREAD = {"papierformer", "vocabulary", "token_ids", "vorlage", "vocabulary_embedding", "quantities"}


def places(sheet):
    """The way to everything in the file that is read: its parts, each option, each weight, random numbers."""
    held = json.loads(contents(sheet))
    parts = [(*way, name) for way in ((), ("optionen",), ("weights",)) for name in reduce(getitem, way, held)]
    rows = [("quantities", name, "hand") for name in held["quantities"] if name.endswith("random")]
    return [way for way in [*parts, *rows, ("tokens", 0)] if way[-1] not in UNREAD]


def damaged(sheet, way, value):
    changed = json.loads(contents(sheet))
    part = reduce(getitem, way[:-1], changed)
    part[way[-1]] = value
    if value is KeyError:
        del part[way[-1]]
    return changed


@given(st.data())
@settings(max_examples=20, deadline=None)
def test_damage_is_refused_in_german(data):
    """Nothing of another kind is taken for a number, a word or a table."""
    sheet = data.draw(st.sampled_from([*SHEETS]))
    way = data.draw(st.sampled_from(places(sheet)))
    value = data.draw(st.sampled_from([{}, [[1]], [{}], -1, math.nan, [None]]))
    with pytest.raises(UserError, match=REFUSED):
        rebuild(damaged(sheet, way, value))


IMPOSSIBLE = [  # of the right kind, and yet it cannot be; or it is missing
    ("texts", "optionen", {"heads": 3, "bloecke": True, "laenge": 10**6, "dimension": 10**9, "topp": 2}),
    ("texts", "optionen", {"dimension": KeyError, "temperatur": [], "endezeichen": "Katze", "maske": "ja"}),
    ("texts", "weights", {"block1.W_O": [[1e300] * 4] * 4, "block1.head1.W_Q": [[1] * 4, "xyz"]}),
    ("texts", "quantities", {"embedding": KeyError, "end.embedding": {"hand": [1]}}),
    ("texts", "", {"tokens": ["x"] * 5000, "optionen": KeyError, "quantities": {}}),
    ("two", "", {"zieltokens": ["<Start>", "dog"], "zielvokabular": ["The", "cat"]}),
    ("output", "optionen", {"richtig": "Hund", "lernrate": "0,5", "lernen": "nichts"}),
]


def test_a_value_that_cannot_be_is_refused_in_german():
    for sheet, part, values in IMPOSSIBLE:
        for name, value in values.items():
            with pytest.raises(UserError, match=REFUSED):
                rebuild(damaged(sheet, [part, name] if part else [name], value))


def test_a_key_with_own_numbers_is_computed_on_in_their_pass():
    built = build(Options(satz=SATZ, zielsatz="The cat", lernen="alles"))
    for given_number in (
        "decoder.block1.cross.head1.weight[1,2]=0,9",
        "gradient.block1.head1.score[2,1]=1",
        "top_k.round1.probability[2]=0,7",
    ):
        first, again = given_number.partition(".")[0], recomputed(built.passes, [given_number])
        assert {name.partition(".")[0] for name, _ in again.changed} <= {first, "step", "after"}
        assert len(again.changed) > 1
        changed = built.with_hands(again.hands)
        ((name, index),) = again.own
        value = next(each.hand[name] for each, _ in changed.passes.parts() if name in each.hand).values[index]
        assert value == half_up(np.array(float(given_number.partition("=")[2].replace(",", "."))), 4)
        assert built.passes.hand[name].values[index] != value
