"""Checked options in; a UserError out where a sheet could not be printed or memory would run out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from generator.errors import UserError, shortened
from generator.fonts import unprintable
from generator.numbers import NumberFormat, decimal_of
from generator.options import Options

if TYPE_CHECKING:
    from generator.numbers_file import GivenNumbers

PAPER_DIMENSIONS = (2, 16)
PAPER_TOKENS = (2, 24)
_PAPER_PLACES = 6
_PAPER_BELOW = 1000
_MOST_CELLS = 200_000_000


def for_paper(options: Options) -> None:
    """Refuse what fits no sheet: d_model outside 2 to 16, fewer than 2 or more than 24 tokens."""
    low, high = PAPER_TOKENS
    if not low <= len(options.tokens) <= high:
        raise UserError(
            f"Der Satz hat {len(options.tokens)} Token; auf ein Arbeitsblatt passen {low} bis {high} "
            "(Wörter und Satzzeichen)."
        )
    low, high = PAPER_DIMENSIONS
    if not low <= options.dimension <= high:
        raise UserError(
            f"--dimension {options.dimension} passt nicht auf ein Arbeitsblatt; möglich ist {low} bis {high}."
        )
    _target_for_paper(options.target_tokens)
    most = (4, 4 * PAPER_DIMENSIONS[1])
    if options.bloecke > most[0]:
        raise UserError(
            f"--bloecke {options.bloecke} passt nicht auf ein Arbeitsblatt; möglich ist 1 bis {most[0]}."
        )
    if options.ffn > most[1]:
        raise UserError(f"--ffn {options.ffn} passt nicht auf ein Arbeitsblatt; möglich ist 1 bis {most[1]}.")


def is_paper_size(options: Options) -> bool:
    """Whether d_model and the number of tokens are of a size that people calculate by hand."""
    return options.dimension <= PAPER_DIMENSIONS[1] and len(options.tokens) <= PAPER_TOKENS[1]


def _target_for_paper(words: Sequence[str]) -> None:
    """Refuse a target sentence that is too long with its start token, or that our fonts cannot print."""
    high = PAPER_TOKENS[1]
    if len(words) + 1 > high:
        raise UserError(
            f"Der Zielsatz (--zielsatz) hat {len(words)} Token; auf ein Arbeitsblatt passen mit dem "
            f"Starttoken {high}, also höchstens {high - 1} Wörter und Satzzeichen."
        )
    strange = unprintable("".join(words))
    if strange:
        shown = " ".join(strange[:5]) + (" …" if len(strange) > 5 else "")
        raise UserError(
            f"Der Zielsatz (--zielsatz) enthält Zeichen, die unsere Schriften nicht haben: {shown}; möglich "
            "sind lateinische, griechische und kyrillische Buchstaben."
        )


def numbers_for_paper(given: GivenNumbers) -> None:
    """Refuse given numbers that are too wide for a cell: 1000 and more, or more than 6 decimals."""
    rows = {} if given.embedding is None else {"embedding": given.embedding.flat}
    named: dict[str, Iterable[float]] = {name: weights.flat for name, weights in given.weights.items()}
    named |= rows | {f"wortvektoren.{shortened(word)}": row for word, row in given.word_vectors.items()}
    named |= {f"zielvektoren.{shortened(word)}": row for word, row in given.target_vectors.items()}
    named |= {name: weights.flat for name, weights in given.encoder_decoder_weights.items()}
    for name, numbers in named.items():
        for number in map(decimal_of, numbers):
            if abs(number) >= _PAPER_BELOW or round(number, _PAPER_PLACES) != number:
                shown = NumberFormat().text(number, None)
                raise UserError(
                    f"{name} enthält {shown}; auf ein Arbeitsblatt passen Zahlen unter "
                    f"{_PAPER_BELOW} mit höchstens {_PAPER_PLACES} Nachkommastellen."
                )


def for_memory(options: Options) -> None:
    """Refuse a calculation whose numbers would not fit into an ordinary computer's memory."""
    cells = estimated_cells(options)
    if cells > _MOST_CELLS:
        text = NumberFormat().text
        n = len(options.tokens)
        raise UserError(
            f"Die Rechnung wäre zu groß: etwa {text(cells // 10**6, 0)} Millionen Zahlen für {n} Token, "
            f"--dimension {options.dimension}, --heads {options.heads}, --bloecke {options.bloecke} und "
            f"--ffn {options.ffn}; möglich sind {text(_MOST_CELLS // 10**6, 0)} Millionen."
        )


def estimated_cells(options: Options) -> int:
    """About how many numbers the weights and all quantities hold, in both arithmetics."""
    n, d = len(options.tokens), options.dimension
    words = len(set(options.tokens))
    weights = options.bloecke * (4 * d * d + 2 * d * options.ffn + 5 * d + options.ffn) + words * d
    tables = 4 * n * n * (options.bloecke * options.heads + 1)
    rows = options.bloecke * n * (13 * d + 2 * options.ffn) + 3 * n * d
    output = words * (1 + 3 * len(options.temperatur))
    one_sentence = weights + 2 * (tables + rows + output)
    if not options.target_tokens:
        return one_sentence
    # Encoder and decoder together, as if both read the longer sentence; the decoder has two attentions.
    m = max(n, len(options.target_tokens) + 1)
    return one_sentence + 3 * (weights + 2 * (4 * m * m * options.bloecke * options.heads + rows * m // n))
