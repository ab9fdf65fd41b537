"""The calculations on a page, as a reader finds them: lines with = and ≈, rows of products, sums."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import cos, exp, sin
from xml.etree.ElementTree import Element

from reading import classes, text_of

SPACES = str.maketrans({"\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": "", "\u2060": ""})
NUMBER = re.compile(r"−?\d+(?:[.,]\d+)?")
BY_ROUNDED = re.compile(r": \d+[.,]\d")  # a divisor such as √d_k, which is rounded itself
TWO_SIGNS = re.compile("[·:+] ?−")  # a negative number stands in brackets there
_LINE = re.compile(r"(?:e hoch )?[\d,.()−·:+√² ]+(?:[=≈][\d,.()−·:+√² ]+)+")
_FUNCTION = re.compile(r"(sin|cos)\(([\d.,]+)\)\s+≈\s+(−?\d+(?:[.,]\d+)?)")
_CALCULATION = re.compile(r"[\d,.()−·:+√² ]*\d[) ]* (?:[·:+] [\d,.()−·:+√² ]+)+")
_BLOCKS = {"p", "td", "th", "li", "div", "br", "tr", "caption", "h1", "h2", "h3"}
_NOT_READ = ("script", "style", "svg", "math")


def lines_of(element: Element) -> str:
    """The text of a page, every block on a line of its own; pictures and formulas are breaks.

    The frame of a blank is as good as brackets around a negative number.
    """
    if "blank" in classes(element) and shown(element).startswith("−"):
        return f"({shown(element)})"
    if str(element.tag).rpartition("}")[2] in _NOT_READ:
        return " \n "
    inside = (element.text or "") + "".join(lines_of(child) + (child.tail or "") for child in element)
    return f"\n{inside}\n" if element.tag in _BLOCKS else inside


def value(text: str) -> Fraction | None:
    """What an expression comes to; None where it is none."""
    plain = text.strip().replace("−", "-").replace(",", ".")
    if root := re.fullmatch(r"√(\d+(?:\.\d+)?)", plain):
        return Fraction(Decimal(root[1]).sqrt())
    if power := re.fullmatch(r"e hoch \(?(-?\d+(?:\.\d+)?)\)?", plain):
        return Fraction(exp(float(power[1])))
    plain = plain.replace("²", "**2").replace("·", "*").replace(":", "/")
    try:
        return eval(re.sub(r"\d+(\.\d+)?", lambda n: f"F('{n[0]}')", plain), {"F": Fraction})
    except (SyntaxError, TypeError):
        return None


def places(text: str) -> int:
    return len(re.sub(r"\d+[.,]?", "", text.strip(" ()−"), count=1))


def rounds_to(exact: Fraction, written: str) -> bool:
    """Half away from zero, in as many places as are written."""
    return abs(exact - value(written)) <= Fraction(1, 2 * 10 ** places(written))


def balanced(text: str) -> str:
    """The end of a text in which no bracket is closed that was not opened."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[place], 0)
        if depth < 0:
            return text[place + 1 :]
    return text


def wrong_lines(root: Element) -> tuple[list[str], int]:
    """Lines like „0,8 · 1,1 + 0,1 ≈ 0,98“ that do not hold, and how many were read.

    = stands where nothing is rounded; ≈ only where something is, be it the divisor √d_k.
    """
    wrong, read = [], 0
    text = lines_of(root).translate(SPACES)
    for name, angle, written in _FUNCTION.findall(text):
        read += 1
        exact = Fraction({"sin": sin, "cos": cos}[name](value(angle)))
        wrong += [] if rounds_to(exact, written) else [f"{name}({angle}) ≈ {written}"]
    for line in text.splitlines():
        for found in _LINE.finditer(line):
            parts, signs = re.split("[=≈]", found[0]), re.findall("[=≈]", found[0])
            wrong += [found[0]] if TWO_SIGNS.search(found[0]) else []
            parts[0] = balanced(parts[0])
            values = [*map(value, parts)]
            for n, (sign, before, after) in enumerate(zip(signs, values, values[1:], strict=False)):
                if before is not None and after is not None:
                    read += 1
                    holds = before == after if sign == "=" else rounds_to(before, parts[n + 1])
                    holds &= sign == "=" or before != after or BY_ROUNDED.search(parts[n]) is not None
                    wrong += [] if holds else [found[0]]
    return wrong, read


def wrong_rows(root: Element) -> tuple[list[str], int]:
    """Rows whose sum of products does not lead to the number beside it, and how many were read."""
    wrong, read = [], 0
    for row in root.iter("tr"):
        for products, result in pairwise(row):
            exact = value(shown(products)) if _CALCULATION.fullmatch(shown(products)) else None
            if exact is not None and NUMBER.fullmatch(shown(result)):
                read += 1
                if any(part.get("data-q", "").endswith(".norm") for part in result.iter()):
                    exact = Fraction((Decimal(exact.numerator) / exact.denominator).sqrt())
                holds = rounds_to(exact, shown(result)) and not TWO_SIGNS.search(shown(products))
                wrong += [] if holds else [f"{shown(products)} | {shown(result)}"]
    return wrong, read


def wrong_sums(root: Element) -> tuple[list[str], int]:
    """Sums below a column whose numbers add up to something else, and how many were read."""
    wrong, read, before = [], 0, []
    for table in root.iter("table"):
        rows = [[shown(cell) for cell in row] for row in table.iter("tr")]
        if before and before[0] == rows[0]:  # the same table goes on
            rows = before + rows[1:]
        before = rows
        for place, total in enumerate(rows):
            if total[0] not in ("Summe", "Σ"):
                continue
            before = []
            kept = [row for row in rows[1:place] if "–" not in row]  # what top-p drops does not count
            for column, written in enumerate(total):
                above = [value(row[column]) for row in kept if NUMBER.fullmatch(row[column])]
                if NUMBER.fullmatch(written) and above and len(above) == len(kept):
                    read += 1
                    wrong += [] if sum(above) == value(written) else [f"column {column}: {written}"]
    return wrong, read


def shown(cell: Element) -> str:
    """The number or words of a cell, without the range that the key prints beside it."""
    written = next((part for part in cell.iter() if "value" in classes(part)), cell)
    return text_of(written).translate(SPACES).strip()
