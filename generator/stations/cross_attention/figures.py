"""Station 10: the map of encoder and decoder."""

from __future__ import annotations

from typing import Final

from generator.figures.drawing import Canvas, Point
from generator.options.course import BY_ID
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure

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
