"""What was read of a class: papers, their fields, who said what stands in each; in stand.json.

And what reading needs beyond the program, asked for before anything is sent or read.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from generator.basics.errors import UserError, in_words, quoted
from generator.basics.files import write_one
from generator.basics.reading import read_bytes

STATE: Final = "stand.json"
MACHINE, PERSON = "maschine", "person"
UNREADABLE: Final = "?"  # what a person says of a box in which nothing can be read
_LARGEST: Final = 1_000_000_000
_LONGEST: Final = 40  # signs that a person may type


@dataclass
class ReadBlank:
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
class ReadPaper:
    """What one pupil handed in. number: of a class set, 0 for copies of one sheet. head: crop of the name."""

    label: str
    name: str
    mark: str
    number: int
    calculation: str
    pages: list[int] = field(default_factory=list)
    head: str = ""
    fields: list[ReadBlank] = field(default_factory=list)

    @property
    def called(self) -> str:
        return f"Blatt {self.label}" + (f" ({self.name})" if self.name else "")

    @property
    def key(self) -> str:
        return f"{self.mark}-{self.label}"

    def unread(self) -> list[ReadBlank]:
        return [each for each in self.fields if not each.by]

    def crops(self, page: int) -> list[str]:
        """The cut-out pictures of a page's fields, by which the same scan is known again."""
        return [each.crop for each in self.fields if each.page == page]

    def sort(self) -> None:
        self.fields.sort(key=lambda each: each.page)
        self.pages.sort()


@dataclass
class Class:
    """All papers, and a sentence for each page that is none of them.

    missing: sentences on pages and papers that lack. again: pages of papers that had them already, until a
    person says what becomes of them; a paper for each.
    """

    papers: list[ReadPaper] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sampled: list[str] = field(default_factory=list)  # keys of sure fields that a person looked at as well
    mistaken: list[str] = field(default_factory=list)  # those of them that were misread
    missing: list[str] = field(default_factory=list)
    again: list[ReadPaper] = field(default_factory=list)

    @property
    def said(self) -> list[str]:
        """All German sentences on pages that are missing, came twice or could not be read."""
        return [*map(words_on_repeated_pages, self.again), *self.missing, *self.notes]

    def keyed(self) -> Iterator[tuple[str, ReadPaper, ReadBlank]]:
        """Every field with its key, which stays whatever is added, and goes with its picture."""
        for paper in self.papers:
            places = Counter[int]()
            for each in paper.fields:
                picture = hashlib.sha256(each.crop.encode()).hexdigest()[:8]
                yield f"{paper.key}.{each.page}.{places[each.page]}.{picture}", paper, each
                places[each.page] += 1

    def save(self, folder: Path) -> None:
        content = json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))
        write_one(folder / STATE, content.encode(), "--mit")

    @classmethod
    def load(cls, folder: Path) -> Class:
        """UserError if there is none."""
        content = read_bytes(folder / STATE, "Der Stand des Einlesens", _LARGEST)
        try:
            kept = json.loads(content)
            papers = [ReadPaper(**each) for each in kept["papers"]]
            again = [ReadPaper(**each) for each in kept.get("again", [])]
            for paper in (*papers, *again):
                paper.fields = [ReadBlank(**one) for one in paper.fields]  # type: ignore[arg-type]
            notes, sampled, mistaken = kept["notes"], kept["sampled"], kept["mistaken"]
            return cls(papers, notes, sampled, mistaken, kept.get("missing", []), again)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise UserError(
                f"{quoted(STATE)} ist beschädigt; bitte löschen Sie das Eingelesene und lesen Sie es neu ein."
            ) from error

    def confirm(self, said: Review) -> None:
        """Takes over what a person said. A correction changes its box and nothing else.

        What was said of a page that is replaced since then says nothing of the new one. UserError where
        nothing of it is of these papers.
        """
        known = {key: each for key, _, each in self.keyed()}
        asked = said.values.keys() | said.sampled | said.mistaken
        if asked and not asked & known.keys():
            raise UserError("Diese Durchsicht gehört zu anderen Blättern.")
        for key in said.values.keys() & known.keys():
            known[key].value, known[key].by = said.values[key][:_LONGEST], PERSON
        self.sampled = sorted({*self.sampled, *said.sampled} & known.keys())
        self.mistaken = sorted({*self.mistaken, *said.mistaken} & known.keys())

    def decide(self, paper: ReadPaper, replace: bool) -> None:
        """What becomes of pages that came again: they replace the earlier ones, or lie beside them."""
        self.again.remove(paper)
        if replace:
            before = next(each for each in self.papers if each.key == paper.key)
            before.fields = [each for each in before.fields if each.page not in paper.pages] + paper.fields
            before.head = paper.head if 1 in paper.pages else before.head
            before.sort()
            return
        labels = {each.label for each in self.papers}
        free = (f"{paper.label} ({number})" for number in range(2, len(labels) + 3))
        paper.label = next(label for label in free if label not in labels)
        self.papers.append(paper)


@dataclass(frozen=True)
class Review:
    """What a person said: values by key, and of the sample which were looked at and which were misread."""

    values: dict[str, str] = field(default_factory=dict)
    sampled: frozenset[str] = frozenset()
    mistaken: frozenset[str] = frozenset()

    @classmethod
    def of(cls, said: Any) -> Review:
        """`werte`, `geprueft` and `falsch` as the review writes them. UserError for anything else."""
        try:
            values = {key: value.strip() for key, value in said["werte"].items()}
            sampled, mistaken = (frozenset(said.get(name, ())) for name in ("geprueft", "falsch"))
            if not all(isinstance(each, str) for each in (*values, *sampled, *mistaken)):
                raise TypeError
        except (TypeError, LookupError, AttributeError) as error:
            raise UserError("Das ist keine Durchsicht, die Papierformer geschrieben hat.") from error
        return cls(values, sampled, mistaken)

    def and_then(self, later: Review) -> Review:
        return Review(
            self.values | later.values, self.sampled | later.sampled, self.mistaken | later.mistaken
        )

    def document(self) -> bytes:
        lists = {"geprueft": sorted(self.sampled), "falsch": sorted(self.mistaken)}
        return json.dumps({"werte": self.values, **lists}, ensure_ascii=False).encode()


def words_on_repeated_pages(paper: ReadPaper) -> str:
    """The German sentence on pages of a paper that were scanned twice."""
    one = len(paper.pages) == 1
    which = f"{'Seite' if one else 'Seiten'} {in_words(paper.pages)}"
    return (
        f"{paper.called}: {which} {'war' if one else 'waren'} schon da und {'ist' if one else 'sind'} noch "
        "einmal dabei. Bis Sie sich entscheiden, gilt, was zuerst da war."
    )


SCANS: Final = (".pdf", ".jpg", ".jpeg", ".png", ".tif", ".tiff", ".webp", ".bmp")  # endings of their files
