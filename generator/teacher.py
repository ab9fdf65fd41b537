"""A sheet, its desk and its key go in; what the teacher's pages show comes out, as parts without HTML."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup, escape

from generator.command_again import command_again
from generator.desk import Desk
from generator.expectations import expectations
from generator.expected_rows import station_part
from generator.fonts import printable
from generator.grades import grades
from generator.judged import Judged, mistakes_by_station, mistakes_shown
from generator.judged import judge as judge
from generator.lesson import Choice
from generator.lexicon.word_classes import Origin
from generator.lexicon.word_vectors import WordVector, dimension_meanings
from generator.option_kinds import in_words
from generator.qr_code import qr_code
from generator.sheet import Sheet
from generator.teacher_plan import WorkRow, calculator_keys, chosen_of, dealt_lessons, group_work
from generator.workload import total, workloads

_QR_TITLE: Final = "QR-Code"


def teacher_parts(
    sheet: Sheet, desk: Desk, key_html: str, judged: Judged, choice: Choice | None = None
) -> dict[str, Any]:
    """Everything that templates/teacher.html.j2 speaks of as `t.…`. key_html: the key for the same medium."""
    model, options = desk.calculation.model, desk.options
    read = expectations(key_html)
    works = workloads(sheet.stations, model, desk.built.two_model)
    made = zip(sheet.stations, read, works, strict=True)
    rows = [WorkRow(station.id, r.badge, r.title, work) for station, r, work in made]
    whole = total(works)
    command = command_again(options)
    return {
        "command": printable(command),
        "qr": qr_code(command, _QR_TITLE),
        "work": rows,
        "work_total": WorkRow("", "", "", whole),
        "keys": calculator_keys(whole.operations, desk.options.lernen is not None),
        "groups": group_work(desk),
        "lessons": dealt_lessons(sheet, read, works, desk, choice),
        "stations": [station_part(s, r, desk) for s, r in zip(sheet.stations, read, strict=True)],
        "mistakes": mistakes_by_station(sheet, read, judged, desk),
        "mistakes_shown": mistakes_shown(sheet, judged, desk),
        "certificate": judged.certificate,
        "has_accepted": bool(desk.accepted),
        "exercises": in_words([f"„{desk.words[token]}“" for token in desk.exercises], "und") or "kein Token",
        "own_files": any(
            isinstance(value, Path) for value in (options.gewichte, options.embeddings, options.vorlage)
        ),
        "chosen": chosen_of(choice, desk) if choice else None,
        "points": sheet.points,
        "grades": grades(sheet.points),
        "words": words(desk),
        "target_words": target_words(desk),
        "meanings": dimension_meanings(model.sizes.d_model),
        "snippet": snippet(desk),
        "style": options.weight_style,
        "own_weights": sorted(desk.built.given.weights),
        "own_embedding": desk.built.given.embedding is not None,
        "seed": options.startwert,
        "predicted": desk.vocabulary[desk.calculation.predicted()],
    }


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
    rows: dict[str, WordRow] = {}
    for vector in desk.built.vectors:
        values = tuple(desk.format.text(value, 1) for value in vector.values)
        rows.setdefault(vector.token, WordRow(printable(vector.token), vector, values))
    return list(rows.values())


def target_words(desk: Desk) -> list[WordRow]:
    """Start token, words and end token of the target vocabulary; empty without a target sentence."""
    vectors = desk.built.two.vectors if desk.built.two else ()
    return [
        WordRow(printable(v.token), v, tuple(desk.format.text(value, 1) for value in v.values))
        for v in vectors
    ]


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
