"""Sheets of sentences that nobody has chosen teach nothing wrong.

Of each: ranges agree where numbers are one another's copies, exponentials or ReLU; and an answer that names
the largest number names what each of some honest pupils finds there.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from unittest import mock

import numpy as np
import pytest
from acceptance.identities import disagreements, exponentials_cut, squares_cut, sums_apart

from engine.judging.acceptance import classes
from engine.model.model import Model
from engine.pens.pens import CarelessPen
from engine.trace import Cells
from generator.calculation.build import Built, build
from generator.options.options import Options
from generator.sheet.desk import Desk
from generator.sheet.whole_sheet import printed_of
from generator.stations.make_sheet import make_sheet
from tests.training_table.sentences import sentences

PUPILS = 200
RARE = 0.01  # of the pupils: what fewer find, another class of the ranges might have found
OTHERS = (  # two words, questions, marks and numbers
    "Vögel singen",
    "Warum lacht der Clown?",
    "Wer nicht fragt, bleibt dumm.",
    "Morgen fahren 3 Züge nach Köln.",
    "Fischers Fritz fischt frische Fische.",
    "Ich mag Eis, du magst Eis, alle mögen Eis!",
)


def configuration(number: int) -> dict[str, Any]:
    """The options of one sheet; the same number gives the same."""
    rng = np.random.default_rng([number, 2311])
    dimension, heads = ((4, 2), (4, 2), (4, 2), (4, 1), (6, 3), (6, 2), (8, 2), (2, 1))[rng.integers(8)]
    weights = ["auswahl"] * 12 + ["ganzzahlig", "ganzzahlig", "dezimal", "gelernt"]
    paths = ("ausgabe", "attention", "alles")
    of_two = {"zielsatz": "The dog sleeps", "lernen": paths[1 + number // 10 % 2]}
    lesson = {0: of_two, 5: {"lernen": paths[number // 10 % 3]}}.get(number % 10, {})
    return {
        "satz": OTHERS[number // 8 % len(OTHERS)] if number % 8 == 0 else sentences(1, number)[0],
        "dimension": dimension,
        "heads": heads,
        "gewichte": str(rng.choice(weights)),
        "nachkommastellen": (2, 2, 2, 3, 1)[rng.integers(5)],
        "stufe": (2, 2, 1, 3)[rng.integers(4)],
        "bloecke": (1, 1, 1, 1, 2)[rng.integers(5)],
        "startwert": int(rng.integers(3)),
    } | lesson


class OnSheetPen(CarelessPen):
    """Honest pupils who go on from what their sheet prints."""

    on_sheet: Cells

    def write(self, name: str, value: Any, kind: Any, visible: Any = None) -> Any:
        carried = super().write(name, value, kind, visible)
        if name not in self.on_sheet:
            return carried
        return np.where(self.on_sheet[name], self.printed[name].values, carried)


@pytest.mark.parametrize(
    "number", [5, 10, *(pytest.param(number, marks=pytest.mark.thorough) for number in range(11, 60))]
)
def test_a_sheet_of_a_drawn_sentence_teaches_nothing_wrong(number: int) -> None:
    built = build(Options.from_mapping(configuration(number)))
    asked: dict[tuple[str, tuple[int, ...], bool], set[int]] = {}
    plain = Desk.largest

    def noted(desk: Desk, name: str, *row: int, others: bool = False) -> tuple[int, ...]:
        places = plain(desk, name, *row, others=others)
        asked[name, row, others] = set(places)
        return places

    with mock.patch.object(Desk, "largest", noted):
        whole = make_sheet(built)
    ranges, printed = whole.ranges, built.passes.hand.where(printed_of(whole.sheet, built.passes.hand))
    found, compared = [], 0
    for each, _ in built.passes.parts():
        of_sentence = "block1.concat" in each.hand and isinstance(each.model, Model)
        checked, wrong = disagreements(each, ranges, printed, of_sentence)
        compared += checked
        found += [*wrong, *exponentials_cut(each, ranges, printed), *squares_cut(each, ranges)]
        found += sums_apart(each, ranges)
    found += unnamed(built, printed, asked)
    assert found == []
    assert len(asked) >= 3
    assert compared > 50


def unnamed(built: Built, printed: Cells, asked: Mapping[Any, set[int]]) -> Iterator[str]:
    """Largest numbers that a pupil finds and the key does not name."""
    for each, _ in built.passes.parts():
        wanted = {key: places for key, places in asked.items() if key[0] in each.hand}
        if not wanted:
            continue
        rng = np.random.default_rng(5)
        for members in classes(each, PUPILS):
            pen = OnSheetPen(each.hand, len(members), rng, members.start)
            pen.on_sheet = {n: v for n, v in built.passes.under_both_names(printed).items() if n in each.hand}
            pen.papers = {}
            pen.note = lambda quantity, on_paper, full, pen=pen: pen.papers.update({quantity.name: on_paper})
            each.write(pen)
            for (name, row, others), places in wanted.items():
                quantity = each.hand[name]
                read = np.where(pen.on_sheet.get(name, False), quantity.values, pen.papers[name])
                papers = np.broadcast_to(read, (len(members), *quantity.values.shape))[:, *row]
                seen = np.ones(papers.shape[1], bool) if quantity.visible is None else quantity.visible[row]
                if others:
                    seen = seen & (np.arange(len(seen)) != row[0])
                values = np.where(seen, papers, -np.inf)
                best = values >= values.max(axis=1, keepdims=True) - 1e-9
                for place in sorted(set(np.flatnonzero(best.mean(axis=0) >= RARE)) - places):
                    share, key = best[:, place].mean(), sorted(places)
                    yield f"{name}{list(row)} place {place}, {share:.1%} of the pupils; key {key}"
