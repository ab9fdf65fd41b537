"""The overview of a class set: what each exercise of each sheet ends in, on a screen and on paper."""

import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from generator.output.binding import Bound, bind
from generator.output.formulas.typeset import Typesetter
from generator.output.many import PdfJob
from generator.output.render import on_paper, render_page
from generator.output.screen import for_browsers
from generator.production.seats import Seat
from generator.sheet.page import Page
from generator.teacher.card import Stretch
from generator.teacher.jigsaw import jigsaw
from generator.teacher.plan import GroupWork

_AT_ONCE: Final = 60  # sheets laid out together: the memory does not grow with the class


@dataclass(frozen=True)
class Overview:
    """said: what is not the same for everybody. names, notes, seats: of each sheet."""

    title: str
    said: str
    names: Sequence[str]
    notes: Sequence[Mapping[str, Any]]
    seats: Sequence[Seat]

    def html(self) -> bytes:
        """The overview for the screen."""
        return for_browsers(self._page(0, len(self.names)), Typesetter("screen")).encode()

    def pdf(self) -> bytes:
        """The overview on paper."""
        if len(self.names) <= _AT_ONCE:
            return next(self._parts()).content
        whole = io.BytesIO()
        bind(self._parts(), self.title, whole, front=False)
        return whole.getvalue()

    def _parts(self) -> Iterator[Bound]:
        for start in range(0, len(self.names), _AT_ONCE):
            end = min(start + _AT_ONCE, len(self.names))
            job = PdfJob(on_paper(self._page(start, end), Typesetter("pdf")), self.title)
            yield Bound(f"Blatt {start + 1} bis {end}", job.write().data)

    def _page(self, start: int, end: int) -> Page:
        tables = list(_tables(start + 1, self.names[start:end], self.notes[start:end]))
        teams = _teams(self.names, self.notes, self.seats) if start == 0 else []
        plan = _plan(self.notes) if teams else None
        shown = {"title": self.title, "said": self.said, "tables": tables, "teams": teams, "plan": plan}
        return render_page("classes/overview.html.j2", None, **shown)


def _teams(
    names: Sequence[str], notes: Sequence[Mapping[str, Any]], seats: Sequence[Seat]
) -> list[dict[str, Any]]:
    """Of a jigsaw each team: its mark, and who is in which group."""
    found: dict[int, dict[str, Any]] = {}
    for number, (name, note, seat) in enumerate(zip(names, notes, seats, strict=True), 1):
        if seat.group:
            team = found.setdefault(seat.team + 1, {"sheet": note["blatt"], "groups": defaultdict(list)})
            team["groups"][seat.group].append(name or f"Nr. {number}")
    return [{"number": number, **team} for number, team in sorted(found.items())]


def _plan(notes: Sequence[Mapping[str, Any]]) -> tuple[int, tuple[Stretch, ...]]:
    """How long a jigsaw takes, and when what is done in it; of each group what takes longest."""
    own, together = ([list(note["stationen"].values())[at]["minuten"] for note in notes] for at in (0, 1))
    return jigsaw([GroupWork("", "", round(max(minutes))) for minutes in (own, together)])


def _tables(first: int, names: Sequence[str], notes: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """A table for each station, of each sentence and group apart: only there do its columns say the same."""
    numbered = list(zip(range(first, first + len(names)), names, notes, strict=True))
    kinds = dict.fromkeys((note["satz"], note["gruppe"]) for note in notes)
    several = len({sentence for sentence, _ in kinds}) > 1
    for sentence, group in kinds:
        of_sentence = [each for each in numbered if (each[2]["satz"], each[2]["gruppe"]) == (sentence, group)]
        results = of_sentence[0][2]["ergebnisse"]
        for station in dict.fromkeys(result["station"] for result in results):
            named = [
                f"{r['nummer']}: {r['titel'].removeprefix(f'Station {station}, ')}".replace("e^x", "eˣ")
                for r in results
                if r["station"] == station
            ]
            rows = [
                {
                    "number": number,
                    "sheet": note["blatt"],
                    "name": name,
                    "results": [r["werte"] for r in note["ergebnisse"] if r["station"] == station],
                    "points": note["stationen"][station]["be"],
                }
                for number, name, note in of_sentence
            ]
            which = f"Station {station}" + f", Gruppe {group}" * bool(group) + f" zu „{sentence}“" * several
            yield {"title": which, "columns": named, "rows": rows}
