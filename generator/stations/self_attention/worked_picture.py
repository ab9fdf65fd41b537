"""Station 4a: the picture of how a word listens, and its numbers for the words beside it."""

from __future__ import annotations

from generator.figures.ribbons import ribbons
from generator.sheet.desk import Desk
from generator.sheet.sheet import Parts, parts
from generator.stations.attention import EVEN, heaviest
from generator.stations.self_attention.listener import Listener
from generator.stations.self_attention.listening import pictures
from generator.stations.worked_lines import products_line, rounded_singly, weighted_sum_line


def hero_of(desk: Desk) -> int:
    """The word whose listening the sheet shows: the last, unless the pupil has no other one to work out."""
    others = [token for token in desk.exercises if token != desk.n - 1]
    return desk.n - 1 if others else desk.example


def worked_picture(desk: Desk, at: str, token: int) -> Parts:
    """How a word listens, worked out in pictures: its first word by weight goes through every step.

    plane: whether the keys stand beside q. components: of the values that are drawn, from 1. even: no word
    is ahead. leaders: the words with the largest weight.
    """
    of = Listener(desk, at, token)
    first, exact = of.seen[0], desk.options.skalierung
    score = desk.number(at + "score", token, first)
    weights = [of.weight(j) for j in of.seen]
    line = products_line(desk, desk.numbers(at + "query", token), desk.numbers(at + "key", first), score)
    return parts(
        word=desk.words[token],
        ribbons=ribbons(desk, at + "weight", token),
        steps=pictures(of),
        plane=of.across is not None,
        components=[c + 1 for c in of.components],
        first=desk.words[first],
        score=parts(line=line, score=score, scaled=desk.number(of.name, token, first) if exact else score),
        exp=desk.number(at + "exp", token, first),
        total=desk.number(at + "exp_sum", token),
        weight=desk.number(at + "weight", token, first),
        sum=(weighted_sum_line(desk, at, token, 0), desk.number(at + "output", token, 0)),
        output=desk.vector(at + "output", token),
        leaders=[desk.words[j] for j in heaviest(desk, at + "weight", token)],
        even=weights[0] - weights[-1] <= EVEN,
        singly=rounded_singly(desk, at, token),
    )
