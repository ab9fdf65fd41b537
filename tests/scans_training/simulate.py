"""Fills in printed worksheets with drawn hands and scans them: a class on paper that never was.

`python simulate.py SHEET_FOLDER PACKAGES OUT --pupils 3 --way scanner|phone|bits`; answers.json has what was
written. The hands are of fonts and writers that training has not seen.
"""

from __future__ import annotations

import argparse
import json
import re
from decimal import Decimal
from pathlib import Path

import hands
import numpy as np
import pypdfium2
from PIL import Image, ImageFilter

DPI = 200
PX = DPI / 25.4


def fill(page: Image.Image, blanks: list, texts: dict[str, str], hand: hands.Hand, rng) -> Image.Image:
    """Writes into the boxes of a page. texts: "X…" is something else, "" nothing."""
    paper = np.asarray(page.convert("L"), np.float32)
    ink_dark = rng.uniform(0.55, 0.95)
    for _, left, top, right, bottom, cell in blanks:
        text = texts.get(cell, "")
        if not text:
            continue
        ink = hand.something_else() if text[0] == "X" else hand.text(text)
        room = (right - left - 0.8) * hands.MM / ink.shape[1], (bottom - top - 0.4) * hands.MM / ink.shape[0]
        scale = min(1.0, *room) * PX / hands.MM
        wide, high = max(1, round(ink.shape[1] * scale)), max(1, round(ink.shape[0] * scale))
        image = Image.fromarray((ink * 255).astype(np.uint8)).resize((wide, high), Image.Resampling.BILINEAR)
        x = left * PX + rng.uniform(0.2, 0.8) * max(0, (right - left) * PX - wide)
        y = top * PX + np.clip(rng.normal(0.5, 0.12), 0.1, 0.9) * max(0, (bottom - top) * PX - high)
        part = paper[round(y) : round(y) + high, round(x) : round(x) + wide]
        drawn = np.asarray(image, np.float32)[: part.shape[0], : part.shape[1]] / 255
        part *= 1 - ink_dark * drawn
    return Image.fromarray(paper.astype(np.uint8))


def distort(page: Image.Image, way: str, rng) -> Image.Image:
    """As a scanner, a phone or a copier of one bit sees it."""
    wide, high = page.size
    paper = np.asarray(page, np.float32)
    if way == "phone":
        yy, xx = np.mgrid[0:high, 0:wide].astype(np.float32)
        bend = rng.uniform(-6, 6) * np.sin(np.pi * xx / wide + rng.uniform(0, 1))
        rows = np.clip(yy + bend, 0, high - 1).astype(int)
        paper = paper[rows, xx.astype(int)]
        paper *= 0.72 + 0.25 * (xx / wide * rng.uniform(-1, 1) + yy / high * rng.uniform(-1, 1)) / 2
        image = Image.fromarray(np.clip(paper, 0, 255).astype(np.uint8))
        loose = [rng.normal(0, 0.012, 2) for _ in range(4)]
        big = (round(wide * 1.12), round(high * 1.12))
        corners = [(0.05, 0.05), (0.05, 0.95), (0.95, 0.95), (0.95, 0.05)]
        to = [((x + dx) * big[0], (y + dy) * big[1]) for (x, y), (dx, dy) in zip(corners, loose, strict=True)]
        source = [(0, 0), (0, high), (wide, high), (wide, 0)]
        image = image.transform(
            big,
            Image.Transform.PERSPECTIVE,
            _coefficients(to, source),
            Image.Resampling.BILINEAR,
            fillcolor=90,
        )
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 1.1)))
        noise = 5
    else:
        image = Image.fromarray(paper.astype(np.uint8)).rotate(
            rng.normal(0, 0.7), Image.Resampling.BILINEAR, fillcolor=255
        )
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.9)))
        noise = 3
    seen = np.asarray(image, np.float32) + rng.normal(0, noise, image.size[::-1])
    if way == "bits":
        seen = np.where(seen > rng.uniform(140, 190), 255, 0)
    return Image.fromarray(np.clip(seen, 0, 255).astype(np.uint8))


def _coefficients(to, source):
    rows = []
    for (x, y), (u, v) in zip(to, source, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    return np.linalg.solve(np.array(rows, float), np.array(source, float).ravel())


def answers_for(cells, calculation, rng) -> tuple[dict[str, str], dict[str, str]]:
    """What a pupil writes, and what each box is: right, slip, other (no number), empty."""
    texts, kinds = {}, {}
    for cell in dict.fromkeys(cells):
        name, index = re.fullmatch(r"(.*)\[([\d,]*)\]", cell).groups()
        quantity = calculation["quantities"].get(name)
        if quantity is None:
            continue
        value = quantity["hand"]
        for place in index.split(",") if index else []:
            value = value[int(place)]
        if value is None:
            continue
        places = quantity["places"] or 0
        right = str(Decimal(str(value)).quantize(Decimal(1).scaleb(-places)))
        draw = rng.random()
        if draw < 0.05:
            texts[cell], kinds[cell] = "", "empty"
        elif draw < 0.10:
            texts[cell], kinds[cell] = "X", "other"
        elif draw < 0.28:
            wrong = Decimal(right) + Decimal(int(rng.integers(3, 60)) * int(rng.choice([-1, 1]))).scaleb(
                -places
            )
            texts[cell], kinds[cell] = str(wrong).replace(".", ","), "slip"
        else:
            texts[cell], kinds[cell] = right.replace(".", ","), "right"
    return texts, kinds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sheet", type=Path)
    parser.add_argument("packages", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pupils", type=int, default=3)
    parser.add_argument("--way", default="scanner")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    stuff = hands.material(given.packages, "test")
    rng = np.random.default_rng(given.seed)
    fields = json.loads((given.sheet / "felder.json").read_text())["karten"][0]["felder"]
    calculation = json.loads((given.sheet / "rechnung.json").read_text())
    with pypdfium2.PdfDocument(given.sheet / "arbeitsblatt.pdf") as document:
        empty = [document[n].render(scale=DPI / 72, grayscale=True).to_pil() for n in range(len(document))]
    told = []
    for pupil in range(1, given.pupils + 1):
        hand = hands.Hand(rng, stuff, of_fonts=0.6)
        texts, kinds = answers_for([field[5] for field in fields], calculation, rng)
        pages = []
        for number, page in enumerate(empty, 1):
            blanks = [field for field in fields if field[0] == number]
            pages.append(distort(fill(page, blanks, texts, hand, rng), given.way, rng))
        pages[0].save(given.out / f"{pupil:02}.pdf", save_all=True, append_images=pages[1:], resolution=DPI)
        told.append({"texts": texts, "kinds": kinds})
    (given.out / "answers.json").write_text(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
