"""A calculation and its expected mistakes go in; what the teacher's pages say of the numbers comes out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from engine.forward.calculation import Calculation
from engine.judging.expectation import Expectation
from engine.judging.friendliness import Friendliness, assess
from engine.trace import CellAddress
from generator.basics.cell_names import cell_title
from generator.basics.errors import in_words
from generator.basics.numbers import NumberFormat
from generator.check.report_views import mistake_texts

_MOST_EDGES: Final = 6


@dataclass(frozen=True)
class Certificate:
    """Sentences about the numbers of one sheet.

    facts: always. unfriendly: what is hard to calculate, and where. edges: what is nearly a half. confused:
    mistakes that cannot be told apart, or cannot be seen. teaching: where the numbers show little.
    """

    facts: tuple[str, ...]
    unfriendly: tuple[str, ...]
    edges: tuple[str, ...]
    confused: tuple[str, ...]
    teaching: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the teacher should know."""
        return (*self.unfriendly, *self.teaching, *self.edges, *self.confused)


def certificate(
    calculation: Calculation,
    expectation: Expectation,
    numbers: NumberFormat,
    blanks: Collection[CellAddress] | None = None,
) -> Certificate:
    """The numbers' certificate: drift, margin, divisors, exponentials, mistakes told apart.

    blanks: the cells that pupils write, of which alone something is said cell by cell; None: all of them.
    """
    names = set(calculation.hand) if blanks is None else {name for name, _ in blanks}
    good = assess(calculation, names)
    edges = [cell for cell in good.edges if blanks is None or cell in blanks]
    return Certificate(
        tuple(_facts(calculation, good, expectation, numbers)),
        tuple(_unfriendly(calculation, good, numbers, names)),
        tuple(_edges(calculation, edges, numbers)),
        tuple(_confused(expectation)),
    )


def _facts(
    calculation: Calculation, good: Friendliness, expectation: Expectation, numbers: NumberFormat
) -> list[str]:
    model = calculation.model
    word = model.vocabulary[calculation.predicted()]
    return [
        f"Das vorhergesagte Wort „{word}“ liegt {numbers.text(100 * good.margin, 1)} Prozentpunkte vor dem "
        "nächsten.",
        f"Von {expectation.possible} typischen Fehlern, die auf diesem Blatt vorkommen können, lassen sich "
        f"{expectation.told_apart} eindeutig erkennen, wenn man alle Zahlen des Blatts zusammen ansieht. "
        "Eine einzelne Zahl können mehrere Fehler geben.",
    ]


def _unfriendly(
    calculation: Calculation, good: Friendliness, numbers: NumberFormat, names: Collection[str]
) -> list[str]:
    found = []
    if not good.same_word:
        found.append("Ungerundet gerechnet ist ein anderes Wort das wahrscheinlichste als gerundet.")
    elif "margin" in good.faults:
        found.append(
            "Das vorhergesagte Wort liegt nur knapp vor dem nächsten; ehrliches Runden kann es ändern."
        )
    if "std" in good.faults and good.smallest_std_at[0] in names:
        where = _title(calculation, good.smallest_std_at, numbers)
        found.append(f"{where} ist fast 0; kleine Rundungen werden danach groß.")
    if "exp" in good.faults and good.largest_exp_at[0] in names:
        found.append(f"{_title(calculation, good.largest_exp_at, numbers)} ist von Hand unhandlich groß.")
    if "scaled" in good.faults and good.largest_scaled_at[0] in names:
        where = _title(calculation, good.largest_scaled_at, numbers)
        found.append(
            f"Die Scores sind groß (bis {numbers.text(good.largest_scaled, calculation.places)}: {where}); "
            "die Gewichte werden fast 0 oder fast 1."
        )
    return found


def _title(calculation: Calculation, cell: CellAddress, numbers: NumberFormat) -> str:
    name, index = cell
    return cell_title(calculation[name], index, calculation.model, numbers.decimal_sign)


def _edges(calculation: Calculation, edges: Sequence[CellAddress], numbers: NumberFormat) -> list[str]:
    if not edges:
        return []
    shown = [_title(calculation, cell, numbers) for cell in edges[:_MOST_EDGES]]
    more = f" und {len(edges) - _MOST_EDGES} weitere" if len(edges) > _MOST_EDGES else ""
    return [f"Auf der Kippe zwischen Auf- und Abrunden: {'; '.join(shown)}{more}."]


def _confused(expectation: Expectation) -> list[str]:
    titles = {mistake: text["title"] for mistake, text in mistake_texts().items()}
    found = []
    for ids in expectation.alike:
        names = in_words([f"„{titles[mistake]}“" for mistake in ids], "und")
        found.append(f"Mit diesen Zahlen nicht zu unterscheiden: {names}.")
    if expectation.unseen:
        names = ", ".join(f"„{titles[mistake]}“" for mistake in expectation.unseen)
        found.append(f"Mit diesen Zahlen nicht zu sehen: {names}.")
    return found
