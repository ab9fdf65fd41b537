"""Sentences that nobody has chosen go in; what their sheets would teach wrongly comes out.

Of each sheet: every teaching fault stands on the teacher's pages; ranges agree where numbers are one
another's copies, exponentials or ReLU; other withheld numbers make the same worksheet; and an answer that
names the largest number names what each of some honest pupils finds there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from unittest import mock

import numpy as np
from acceptance.identities import disagreements, exponentials_cut, squares_cut, sums_apart
from cases import Made
from test_leaks import scrambled

from engine.judging.acceptance import classes
from engine.judging.teaching import teaching_faults
from engine.model.model import Model
from engine.pens.pens import CarelessPen
from engine.trace import Cells
from generator.basics.errors import UserError
from generator.calculation.build import Built, build
from generator.options.options import Options
from generator.sheet.desk import Desk
from generator.sheet.whole_sheet import printed_of
from generator.stations.make_sheet import make_sheet
from generator.teacher.review import review

PUPILS = 200
RARE = 0.01  # of the pupils: what fewer find, another class of the ranges might have found
ARTICLES = {"m": ("Der", "den", "dem"), "f": ("Die", "die", "der"), "n": ("Das", "das", "dem")}
NOUNS = {
    "m": "Hund Vogel Bäcker Lehrer Zug Baum Fluss Apfel Mond Clown Roboter Koch Bruder Brief Drache",
    "f": "Katze Ärztin Brücke Sonne Ente Straße Lampe Königin Schülerin Wolke Maus Gitarre Uhr Oma",
    "n": "Kind Pferd Haus Auto Buch Mädchen Schiff Dorf Fahrrad Schaf Klavier Gespenst Krokodil Eis",
}
VERBS = "sieht sucht malt ruft findet kauft trägt hört küsst wäscht streichelt vergisst zählt fängt"
ALONE = "schläft lacht singt tanzt wartet träumt rennt wächst friert leuchtet schwimmt weint"
ADVERBS = "heute leise morgens gern plötzlich draußen nie laut immer dort"
ADJECTIVES = "alt klein rot müd lustig grün schnell still neugierig nass"
PLACES = "auf unter neben hinter vor über bei in"
OTHERS = (
    "Vögel singen",
    "Warum lacht der Clown?",
    "Wo wohnt die Königin heute?",
    "Übung macht den Meister",
    "Wer nicht fragt, bleibt dumm.",
    "Morgen fahren 3 Züge nach Köln.",
    "Fischers Fritz fischt frische Fische.",
    "Wenn es regnet, bleiben wir im Haus.",
    "Heute ist ein schöner Tag und morgen auch",
    "Ich mag Eis, du magst Eis, alle mögen Eis!",
)


def sentence(rng: np.random.Generator) -> str:
    """One of very many, 2 to 12 words long."""

    def one_of(words: str | tuple[str, ...]) -> str:
        every = words.split() if isinstance(words, str) else words
        return str(every[rng.integers(len(every))])

    def thing(case: int) -> str:
        gender = one_of("m f n")
        ending = "e" if case == 0 or (case == 1 and gender != "m") else "en"
        adjective = one_of(ADJECTIVES) + ending + " " if rng.random() < 0.3 else ""
        return f"{ARTICLES[gender][case]} {adjective}{one_of(NOUNS[gender])}"

    way = rng.integers(8)
    if way == 0:
        return one_of(OTHERS)
    subject = thing(0)
    inside = subject[:3].lower() + subject[3:]
    if way == 1:
        return f"{subject} {one_of(ALONE)} {one_of(ADVERBS)}"
    if way == 2:
        return f"{subject} {one_of(VERBS)} {thing(1)}"
    if way == 3:
        return f"{subject} {one_of(ALONE)} {one_of(PLACES)} {thing(2)}"
    if way == 4:
        return f"{one_of(ADVERBS).capitalize()} {one_of(VERBS)} {inside} {thing(1)}."
    if way == 5:
        return f"{subject} {one_of(VERBS)} {thing(1)} und {one_of(ALONE)} {one_of(PLACES)} {thing(2)}"
    if way == 6:
        return f"{one_of(ALONE).capitalize()} {inside} {one_of(PLACES)} {thing(2)}?"
    return f"{subject} und die {one_of(NOUNS['f'])} {one_of(ALONE)}"


def configuration(number: int) -> dict[str, Any]:
    """The options of one sheet; the same number gives the same."""
    rng = np.random.default_rng([number, 2311])
    dimension, heads = ((4, 2), (4, 2), (4, 2), (4, 1), (6, 3), (6, 2), (8, 2), (2, 1))[rng.integers(8)]
    options: dict[str, Any] = {
        "satz": sentence(rng),
        "dimension": dimension,
        "heads": heads,
        "gewichte": rng.choice(["auswahl"] * 12 + ["ganzzahlig", "ganzzahlig", "dezimal", "gelernt"]),
        "nachkommastellen": (2, 2, 2, 3, 1)[rng.integers(5)],
        "stufe": (2, 2, 1, 3)[rng.integers(4)],
        "bloecke": (1, 1, 1, 1, 2)[rng.integers(5)],
        "startwert": int(rng.integers(3)),
    }
    if number % 10 == 0:
        options |= {"zielsatz": "The dog sleeps", "lernen": ("attention", "alles")[number // 10 % 2]}
    elif number % 10 == 5:
        options |= {"lernen": ("ausgabe", "attention", "alles")[number // 10 % 3]}
    return {name: str(value) if name == "gewichte" else value for name, value in options.items()}


class OnSheetPen(CarelessPen):
    """Honest pupils who go on from what their sheet prints."""

    on_sheet: Cells

    def write(self, name: str, value: Any, kind: Any, visible: Any = None) -> Any:
        carried = super().write(name, value, kind, visible)
        if name not in self.on_sheet:
            return carried
        return np.where(self.on_sheet[name], self.printed[name].values, carried)


@dataclass
class Found:
    """What one sheet has; faults: none should be there."""

    number: int
    faults: list[str] = field(default_factory=list)
    teaching: list[str] = field(default_factory=list)
    questions: int = 0
    ranges: int = 0
    seconds: float = 0.0


def examine(number: int) -> Found:
    found, began = Found(number), time.process_time()
    try:
        built = build(Options.from_mapping(configuration(number)))
    except UserError as error:
        found.teaching.append(f"abgelehnt: {error}")
        return found
    asked: dict[tuple[str, tuple[int, ...], bool], set[int]] = {}
    plain = Desk.largest

    def noted(desk: Desk, name: str, *row: int, others: bool = False) -> tuple[int, ...]:
        places = plain(desk, name, *row, others=others)
        asked[name, row, others] = set(places)
        return places

    with mock.patch.object(Desk, "largest", noted):
        whole = make_sheet(built)
    sheet, desk, ranges = whole.sheet, whole.desk, whole.ranges
    reviewed = review(sheet, desk, ranges)
    names = {blank.name for blank in sheet.blanks()}
    faults = [
        fault
        for fault in teaching_faults(
            built.calculation, desk.exercises, [str(v.word_class) for v in built.vectors]
        )
        if all(name in names for name, _ in fault.cells)
    ]
    found.teaching += [fault.kind for fault in faults]
    found.faults += _without_note(faults, reviewed.certificate.teaching)
    printed = built.passes.hand.where(printed_of(sheet, built.passes.hand))
    for each, _ in built.passes.parts():
        of_sentence = "block1.concat" in each.hand and isinstance(each.model, Model)
        checked, wrong = disagreements(each, ranges, printed, of_sentence)
        found.ranges += checked
        found.faults += wrong + exponentials_cut(each, ranges, printed)
        found.faults += squares_cut(each, ranges) + sums_apart(each, ranges)
    found.questions = len(asked)
    found.faults += _unnamed(built, printed, asked)
    found.faults += _leaks(built, sheet, desk)
    found.seconds = time.process_time() - began
    return found


def _without_note(faults: list[Any], notes: tuple[str, ...]) -> Iterator[str]:
    units = {"dead_unit", "twin_units"}
    of_units = {(f.kind, f.cells[0][0]) for f in faults if f.kind in units}
    wanted = sum(fault.kind not in units for fault in faults) + len(of_units)
    if len(notes) != wanted:
        yield f"teaching: {wanted} notes wanted, {len(notes)} there"


def _unnamed(built: Built, printed: Cells, asked: Mapping[Any, set[int]]) -> Iterator[str]:
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
                    yield f"largest: {name}{list(row)} place {place}, {share:.1%} of the pupils; key {key}"


def _leaks(built: Built, sheet: Any, desk: Desk) -> Iterator[str]:
    here = Made(built, sheet, desk)
    other = replace(here, sheet=scrambled(sheet))
    if here.html("worksheet") != other.html("worksheet"):
        yield "leak: other withheld values make another worksheet"
