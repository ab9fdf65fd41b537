"""A short text as a DataMatrix of 14 × 14 modules (ISO/IEC 16022, ECC 200), as small as a page's corner.

Eight codewords: a letter is one, two digits together are one. Ten more repair what a pen or copier spoils.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

SIDE: Final = 14  # modules
_INNER: Final = 12  # without the frame
_DATA, _REPAIR = 8, 10  # codewords
_FIELD: Final = 0x12D  # the polynomial of the field with 256 elements
_PAD: Final = 129


def data_matrix(text: str) -> tuple[tuple[bool, ...], ...]:
    """Rows of modules, dark ones true. ValueError for a text that needs more than eight codewords."""
    words = [130 + int(pair) if len(pair) == 2 else ord(pair) + 1 for pair in re.findall(r"\d\d|[ -~]", text)]
    if len(words) > _DATA:
        raise ValueError(f"too long for a mark: {text!r}")
    words += [_PAD, *map(_mixed_pad, range(len(words) + 2, _DATA + 1))][: _DATA - len(words)]
    words += _repair(words)
    inner = [[bool(words[word] >> 7 - bit & 1) for word, bit in row] for row in _places()]
    rows = [[column % 2 == 0 for column in range(SIDE)]]
    rows += [[True, *row, place % 2 == 0] for place, row in enumerate(inner)]
    rows.append([True] * SIDE)
    return tuple(map(tuple, rows))


def _mixed_pad(place: int) -> int:
    """What fills a place (from 1) behind the first that is empty."""
    mixed = _PAD + 149 * place % 253 + 1
    return mixed if mixed <= 254 else mixed - 254


@cache
def _powers() -> tuple[tuple[int, ...], dict[int, int]]:
    """The powers of 2 in the field, and their exponents."""
    powers = [1]
    while len(powers) < 255:
        doubled = powers[-1] * 2
        powers.append(doubled ^ _FIELD if doubled > 255 else doubled)
    return tuple(powers), {power: exponent for exponent, power in enumerate(powers)}


def _times(one: int, other: int) -> int:
    powers, exponents = _powers()
    return powers[(exponents[one] + exponents[other]) % 255] if one and other else 0


@cache
def _generator() -> tuple[int, ...]:
    """(x − 2¹)(x − 2²)… of as many factors as there are codewords for repair, highest power first."""
    product = [1]
    for exponent in range(1, _REPAIR + 1):
        root = _powers()[0][exponent]
        shifted = [*product, 0]
        product = [a ^ _times(root, b) for a, b in zip(shifted, [0, *product], strict=True)]
    return tuple(product)


def _repair(words: list[int]) -> list[int]:
    rest = [0] * _REPAIR
    for word in words:
        lead = word ^ rest[0]
        rest = [a ^ _times(lead, b) for a, b in zip([*rest[1:], 0], _generator()[1:], strict=True)]
    return rest


_SHAPE: Final = ((-2, -2), (-2, -1), (-1, -2), (-1, -1), (-1, 0), (0, -2), (0, -1), (0, 0))  # of a codeword
# One codeword of this size is bent around the corners.
_CORNER: Final = ((11, 0), (11, 1), (11, 2), (0, 10), (0, 11), (1, 11), (2, 11), (3, 11))


@cache
def _places() -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each module its codeword and bit, 0 the highest."""
    size = _INNER
    found: dict[tuple[int, int], tuple[int, int]] = {}
    word = 0

    def put(row: int, column: int) -> None:
        nonlocal word
        for bit, (down, right) in enumerate(_SHAPE):
            y, x = row + down, column + right
            if y < 0:
                y, x = y + size, x + 4 - (size + 4) % 8
            if x < 0:
                x, y = x + size, y + 4 - (size + 4) % 8
            found[y, x] = (word, bit)
        word += 1

    row, column = 4, 0
    while row < size or column < size:
        if row == size and column == 0:
            found.update({place: (word, bit) for bit, place in enumerate(_CORNER)})
            word += 1
        while row >= 0 and column < size:
            if row < size and column >= 0 and (row, column) not in found:
                put(row, column)
            row, column = row - 2, column + 2
        row, column = row + 1, column + 3
        while row < size and column >= 0:
            if row >= 0 and column < size and (row, column) not in found:
                put(row, column)
            row, column = row + 2, column - 2
        row, column = row + 3, column + 1
    return tuple(tuple(found[y, x] for x in range(size)) for y in range(size))
