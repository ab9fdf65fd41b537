"""A class of pupils as a lesson meets them: who is honest, who makes a typical mistake, whose pen slips once.

What each types is computed beforehand, and what is to be said of every number.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from engine.judging.acceptance import simulate
from engine.judging.mistakes import MISTAKES, mistaken_numbers
from generator.calculation.build import build
from generator.check.entries import recomputed
from generator.check.in_words import mistake_texts
from generator.options.options import Options
from generator.options.sheet_code import sheet_code
from generator.page.lesson import judging

OPTIONS = Options(satz="Die Katze schläft", stationen=("4a",), stufe=1)
CODE = sheet_code(OPTIONS)
SOURCE = {"code": CODE}
MISTAKEN = ("query_key_exchanged", "scaling_forgotten", "divided_by_dk", "base_ten", "softmax_over_columns")
SLIPPING = (
    "unmasked.head1.query",
    "unmasked.head1.scaled",
    "unmasked.head1.exp",
    "entry.exp",
    "entry.weight",
)
RIGHT, FOLLOWS, WRONG = ("richtig", "angenommen"), "folgefehler", "falsch"


@dataclass
class Paper:
    """kind: honest, mistaken or slipped. texts: what is typed, by cell. title: how the mistake is called."""

    kind: str
    texts: dict
    title: str = ""
    slip: tuple = ()

    def verdicts(self):
        """What is said of each cell, by the same judge as `pruefe`; whether that is as planned."""
        written = [[name, list(index_of(place)), text] for (name, place), text in self.texts.items()]
        judged = judging.judged({"": (SOURCE, written)}, named=True)[""]
        verdicts = {(cell["name"], cell["stelle"]): cell["urteil"] for cell in judged["zellen"]}
        assert set(verdicts) == set(self.texts)
        wrong = {cell for cell, verdict in verdicts.items() if verdict == WRONG}
        if self.kind == "honest":
            assert set(verdicts.values()) <= set(RIGHT)
        elif self.kind == "slipped":
            assert wrong == {self.slip}
            assert FOLLOWS in verdicts.values() or self.slip[0].endswith("weight")
        else:
            assert wrong
            assert judged["fehler"] == [self.title]
        return verdicts


def index_of(place):
    return tuple(int(i) for i in place.split(",") if i)


@cache
def cells():
    """(name, place) of every field of the pupils' page, in order."""
    stations = judging.exercises(SOURCE)["stationen"]
    return [(f["name"], f["stelle"]) for s in stations for task in s["aufgaben"] for f in task["felder"]]


@cache
def whole():
    return build(OPTIONS).passes


def texts(values):
    """Numbers as they are typed; values: array of each quantity, by name."""
    places = {name: whole().hand[name].places or 0 for name, _ in cells()}
    return {
        (name, place): f"{float(values[name][index_of(place)]):.{places[name]}f}".replace(".", ",")
        for name, place in cells()
    }


@cache
def simulated():
    """The numbers of ten pupils who round as they like, by quantity: an axis of pupils comes first."""
    values = {}
    for each, names in whole().parts():
        trace = next(simulate(each, 10, seed=1))
        values |= {
            name: np.broadcast_to(trace[name].values, (10, *each.hand[name].values.shape)) for name in names
        }
    return values


def honest(number):
    """Rounded as the sheet says, or as this pupil likes."""
    if number == 0:
        return Paper("honest", texts({name: whole().hand[name].values for name, _ in cells()}))
    return Paper("honest", texts({name: simulated()[name][number % 10] for name, _ in cells()}))


def mistaken(number):
    found = next(m for m in MISTAKES if m.id == MISTAKEN[number % len(MISTAKEN)])
    values = mistaken_numbers(whole(), found, {})[0]
    return Paper("mistaken", texts(values), title=mistake_texts()[found.id]["title"])


def slipped(number):
    """One number is off by 3, and everything after it is computed from that."""
    name = SLIPPING[number % len(SLIPPING)]
    slip = next(cell for cell in cells() if cell[0] == name)
    value = float(whole().hand[name].values[index_of(slip[1])]) + 3
    given = f"{name}[{slip[1]}]={value:.2f}".replace(".", ",").replace(name.replace(".", ","), name)
    hand = recomputed(whole(), [given]).calculation.hand
    return Paper("slipped", texts({each: hand[each].values for each, _ in cells()}), slip=slip)


def a_class(pupils):
    """The papers of so many pupils, a third of each kind."""
    return [(honest, mistaken, slipped)[number % 3](number // 3) for number in range(pupils)]
