"""The overview of a class set: what each exercise of each sheet ends in, on a screen and on paper."""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from generator.basics.fonts import Medium
from generator.output.binding import Bound, bind
from generator.output.formulas.typeset import Typesetter
from generator.output.many import PdfJob, Printers
from generator.output.render import render_page
from generator.output.screen import for_browsers

_AT_ONCE: Final = 60  # sheets laid out together: the memory does not grow with the class


@dataclass(frozen=True)
class Overview:
    """said: what is not the same for everybody. names, notes: of each sheet."""

    title: str
    said: str
    names: Sequence[str]
    notes: Sequence[Mapping[str, Any]]

    def html(self) -> bytes:
        """For the screen."""
        return for_browsers(self._page(0, len(self.names), "screen")).encode()

    def pdf(self) -> bytes:
        """For paper."""
        if len(self.names) <= _AT_ONCE:
            return next(self._parts()).content
        whole = io.BytesIO()
        bind(self._parts(), self.title, whole, front=False)
        return whole.getvalue()

    def _parts(self) -> Iterator[Bound]:
        for start in range(0, len(self.names), _AT_ONCE):
            end = min(start + _AT_ONCE, len(self.names))
            job = PdfJob(self._page(start, end, "pdf"), self.title)
            yield Bound(f"Blatt {start + 1} bis {end}", Printers(0).write([job])[0].data)

    def _page(self, start: int, end: int, medium: Medium) -> str:
        tables = list(_tables(start + 1, self.names[start:end], self.notes[start:end]))
        shown = {"title": self.title, "said": self.said, "tables": tables}
        return render_page("classes/overview.html.j2", Typesetter(medium), medium, **shown).html


def _tables(first: int, names: Sequence[str], notes: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """A table for each station, of each sentence apart: only there do its columns say the same."""
    numbered = list(zip(range(first, first + len(names)), names, notes, strict=True))
    sentences = dict.fromkeys(note["satz"] for note in notes)
    for sentence in sentences:
        of_sentence = [each for each in numbered if each[2]["satz"] == sentence]
        results = of_sentence[0][2]["ergebnisse"]
        for station in dict.fromkeys(result["station"] for result in results):
            named = [
                f"{r['nummer']}: {r['titel'].removeprefix(f'Station {station}, ')}".replace("e^x", "eˣ")
                for r in results
                if r["station"] == station
            ]
            rows = [
                {"number": number, "sheet": note["blatt"], "name": name, "results": _ends(note, station)}
                for number, name, note in of_sentence
            ]
            which = f"Station {station}" + (f" zu „{sentence}“" if len(sentences) > 1 else "")
            yield {"title": which, "columns": named, "rows": rows}


def _ends(note: Mapping[str, Any], station: str) -> list[list[str]]:
    return [r["werte"] for r in note["ergebnisse"] if r["station"] == station]
