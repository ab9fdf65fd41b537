"""A class on paper that never was, from the printed PDF to the class report, through the command.

`PYTHONPATH=tests python -m scans.class_on_paper CLASS_SET PACKAGES OUT --way scanner|phone` fills in the
sheets of a class set with hands that the training has not seen, scans them, has `papierformer einlesen` read
them, reviews what is open as a person would who clicks rightly, and prints one column of figures. It is no
test: it takes minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import psutil
import pypdfium2
from PIL import Image
from sheets import reading

from generator.check.answers import from_form
from generator.check.check import ACCEPTED, RIGHT, check
from generator.output.page_marks import MARKS, Blank
from generator.production import scanned
from generator.reading.boxes import MARGIN, RULE, boxes_of
from generator.reading.pages import find_pages, seen_at
from generator.reading.papers import MACHINE, UNREADABLE
from scans.scanning import MM, Seen
from scans.strangers import PX, Hand, font_files

# Of the boxes. As in the trial with 3,880 boxes, 19 in a hundred hold what is not right.
SHARES = {"empty": 0.05, "crossed": 0.025, "over": 0.015, "words": 0.01, "fraction": 0.01, "slip": 0.13}
OTHER = ("crossed", "over", "words", "fraction")


def written(rng, calculation: dict[str, Any], cell: str, shares: dict[str, float]) -> tuple[str, str]:
    """What a pupil means to write into a box, and its kind; half of what is crossed out is right."""
    name, index = re.fullmatch(r"(.*)\[([\d,]*)\]", cell).groups()
    quantity = calculation["quantities"][name]
    value = reading.cell(quantity["hand"], map(int, index.split(",") if index else ()))
    step = Decimal(1).scaleb(-(quantity["places"] or 0))
    right = Decimal(str(value)).quantize(step)
    wrong = right + int(rng.integers(3, 60)) * int(rng.choice([-1, 1])) * step
    kind = str(rng.choice([*shares, "right"], p=[*shares.values(), 1 - sum(shares.values())]))
    meant = wrong if kind == "slip" or (kind in OTHER and rng.random() < 0.5) else right
    return str(meant).replace(".", ","), kind


def validation_hand(rng, folder: Path):
    """One of those that training keeps apart for thresholds, in the words of `Hand`."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "scans_training"))
    import hands
    import packages

    hand = hands.Hand(rng, packages.material(folder, "validation"))

    def drawn(ink: np.ndarray) -> Image.Image:
        image = Image.fromarray((255 * ink).astype(np.uint8))
        return image.resize([max(1, round(side * PX / hands.MM)) for side in image.size])

    return SimpleNamespace(
        rng=rng,
        dark=rng.uniform(0.5, 0.95),
        number=lambda text: drawn(hand.text(text)),
        crossed_out=lambda text: drawn(hand.something_else(0, text)),
        overwritten=lambda text: drawn(hand.something_else(1, text)),
        words=lambda: drawn(hand.something_else(2)),
        fraction=lambda: drawn(hand.something_else(3)),
    )


def ink(hand: Hand, text: str, kind: str) -> Image.Image:
    return {
        "crossed": lambda: hand.crossed_out(text),
        "over": lambda: hand.overwritten(text),
        "words": hand.words,
        "fraction": hand.fraction,
    }.get(kind, lambda: hand.number(text))()


def fill(page: Image.Image, blank: Blank, drawn: Image.Image, hand: Hand) -> None:
    """Into its box, smaller where it is too large."""
    rng = hand.rng
    room = (blank.right - blank.left - 0.6) * MM, (blank.bottom - blank.top - 0.2) * MM
    scale = min(MM / PX, room[0] / drawn.width, room[1] / drawn.height)
    drawn = drawn.resize([max(1, round(side * scale)) for side in drawn.size], Image.Resampling.LANCZOS)
    x = blank.left * MM + 0.3 * MM + rng.uniform(0.1, 0.7) * (room[0] - drawn.width)
    y = blank.top * MM + 0.1 * MM + np.clip(rng.normal(0.55, 0.2), 0, 1) * (room[1] - drawn.height)
    at = (round(x), round(y))
    page.paste(round(255 * (1 - hand.dark)), (*at, at[0] + drawn.width, at[1] + drawn.height), drawn)


def off(seen: Seen, blanks: list[Blank], sizes: dict) -> list[float]:
    """How far each corner of each frame is found from where it is, in mm."""
    grey = np.asarray(seen.picture, np.float32)
    errors = []
    for page in find_pages(grey, sizes, ((210.0, 297.0), MARKS)):
        for box in boxes_of(grey, page, blanks):
            b, (left, top, right, bottom) = box.blank, box.at
            x, y = np.array([left, right]) + b.left - MARGIN, np.array([top, bottom]) + b.top - MARGIN
            found = seen_at(page.map, x, y)
            rim = np.array([-RULE / 2, RULE / 2])  # a blank is what the frame encloses
            true = seen.at(np.array([b.left, b.right]) + rim, np.array([b.top, b.bottom]) + rim)
            scale = np.hypot(true[0][1] - true[0][0], true[1][1] - true[1][0]) / np.hypot(
                b.right - b.left, b.bottom - b.top
            )
            errors += list(np.hypot(found[0] - true[0], found[1] - true[1]) / scale)
    return errors


def scan_class(
    sheets: scanned.Sheets, new_hand: Callable, out: Path, way: str, rng, shares: dict[str, float]
) -> tuple[list, list]:
    """One PDF of the class, its pages shuffled a little; what was written, and how far boxes are off."""
    sizes = {each.mark: (each.size, each.marks) for each in sheets.printed}
    told, errors, names = [], [], []
    with pypdfium2.PdfDocument(sheets.folder / "arbeitsblaetter.pdf") as document:
        first = 0
        for sheet in sheets.printed:
            hand = new_hand()
            calculation = json.loads(Path(sheet.calculation).read_text())
            meant = {
                cell: written(rng, calculation, cell, shares)
                for cell in dict.fromkeys(b.cell for b in sheet.blanks)
            }
            told.append(meant)
            for number in sheet.asking:
                page = document[first + number - 1].render(scale=MM * 25.4 / 72, grayscale=True).to_pil()
                here = [blank for blank in sheet.blanks if blank.page == number]
                for blank in here:
                    text, kind = meant[blank.cell]
                    if kind != "empty":
                        fill(page, blank, ink(hand, text, kind), hand)
                seen = Seen(page, way, rng)
                if len(names) % 5 == 0:
                    errors += off(seen, here, sizes)
                picture = seen.picture.rotate(180) if rng.random() < 0.1 else seen.picture
                names.append(out / f"{rng.integers(10**6):06}-{len(names):04}.jpg")
                picture.save(names[-1], "JPEG", quality=85, dpi=(203, 203))
            first += sheet.pages + sheet.pages % 2  # each begins on a front
    return told, errors


def command(*arguments: str | Path) -> tuple[float, float]:
    """Seconds of processor, and the most memory of all its processes together, in MB."""
    before, most = resource.getrusage(resource.RUSAGE_CHILDREN), 0
    words = [sys.executable, "-m", "generator", *map(str, arguments)]
    done = subprocess.Popen(words, cwd=Path(__file__).parents[2])
    whole = psutil.Process(done.pid)
    while done.poll() is None:
        with contextlib.suppress(psutil.Error):  # it has ended meanwhile
            most = max(most, sum(each.memory_info().rss for each in (whole, *whole.children(recursive=True))))
        time.sleep(0.5)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, most / 2**20


def plain(text: str) -> str:
    return str(Decimal(text.replace(",", ".")).normalize() + 0) if text not in ("", UNREADABLE) else text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("sheets", "packages", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--way", default="scanner")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--validation", action="store_true", help="hands that thresholds are chosen on")
    for kind, share in SHARES.items():
        parser.add_argument(f"--{kind}", type=float, default=share)
    given = parser.parse_args()
    scans = given.out / given.way
    sheets = scanned.sheets_in(given.sheets)
    told_file = given.out / f"{given.way}.json"
    if not told_file.exists():
        scans.mkdir(parents=True, exist_ok=True)
        rng, shares = np.random.default_rng(given.seed), {kind: getattr(given, kind) for kind in SHARES}
        if given.validation:
            new_hand = partial(validation_hand, rng, given.packages)
        else:
            new_hand = partial(Hand, rng, font_files(given.packages))
        told, errors = scan_class(sheets, new_hand, scans, given.way, rng, shares)
        told_file.write_text(json.dumps([told, errors]))
    told, errors = json.loads(told_file.read_text())
    begun = time.time()
    used, memory = command("einlesen", scans, "--mit", given.sheets)
    took = time.time() - begun
    read = scanned.Class.load(sheets.kept)
    seen, said, kinds = 0, {}, Counter()
    truth = {}
    for key, paper, each in read.keyed():
        text, kind = told[paper.number - 1][each.cell]
        truth[key] = "" if kind == "empty" else UNREADABLE if kind in OTHER else text
        kinds[kind] += 1
        if each.by != MACHINE:
            seen += 1
            said[key] = truth[key]
            kinds[f"{kind} seen"] += 1
            kinds[f"{kind} misread"] += each.reading != text
        if not each.sure:
            kinds[f"{kind} unsure"] += 1
    review = given.out / f"durchsicht-{given.way}.json"
    review.write_text(json.dumps({"werte": said}))
    command("einlesen", review, "--mit", given.sheets)
    rows = figures(sheets, told, errors, truth, seen, kinds)
    rows += [("seconds; of processor", f"{took:.0f}; {used:.0f}"), ("MB of all processes", f"{memory:.0f}")]
    print("\n".join(f"| {name} | {value} |" for name, value in rows))


def figures(sheets, told, errors, truth, seen, kinds) -> list[tuple[str, Any]]:
    read = scanned.Class.load(sheets.kept)
    boxes = sum(len(paper.fields) for paper in read.papers)
    pages = sum(len(sheet.asking) for sheet in sheets.printed)
    found = sum(len(paper.pages) for paper in read.papers)
    misread = sum(plain(each.value) != plain(truth[key]) for key, _, each in read.keyed())
    wrong = passed = 0
    for paper in read.papers:
        rebuilt = sheets.calculations[paper.calculation]
        meant = told[paper.number - 1]
        typed = {c: UNREADABLE if k in OTHER else t for c, (t, k) in meant.items() if k != "empty"}
        good = [_good(check(rebuilt, from_form(typed))), _good(scanned.judged(paper, rebuilt))]
        bad = typed.keys() - good[0]
        wrong, passed = wrong + len(bad), passed + len(bad & good[1])
    share = lambda part, of: f"{part} von {of} ({100 * part / max(1, of):.2f} %)"  # noqa: E731

    def both(one: str, other: str, said: str) -> str:
        return share(kinds[one + said] + kinds[other + said], kinds[one] + kinds[other])

    return [
        ("papers", len(read.papers)),
        ("pages found", share(found, pages)),
        ("box error at 99 %, mm", f"{np.quantile(errors, 0.99):.2f} (of {len(errors)} corners)"),
        ("boxes", boxes),
        ("seen by the person", share(seen, boxes)),
        ("… of these wrong", share(kinds["slip seen"], boxes)),
        ("… no number", share(sum(kinds[f"{kind} seen"] for kind in OTHER), boxes)),
        ("… right and well read", share(kinds["right seen"] - kinds["right misread"], boxes)),
        ("… right and misread", share(kinds["right misread"], boxes)),
        ("… empty", share(kinds["empty seen"], boxes)),
        ("right ones confirmed alone", share(kinds["right"] - kinds["right seen"], kinds["right"])),
        ("misread afterwards", share(misread, boxes)),
        ("wrong passed as right", share(passed, wrong)),
        ("crossed out or overwritten handed over", both("crossed", "over", " seen")),
        ("… not believed by the reader", both("crossed", "over", " unsure")),
        ("letters and fractions handed over", both("words", "fraction", " seen")),
        ("… not believed by the reader", both("words", "fraction", " unsure")),
        ("empty ones right alone", share(kinds["empty"] - kinds["empty seen"], kinds["empty"])),
    ]


def _good(report) -> set[str]:
    cells = (cell for cell in report.cells if cell.verdict in (RIGHT, ACCEPTED))
    return {f"{cell.entry.name}[{cell.entry.index_text}]" for cell in cells}


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
