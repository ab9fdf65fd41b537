"""The desk goes in; the target sentence, word by word from the start token, comes out as tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from engine.texts.translation import Translation
from generator.basics.fonts import printable
from generator.calculation.two import rounds_of
from generator.figures.drawing import shortened
from generator.sheet.desk import Desk
from generator.sheet.fields import TABLE_WIDTH
from generator.sheet.sheet import CellContent, Row, Solution, Table, Words
from generator.stations.common import Tasks
from generator.stations.encoder_decoder import two_of
from generator.words.target_vectors import END, START

_LEAST_WIDTH: Final = 14.0  # of a column of logits, for its word
_CHOSEN_WIDTH: Final = 21.0
_ROUND_WIDTH: Final = 17.0
_NEW, _KEPT, _NONE = "neu", "bleibt", "–"

Outcome = Literal["whole", "beginning", "none"]


@dataclass(frozen=True)
class Rounds:
    """outcome: whether the text is the target sentence to its end, a beginning of it, or something else."""

    tables: list[Table]
    text: Solution
    outcome: Outcome
    kept: Table | None
    count: int
    most: int
    stop: str
    id_sum: str


def rounds_part(desk: Desk, tasks: Tasks) -> Rounds | None:
    """Each round's logits with the word to choose, and what is worked out anew; None where none works."""
    made = translated(desk)
    if not made.rounds:
        return None
    tasks.add("rounds", "Gib", "I", points=len(made.rounds))
    kept = _kept(made) if len(made.rounds) > 1 else None
    if kept:
        tasks.add("kept", "Gib", "II", points=2)
    tasks.add("why_kept", "Begründe", "II", points=2)
    return Rounds(
        tables=_logits(desk, made),
        text=Solution(" ".join(printable(round_.word) for round_ in made.rounds)),
        outcome=_outcome(desk, made),
        kept=kept,
        count=len(made.rounds),
        most=rounds_of(desk.options),
        stop=made.stop.kind,
        id_sum=str(sum(round_.chosen + 1 for round_ in made.rounds)),
    )


def _outcome(desk: Desk, made: Translation) -> Outcome:
    words = tuple(round_.word for round_ in made.rounds)
    target = (*two_of(desk).model.tokens[1:], END)
    if words == target:
        return "whole"
    return "beginning" if words == target[: len(words)] else "none"


def translated(desk: Desk) -> Translation:
    """The target sentence from the start token alone, the most probable word each time."""
    two = desk.built.two
    if two is None:
        raise ValueError("there is no target sentence")
    return two.rounds.translation


def _logits(desk: Desk, made: Translation) -> list[Table]:
    """A row for each round; many words stand in several tables."""
    words = [printable(word) for word in made.start.vocabulary]
    longest = max(len(desk.number(f"round{r.number}.decoder.logit", i).text) for r in made.rounds
                  for i in range(len(words)))  # fmt: skip
    width = max(3.0 + 1.95 * longest, _LEAST_WIDTH)
    most = int((TABLE_WIDTH - _ROUND_WIDTH - _CHOSEN_WIDTH) / width)
    parts = -(-len(words) // most)
    size = -(-len(words) // parts)
    tables = []
    for start in range(0, len(words), size):
        here = range(start, min(start + size, len(words)))
        last = start + size >= len(words)
        rows = []
        for round_ in made.rounds:
            cells: list[CellContent] = [desk.number(f"round{round_.number}.decoder.logit", i) for i in here]
            if last:
                cells.append(Solution(printable(round_.word)))
            rows.append(Row(f"Runde {round_.number}", tuple(cells)))
        room = min((TABLE_WIDTH - _ROUND_WIDTH - _CHOSEN_WIDTH) / size, 26.0)
        columns = (
            *(f"{i + 1}: {shortened(words[i], room - 2.6)}" for i in here),
            *(("chosen",) if last else ()),
        )
        widths = (_ROUND_WIDTH, *(room,) * len(here), *((_CHOSEN_WIDTH,) if last else ()))
        tables.append(Table(columns, tuple(rows), widths))
    return tables


def _kept(made: Translation) -> Table:
    """What is worked out anew in each round; the last round is left to the pupil."""
    numbers = [round_.number for round_ in made.rounds]
    once = [_NEW, *(_KEPT for _ in numbers[1:])]
    rows = [_row("Encoder, alle Zeilen", once), _row("K und V der Cross-Attention", once)]
    for line in range(made.rounds[-1].model.n_tokens):
        marks = []
        for round_ in made.rounds:
            kept = made.kept_rows(f"round{round_.number}.decoder.block1.norm1.output")
            absent = line >= round_.model.n_tokens
            marks.append(_NONE if absent else _KEPT if line < kept else _NEW)
        name = f"Decoder, Zeile {line + 1}" + (f": {START}" if line == 0 else "")
        rows.append(_row(name, marks))
    width = min(26.0, (TABLE_WIDTH - 52.0) / len(numbers))
    return Table(
        tuple(f"Runde {number}" for number in numbers), tuple(rows), (52.0, *(width,) * len(numbers))
    )


def _row(name: str, marks: list[str]) -> Row:
    return Row(name, (*map(Words, marks[:-1]), Solution(marks[-1])))
