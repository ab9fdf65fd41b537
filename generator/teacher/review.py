"""What teachers are told of a sheet's numbers: friendliness, teaching faults, typical mistakes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.forward.calculation import Calculation
from engine.judging.expectation import Expectation, expect
from engine.judging.friendliness import Friendliness, assess
from engine.judging.mistakes import ALL_MISTAKES
from engine.judging.ranges import Range
from engine.judging.teaching import TeachingFault, teaching_faults
from engine.trace import CellAddress, Cells, place_of
from generator.basics.cell_names import cell_title, quantity_title
from generator.basics.errors import in_words
from generator.basics.numbers import NumberFormat
from generator.calculation.rebuild import words_of
from generator.check.in_words import mistake_texts
from generator.sheet.desk import Desk
from generator.sheet.record import RecordedStation
from generator.sheet.sheet import Number, Sheet, walk
from generator.sheet.whole_sheet import only_copied, printed_of
from generator.stations.worked_lines import seen_by
from generator.teacher.expected_mistakes import MistakeRow, ShownMistake, mistake_rows, shown_mistakes

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
    predicts: bool = True,
) -> Certificate:
    """The numbers' certificate: drift, margin, divisors, exponentials, mistakes told apart.

    blanks: the cells that pupils write, of which alone something is said cell by cell; None: all of them.
    predicts: whether the next word is of interest.
    """
    good = assess(calculation, blanks)
    edges = [cell for cell in good.edges if blanks is None or cell in blanks]
    return Certificate(
        tuple(_facts(calculation, good, expectation, numbers))[0 if predicts else 1 :],
        tuple(_unfriendly(calculation, good, numbers, blanks, predicts)),
        tuple(_edges(calculation, edges, numbers)),
        tuple(_confused(expectation)),
    )


def _facts(
    calculation: Calculation, good: Friendliness, expectation: Expectation, numbers: NumberFormat
) -> list[str]:
    model = calculation.model
    word = model.vocabulary[calculation.predicted()]
    every = "alle " if expectation.told_apart == expectation.possible > 1 else ""
    return [
        f"Das vorhergesagte Wort „{word}“ liegt {numbers.text(100 * good.margin, 1)} Prozentpunkte vor dem "
        "nächsten.",
        f"Von {expectation.possible} typischen Fehlern, die auf diesem Blatt vorkommen können, lassen sich "
        f"{every}{expectation.told_apart} eindeutig erkennen, wenn man alle Zahlen des Blatts "
        "zusammen ansieht. Eine einzelne Zahl können mehrere Fehler geben.",
    ]


def _unfriendly(
    calculation: Calculation,
    good: Friendliness,
    numbers: NumberFormat,
    blanks: Collection[CellAddress] | None,
    predicts: bool,
) -> list[str]:
    def written(cell: CellAddress) -> bool:
        return blanks is None or cell in blanks

    found = []
    if not predicts:
        pass
    elif not good.same_word:
        found.append("Ungerundet gerechnet ist ein anderes Wort das wahrscheinlichste als gerundet.")
    elif "margin" in good.faults:
        found.append(
            "Das vorhergesagte Wort liegt nur knapp vor dem nächsten; ehrliches Runden kann es ändern."
        )
    if "std" in good.faults and written(good.smallest_std_at):
        where = _title(calculation, good.smallest_std_at, numbers)
        found.append(f"{where} ist fast 0; kleine Rundungen werden danach groß.")
    if "exp" in good.faults and written(good.largest_exp_at):
        found.append(f"{_title(calculation, good.largest_exp_at, numbers)} ist von Hand unhandlich groß.")
    if "scaled" in good.faults and written(good.largest_scaled_at):
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
    for ids in expectation.confusable:
        names = in_words([f"„{titles[mistake]}“" for mistake in ids], "und")
        found.append(f"Mit diesen Zahlen nicht zu unterscheiden: {names}.")
    if expectation.unseen:
        names = ", ".join(f"„{titles[mistake]}“" for mistake in expectation.unseen)
        found.append(f"Mit diesen Zahlen nicht zu sehen: {names}.")
    return found


def teaching_notes(desk: Desk, names: Collection[str]) -> tuple[str, ...]:
    """A sentence for each fault that shows on the sheet. names: the quantities that it asks for."""
    classes = [str(vector.group) for vector in desk.built.vectors] or None
    faults = [
        fault
        for fault in teaching_faults(desk.calculation, desk.exercises, classes)
        if all(name in names for name, _ in fault.cells)
    ]
    return (
        *_units(desk, faults),
        *(_sentence(desk, fault) for fault in faults if fault.kind not in _OF_UNITS),
    )


_OF_UNITS = {
    "dead_unit": "für alle Wörter 0: ReLU lässt dort nie etwas durch",
    "twin_units": "für alle Wörter dasselbe; die Wiederholung darf abgeschrieben werden",
}


def _units(desk: Desk, faults: Collection[TeachingFault]) -> Iterator[str]:
    """One sentence for all hidden units of a kind in a block."""
    rows: dict[tuple[str, str], list[str]] = {}
    for fault in faults:
        if fault.kind in _OF_UNITS:
            block = str(place_of(fault.cells[0][0]).block)
            units = in_words([str(index[0] + 1) for _, index in fault.cells], "und")
            rows.setdefault((fault.kind, block), []).append(units)
    for (kind, block), places in rows.items():
        network = "Im Feed-Forward-Netz" + (f" von Block {block}" if desk.sizes.n_blocks > 1 else "")
        if kind == "dead_unit":
            words, verb = ("die Zeile", "ist") if len(places) == 1 else ("die Zeilen", "sind")
            yield f"{network} {verb} {words} {in_words(places, 'und')} {_OF_UNITS[kind]}."
        else:
            yield f"{network} haben die Zeilen {'; '.join(places)} {_OF_UNITS[kind]}."


def _sentence(desk: Desk, fault: TeachingFault) -> str:
    (name, index), *_ = fault.cells
    if fault.kind == "same_logit":
        words = in_words([f"„{desk.vocabulary[place]}“" for _, (place,) in fault.cells], "und")
        return (
            f"{words} haben in der Ausgabe denselben Vektor: Auf dem Hinweg sind bei ihnen Logit und "
            "Wahrscheinlichkeit immer gleich, was auch vorher gerechnet wurde."
        )
    if fault.kind == "odd_pair":
        first, second = (desk.vocabulary[place] for place in index)
        return (
            f"Von den Wörtern des Satzes sind sich „{first}“ und „{second}“ am ähnlichsten, zwei Wörter "
            "verschiedener Art; "
            "sprechen Sie an, dass allein die Wortvektoren das entscheiden."
        )
    if fault.kind == "same_word":
        return (
            f"Vorhergesagt wird noch einmal das letzte Wort, „{desk.words[-1]}“: Sein alter Vektor bleibt "
            "durch das Addieren erhalten und passt am besten zu sich selbst."
        )
    word = desk.words[index[0]]
    title = quantity_title(name, desk.calculation.model, desk.format.decimal_sign)
    if fault.kind == "even_weights":
        values = desk.quantity(name).values[index[0]]
        low, *_, high = sorted(seen_by(desk, name, index[0]), key=values.__getitem__)
        ends = dict.fromkeys(desk.number(name, index[0], place).text for place in (low, high))
        return f"{title}: Bei „{word}“ sind alle Gewichte {' bis '.join(ends)}; zu deuten ist da wenig."
    return {
        "zero_output": f"Das Feed-Forward-Netz gibt „{word}“ nur Nullen; es hat dort keine Wirkung.",
        "idle_network": f"{title}: Bei „{word}“ sind alle Zahlen 0; das Feed-Forward-Netz trägt dort nur "
        "b_2 bei.",
        "idle_norm": f"Die zweite Normierung ändert bei „{word}“ nichts, denn es kommt nichts Neues hinzu.",
        "tied_weights": f"{title}: Bei „{word}“ ist gerundet oder ungerundet nicht dasselbe Wort allein das "
        "stärkste; die Lösung nennt alle.",
    }[fault.kind]


@dataclass(frozen=True)
class SheetReview:
    """What is said of the numbers: what typical mistakes give in the blanks, and how friendly they are."""

    expectation: Expectation
    certificate: Certificate


@dataclass(frozen=True)
class MistakesPart:
    """What typical mistakes give in the blanks of one station."""

    badge: str
    title: str
    rows: tuple[MistakeRow, ...]


def review(sheet: Sheet, desk: Desk, ranges: Mapping[str, Range]) -> SheetReview:
    calculation = desk.built.passes
    blanks = {(blank.name, blank.index) for blank in sheet.blanks() if blank.name in calculation.hand}
    printed: Cells = calculation.hand.where(printed_of(sheet, calculation.hand))
    expectation = expect(calculation, ranges, blanks, printed, ALL_MISTAKES)
    of_sentence = {cell for cell in blanks if cell[0] in desk.calculation.hand}
    said = certificate(desk.calculation, expectation, desk.format, of_sentence, shows_prediction(sheet))
    notes = teaching_notes(desk, {name for name, _ in blanks})
    return SheetReview(expectation, replace(said, teaching=notes))


def shows_prediction(sheet: Sheet) -> bool:
    """Whether one of its stations comes to the next word."""
    return any(number.name == "logit" for station in sheet.stations for number in station.numbers)


def mistakes_shown(sheet: Sheet, reviewed: SheetReview, desk: Desk) -> list[ShownMistake]:
    """Every mistake that shows on the sheet, once."""
    built = desk.built
    return shown_mistakes(built.passes, reviewed.expectation, _blanks(sheet), desk.format, words_of(built))


def mistakes_by_station(
    sheet: Sheet, key: Sequence[RecordedStation], reviewed: SheetReview, desk: Desk
) -> list[MistakesPart]:
    """Every cell once, at the station that asks for it first; a copied one if a mistake is made there."""
    known: set[CellAddress] = set()
    parts = []
    numbers = reviewed.expectation.numbers
    for station, recorded in zip(sheet.stations, key, strict=True):
        copied = only_copied(station)
        cells = [
            cell
            for cell in _blanks(station)
            if cell not in known
            and (cell not in copied or any(foreseen.here for foreseen in numbers.get(cell, ())))
        ]
        known.update(cells)
        rows = mistake_rows(
            desk.built.passes,
            reviewed.expectation,
            _in_order(cells, recorded, desk),
            desk.format,
            words_of(desk.built),
        )
        if rows:
            parts.append(MistakesPart(recorded.badge, recorded.title, tuple(rows)))
    return parts


def _in_order(cells: Sequence[CellAddress], key: RecordedStation, desk: Desk) -> list[CellAddress]:
    """By exercises, and in each as one calculates: a table may have its sums below it."""
    tasks = {cell: exercise.task.number for exercise in reversed(key.exercises) for cell in exercise.cells}
    steps = {name: step for step, name in enumerate(desk.built.passes.hand)}
    last = len(steps)
    return sorted(cells, key=lambda cell: (tasks.get(cell, last), steps.get(cell[0], last)))


def _blanks(part: object) -> list[CellAddress]:
    return [(n.name, n.index) for n in walk(part, Number) if n.blank]
