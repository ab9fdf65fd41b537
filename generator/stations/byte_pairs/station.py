"""Station 1b, the long way: byte pairs counted and merged by hand, round after round."""

from __future__ import annotations

from dataclasses import dataclass

from engine.texts.byte_pairs import SPACE
from generator.sheet.desk import Desk
from generator.stations.byte_pairs.parts import BytePairs, byte_pair_parts
from generator.stations.common import Tasks


@dataclass(frozen=True)
class LongWay:
    bpe: BytePairs
    mark: str


def station(desk: Desk, tasks: Tasks) -> LongWay:
    parts = byte_pair_parts(desk, tasks)
    tasks.add("space", "Begründe", "II", points=2)
    tasks.add("judge", "Beurteile", "III", points=2)
    return LongWay(parts, SPACE)
