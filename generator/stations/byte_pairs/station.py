"""Station 1b, the long way: byte pairs counted and merged by hand, round after round."""

from engine.texts.byte_pairs import SPACE
from generator.sheet.desk import Desk
from generator.sheet.sheet import Parts, parts
from generator.stations.byte_pairs.parts import byte_pair_parts
from generator.stations.common import Tasks


def station(desk: Desk, tasks: Tasks) -> Parts:
    long_way = byte_pair_parts(desk, tasks)
    tasks.add("space", "Begründe", "II", points=2)
    tasks.add("judge", "Beurteile", "III", points=2)
    return parts(bpe=long_way, mark=SPACE)
