"""What was read of a class: papers, their fields, who said what stands in each; in stand.json.

And what reading needs beyond the program, asked for before anything is sent or read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, quoted
from generator.basics.files import write_one
from generator.basics.reading import read_bytes

STATE: Final = "stand.json"
MACHINE, PERSON = "maschine", "person"
UNREADABLE: Final = "?"  # what a person says of a box in which nothing can be read
_LARGEST: Final = 1_000_000_000
_LONGEST: Final = 40  # signs that a person may type


@dataclass
class Field:
    """One box of a paper.

    guesses: text and how likely, best first; read by the machine and never changed. crop: PNG in base64.
    sure: whether the reading is good enough to be believed where it is right. value, by: what counts, and who
    said it; nobody has yet while `by` is "". doubt: why a person has to look.
    """

    cell: str
    page: int
    guesses: list[list[Any]]
    crop: str
    settled: bool
    ink: float
    sure: bool = False
    value: str = ""
    by: str = ""
    doubt: str = ""

    @property
    def reading(self) -> str:
        return str(self.guesses[0][0]) if self.guesses else ""


@dataclass
class Paper:
    """What one pupil handed in. number: of a class set, 0 for copies of one sheet. head: crop of the name."""

    label: str
    name: str
    mark: str
    number: int
    calculation: str
    pages: list[int] = field(default_factory=list)
    head: str = ""
    fields: list[Field] = field(default_factory=list)

    def unread(self) -> list[Field]:
        return [each for each in self.fields if not each.by]


@dataclass
class Class:
    """All papers, and a sentence for each page that is none of them or that lacks."""

    papers: list[Paper] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sampled: list[str] = field(default_factory=list)  # keys of sure fields that a person looked at as well
    mistaken: list[str] = field(default_factory=list)  # those of them that were misread

    def keyed(self) -> Iterator[tuple[str, Paper, Field]]:
        """Every field with its key, which stays."""
        for place, paper in enumerate(self.papers):
            for number, each in enumerate(paper.fields):
                yield f"{place}.{number}", paper, each

    def save(self, folder: Path) -> None:
        content = json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))
        write_one(folder / STATE, content.encode())

    @classmethod
    def load(cls, folder: Path) -> Class:
        """UserError if there is none."""
        content = read_bytes(folder / STATE, "Der Stand des Einlesens", _LARGEST)
        try:
            kept = json.loads(content)
            papers = [Paper(**each) for each in kept["papers"]]
            for paper in papers:
                paper.fields = [Field(**one) for one in paper.fields]  # type: ignore[arg-type]
            return cls(papers, kept["notes"], kept["sampled"], kept["mistaken"])
        except (ValueError, LookupError, TypeError) as error:
            raise UserError(f"{quoted(STATE)} ist beschädigt; bitte noch einmal einlesen.") from error

    def confirm(self, said: dict[str, Any]) -> None:
        """Takes over what a person said: `werte` by key, `geprueft` and `falsch` of the sample.

        A correction changes its box and nothing else. UserError for what is none of that.
        """
        known = {key: each for key, _, each in self.keyed()}
        try:
            values = {str(key): str(value).strip() for key, value in dict(said.get("werte", {})).items()}
            sampled, mistaken = (sorted(map(str, said.get(name, []))) for name in ("geprueft", "falsch"))
        except (TypeError, ValueError, AttributeError) as error:
            raise UserError("Das ist keine Durchsicht, die Papierformer geschrieben hat.") from error
        if not values.keys() | set(sampled) | set(mistaken) <= known.keys():
            raise UserError("Diese Durchsicht gehört zu anderen Blättern.")
        for key, value in values.items():
            known[key].value, known[key].by = value[:_LONGEST], PERSON
        self.sampled, self.mistaken = sampled or self.sampled, mistaken or self.mistaken


SCANS: Final = (".pdf", ".jpg", ".jpeg", ".png", ".tif", ".tiff", ".webp", ".bmp")  # endings of their files
