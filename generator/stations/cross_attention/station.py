"""Station 10, cross-attention: a target sentence asks the encoder's output of the source; its map."""

from typing import Final

import numpy as np

from generator.basics.fonts import printable
from generator.figures.drawing import Canvas, Point
from generator.options.course import BY_ID
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure, Number, Parts, parts
from generator.stations.attention import head_exercise, heaviest
from generator.stations.common import Tasks, component_tables, vectors
from generator.stations.cross_attention.decoder import (
    Roles,
    joined_part,
    next_word_part,
    own_output,
    points_of_products,
    roles,
    rounds_part,
    source_output,
    two_of,
)
from generator.stations.cross_attention.look import look
from generator.stations.worked_lines import products_line, worked_head
from generator.words.target_vectors import END, START

_BLOCK: Final = "decoder.block1.cross."
_LINES: Final = 2  # worked sums
_BOX: Final = (58.0, 5.8)
_STEP: Final = 8.2  # mm from one box to the next
_LEFT: Final = {"encoder": 8.0, "decoder": 99.0}
_TOP: Final = 9.0
_HEAD: Final = 1.3
_ADD_NORM: Final = BY_ID["5"].title
_ENCODER: Final = ("Quellsatz + Position", "Self-Attention, ohne Maske", _ADD_NORM, "Feed-Forward",
                   _ADD_NORM, "Encoder-Ausgabe H")  # fmt: skip
_DECODER: Final = ("⟨Start⟩ und Zielsatz + Position", "Self-Attention", _ADD_NORM,
                   "Cross-Attention", _ADD_NORM, "Feed-Forward", _ADD_NORM,
                   "nächstes Wort oder ⟨Ende⟩")  # fmt: skip
_OWN: Final = 1  # the decoder's self-attention
_CROSS: Final = 3


def station(desk: Desk, tasks: Tasks) -> Parts:
    who = roles(desk)
    model = two_of(desk).model
    tasks.add("size", "Gib", "I", points=1)
    first = _first_head(desk, who, tasks)
    clearest = look(desk, [f"{_BLOCK}head1."], who)
    tasks.add("look", "Deute" if clearest.telling else "Gib", "II", points=3 if clearest.telling else 2)
    tasks.add("masks", "Begründe", "II", points=3)
    return parts(
        map=encoder_decoder_map(desk.sizes.n_blocks, model.rules.causal_mask),
        source=" ".join(map(printable, model.source_tokens)),
        target=" ".join(desk.target_words[1:]),
        start=START,
        end=END,
        n_source=model.n_source,
        n_target=model.n_tokens,
        last=desk.target_words[who.last],
        source_output=component_tables(desk, source_output(desk)),
        own_output=component_tables(desk, own_output(1)),
        first=first,
        look=clearest,
        joined=joined_part(desk, _BLOCK, who, tasks),
        output=next_word_part(desk, tasks),
        rounds=rounds_part(desk, tasks),
    )


def _first_head(desk: Desk, who: Roles, tasks: Tasks) -> Parts:
    at, example = _BLOCK + "head1.", who.example
    # Where W_Q only picks components, the query is nothing to work out: it stands in the table of Z.
    asked = not _only_picks(desk, at + "W_Q")
    query = desk.vector(at + "query", who.last, blank=asked)
    if asked:
        points = points_of_products(desk.sizes.d_head, desk.sizes.d_model)
        tasks.add("query", "Berechne", "I", query, points=points)
    exercise = head_exercise(desk, tasks, at, who.last, own_query=asked and desk.more, bars=False)
    query_first, key_first = desk.number(at + "query", example, 0), desk.number(at + "key", 0, 0)
    return parts(
        matrices={W: desk.matrix(at + W) for W in ("W_Q", "W_K", "W_V")},
        example=desk.target_words[example],
        query_line=products_line(
            desk, desk.numbers(own_output(1), example), _column(desk, at + "W_Q"), query_first
        ),
        query_first=query_first,
        query_vector=desk.vector(at + "query", example),
        key_line=products_line(
            desk, desk.numbers(source_output(desk), 0), _column(desk, at + "W_K"), key_first
        ),
        key_first=key_first,
        key_word=desk.source_words[0],
        offers=vectors(desk, [at + "key", at + "value"]),
        worked=worked_head(desk, at, example, sums=_LINES, bars=False),
        strongest=[desk.source_words[j] for j in heaviest(desk, at + "weight", example)],
        query=query,
        exercise=exercise,
    )


def _only_picks(desk: Desk, name: str) -> bool:
    """Whether a product with this matrix copies components: at most one 1 in a column, else zeros."""
    matrix = desk.given(name)
    return bool(np.isin(matrix, (0, 1)).all() and (matrix.sum(0) <= 1).all())


def _column(desk: Desk, name: str) -> list[Number]:
    return [row[0] for row in desk.matrix(name)]


def encoder_decoder_map(n_blocks: int, masked: bool) -> Figure:
    """Both sides from top to bottom, with the arrow that brings keys and values across."""
    canvas = Canvas()
    decoder = list(_DECODER)
    decoder[_OWN] += ", mit Maske" if masked else ", ohne Maske"
    height = _TOP + (len(decoder) - 1) * _STEP + _BOX[1] + 1.0
    for side, title, boxes in (("encoder", "Encoder", list(_ENCODER)), ("decoder", "Decoder", decoder)):
        left = _LEFT[side]
        top, bottom = _corner(side, 1)[1] - 1.3, _corner(side, len(boxes) - 2)[1] + _BOX[1] + 1.3
        canvas.rectangle((left - 2.6, top), (_BOX[0] + 5.2, bottom - top), width=0.2)
        canvas.text((left + _BOX[0] / 2, 5.2), title, 4.0, "middle", bold=True)
        blocks = "1 Block" if n_blocks == 1 else f"{n_blocks} Blöcke"
        beside = left - 4.0 if side == "encoder" else left + _BOX[0] + 6.4
        canvas.text((beside, (top + bottom) / 2), blocks, 3.0, "middle", turned=True)
        for place, words in enumerate(boxes):
            _box(canvas, side, place, words)
    _across(canvas)
    said = (
        f"Encoder von oben nach unten: {', '.join(_ENCODER)}. Decoder von oben nach unten: "
        f"{', '.join(decoder)}. Ein Pfeil führt von der Encoder-Ausgabe zur Cross-Attention: "
        "von dort kommen Keys und Values."
    )
    return Figure("Encoder und Decoder", TEXT_WIDTH, height, Drawing(canvas.shapes, said))


def _corner(side: str, place: int) -> Point:
    return _LEFT[side], _TOP + place * _STEP


def _box(canvas: Canvas, side: str, place: int, words: str) -> None:
    x, y = _corner(side, place)
    thick = side == "decoder" and place == _CROSS
    canvas.rectangle((x, y), _BOX, width=0.8 if thick else 0.25)
    canvas.text((x + _BOX[0] / 2, y + _BOX[1] / 2 + 1.1), words, 3.1, "middle", bold=thick)
    if place:
        middle = x + _BOX[0] / 2
        canvas.path([(middle, y - _STEP + _BOX[1]), (middle, y)], 0.35)
        canvas.path([(middle - 0.9, y - _HEAD), (middle, y), (middle + 0.9, y - _HEAD)], 0.35)


def _across(canvas: Canvas) -> None:
    x1, y1 = _corner("encoder", len(_ENCODER) - 1)
    x2, y2 = _corner("decoder", _CROSS)
    start, end = (x1 + _BOX[0], y1 + _BOX[1] / 2), (x2, y2 + _BOX[1] / 2)
    turn = (x1 + _BOX[0] + x2 - 6.0) / 2
    canvas.path([start, (turn, start[1]), (turn, end[1]), end], 0.6)
    canvas.path([(end[0] - 1.8, end[1] - 1.1), end, (end[0] - 1.8, end[1] + 1.1)], 0.6)
    canvas.text((turn + 1.6, end[1] - 1.6), "Keys und", 3.0)
    canvas.text((turn + 1.6, end[1] + 4.2), "Values", 3.0)
