"""In: how many configurations. Out: of each, whether another seed shares its layout, and how its PDFs differ.

python -m tests.pdf.shared_configurations --anzahl 200   (some 5 s each; no difference is allowed)
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter

from generator.basics.errors import UserError
from generator.print.shared import NotShared, SharedLayout
from tests.pdf.compare import differences
from tests.pdf.test_shared import printed

SENTENCES = (
    "Die Katze sitzt auf der Matte",
    "Der alte Hund jagt heute den roten Ball im Garten",
    "Vögel singen",
    "Wo schläft der müde Hund?",
)
STATIONS = ("2", "3", "4a", "4b", "5", "6", "7", "8", "9")


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


def compared(options: dict[str, str], view: str) -> list[str]:
    """How another seed's document differs from the one laid out. Raises NotShared."""
    one, other = (printed(view, **options, startwert=str(seed)) for seed in (1, 2))
    written = other.shared(SharedLayout.of(one.html, one.images, title=one.title))
    return list(differences(written, other.laid_out()))


def main() -> int:
    parser = argparse.ArgumentParser(description="Shared layouts against laid out ones.")
    parser.add_argument("--anzahl", type=int, default=200)
    parser.add_argument("--ab", type=int, default=0)
    arguments = parser.parse_args()
    count: Counter[str] = Counter()
    for number in range(arguments.ab, arguments.ab + arguments.anzahl):
        options = configuration(number)
        for view in ("worksheet", "key"):
            try:
                found = compared(options, view)
                count["different" if found else "same"] += 1
                print(number, view, options if found else "", found or "same", flush=True)
            except NotShared as reason:
                count["not shared"] += 1
                print(number, view, "not shared:", reason, flush=True)
            except UserError as error:
                count["refused"] += 1
                print(number, view, "refused:", error, flush=True)
    print(dict(count))
    return 1 if count["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
