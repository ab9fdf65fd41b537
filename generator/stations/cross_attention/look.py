"""Station 10: the row of weights in which one stands out, and what it says."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from generator.figures.weights import full_side, weight_squares
from generator.sheet.desk import Desk
from generator.sheet.sheet import Figure, Number, Solution
from generator.sheet.wording import either
from generator.stations.attention import EVEN
from generator.stations.cross_attention.decoder import Roles, two_of
from generator.words.target_vectors import pairs_like

_NEAR: Final = 2 / 3  # of the largest weight: so large a weight is no clear second
_MOST_NAMED: Final = 3
_OF_FIVE: Final = (
    4  # rows: so many have to be right before the key says that the head has learnt where to look
)

Lead = Literal["even", "near", "clear", "only"]
Fit = Literal["yes", "maybe", "no", "unknown"]


@dataclass(frozen=True)
class Look:
    """telling: the weights can be interpreted, because they are learnt and not even. fit: whether the word
    found is the one that is meant, as far as that is known: the translation of the next word. alike: W_Q and
    W_K are the same matrix.
    """

    head: str
    word: str
    own: bool
    telling: bool
    matrix: Figure
    side: int
    strongest: Solution
    found: Solution
    lead: Lead
    others: Solution
    fit: Fit
    meant: Solution
    company: Solution
    one_more: bool
    alike: bool
    rows_known: int
    rows_right: int

    @property
    def has_learnt(self) -> bool:
        """Whether the head nearly always looks at the word that is to be translated next."""
        return _OF_FIVE * self.rows_known <= 5 * self.rows_right


def look(desk: Desk, heads: Sequence[str], who: Roles) -> Look:
    """The matrix of the head in which a row has the clearest lead, and that row. heads: the pupil's."""
    at, token = _clearest(desk, heads, who)
    name = at + "weight"
    best, meant = desk.largest(name, token), _meant(desk, token)
    company = [
        f"„{word}“"
        for row, word in enumerate(desk.target_words)
        if row != token and desk.largest(name, row)[0] in best
    ]
    rows = {row: _meant(desk, row) for row in range(len(desk.target_words))}
    right = [row for row, place in rows.items() if place is not None and desk.largest(name, row) == (place,)]
    numbers = [desk.number(name, token, j) for j in range(len(desk.source_words))]
    ranked = sorted(numbers, key=lambda n: -desk.quantity(name).values[n.index])
    lead = _lead(desk, ranked)
    return Look(
        head=at.removesuffix(".").rpartition("head")[2],
        word=desk.target_words[token],
        own=token == who.last,
        telling=desk.options.learns and lead != "even",
        matrix=weight_squares(desk, name, [who.last]),
        side=full_side(len(desk.source_words)),
        strongest=_answer(either([desk.source_words[j] for j in best])),
        found=_answer(f"{either([desk.source_words[j] for j in best])} ({ranked[0].text})"),
        lead=lead,
        others=_answer(_others(desk, lead, ranked, best)),
        fit=_fit(best, meant),
        meant=_answer(
            "" if meant is None else f"„{desk.source_words[meant]}“ ({desk.number(name, token, meant).text})"
        ),
        company=_answer(_several(company)),
        one_more=len(company) == 1,
        alike=bool(np.array_equal(desk.given(at + "W_Q"), desk.given(at + "W_K"))),
        rows_known=sum(place is not None for place in rows.values()),
        rows_right=len(right),
    )


def _answer(text: str) -> Solution:
    """A part of the answer in words; nobody writes it by itself."""
    return Solution(text, rows=0)


def _clearest(desk: Desk, heads: Sequence[str], who: Roles) -> tuple[str, int]:
    """Of the rows that are not even, and of those the ones whose right partner is known, the one with the
    largest weight furthest ahead; of equals the pupil's own.

    By the unrounded weights: a pupil's own numbers do not change them.
    """
    rows = [who.last, *range(1, who.last)]  # the start token means nothing
    if desk.options.learns:  # the first head has learnt where to look for the word that is next
        rows, heads = [who.last, *range(who.last)], heads[:1]

    def worth(place: tuple[str, int]) -> tuple[bool, bool, float]:
        at, row = place
        weights = np.sort(desk.built.whole.exact[at + "weight"].values[row])
        distance = round(float(weights[-1] - weights[-2]), 9) if len(weights) > 1 else 0.0
        return bool(weights[-1] - weights[0] > EVEN), _meant(desk, row) is not None, distance

    return max([(at, row) for at in heads for row in rows], key=worth)


def _meant(desk: Desk, token: int) -> int | None:
    """The source place to look at: of the row's own translation, in a trained model of the next word's."""
    model = two_of(desk).model
    translates = pairs_like(model.source_tokens, model.tokens[1:], 0)[0].translates
    return translates.get(token if desk.options.learns else token - 1)


def _value(desk: Desk, number: Number) -> float:
    return float(desk.quantity(number.name).values[number.index])


def _named(desk: Desk, number: Number) -> str:
    return f"„{desk.source_words[number.index[1]]}“ {number.text}"


def _lead(desk: Desk, ranked: Sequence[Number]) -> Lead:
    if len(ranked) == 1:
        return "only"
    first, second, last = (_value(desk, ranked[place]) for place in (0, 1, -1))
    if first - last <= EVEN:
        return "even"
    return "near" if second >= _NEAR * first else "clear"


def _others(desk: Desk, lead: Lead, ranked: Sequence[Number], best: Sequence[int]) -> str:
    """The weights that tell how clear the lead is: those near it, the next one, or how far all reach."""
    if lead == "even":
        low, high = ranked[-1].text, ranked[0].text
        return f"{low} bis {high}" if low != high else f"je {low}"
    others = [number for number in ranked if number.index[1] not in best]
    if lead == "near":
        limit = _NEAR * _value(desk, ranked[0])
        near = [number for number in others if _value(desk, number) >= limit]
        return ", ".join(_named(desk, number) for number in near[:_MOST_NAMED])
    return ", ".join(_named(desk, number) for number in others[:1])


def _fit(best: Sequence[int], meant: int | None) -> Fit:
    if meant is None:
        return "unknown"
    if meant not in best:
        return "no"
    return "yes" if len(best) == 1 else "maybe"


def _several(words: Sequence[str]) -> str:
    if len(words) > _MOST_NAMED:
        return f"{len(words)} andere Zielwörter"
    return " und ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
