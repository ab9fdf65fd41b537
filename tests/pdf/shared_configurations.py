"""In: how many configurations. Out: of each, whether sheet and key, and another seed's, share its layout.

python -m tests.pdf.shared_configurations --anzahl 200   (some 10 s each; no difference is allowed)
"""

from __future__ import annotations

import argparse
import io
import random
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.options.course import COURSE, FORMULAS
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.output.pdf import write_pdf
from generator.output.render import Document
from generator.output.shared.captured import NotShared
from generator.output.shared.layouts import Part, SharedLayout
from generator.production.sheet_documents import both_in_one, worksheet_and_key
from generator.stations.make_sheet import make_sheet
from tests.pdf.compare import differences, elsewhere

SENTENCES = (
    "Die Katze sitzt auf der Matte",
    "Der alte Hund jagt heute den roten Ball im Garten",
    "Vögel singen",
    "Wo schläft der müde Hund?",
)
STATIONS = tuple(stop.id for stop in COURSE if not stop.needs and stop.id not in ("0", "1", FORMULAS))


def configuration(number: int) -> dict[str, str]:
    """One of many; the same number gives the same options."""
    draw = random.Random(number)
    dimension = draw.choice((2, 4, 6, 8))
    return {
        "satz": draw.choice(SENTENCES),
        "gewichte": draw.choice(("dezimal", "ganzzahlig")),
        "dimension": str(dimension),
        "heads": str(draw.choice((1, 2))),
        "nachkommastellen": str(draw.choice((1, 2, 2, 3, 4))),
        "stufe": str(draw.choice((1, 2, 3))),
        "stationen": ",".join(sorted(draw.sample(STATIONS, draw.choice((1, 2))))),
    }


@dataclass(frozen=True)
class Pair:
    """A worksheet, its key, and what holds all that both show."""

    whole: Document
    parts: dict[str, Document]
    images: dict[str, Any]

    @classmethod
    def of(cls, pupil: str = "", **options: str) -> Pair:
        built = build(Options.from_mapping(options))
        whole = make_sheet(built)
        typesetter = Typesetter("pdf")
        parts = {each.name: each for each in worksheet_and_key(whole, typesetter, "pdf", pupil)}
        return cls(both_in_one(whole, typesetter, pupil), parts, dict(typesetter.images))

    def layout(self) -> SharedLayout:
        return SharedLayout.of(self.whole.html, self.images, title=self.whole.title)

    def written(self, layout: SharedLayout, name: str) -> io.BytesIO:
        """Raises NotShared."""
        part = self.parts[name]
        return io.BytesIO(layout.result(Part(part.html, part.title), self.images).data)

    def differences(self, layout: SharedLayout, name: str) -> list[str]:
        """How what is written differs from what is laid out alone. Raises NotShared."""
        part, written = self.parts[name], self.written(layout, name).getvalue()
        alone = write_pdf(part.html, title=part.title, images=self.images).data
        return [f"{name}: {found}" for found in differences(written, alone)]

    def follows(self, layout: SharedLayout, name: str) -> bool:
        """Whether a part stands as what holds both does: the other needs higher rows than it would alone."""
        whole = write_pdf(self.whole.html, title=self.whole.title, images=self.images).data
        return not elsewhere(self.written(layout, name).getvalue(), whole)


def main() -> int:
    parser = argparse.ArgumentParser(description="Shared layouts against laid out ones.")
    parser.add_argument("--anzahl", type=int, default=200)
    parser.add_argument("--ab", type=int, default=0)
    arguments = parser.parse_args()
    count: Counter[str] = Counter()
    for number in range(arguments.ab, arguments.ab + arguments.anzahl):
        options = configuration(number)
        try:
            one, other = (Pair.of(**options, startwert=str(seed)) for seed in (1, 2))
        except UserError:
            count["not possible"] += 1
            continue
        layout = one.layout()
        for pair, whose in ((one, "own"), (other, "another seed")):
            for name in pair.parts:
                try:
                    found = pair.differences(layout, name)
                except NotShared as error:
                    count[f"{whose}, {name}: not shared"] += 1
                    if pair is one:
                        print(number, name, options, error, flush=True)
                    continue
                higher = bool(found) and name == "arbeitsblatt" and pair.follows(layout, name)
                count[f"{whose}, {name}: {_verdict(found, higher)}"] += 1
                if found and not higher:
                    print(number, options, found, flush=True)
    print(*(f"{what}: {number}" for what, number in sorted(count.items())), sep="\n")
    return 1 if any("different" in what for what in count) else 0


def _verdict(found: list[str], higher: bool) -> str:
    return ("with its key's higher rows" if higher else "different") if found else "same"


if __name__ == "__main__":
    sys.exit(main())
