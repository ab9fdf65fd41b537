"""Station 0: the sizes of this model beside GPT-2 Small, the map of the stations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.model.weights import GPT2_SMALL
from generator.basics.fonts import printable
from generator.figures.course_map import course_map
from generator.sheet.desk import Desk
from generator.sheet.sheet import Figure, Row, Solution, Table, Words
from generator.stations.common import Tasks, whole_number
from generator.stations.model_map.figures import data_flow, loss_curve
from generator.stations.trained import spoken_words

_HERE: Final = "0"
_OF_GPT2: Final = {
    "n": GPT2_SMALL.context,
    "V": GPT2_SMALL.vocabulary,
    "d_model": GPT2_SMALL.sizes.d_model,
    "h": GPT2_SMALL.sizes.n_heads,
    "d_k": GPT2_SMALL.sizes.d_head,
    "d_ff": GPT2_SMALL.sizes.d_ff,
    "B": GPT2_SMALL.sizes.n_blocks,
}


@dataclass(frozen=True)
class ModelMap:
    map: Figure
    flow: Figure
    sizes: Table
    largest: Largest
    trained: ReadTexts | None


def station(desk: Desk, tasks: Tasks) -> ModelMap:
    ours = _sizes(desk)
    table = _size_table(desk, ours)
    tasks.add("d_k", "Berechne", "I", table, points=2)
    tasks.add("largest", "Bestimme", "II", points=2)
    return ModelMap(
        map=course_map(desk.stations, _HERE),
        flow=data_flow(desk),
        sizes=table,
        largest=_largest(desk, ours),
        trained=read_texts(desk),
    )


def _sizes(desk: Desk) -> dict[str, int]:
    sizes = desk.sizes
    return {
        "n": desk.n,
        "V": len(desk.vocabulary),
        "d_model": sizes.d_model,
        "h": sizes.n_heads,
        "d_k": sizes.d_head,
        "d_ff": sizes.d_ff,
        "B": sizes.n_blocks,
    }


def _size_table(desk: Desk, ours: dict[str, int]) -> Table:
    """A row for each size; the length of a head's vectors is left to the pupil, for both models."""

    def row(name: str) -> Row:
        blank = name == "d_k"
        return Row(
            name,
            (
                Words(name),
                whole_number(desk, f"sizes.{name}", ours[name], 0, blank=blank),
                whole_number(desk, f"sizes.{name}", _OF_GPT2[name], 1, blank=blank),
            ),
        )

    return Table(("meaning", "ours", "gpt2"), tuple(map(row, ours)), (22.0, 0.0, 30.0, 30.0))


@dataclass(frozen=True)
class Largest:
    name: Solution
    division: Solution


def _largest(desk: Desk, ours: dict[str, int]) -> Largest:
    name = max(ours, key=lambda size: _OF_GPT2[size] / ours[size])
    factor = _OF_GPT2[name] / ours[name]
    texts = [desk.constant(number, 0) for number in (_OF_GPT2[name], ours[name], factor)]
    division = f"{texts[0]} : {texts[1]} ≈ {texts[2]}"
    return Largest(name=Solution(name), division=Solution(division))


@dataclass(frozen=True)
class ReadTexts:
    """What the model has read, and how its loss fell."""

    texts: tuple[str, ...]
    beginning: str
    steps: str
    curve: Figure


def read_texts(desk: Desk) -> ReadTexts | None:
    """None where the model has not learnt."""
    learnt = desk.built.learnt
    if learnt is None:
        return None
    return ReadTexts(
        texts=tuple(map(printable, learnt.lines)),
        beginning=spoken_words(learnt.model.tokens),
        steps=desk.format.text(learnt.steps, 0),
        curve=loss_curve(learnt.curve, desk.format),
    )
