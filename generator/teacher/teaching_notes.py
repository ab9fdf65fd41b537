"""Teaching faults of a sheet's numbers go in; what the teacher's pages say of them comes out."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from engine.judging.teaching import TeachingFault, teaching_faults
from generator.basics.cell_names import quantity_title
from generator.options.option_kinds import in_words
from generator.sheet.desk import Desk


def teaching_notes(desk: Desk, names: Collection[str]) -> tuple[str, ...]:
    """A sentence for each fault that shows on the sheet. names: the quantities that it asks for."""
    classes = [str(vector.word_class) for vector in desk.built.vectors] or None
    faults = [
        fault
        for fault in teaching_faults(desk.calculation, desk.exercises, classes)
        if all(name in names for name, _ in fault.cells)
    ]
    return (*_units(faults), *(_sentence(desk, fault) for fault in faults if fault.kind not in _OF_UNITS))


_OF_UNITS = {
    "dead_unit": "für alle Wörter 0: ReLU schneidet dort immer ab",
    "twin_units": "für alle Wörter dasselbe; die Wiederholung darf abgeschrieben werden",
}


def _units(faults: Collection[TeachingFault]) -> Iterator[str]:
    """One sentence for all hidden units of a kind."""
    for kind, said in _OF_UNITS.items():
        places = [
            in_words([str(index[0] + 1) for _, index in fault.cells], "und")
            for fault in faults
            if fault.kind == kind
        ]
        if kind == "dead_unit" and places:
            rows, verb = ("Zeile", "ist") if len(places) == 1 else ("Zeilen", "sind")
            yield f"Im Feed-Forward-Netz {verb} {rows} {in_words(places, 'und')} {said}."
        elif places:
            yield f"Im Feed-Forward-Netz haben die Zeilen {'; '.join(places)} {said}."


def _sentence(desk: Desk, fault: TeachingFault) -> str:
    (name, index), *_ = fault.cells
    if fault.kind == "odd_pair":
        first, second = (desk.vocabulary[place] for place in index)
        return (
            f"Am ähnlichsten sind sich hier „{first}“ und „{second}“, zwei Wörter verschiedener Wortart; "
            "sprechen Sie an, dass allein die Wortvektoren das entscheiden."
        )
    if fault.kind == "same_word":
        return (
            f"Vorhergesagt wird noch einmal das letzte Wort, „{desk.words[-1]}“: Sein alter Vektor bleibt "
            "durch das Addieren erhalten und passt am besten zu sich selbst."
        )
    word = desk.words[index[0]]
    title = quantity_title(name, desk.calculation.model, desk.format.decimal_sign)
    return {
        "zero_output": f"Das Feed-Forward-Netz gibt „{word}“ nur Nullen; es hat dort keine Wirkung.",
        "idle_norm": f"Die zweite Normierung ändert bei „{word}“ nichts, denn es kommt nichts Neues hinzu.",
        "tied_weights": f"{title}: Bei „{word}“ ist gerundet oder ungerundet nicht dasselbe Wort allein das "
        "stärkste; die Lösung nennt alle.",
        "even_weights": f"{title}: Bei „{word}“ liegen alle Gewichte nahe beieinander; "
        "zu deuten ist da wenig.",
    }[fault.kind]
