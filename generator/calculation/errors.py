"""The German sentence for a step that cannot be computed: where it is, and what helps."""

from __future__ import annotations

from engine.numbers.arrays import CalculationError
from generator.basics.cell_names import SheetWords, quantity_title
from generator.basics.errors import UserError, quoted
from generator.options.numbers_file import sizes_of
from generator.options.options import Options

_AXIS_WORDS = {"token": "Token", "word": "Wort", "dim": "Komponente", "head_dim": "Komponente"}
_AXIS_WORDS |= {"source_token": "Token", "target_token": "Zieltoken"}


def in_german(error: CalculationError, options: Options) -> UserError:
    """One sentence that names the cell and proposes more places or other numbers."""
    where = f"{_title(error, options)}{_cell(error, options)}"
    if error.kind == "zero_divisor":
        helps = "anderen Zahlen (--startwert, --embeddings) oder Temperaturen"
        if options.nachkommastellen < 6:
            helps = f"--nachkommastellen {options.nachkommastellen + 1} oder mit {helps}"
        return UserError(f"{where} lässt sich nicht rechnen: Der Teiler rundet auf 0; es geht mit {helps}.")
    if error.kind == "not_finite":
        return UserError(
            f"{where} wird zu groß oder ist nicht bestimmt; es geht mit kleineren Zahlen "
            "(--gewichte, --embeddings) oder höheren Temperaturen."
        )
    if error.kind == "unplayable":
        return UserError(
            f"{where} wird für e^x von Hand zu groß, auch nach vielen Ziehungen; es geht mit einem anderen "
            "Stil (--gewichte auswahl) oder mehr Heads."
        )
    return UserError(f"{where} passt nicht zu den Größen des Modells.")


def _title(error: CalculationError, options: Options) -> str:
    """What a teacher calls the quantity: „Head 1, skalierter Score“."""
    sizes = sizes_of(options)
    words = SheetWords(sizes, options.tokens, (), options.source_tokens, options.target_tokens)
    return quantity_title(error.name, words, options.dezimalzeichen)


def _cell(error: CalculationError, options: Options) -> str:
    if not error.index:
        return ""
    parts = []
    for axis, place in zip(error.axes, error.index, strict=False):
        word = f" {quoted(options.tokens[place])}" if axis == "token" and place < len(options.tokens) else ""
        parts.append(f"{_AXIS_WORDS.get(axis, 'Stelle')} {place + 1}{word}")
    return f" ({', '.join(parts)})"
