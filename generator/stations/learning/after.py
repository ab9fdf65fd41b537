"""Station 11 after the step: every weight that changed, and the new loss beside the old one."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from markupsafe import Markup

from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import CellContent, Number, Parts, Row, Solution, Table, Vector, Words, parts
from generator.stations.common import Tasks, columns_table, counted, learning_of
from generator.stations.learning.output import (
    PROBABILITY,
    VECTORS,
    exercise_words,
    probabilities_copied,
    right_word,
    wrong_words,
)
from generator.stations.next_word import last_vector
from generator.stations.worked_lines import products_line

_NEW: Final = "after.temperature1."
_WIDEST_EXP: Final = 12  # characters; longer ones are given
_MOST_NAMED: Final = 4  # words of a list in a sentence
_MOST_SAMPLES: Final = 3  # changed weights left to the pupil
_ROWS_TOGETHER: Final = 6  # so that a table may begin where a page has some room left
_MOST_MATRIX_CELLS: Final = 300  # new weights that are printed in full
_SYMBOLS: Final = {
    "W_Q": "W<sub>Q</sub>",
    "W_K": "W<sub>K</sub>",
    "W_V": "W<sub>V</sub>",
    "W_O": "W<sub>O</sub>",
    "W_1": "W<sub>1</sub>",
    "W_2": "W<sub>2</sub>",
    "b_1": "b<sub>1</sub>",
    "b_2": "b<sub>2</sub>",
    "gamma": "γ",
    "beta": "β",
}


def after_part(desk: Desk, tasks: Tasks) -> Parts:
    """The forward pass again: new logits (to compute where only their vectors changed), softmax, loss."""
    learning = learning_of(desk)
    alone = learning.lesson.path == "ausgabe"
    right, words = right_word(desk), desk.vocabulary
    exercises = exercise_words(desk)
    logits = exercises if alone else [right] if learning.lesson.path == "alles" else []
    table = _after_table(desk, logits, exercises if alone else [right])
    tasks.add("after", "Berechne", "I", table)
    loss = desk.number("after.loss", blank=True)
    tasks.add("after_loss", "Bestimme", "I", loss, points=2)
    tasks.add("lower", "Begründe", "II", points=3)
    if not alone:
        tasks.add("astray", "Begründe", "II", points=2)
    change = desk.quantity("after.logit").values - desk.quantity("logit").values
    change[right] *= -1  # its logit was to rise, the others to fall
    before, after = learning.losses()
    places = desk.quantity("loss").places
    exact = [desk.constant(value, places) for value in learning.losses(hand=False)]
    return parts(
        alone=alone,
        worked=_worked_logit(desk) if alone else None,
        lines=[_logit_line(desk, word, after=not alone) for word in logits],
        old_copied=desk.asks("logit"),
        table=table,
        before=desk.number("loss", blank=True),
        loss=loss,
        change="falls" if after < before else "rises" if after > before else "stays",
        exact=(exact[0], exact[1]),
        p_before=Solution(desk.number(PROBABILITY, right).text),
        p_after=Solution(desk.number(_NEW + "probability", right).text),
        astray=Solution(_named([words[word] for word in np.flatnonzero(change > 0)])),
    )


def _named(words: Sequence[str]) -> str:
    """„Die“, „der“ und 3 andere"""
    quoted = [f"„{word}“" for word in words]
    if len(quoted) > _MOST_NAMED:
        quoted = [*quoted[: _MOST_NAMED - 1], f"{len(quoted) - _MOST_NAMED + 1} andere"]
    return " und ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else "".join(quoted)


def _worked_logit(desk: Desk) -> Parts | None:
    """The most probable wrong word's new logit; its line only where the vector is printed."""
    wrong = wrong_words(desk)
    if not wrong:
        return None
    y, logit = last_vector(desk), desk.number("after.logit", wrong[0])
    new = desk.numbers("step." + VECTORS, wrong[0])
    return parts(
        word=desk.vocabulary[wrong[0]],
        line=None if y.blank else products_line(desk, y.numbers, new, logit),
        logit=logit,
    )


def _logit_line(desk: Desk, word: int, after: bool) -> Parts:
    """Room for y · e with the new vector of the word; after: y is new too."""
    new = desk.numbers("step." + VECTORS, word)
    y = desk.numbers(f"after.block{desk.sizes.n_blocks}.norm2.output", desk.n - 1) if after else None
    line = desk.products(last_vector(desk).numbers if y is None else y, new)
    return parts(
        word=desk.vocabulary[word], vector=Vector(new), line=Solution(line.text, rows=-(-len(new) // 5))
    )


def _after_table(desk: Desk, logits: Sequence[int], rest: Sequence[int]) -> list[Table]:
    """logits: the words whose logit is left to the pupil; rest: those whose e^x and share are.

    Where a word has the same new logit as one of them, its numbers would tell theirs. The old probabilities
    stand here only where the pupil has not copied them at the station's beginning.
    """
    count = len(desk.vocabulary)
    total = desk.number(_NEW + "exp_sum")
    writable = len(total.text) <= _WIDEST_EXP
    new = desk.quantity("after.logit").values
    asked = [int(word) for word in np.flatnonzero(np.isin(new, new[list(rest)]))]

    def column(name: str, empty: Sequence[int]) -> list[Number]:
        return [desk.number(name, word, blank=word in empty) for word in range(count)]

    columns: dict[str, Sequence[CellContent]] = {
        "before.logit": desk.numbers("logit"),
        "logit": column("after.logit", logits),
        "exp": column(_NEW + "exp", asked if writable else ()),
    }
    if not probabilities_copied(desk):
        columns["before.probability"] = desk.numbers(PROBABILITY)
    columns["probability"] = column(_NEW + "probability", asked)
    sums = {"exp": desk.number(_NEW + "exp_sum", blank=writable)}
    return columns_table(desk.vocabulary, columns, [sums.get(name, Words("")) for name in columns])


def changed_part(desk: Desk, tasks: Tasks, done: Iterable[Number]) -> Parts:
    """Every changed weight by one entry with a large gradient; small models: all new numbers too.

    done: what the pupil has worked out already, e.g. in the matrices of one head; it is not printed again.
    """
    names = [name[len("step.") :] for name in learning_of(desk).names if name.startswith("step.block")]
    withheld = {(number.name, number.index) for number in done if number.blank}
    sizes = {name: desk.quantity("step." + name).values.size for name in names}
    cells, biases = sum(sizes.values()), sum(size for name, size in sizes.items() if ".b_" in name)
    shown = names if cells <= _MOST_MATRIX_CELLS else []
    of_steps = {name for name, _ in withheld}
    sampled = [name for name in names if "step." + name not in of_steps]
    known = _values(desk, withheld)
    largest = {name: _largest(desk, name, known) for name in sampled}
    samples = {name: place for name, place in largest.items() if place is not None}
    sampled = list(samples)
    withheld |= {("step." + name, index) for name, index in samples.items()}
    written = _values(desk, withheld)
    empty = set(sampled[:: max(1, -(-len(sampled) // _MOST_SAMPLES))])
    columns: dict[str, Sequence[CellContent]] = {
        "place": [Words(" | ".join(str(i + 1) for i in samples[name])) for name in sampled],
        "gradient": [desk.number("gradient." + name, *samples[name]) for name in sampled],
        "old": [desk.weight(name, *samples[name]) for name in sampled],
        "new": [desk.number("step." + name, *samples[name], blank=name in empty) for name in sampled],
    }
    labels = [_label(desk, name) for name in sampled]
    table = columns_table(labels, columns, most=_ROWS_TOGETHER) if sampled else []
    if table:
        tasks.add("changed", "Berechne", "I", table)
    full = [_in_full(desk, name, written) for name in shown]
    return parts(table=table, full=full, count=desk.constant(cells, 0), biases=desk.constant(biases, 0))


def _values(desk: Desk, cells: Iterable[tuple[str, tuple[int, ...]]]) -> frozenset[float]:
    """The numbers of some cells as they are, unrounded: those of a bias are those of its layer's gradient."""
    exact = learning_of(desk).exact
    found = (_unrounded(float(exact[name].values[index])) for name, index in cells if name in exact)
    return frozenset(value for value in found if value not in (0.0, 1.0, -1.0))


def _unrounded(value: float) -> float:
    """Numbers that differ by less than any calculation does are the same."""
    return round(value, 11)


def _largest(desk: Desk, name: str, known: frozenset[float]) -> tuple[int, ...] | None:
    """The place of the largest gradient that the pupil has not worked out elsewhere under another name.

    None where nothing else changes.
    """
    values = learning_of(desk).exact["gradient." + name].values
    order = [np.unravel_index(place, values.shape) for place in np.argsort(-np.abs(values), axis=None)]
    places = [tuple(int(i) for i in place) for place in order]
    own = [place for place in places if _unrounded(float(values[place])) not in known]
    changing = [place for place in own if desk.quantity("gradient." + name).values[place]]
    return next(iter(changing), None)


def _in_full(desk: Desk, name: str, written: frozenset[float]) -> Parts:
    """All new numbers of a weight; a dot for those that stand above or are the pupil's."""
    exact = learning_of(desk).exact["step." + name].values
    quantity = desk.quantity("step." + name)
    vector = quantity.values.ndim == 1
    rows, columns = (1, quantity.values.size) if vector else quantity.values.shape

    def cell(i: int, j: int) -> CellContent:
        index = (j,) if vector else (i, j)
        known = _unrounded(float(exact[index])) in written
        return Words("·") if known else desk.number("step." + name, *index)

    width = min(14.0, (TEXT_WIDTH - 12.0) / columns)
    body = tuple(Row(str(i + 1), tuple(cell(i, j) for j in range(columns))) for i in range(rows))
    return parts(
        label=_label(desk, name),
        table=Table(tuple(counted(columns)), body, (8.0,) + (width,) * columns, dense=True),
    )


def _label(desk: Desk, name: str) -> Markup:
    """W_Q of head 1, in block 2: how the table of changed weights calls them."""
    block, *middle, last = name.split(".")
    of = {"head": "Head ", "norm": "Norm ", "ffn": "FFN"}
    kinds = [part.rstrip("0123456789") for part in middle]
    where = [of[kind] + part.removeprefix(kind) for kind, part in zip(kinds, middle, strict=True)]
    if desk.sizes.n_blocks > 1:
        where.insert(0, "B" + block.removeprefix("block"))
    return Markup(", ".join([*where, _SYMBOLS[last]]))
