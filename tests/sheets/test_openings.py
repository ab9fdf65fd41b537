"""A booklet is copied on both sides: what a task takes lies open with it, or its page is named.

What each task takes is said here once more, by what it asks for; its place is that of the laid out boxes.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache

import pytest
from cases import BOOKLETS, Made, booklet, thorough_but

from engine.trace import place_of

LAST = {  # of what is asked for -> the row that it is worked out from
    "query": "input",
    "hidden": "block1.norm1.output",
    "logit": "block1.norm2.output",
}
DRAWN = {  # what tasks without numbers of their own need of the word of the path
    ("4b", "strip"): ("input", "block1.attention"),
    ("5", "strip"): ("input", "block1.norm1.output"),
    ("6", "strip"): ("block1.norm1.output", "block1.ffn.output"),
    ("7", "strip"): ("input", "block1.norm2.output", "block1.attention", "block1.ffn.output"),
    ("8", "plane"): ("block1.norm2.output",),
    ("8", "bars"): ("temperature1.probability",),
    ("8", "exchange"): ("block1.head2.weight", "temperature1.probability"),
}
every_booklet = pytest.mark.parametrize("sentence", thorough_but(BOOKLETS[:1], BOOKLETS[:-1]))


@dataclass
class Opened:
    """A booklet that lies open: the page of each id, the cells of each page, the references of each page."""

    made: Made
    pages: dict
    cells: dict
    named: dict

    def lying_open(self, page):
        return page - page % 2, page - page % 2 + 1

    def names_of(self, cell):
        return set(self.made.desk.names_of(cell[0], *cell[1]))

    def asked_on(self, cell):
        """The page of the task that asks for a number."""
        tasks = ((station, task) for station in self.made.sheet.stations for task in station.tasks.values())
        asking = (f"t{s.id}-{t.number}" for s, t in tasks if not self.names_of(cell).isdisjoint(t.cells))
        return self.pages.get(next(asking, None))


@cache
def opened(sentence):
    made = booklet(sentence)
    pages, cells, named = {}, defaultdict(set), defaultdict(set)
    for box in made.both.boxes:
        if box.id:
            pages.setdefault(box.id, box.page)
    for box in made.both.boxes:
        if box.element is not None and not box.tag.endswith(("::before", "::after")):
            if "data-q" in box.element.attrib:
                index = tuple(map(int, filter(None, box.element.get("data-i").split(","))))
                cells[box.page].add((box.element.get("data-q"), index))
            if "on-page" in box.classes:
                named[box.page].add(pages[box.element.get("href")[1:]])
    return Opened(made, pages, cells, named)


def taken(desk, station, name, task):
    """The cells that a task takes, as far as an exercise asks for them."""
    rows = {(of, desk.path) for of in DRAWN.get((station.id, name), ())}
    for of, index in task.cells:
        last = place_of(of).last
        if of == "entry.score":
            rows |= {("input", word) for word in index}
        elif last == "score":
            at = of.removesuffix("score")
            rows |= {(at + "query", index[0]), (at + "key", index[1])}
        elif last in LAST:
            rows.add((LAST[last], desk.path if last == "logit" else index[0]))
    for of, word in sorted(rows):
        values = desk.quantity(of).values
        for c in range(values.shape[-1]):
            cell = (of, (word, c) if values.ndim > 1 else (c,))
            if desk.asks(of, *cell[1]):
                yield cell


@every_booklet
def test_what_a_task_takes_lies_open_or_its_page_is_named(sentence):
    found = opened(sentence)
    lacking, looked = [], 0
    for station in found.made.sheet.stations:
        for name, task in station.tasks.items():
            page = found.pages[f"t{station.id}-{task.number}"]
            near = set().union(*(found.cells[each] for each in (*found.lying_open(page), *found.named[page])))
            for cell in taken(found.made.desk, station, name, task):
                looked += 1
                if found.names_of(cell).isdisjoint(near):
                    lacking.append(f"page {page}, station {station.id}, {name}: {cell}")
    assert lacking == []
    assert looked > 50


@every_booklet
def test_where_a_number_is_carried_over_from_is_said_beside_it(sentence):
    found = opened(sentence)
    copied = {number.cell for number in found.made.sheet.blanks() if number.copied}
    lacking, looked = [], 0
    for page, cells in found.cells.items():
        beside = found.lying_open(page)
        for cell in sorted(cells & copied):
            looked += 1
            origin = found.asked_on(cell)
            if origin not in beside and all(origin not in found.named[each] for each in beside):
                lacking.append(f"page {page}: {cell} of page {origin}")
    assert lacking == []
    assert looked > 20
