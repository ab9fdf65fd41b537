"""One lesson that is open: its sheet, its pupils, what they wrote, and what is to be said of it."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from generator.page.lesson.store import Answer, Lesson, Pupil

_MOST_STOPS: Final = 5


@dataclass
class Open:
    """A lesson with its sheet, its pupils by token, and the verdicts on what each has written.

    changed: how often each paper has changed.
    """

    lesson: Lesson
    sheet: dict[str, Any]
    pupils: dict[str, Pupil] = field(default_factory=dict)
    written: dict[str, dict[tuple[str, str], Answer]] = field(default_factory=dict)
    verdicts: dict[str, dict[str, Any]] = field(default_factory=dict)
    changed: Counter[str] = field(default_factory=Counter)

    @property
    def source(self) -> dict[str, str]:
        source: dict[str, str] = json.loads(self.lesson.source)
        return source

    @property
    def stations(self) -> list[str]:
        return [station["id"] for station in self.sheet["stationen"]]

    @cached_property
    def titles(self) -> dict[tuple[str, str], tuple[str, str]]:
        """How each cell is called, and its station."""
        return {
            (each["name"], each["stelle"]): (each["titel"], station["id"])
            for station in self.sheet["stationen"]
            for task in station["aufgaben"]
            for each in task["felder"]
        }

    def paper(self, token: str) -> list[list[Any]]:
        """What a pupil has written, for `judging`."""
        answers = self.written.get(token, {}).values()
        return [
            [a.name, [int(i) for i in a.place.split(",") if i], a.text] for a in answers if a.text.strip()
        ]


def by_animal(item: tuple[str, Pupil]) -> str:
    return item[1].animal


def overview(found: Open) -> dict[str, Any]:
    """What the teacher sees: where each pupil is, and the cells that stop several."""
    stops: Counter[tuple[str, str]] = Counter()
    rows = []
    now = time.time()
    for token, pupil in sorted(found.pupils.items(), key=by_animal):
        verdict = found.verdicts.get(token, {"zellen": [], "be": 0, "offen": 0, "von": 0, "fehler": []})
        stops.update((c["name"], c["stelle"]) for c in verdict["zellen"] if c["kostet"])
        counts = Counter(cell["urteil"] for cell in verdict["zellen"])
        rows.append(
            {
                "tier": pupil.animal,
                "station": pupil.station,
                "eingetragen": len(found.paper(token)),
                "still": round(now - pupil.seen),
                "urteile": dict(counts),
                "be": verdict["be"],
                "offen": verdict["offen"],
                "von": verdict["von"],
                "fehler": verdict["fehler"],
            }
        )
    return {
        "satz": found.lesson.sentence,
        "beendet": found.lesson.ended is not None,
        "felder": found.sheet["felder"],
        "kinder": rows,
        "stellen": [
            {"titel": found.titles[cell][0], "station": found.titles[cell][1], "anzahl": number}
            for cell, number in stops.most_common(_MOST_STOPS)
            if cell in found.titles
        ],
    }


def told(found: Open, token: str) -> list[list[str]]:
    """What a pupil is told of each cell, as the teacher set it: verdict, and a hint; never a number."""
    if found.lesson.feedback == "nichts" or token not in found.verdicts:
        return []
    with_hints = found.lesson.feedback == "hilfe"
    return [
        [cell["name"], cell["stelle"], cell["urteil"], cell["hilfe"] if with_hints else ""]
        for cell in found.verdicts[token]["zellen"]
    ]
