"""Station 4b: a query to design with which a head finds a word, drawn among the keys."""

import math
from typing import Final

import numpy as np

from engine.numbers.arrays import GUARD, Floats
from generator.figures.drawing import Canvas, Point, shortened
from generator.figures.labels import Labels
from generator.figures.parts import quoted
from generator.sheet.desk import Desk
from generator.sheet.sheet import Drawing, Figure, Finding, Parts, parts
from generator.stations.self_attention.attention_row import name_beside
from generator.stations.worked_lines import seen_by

_SIZE: Final = 58.0  # mm of the picture's sides
_LETTERS: Final = 2.8
_TICKS: Final = 2.6
_LONGEST: Final = 20.0  # mm, of a word
_REACH: Final = 2  # of a component of the queries that the key names
_MOST: Final = 5  # words: with more, the station would take a page more
_NAMED: Final = 3  # queries on the key
_BESIDE: Final = 0.15  # of the components, from an arrow to a key's point
_LEAST: Final = 0.05  # by which a score leads, for a query of length 1


def design(desk: Desk) -> Parts | None:
    """Queries that find a word which the path's word hardly finds, in the head where most words can be found.

    None where no picture shows the keys, or no other word can be found. found: of each word a
    query, its score and the next word’s. never: the words that no query finds, hardly: those that
    only a query finds which no drawing tells from others.
    """
    heads = [each for k in range(1, desk.sizes.n_heads + 1) if (each := _design(desk, k))]
    return max(heads, key=lambda each: each[0])[1] if heads else None


def _design(desk: Desk, head: int) -> tuple[tuple[int, int], Parts] | None:
    """How many words can be found and the head, to choose by; and the task."""
    at = f"block1.head{head}."
    seen = seen_by(desk, at + "weight", desk.path)
    if desk.sizes.d_head != 2 or len(seen) < desk.n or desk.n > _MOST or desk.asks(at + "key"):
        return None
    keys = desk.quantity(at + "key").values  # (n, 2)
    best, leaders = queries(keys), desk.largest(at + "weight", desk.path)
    weights = desk.quantity(at + "weight").values[desk.path]
    others = [j for j in best if j not in (*leaders, desk.path) and weights[j] < 1 / len(seen)]
    if not others:
        return None
    never = [j for j in range(desk.n) if not _is_corner(keys, j)]
    named = [best[j] for j in others[:_NAMED]]
    shown = next((q for q in named if _runs_clear(keys, q)), named[0])
    return (len(others), head), parts(
        head=head,
        figure=_figure(desk, at, shown),
        found=[_found(desk, at, j, best[j]) for j in others[:_NAMED]],
        never=[desk.words[j] for j in never],
        hardly=[desk.words[j] for j in range(desk.n) if j not in never and j not in best],
    )


def queries(keys: Floats) -> dict[int, tuple[int, int]]:
    """For each word that a query of small integers clearly finds the one that leads most for its length.

    keys: (n, 2). The best word comes first.
    """
    found: dict[int, tuple[float, tuple[int, int]]] = {}
    steps = range(-_REACH, _REACH + 1)
    for q in ((x, y) for x in steps for y in steps if x or y):
        scores = keys @ np.array(q, dtype=float)
        first, second = np.argsort(-scores, kind="stable")[:2]
        lead = float(scores[first] - scores[second]) / math.hypot(*q)
        if lead >= _LEAST and lead > found.get(int(first), (0.0, q))[0] + GUARD:
            found[int(first)] = lead, q
    return {j: q for j, (_, q) in sorted(found.items(), key=lambda each: -each[1][0])}


def _runs_clear(keys: Floats, q: tuple[int, int]) -> bool:
    """Whether the arrow to a query leaves every key to be seen."""
    arrow = np.array(q, dtype=float)
    along = np.clip(keys @ arrow / (arrow @ arrow), 0.0, 1.0)
    return bool(np.hypot(*(keys - np.outer(along, arrow)).T).min() >= _BESIDE)


def _is_corner(keys: Floats, word: int) -> bool:
    """Whether some query gives this key alone the largest score: the others lie in less than a half turn."""
    away = np.delete(keys, word, 0) - keys[word]
    if (np.hypot(*away.T) < GUARD).any():
        return False
    turns = np.sort(np.arctan2(away[:, 1], away[:, 0]))
    gaps = np.diff(np.append(turns, turns[0] + 2 * np.pi))
    return bool(gaps.max() > np.pi + GUARD)


def _found(desk: Desk, at: str, word: int, q: tuple[int, int]) -> Finding:
    key = desk.quantity(at + "key")
    scores = key.values @ np.array(q, dtype=float)
    second = int(np.argsort(-scores, kind="stable")[1])
    first, last = (desk.format.text(float(scores[j]), key.places or 0) for j in (word, second))
    return Finding(
        word=desk.words[word], query=pair(desk, q), score=first, next=desk.words[second], behind=last
    )


def pair(desk: Desk, q: tuple[int, int]) -> str:
    return "\N{NO-BREAK SPACE}|\N{NO-BREAK SPACE}".join(desk.format.text(x, 0) for x in q)


def _figure(desk: Desk, at: str, q: tuple[int, int]) -> Figure:
    keys = desk.quantity(at + "key").values
    reach = max(_REACH, int(np.ceil(np.abs(keys).max())))
    unit, middle = (_SIZE / 2 - 1.0) / reach, _SIZE / 2

    def place(x: float, y: float) -> Point:
        return middle + x * unit, middle - y * unit

    def draw(filled: bool) -> Drawing:
        canvas = Canvas()
        labels = Labels(canvas, (0.0, 0.0, _SIZE, _SIZE))
        steps = range(-reach, reach + 1)
        grid = [(place(k, -reach), place(k, reach)) for k in steps]
        grid += [(place(-reach, k), place(reach, k)) for k in steps]
        canvas.lines(grid, 0.1)
        for ends in grid:
            labels.avoid(*ends)
        canvas.line(place(-reach, 0), place(reach, 0), 0.4)
        canvas.line(place(0, -reach), place(0, reach), 0.4)
        if filled:
            canvas.arrow([place(0, 0), place(*q)], 0.9, 2.4)
        labels.avoid(place(0, 0), place(*q))  # on the worksheet, too: words stand where the key has them
        spots = [place(*map(float, key)) for key in keys]
        for x, y in spots:
            canvas.disc((x, y), 0.8)
            labels.block((x - 0.9, y - 0.9, x + 0.9, y + 0.9))
        for word, spot in zip(desk.words, spots, strict=True):
            name_beside(labels, shortened(word, _LONGEST, _LETTERS), spot, 1.6)
        for k in (each for each in (1, -1) if reach > 1):
            text = desk.constant(k, 0)
            x, y = place(k, 0)
            labels.put(text, [(x, y + 3.2, "middle"), (x, y - 1.4, "middle")], _TICKS)
            x, y = place(0, k)
            labels.put(text, [(x - 1.0, y + 0.9, "end"), (x + 1.0, y + 0.9, "start")], _TICKS)
        said = ", ".join(
            f"{quoted(word)} ({' | '.join(n.text for n in desk.numbers(at + 'key', j))})"
            for j, word in enumerate(desk.words)
        )
        arrow = f" Ein Pfeil von der Mitte bis ({pair(desk, q)})." if filled else ""
        return Drawing(canvas.shapes, f"Die Keys in einem Gitter: {said}.{arrow}")

    return Figure("Zum Zeichnen: eine Query zwischen den Keys", _SIZE, _SIZE, draw(True), draw(False))
