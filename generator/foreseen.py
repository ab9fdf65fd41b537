"""A calculation goes in; what the teacher's pages say of typical mistakes and of the numbers comes out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from engine.acceptance import Range
from engine.calculation import Calculation
from engine.expectation import Cell, Expectation, Foreseen, expect
from engine.friendliness import Friendliness, assess
from generator.cell_names import cell_title
from generator.check_report import mistake_texts
from generator.numbers import NumberFormat

_MOST_EDGES = 6


@dataclass(frozen=True)
class ForeseenLine:
    """One line of the Erwartungshorizont of mistakes.

    sentences: one for each number, the mistake made in this cell: „Steht dort 0,71, wurde nicht durch …“;
    a number that several mistakes give names them all. Then the numbers that follow from a mistake made
    before: „Folgezahlen: 0,12 (Maske vergessen); …“.
    """

    name: str
    index: tuple[int, ...]
    title: str
    expected: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Certificate:
    """Sentences about the numbers of one sheet. facts: always; warnings: what the teacher should know."""

    facts: tuple[str, ...]
    warnings: tuple[str, ...]


def foreseen_lines(
    calculation: Calculation, expectation: Expectation, numbers: NumberFormat, consequences: bool = False
) -> list[ForeseenLine]:
    """Lines in the order of the calculation, for each cell in which a typical mistake shows.

    A mistake made in the same step of the model, in an earlier cell, is shown as it runs on. consequences:
    also the numbers that come of mistakes made still earlier.
    """
    lines = []
    for (name, index), found in expectation.numbers.items():
        places = calculation.hand[name].places or 0
        chosen = [
            _sentence(calculation, f, numbers.text(f.value, places)) for f in found if f.here or consequences
        ]
        following = [f for f in found if f.follows and not consequences]
        if following:
            chosen.append(_following([(numbers.text(f.value, places), f) for f in following]))
        if chosen:
            lines.append(
                ForeseenLine(
                    name,
                    index,
                    cell_title(name, index, calculation.model, numbers.decimal_sign),
                    numbers.text(float(calculation.hand[name].values[index]), places),
                    tuple(chosen),
                )
            )
    return lines


def _sentence(calculation: Calculation, foreseen: Foreseen, value: str) -> str:
    texts = [mistake_texts()[mistake] for mistake in foreseen.ids]
    first = texts[0]["expected"].format(value=value, dk=calculation.model.sizes.d_head)
    if len(texts) == 1:
        return first
    others = " oder ".join(f"„{text['title']}“" for text in texts[1:])
    return f"{first} Dieselbe Zahl gibt {others}."


def _following(found: Sequence[tuple[str, Foreseen]]) -> str:
    titles = {mistake: text["title"] for mistake, text in mistake_texts().items()}
    said = [f"{value} ({' oder '.join(titles[mistake] for mistake in f.ids)})" for value, f in found]
    return f"{'Folgezahl' if len(said) == 1 else 'Folgezahlen'}: {'; '.join(said)}."


def expectation_of(
    calculation: Calculation, ranges: Mapping[str, Range], blanks: Collection[Cell] | None = None
) -> Expectation:
    """What the typical mistakes give in the blanks of a sheet (None: in every cell)."""
    return expect(calculation, ranges, blanks)


def certificate(calculation: Calculation, expectation: Expectation, numbers: NumberFormat) -> Certificate:
    """The numbers' certificate: drift, margin, divisors, exponentials, mistakes told apart."""
    good = assess(calculation)
    return Certificate(
        tuple(_facts(calculation, good, expectation, numbers)),
        tuple(_warnings(calculation, good, expectation, numbers)),
    )


def _facts(
    calculation: Calculation, good: Friendliness, expectation: Expectation, numbers: NumberFormat
) -> list[str]:
    model, sign = calculation.model, numbers.decimal_sign
    off = (
        "Gerundet und ungerundet gerechnet (beides ab der gedruckten Eingabe X) stimmen alle Zahlen "
        "auf eine Einheit der letzten Stelle überein."
        if good.drifting == 0
        else f"Gerundet und ungerundet gerechnet (beides ab der gedruckten Eingabe X) liegen {good.drifting} "
        f"von {good.cells} Zahlen um mehr als eine Einheit der letzten Stelle auseinander, am weitesten "
        f"{cell_title(*good.worst, model, sign)} mit {good.drift} Einheiten."
    )
    word = model.vocabulary[calculation.predicted()]
    return [
        off,
        f"Das vorhergesagte Wort „{word}“ liegt {numbers.text(100 * good.margin, 1)} Prozentpunkte vor dem "
        "nächsten.",
        f"Die kleinste Standardabweichung ist {numbers.text(good.smallest_std, model.places)} "
        f"({cell_title(*good.smallest_std_at, model, sign)}), der größte e^x-Wert "
        f"{numbers.text(good.largest_exp, calculation.hand[good.largest_exp_at[0]].places)} "
        f"({cell_title(*good.largest_exp_at, model, sign)}).",
        f"Von {expectation.possible} typischen Fehlern lassen sich {expectation.told_apart} eindeutig "
        "erkennen, wenn man alle Zahlen des Blatts zusammen ansieht. Eine einzelne Zahl "
        "können mehrere Fehler geben.",
    ]


def _warnings(
    calculation: Calculation, good: Friendliness, expectation: Expectation, numbers: NumberFormat
) -> list[str]:
    model, sign = calculation.model, numbers.decimal_sign
    titles = {mistake: text["title"] for mistake, text in mistake_texts().items()}
    found = []
    if not good.same_word:
        found.append("Ungerundet gerechnet ist ein anderes Wort das wahrscheinlichste als gerundet.")
    elif "margin" in good.faults:
        found.append(
            "Das vorhergesagte Wort liegt nur knapp vor dem nächsten; ehrliches Runden kann es ändern."
        )
    if "std" in good.faults:
        where = cell_title(*good.smallest_std_at, model, sign)
        found.append(f"{where} ist fast 0; kleine Rundungen werden danach groß.")
    if "exp" in good.faults:
        found.append(f"{cell_title(*good.largest_exp_at, model, sign)} ist von Hand unhandlich groß.")
    if "scaled" in good.faults:
        scaled = numbers.text(good.largest_scaled, model.places)
        found.append(f"Die Scores sind groß (bis {scaled}); die Gewichte werden fast 0 oder fast 1.")
    if good.edges:
        shown = "; ".join(cell_title(*cell, model, sign) for cell in good.edges[:_MOST_EDGES])
        more = f" und {len(good.edges) - _MOST_EDGES} weitere" if len(good.edges) > _MOST_EDGES else ""
        found.append(f"Auf der Kippe zwischen Auf- und Abrunden: {shown}{more}.")
    for ids in expectation.alike:
        names = " und ".join(f"„{titles[mistake]}“" for mistake in ids)
        found.append(f"Mit diesen Zahlen nicht zu unterscheiden: {names}.")
    if expectation.unseen:
        names = ", ".join(f"„{titles[mistake]}“" for mistake in expectation.unseen)
        found.append(f"Mit diesen Zahlen nicht zu sehen: {names}.")
    return found
