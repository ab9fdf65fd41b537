"""One lesson that is open: its sheet, its pupils, what they wrote, and what is to be said of it."""

import json
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from generator.page.guard import Rate, Rates
from generator.page.lesson.store import Lesson, Pupil, StoredAnswer
from generator.page.shelf import is_mark, means

FORM: Final = 4  # of the exercises; what a program of another form has kept is made anew
_MOST_STOPS: Final = 5
TRIES: Final = Rate(at_once=8, a_minute=4)  # of texts for one cell
_NOT_YET: Final = "wartet"
_LATELY: Final = 1200.0  # seconds: a phone that asked then is still in the room
# The names that pupils choose from: animals, so that no real name is ever sent.
ANIMALS: Final = (
    "Adler", "Amsel", "Biber", "Bison", "Dachs", "Delfin", "Dohle", "Drossel", "Eichhorn", "Elch", "Elster",
    "Ente", "Esel", "Eule", "Falke", "Fasan", "Feldhase", "Fink", "Fischotter", "Forelle", "Frosch", "Fuchs",
    "Gämse", "Gans", "Gecko", "Gepard", "Giraffe", "Habicht", "Hamster", "Hecht", "Hermelin", "Hirsch",
    "Hummel", "Igel", "Iltis", "Kamel", "Karpfen", "Kauz", "Koala", "Kranich", "Krebs", "Lachs", "Lama",
    "Libelle", "Luchs", "Marder", "Maulwurf", "Meise", "Möwe", "Murmeltier", "Nashorn", "Okapi", "Otter",
    "Panda", "Pelikan", "Pinguin", "Puma", "Qualle", "Rabe", "Reh", "Reiher", "Robbe", "Schwalbe", "Schwan",
    "Seepferd", "Seestern", "Specht", "Sperling", "Star", "Storch", "Tapir", "Taube", "Tiger", "Tukan",
    "Uhu", "Wal", "Waschbär", "Wiesel", "Wolf", "Yak", "Zebra", "Ziege",
)  # fmt: skip
DRAWN: Final = (  # in templates/page/static/tiere
    "Eule", "Forelle", "Frosch", "Fuchs", "Igel", "Koala", "Luchs", "Otter", "Panda", "Pinguin", "Rabe",
    "Wal",
)  # fmt: skip


class Sheet(NamedTuple):
    """A sheet as a lesson keeps it, whatever becomes of its files. exercises: as phones show them."""

    source: dict[str, str]
    mark: str
    exercises: dict[str, Any]

    @property
    def titles(self) -> dict[tuple[str, str], tuple[str, str, int]]:
        """How each cell is called in its exercise, its station, and the exercise's number there."""
        return {
            (each["name"], each["stelle"]): (each["kurz"], station["id"], task["nummer"])
            for station in self.exercises["stationen"]
            for task in station["aufgaben"]
            for each in task["felder"]
        }


def kept(sheets: Mapping[str, Sheet]) -> str:
    """The source of a lesson: after a restart nobody waits for a calculation."""
    return json.dumps({"blaetter": sheets})


def sheets_of(source: str) -> dict[str, Sheet]:
    """The sheets of a lesson by number; where all have the same, "" is its number."""
    said = json.loads(source)
    if "blaetter" in said:
        return {number: Sheet(*each) for number, each in said["blaetter"].items()}
    exercises = said.pop("aufgaben", {})  # as before there were lessons with a class set
    return {"": Sheet(said, "", exercises)}


@dataclass
class Open:
    """A lesson with its sheets by number, its pupils by token, and the verdicts on what each has written.

    changed: how often each paper has changed. used: when somebody last asked for it.
    """

    lesson: Lesson
    sheets: dict[str, Sheet]
    pupils: dict[str, Pupil] = field(default_factory=dict)
    written: dict[str, dict[tuple[str, str], StoredAnswer]] = field(default_factory=dict)
    verdicts: dict[str, dict[str, Any]] = field(default_factory=dict)
    changed: Counter[str] = field(default_factory=Counter)
    used: float = field(default_factory=time.time)
    here: dict[str, float] = field(default_factory=dict)  # when each phone last asked
    heard: set[str] = field(default_factory=set)  # phones that know that the lesson has ended
    paused: bool = False
    _tries: Rates = field(default_factory=lambda: Rates(TRIES))

    @property
    def of_class_set(self) -> bool:
        """Whether everybody has a sheet of their own."""
        return "" not in self.sheets

    @property
    def groups(self) -> dict[str, str]:
        """The titles of a jigsaw's sheets by their numbers; none where sheets have short names."""
        titles = {number: sheet.mark for number, sheet in self.sheets.items()}
        return titles if any(title and not is_mark(title) for title in titles.values()) else {}

    def numbers_of(self, said: str) -> list[str]:
        """The numbers of the sheets that a pupil may mean, by number or by the mark on the paper."""
        plain = said.strip().upper().removeprefix("BLATT").strip()
        marks = {sheet.mark: number for number, sheet in self.sheets.items() if means(plain, sheet.mark)}
        return [*marks.values()] or [each for each in [plain.lstrip("0")] if each in self.sheets]

    def sheet(self, token: str) -> Sheet:
        """The sheet of this pupil."""
        return self.sheets[self.pupils[token].sheet]

    @cached_property
    def stations(self) -> list[str]:
        return [station["id"] for station in next(iter(self.sheets.values())).exercises["stationen"]]

    @cached_property
    def titles(self) -> dict[tuple[str, str], tuple[str, str, int]]:
        """Of all sheets, in their order: not every sheet of a class set asks for the same cells."""
        every = {cell: title for sheet in self.sheets.values() for cell, title in sheet.titles.items()}
        return dict(sorted(every.items(), key=lambda each: (self.stations.index(each[1][1]), each[1][2])))

    @property
    def waits_for(self) -> int:
        """How many phones that were here lately have not heard of the lesson's end."""
        recent = time.time() - _LATELY
        return sum(when > recent for token, when in self.here.items() if token not in self.heard)

    def asked(self, token: str) -> None:
        """A phone has asked; where the lesson is over it is told so."""
        self.here[token] = time.time()
        if self.lesson.ended is not None:
            self.heard.add(token)

    def result(self, token: str) -> dict[str, int] | None:
        """What a pupil is told at the end, where pupils are told anything."""
        if self.lesson.feedback == "nichts" or token not in self.verdicts:
            return None
        count = Counter(cell["urteil"] for cell in self.verdicts[token]["zellen"])
        right = count["richtig"] + count["angenommen"]
        return {"stimmt": right, "folgt": count["folgefehler"], "geschrieben": count.total(),
                "felder": self.sheet(token).exercises["felder"]}  # fmt: skip

    def paper(self, token: str) -> list[list[Any]]:
        """The answers that a pupil has written, as `judging` reads them."""
        answers = self.written.get(token, {}).values()
        return [
            [a.name, [int(i) for i in a.place.split(",") if i], a.text] for a in answers if a.text.strip()
        ]

    def keep(self, token: str, answer: StoredAnswer) -> StoredAnswer:
        """Notes what stands in a cell unless something newer does; what stands there now."""
        own, cell = self.written[token], (answer.name, answer.place)
        before = own.get(cell)
        if before is not None and before.number >= answer.number:
            return before
        if answer.text.strip() and (before is None or before.text != answer.text):
            self._tries.allow(_try(token, *cell))
        own[cell] = answer
        return answer

    def forget(self, token: str) -> None:
        """Removes what is known of a pupil."""
        for known in (self.pupils, self.written, self.verdicts, self.here):
            known.pop(token, None)

    def feedback_of(self, token: str) -> list[list[str]]:
        """What a pupil is told of each cell, as the teacher set it: verdict, and a hint; never a number.

        Whoever tries one number after the other in a cell is told nothing of it for a while.
        """
        if self.lesson.feedback == "nichts" or token not in self.verdicts:
            return []
        with_hints, said = self.lesson.feedback == "hilfe", []
        for cell in self.verdicts[token]["zellen"]:
            name, place = cell["name"], cell["stelle"]
            if self._tries.left(_try(token, name, place)) < 1:
                said.append([name, place, _NOT_YET, ""])
            else:
                more = (cell["hilfe"] or cell["hinweis"]) if with_hints else ""
                hint = cell["stellen"] or more
                said.append([name, place, cell["urteil"], hint])
        return said


def _try(token: str, name: str, place: str) -> str:
    return f"{token} {name} {place}"


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
        rows.append(
            {
                "tier": pupil.animal,
                "blatt": " · ".join(filter(None, (pupil.sheet, found.sheet(token).mark))),
                "station": pupil.station,
                "felder": found.sheet(token).exercises["felder"],
                "eingetragen": len(found.paper(token)),
                "still": round(now - pupil.seen),
                "urteile": Counter(cell["urteil"] for cell in verdict["zellen"]),
                "beurteilt": token in found.verdicts or not found.paper(token),
            }
            | {name: verdict[name] for name in ("be", "offen", "von", "fehler")}
        )
    return {
        "satz": found.lesson.sentence,
        "beendet": found.lesson.ended is not None,
        "wissen_nicht": found.waits_for,
        "pause": found.paused,
        "kinder": rows,
        "stellen": [
            dict(zip(("titel", "station", "aufgabe"), found.titles[cell], strict=True)) | {"anzahl": number}
            for cell, number in stops.most_common(_MOST_STOPS)
            if cell in found.titles
        ],
    }


def wall(found: Open) -> dict[str, Any]:
    """What the class sees on the wall: for each animal a square per number, with what was typed.

    None for what this animal's sheet does not ask for.
    """
    rows = []
    for token, pupil in sorted(found.pupils.items(), key=by_animal):
        cells = found.verdicts.get(token, {"zellen": []})["zellen"]
        verdicts = {(cell["name"], cell["stelle"]): cell["urteil"] for cell in cells}
        texts = {cell: answer.text.strip() for cell, answer in found.written.get(token, {}).items()}
        own = found.sheet(token).titles
        shown = {c: [verdicts.get(c, ""), texts[c]] if texts.get(c) else ["", ""] for c in own}
        fields = [shown.get(cell) for cell in found.titles]
        rows.append({"tier": pupil.animal, "felder": fields})
    return {
        "beendet": found.lesson.ended is not None,
        "pause": found.paused,
        "aufgaben": [[station, number, title] for title, station, number in found.titles.values()],
        "kinder": rows,
    }
