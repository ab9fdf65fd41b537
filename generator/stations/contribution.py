"""What a word brings to another's new vector: weight times value, not the weight alone."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP
from typing import Final

import numpy as np

from generator.basics.numbers import parse_number, unit
from generator.figures.parts import subscript
from generator.sheet.desk import Desk
from generator.sheet.sheet import Finding, Parts, parts
from generator.stations.worked_lines import read_name, seen_by

_NEAR: Final = 1e-9


def leaders(desk: Desk, at: str, token: int, component: int) -> list[int]:
    """The words whose summand is furthest from 0: the key's, then all that a unit or rounding makes so."""
    seen = seen_by(desk, at + "weight", token)
    weight, value = desk.quantity(at + "weight"), desk.quantity(read_name(at, "value"))
    weights, values = np.abs(weight.values[token, seen]), np.abs(value.values[seen, component])
    own = np.array(
        [desk.asks(value.name, j, component) for j in seen]
    )  # what is printed has no unit to spare
    sizes, slack = weights * values, 10.0 ** -(weight.places or 0) * (weights * own + values)
    first = int(np.argmax(np.round(sizes, 9)))
    places = 10.0**desk.options.nachkommastellen  # who writes the products down sees them rounded
    written = np.floor(sizes * places + 0.5 + _NEAR)
    level = np.flatnonzero(
        (sizes + slack >= sizes[first] - slack[first] - _NEAR) | (written == written[first])
    )
    return [seen[k] for k in dict.fromkeys((first, *map(int, level)))]


def summand(desk: Desk, at: str, token: int, word: int, component: int) -> str:
    """0,69 · (−1,24) ≈ −0,86"""
    weight = desk.number(at + "weight", token, word)
    value = desk.number(read_name(at, "value"), word, component)
    exact = parse_number(weight.text) * parse_number(value.text)
    places = desk.options.nachkommastellen
    text = desk.format.text(float(exact.quantize(unit(places), ROUND_HALF_UP)), places)
    sign = "=" if exact == parse_number(text) else "≈"
    return f"{desk.products([weight], [value]).text} {sign} {text}"


def asked(desk: Desk, at: str, token: int, components: int = 2) -> Parts:
    """Whose summand is the furthest from 0 in the first components of a head's output.

    leads: for each of them. heavy: whether each is the word with the largest weight.
    light: the words that surely lead without it.
    """
    names, heaviest = desk.words_of(at + "weight", 1), desk.largest(at + "weight", token)
    leads, light, heavy = [], [], True
    for c in range(min(components, desk.sizes.d_head)):
        words = leaders(desk, at, token, c)
        leads.append(Finding(component=subscript(c + 1), lead=_lead(desk, at, token, c, words)))
        heavy &= words[0] in heaviest
        if not set(words) & set(heaviest):
            light.append(names[words[0]])
    return parts(leads=leads, heavy=heavy, light=[Finding(word=word) for word in dict.fromkeys(light)])


def _lead(desk: Desk, at: str, token: int, component: int, words: Sequence[int]) -> Parts:
    """„Katze“, 0,69 · (−1,24) ≈ −0,86; also: other words that lead by honest rounding."""
    first, *also = (desk.words_of(at + "weight", 1)[j] for j in words)
    return parts(word=first, summand=summand(desk, at, token, words[0], component), also=also)


def greatest(desk: Desk, at: str, token: int) -> Parts | None:
    """Whose summand leads in the first component; None where all are 0."""
    words = leaders(desk, at, token, 0)
    weight, value = desk.quantity(at + "weight"), desk.quantity(read_name(at, "value"))
    nothing = not weight.values[token, words[0]] * value.values[words[0], 0]
    return None if nothing else _lead(desk, at, token, 0, words)
