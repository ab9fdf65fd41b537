"""What is refused because no sheet could hold it, or memory and patience would run out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from generator.basics.errors import UserError, shortened
from generator.basics.numbers import NumberFormat, decimal_of
from generator.options.option_kinds import Whole
from generator.options.options import TABLE, Options
from generator.options.sentence import ensure_printable

if TYPE_CHECKING:
    from generator.options.numbers_file import GivenNumbers

PAPER_DIMENSIONS = (2, 16)
PAPER_TOKENS = (2, 24)
_PAPER_PLACES = 6
_POSTER = (12, 8, 1)  # tokens, components, blocks
_PAPER_BELOW = 1000
MOST_TOKENS = 128
MOST_NUMBERS = 2_000_000  # of all tables of a calculation: less than 2 GB of memory, and two minutes
_WEIGHTS_OF_A_CELL = 3  # weights take a third of the memory of a cell, which has ranges, too
# Laying out a sheet: measured 352 MB for 1 264 numbers, 914 for 10 444, 1 554 for 14 454, 2 200 for 24 153.
_BYTES_OF_LAYOUT, _BYTES_OF_NUMBER = 650 * 10**6, 90_000  # with those who render and wait meanwhile
MOST_PRINTED = (2 * 10**9 - _BYTES_OF_LAYOUT) // _BYTES_OF_NUMBER


def for_paper(options: Options) -> None:
    """Refuse what fits no sheet: sizes, numbers of tokens, scripts that our fonts lack."""
    low, high = PAPER_TOKENS
    if not low <= len(options.tokens) <= high:
        raise UserError(
            f"Der Satz hat {len(options.tokens)} Token, Satzzeichen mitgezählt; auf ein Arbeitsblatt passen "
            f"{low} bis {high}."
        )
    for each in TABLE:
        if isinstance(each.kind, Whole) and each.kind.on_paper:
            size, (least, most) = options.value(each.name), each.kind.on_paper
            if not least <= size <= most:
                flag = f"{each.flag} {size}"
                raise UserError(f"{flag} passt nicht auf ein Arbeitsblatt; möglich ist {least} bis {most}.")
    words = len(options.target_tokens)
    if words + 1 > high:
        raise UserError(
            f"Der Zielsatz (--zielsatz) hat {words} Token; auf ein Arbeitsblatt passen mit dem "
            f"Starttoken {high}, also höchstens {high - 1} Wörter und Satzzeichen."
        )
    ensure_printable("Der Satz", options.satz)
    ensure_printable("Der Zielsatz (--zielsatz)", options.zielsatz or "")
    ensure_printable("--endezeichen", options.endezeichen or "")
    for_memory(options)


def for_poster(options: Options) -> None:
    """Refuse a poster whose numbers nobody could read from a wall."""
    words, dimension, blocks = _POSTER
    if options.plakat and (
        len(options.tokens) > words or options.dimension > dimension or options.bloecke > blocks
    ):
        raise UserError(
            f"--plakat geht bis {words} Token, --dimension {dimension} und einen Block; dieses Blatt hat "
            f"{len(options.tokens)} Token, --dimension {options.dimension} und --bloecke {options.bloecke}."
        )


def is_paper_size(options: Options) -> bool:
    """Whether d_model and the number of tokens are of a size that people calculate by hand."""
    return options.dimension <= PAPER_DIMENSIONS[1] and len(options.tokens) <= PAPER_TOKENS[1]


def numbers_for_paper(given: GivenNumbers) -> None:
    """Refuse given numbers that are too wide for a cell: 1000 and more, or more than 6 decimals.

    Also words of the target vocabulary that our fonts cannot print.
    """
    rows = {} if given.embedding is None else {"embedding": given.embedding.flat}
    named: dict[str, Iterable[float]] = {name: weights.flat for name, weights in given.weights.items()}
    named |= rows | {f"wortvektoren.{shortened(word)}": row for word, row in given.word_vectors.items()}
    named |= {f"zielvektoren.{shortened(word)}": row for word, row in given.target_vectors.items()}
    named |= {name: weights.flat for name, weights in given.encoder_decoder_weights.items()}
    ensure_printable("zielvektoren", "".join(given.target_vectors))
    for name, numbers in named.items():
        for number in map(decimal_of, numbers):
            if abs(number) >= _PAPER_BELOW or round(number, _PAPER_PLACES) != number:
                shown = NumberFormat().text(number, None)
                raise UserError(
                    f"{name} enthält {shown}; auf ein Arbeitsblatt passen Zahlen unter "
                    f"{_PAPER_BELOW} mit höchstens {_PAPER_PLACES} Nachkommastellen."
                )


def for_printing(numbers: int) -> None:
    """Refuse a sheet of so many numbers, blanks among them, that laying it out would take more than 2 GB."""
    if numbers > MOST_PRINTED:
        text = NumberFormat().text
        raise UserError(
            f"Das Blatt wäre zu groß: Es hätte etwa {text(round(numbers, -3), 0)} Zahlen; gedruckt werden "
            f"höchstens {text(MOST_PRINTED // 1000 * 1000, 0)}, mehr braucht über 2 GB Arbeitsspeicher. "
            "Kürzen Sie den Satz, wählen Sie kleinere Größen oder weniger Stationen (--stationen)."
        )


def for_memory(options: Options) -> None:
    """Refuse a calculation whose numbers would take more than 2 GB of memory or two minutes."""
    cells, weights = _sizes(options)
    numbers, tokens = cells + weights // _WEIGHTS_OF_A_CELL, len(options.tokens)
    if numbers <= MOST_NUMBERS and tokens <= MOST_TOKENS:
        return
    raise UserError(
        f"Die Rechnung wäre zu groß: Sie hätte etwa {-(-numbers // 10**6)} Millionen Zahlen für {tokens} "
        f"Token, --dimension {options.dimension}, --heads {options.heads}, --bloecke {options.bloecke} und "
        f"--ffn {options.width}; möglich sind {MOST_NUMBERS // 10**6} Millionen und {MOST_TOKENS} Token. "
        "Kürzen Sie den Satz oder wählen Sie kleinere Größen."
    )


def _sizes(options: Options) -> tuple[int, int]:
    """About how many cells and weights there are in all."""
    n, d = len(options.tokens), options.dimension
    words = len(set(options.tokens))
    weights = options.bloecke * (4 * d * d + 2 * d * options.width + 5 * d + options.width) + words * d
    cells = _cells(options, n, words)
    if options.target_tokens:
        # Encoder and decoder together, as if both read the longer sentence; the decoder has two attentions.
        longer = max(n, len(options.target_tokens) + 1)
        cells += 3 * _cells(options, longer, longer)
        weights *= 4
    if options.lernen:
        cells = 3 * cells + 2 * weights  # gradients, and every weight after the step
    return cells, weights


def _cells(options: Options, n: int, words: int) -> int:
    """About how many cells all tables of one sentence of n tokens have."""
    d = options.dimension
    tables = 8 * n * n * (options.bloecke * options.heads + 1)
    rows = 2 * options.bloecke * n * (13 * d + 2 * options.width) + 6 * n * d
    output = words * (2 + 6 * len(options.temperatur) + 20 * options.laenge)
    return tables + rows + output
