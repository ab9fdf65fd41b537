"""The parts of the teacher's pages, without HTML, as templates/teacher.html.j2 reads them."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup, escape

from generator.basics.fonts import printable
from generator.basics.numbers import about
from generator.calculation.learning import path_of
from generator.check.marks import grades
from generator.figures.parts import qr_code
from generator.options.sheet_code import command_again
from generator.sheet.desk import Desk
from generator.sheet.record import Exercise, RecordedStation
from generator.sheet.sheet import Sheet, Station, Task
from generator.stations.common import learning_of
from generator.teacher.board import SIGNS, Board, named_mark
from generator.teacher.card import lesson_cards
from generator.teacher.jigsaw import NAME as JIGSAW
from generator.teacher.jigsaw import (
    GroupSheet,
    all_of,
    graded,
    jigsaw_card,
    outcomes,
    reviewed_together,
)
from generator.teacher.lesson import LessonPlan
from generator.teacher.plan import (
    WorkRow,
    calculator_keys,
    chosen_of,
    dealt_lessons,
    group_work,
    minutes_of_tasks,
    pace,
    total,
    worked_target_tokens,
    worked_tokens,
    workloads,
)
from generator.teacher.review import SheetReview, mistakes_by_station, mistakes_shown, shows_prediction
from generator.words.noun_kinds import Origin
from generator.words.word_vectors import WordVector, dimension_meanings

_QR_TITLE: Final = "QR-Code"
_CLASS: Final = 28  # pupils, for an example
_LOGIT: Final = "decoder.logit"


def teacher_parts(
    sheet: Sheet,
    desk: Desk,
    key: Sequence[RecordedStation],
    reviewed: SheetReview,
    choice: LessonPlan | None = None,
    jigsaw: Sequence[GroupSheet] = (),
) -> dict[str, Any]:
    """Everything that templates/teacher.html.j2 speaks of as `t.…`. key: its record, for the same medium.

    jigsaw: the sheets of the groups; then all is said of them and nothing of the sheet for one person.
    """
    model, options = desk.calculation.model, desk.options
    works = workloads(sheet.stations, desk.built.effort)
    marked_sheets = [("", sheet)]
    if jigsaw:
        sheet, key, reviewed = all_of(jigsaw), [each.key for each in jigsaw], reviewed_together(jigsaw)
        works, marked_sheets = [each.work for each in jigsaw], graded(jigsaw)
    made = zip(sheet.stations, key, works, strict=True)
    tasks = minutes_of_tasks(key, works, desk)
    lessons = dealt_lessons(tasks, choice)
    groups = group_work(desk, {each.file: each.whole for each in jigsaw}) if jigsaw else ()
    outcome = outcomes(jigsaw) if jigsaw else []
    rows = [WorkRow(station.name, said.badge, said.title, work) for station, said, work in made]
    whole = total(works)
    command = command_again(options)
    worked = worked_tokens(sheet, desk.calculation)
    calculated = [token for token in desk.exercises if token in worked]
    own = desk.path if desk.path in calculated or not calculated else calculated[-1]
    return {
        "command": printable(command),
        "qr": qr_code(command, _QR_TITLE),
        "work": rows,
        "work_total": WorkRow("", "", "", whole),
        "keys": calculator_keys(whole.operations, any(s.name == "learning" for s in sheet.stations)),
        "groups": groups,
        "lessons": lessons,
        "cards": (jigsaw_card(jigsaw, groups, desk),)
        if jigsaw
        else lesson_cards(sheet.stations, key, tasks, lessons[-1], reviewed, desk),
        "outcomes": outcome,
        "copies": _copies(len(groups) - 1),
        "texts": [("4b", "Gruppenpuzzle", JIGSAW)]
        if jigsaw
        else [
            (said.badge, said.title, station.name) for station, said in zip(sheet.stations, key, strict=True)
        ],
        "board": Board(desk, own, sheet.numbers),
        "path_word": named_mark(desk.words[own]),
        "last": named_mark(desk.words[-1]),
        "stations": [station_part(station, said) for station, said in zip(sheet.stations, key, strict=True)],
        "mistakes": mistakes_by_station(sheet, key, reviewed, desk),
        "mistakes_shown": mistakes_shown(sheet, reviewed, desk),
        "certificate": reviewed.certificate,
        "has_accepted": bool(desk.ranges),
        "about": about(whole.minutes),
        "pace": pace(desk),
        "mixes_heads": any(desk.mixes_heads(f"block{block + 1}.") for block in range(desk.sizes.n_blocks)),
        "idle_network": _idle_network(desk),
        "exercises": [named_mark(desk.words[token]) for token in calculated],
        "target_exercises": [named_mark(desk.target_words[i]) for i in worked_target_tokens(sheet, desk)],
        "decoded": [desk.words_of(_LOGIT)[i] for i in desk.largest(_LOGIT)] if desk.has(_LOGIT) else [],
        "own_files": any(
            isinstance(value, Path) for value in (options.gewichte, options.embeddings, options.vorlage)
        ),
        "chosen": chosen_of(choice, desk) if choice else None,
        "graded": [_graded(whose, each) for whose, each in marked_sheets],
        "words": words(desk),
        "target_words": target_words(desk),
        "meanings": dimension_meanings(model.sizes.d_model),
        "snippet": snippet(desk),
        "style": options.weight_style,
        "trained": trained(desk),
        "own_weights": sorted(desk.built.given.weights),
        "own_embedding": desk.built.given.embedding is not None,
        "seed": options.startwert,
        "guesses": any("arcs" in station.tasks for station in sheet.stations),
        "extra": _extra(sheet),
        "asked": {f"{station.name}.{task}" for station in sheet.stations for task in station.tasks},
        "decided_by": _decided_by(desk),
        "next_word": printable(desk.vocabulary[desk.calculation.predicted()]),
        "way_back": path_of(options),
        "step": _step(desk) if any(station.name == "learning" for station in sheet.stations) else None,
        "predicted": outcome[0].word
        if outcome
        else desk.vocabulary[desk.calculation.predicted()]
        if shows_prediction(sheet)
        else "",
    }


def _extra(sheet: Sheet) -> int:
    """The number of the task of a lesson that is for those who are quick; 0 where it has none."""
    shares = (station.tasks.get("shares") for station in sheet.stations)
    return next((task.number for task in shares if task and task.around), 0)


@dataclass(frozen=True)
class Step:
    """What a step of learning does: the likeliest words before and after it, the right word and its
    probabilities.
    """

    before: str
    after: str
    right: str
    texts: tuple[str, ...]


def _step(desk: Desk) -> Step:
    learning = learning_of(desk)
    word, vocabulary = learning.lesson.word, desk.vocabulary
    both = [learning.hand[f"{at}temperature1.probability"] for at in (learning.lesson.before, "after.")]
    before, after = (printable(vocabulary[int(each.values.argmax())]) for each in both)
    texts = tuple(desk.format.text(float(each.values[word]), each.places) for each in both)
    return Step(before, after, printable(vocabulary[word]), texts)


@dataclass(frozen=True)
class Graded:
    """What a grade is for. whose: the groups, "" for all. routine: the points for what is only reproduced
    (AFB I), 0 where that is not more than half of all; above: what else there is.
    """

    whose: str
    points: int
    routine: int
    above: tuple[str, ...]
    grades: Sequence[Any]


def _graded(whose: str, sheet: Sheet) -> Graded:
    tasks = [task for station in sheet.stations for task in station.tasks.values()]
    routine = sum(task.points for task in tasks if task.afb == "I")
    return Graded(
        whose,
        sheet.points,
        routine if 2 * routine > sheet.points else 0,
        tuple(sorted({task.afb for task in tasks} - {"I"})),
        grades(sheet.points),
    )


def _copies(groups: int) -> tuple[int, int]:
    """For a class of usual size: how often a group's sheet is copied, and how often the one for all."""
    return (-(-_CLASS // groups), _CLASS) if groups > 0 else (0, _CLASS)


def _idle_network(desk: Desk) -> bool:
    """Whether in some block ReLU leaves nothing of the word that is worked out to the end."""
    blocks = range(1, desk.sizes.n_blocks + 1)
    return any(not desk.quantity(f"block{n}.ffn.activation").values[desk.path].any() for n in blocks)


@dataclass(frozen=True)
class WordRow:
    """A word with its vector and where both come from."""

    word: str
    vector: WordVector
    values: tuple[str, ...]

    @property
    def guessed(self) -> bool:
        return self.vector.origin is Origin.GUESSED


def words(desk: Desk) -> list[WordRow]:
    """The words of the sentence, each once; empty where a file gives the whole embedding."""
    return _rows(desk, desk.built.vectors)


def _rows(desk: Desk, vectors: Sequence[WordVector]) -> list[WordRow]:
    rows: dict[str, WordRow] = {}
    for vector in vectors:
        values = tuple(desk.format.text(value, 1) for value in vector.values)
        rows.setdefault(vector.token, WordRow(printable(vector.token), vector, values))
    return list(rows.values())


def _decided_by(desk: Desk) -> list[str]:
    """The words of the sentence in which the texts differ before they go on; none without a trained model."""
    learnt = desk.built.learnt
    if learnt is None:
        return []
    model = learnt.model
    return [printable(model.tokens[place]) for place in learnt.corpus.places(model.token_ids)]


def trained(desk: Desk) -> dict[str, object] | None:
    """How the model was trained; None where it was not."""
    learnt = desk.built.learnt
    if learnt is None:
        return None
    return {
        "texts": list(map(printable, learnt.lines)),
        "deciding": [f"„{word}“" for word in _decided_by(desk)],
        "context": learnt.corpus.needs_context,
        "undecided": len(learnt.corpus.following(learnt.model.tokens)) > 1,
        "follows": list(learnt.corpus.following(learnt.model.tokens)),
    }


def target_words(desk: Desk) -> list[WordRow]:
    """Start token, words and end token of the target vocabulary; empty without a target sentence."""
    return _rows(desk, desk.built.two.vectors if desk.built.two else ())


def snippet(desk: Desk) -> list[str]:
    """Lines for the TOML file that set the vectors of all guessed words, as they are now."""
    lines: list[str] = []
    for section, rows in (("[wortvektoren]", words(desk)), ("[zielvektoren]", target_words(desk))):
        guessed = [row.vector for row in rows if row.guessed]
        set_now = (f"{_toml_key(v.token)} = [{', '.join(f'{x:.1f}' for x in v.values)}]" for v in guessed)
        lines += [section, *map(printable, set_now)] if guessed else []
    return lines


def marked(text: str) -> Markup:
    """Running text with subscripts and powers: d_k, W_O, e^x, e^(−∞)."""
    safe = str(escape(printable(text)))
    safe = re.sub(r"\b([A-Za-zσ])_([A-Za-z]+|[0-9]+)", r"<i>\1</i><sub>\2</sub>", safe)
    return Markup(re.sub(r"\b(e|10)\^(?:\(([^)]*)\)|(\w+))", r"\1<sup>\2\3</sup>", safe))


def _toml_key(word: str) -> str:
    return word if re.fullmatch(r"[A-Za-z0-9_-]+", word) else json.dumps(word, ensure_ascii=False)


@dataclass(frozen=True)
class ExpectedRow:
    """One line of the Erwartungshorizont: a task that asks for words, and what is expected.

    numbers: what it asks for besides.
    """

    task: Task
    wording: Markup
    answers: tuple[Markup, ...]
    solutions: tuple[tuple[str, str], ...]
    numbers: tuple[str, ...]


@dataclass(frozen=True)
class OnKey:
    """The tasks of one AFB whose answers stand on the key alone, with their points. tasks: "1", "3–5"."""

    afb: str
    tasks: tuple[str, ...]
    points: int


@dataclass(frozen=True)
class StationPart:
    """What the teacher's pages expect of one station."""

    name: str
    badge: str
    title: str
    points: int
    rows: tuple[ExpectedRow, ...]
    on_key: tuple[OnKey, ...]


def station_part(station: Station, key: RecordedStation) -> StationPart:
    rows = [_expected(exercise) for exercise in key.exercises]
    worded = tuple(row for row in rows if row.answers or row.solutions)
    others = [row.task for row in rows if not (row.answers or row.solutions)]
    return StationPart(station.name, key.badge, key.title, station.points, worded, tuple(_on_key(others)))


def _on_key(tasks: Sequence[Task]) -> Iterator[OnKey]:
    for afb in sorted({task.afb for task in tasks}):
        own = [task for task in tasks if task.afb == afb]
        yield OnKey(afb, tuple(_spans([task.number for task in own])), sum(task.points for task in own))


def _spans(numbers: Sequence[int]) -> Iterator[str]:
    """1, 3–5 for 1, 3, 4, 5."""
    for _, group in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        first, *more = (number for _, number in group)
        yield f"{first}–{more[-1]}" if more else str(first)


def _expected(exercise: Exercise) -> ExpectedRow:
    worded = not exercise.numbers
    solutions = tuple(
        (label, _named(text)) for label, text in exercise.solutions if worded or _without_figures(label, text)
    )
    numbers = tuple(number.text for number in exercise.numbers)
    return ExpectedRow(exercise.task, exercise.wording, tuple(exercise.answers), solutions, numbers)


def _without_figures(label: str, text: str) -> bool:
    """Words that are asked for beside numbers; not the lines of products that lead to the numbers."""
    said = not re.search("[·+]", text) and re.search(r"[^\W\d_]{2,}", text)
    words = text.strip("–") and (said or not any(sign.isdigit() for sign in text))
    return label.endswith("gewählt") or bool(words)


def _named(text: str) -> str:
    """A mark alone is hard to see, so its name stands beside it: „.“ (Punkt)."""
    if text in SIGNS:
        return f"„{text}“ ({SIGNS[text]})"
    return f"„{text}“" if text.rpartition(" ")[2] in SIGNS else text
