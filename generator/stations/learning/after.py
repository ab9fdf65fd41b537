"""Station 11: a head's matrices, gradient and step; all weights that changed; the new loss beside the old."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from markupsafe import Markup

from engine.trace import place_of
from generator.basics.errors import in_words
from generator.options.course import id_of_block
from generator.sheet.columns import Column, even
from generator.sheet.desk import Desk
from generator.sheet.sheet import CellContent, Number, Parts, Row, Solution, Table, Vector, Words, parts
from generator.stations.before_after import key_only
from generator.stations.common import (
    Tasks,
    block_input,
    columns_table,
    counted,
    learning_of,
    room_for_products,
)
from generator.stations.learning.output import (
    PROBABILITY,
    VECTORS,
    exercise_words,
    rate_text,
    right_word,
    step_check,
    wrong_words,
)
from generator.stations.next_word import last_vector
from generator.stations.worked_lines import products_line, products_relation

_NEW: Final = "after.temperature1."
_WIDEST_EXP: Final = 12  # characters; longer ones are given
_TERMS_A_LINE: Final = 4
_DOES: Final = {
    -1: ("falls", "kleiner als"),
    0: ("stays", "so groß wie"),
    1: ("rises", "größer als"),
}  # the loss
_MOST_SAMPLES: Final = 3  # changed weights left to the pupil
_ROWS_TOGETHER: Final = 6  # so that a table may begin where a page has some room left
_MOST_MATRIX_CELLS: Final = 300  # new weights that are printed in full
_SYMBOLS: Final = {"gamma": "γ", "beta": "β"}


def after_part(desk: Desk, tasks: Tasks) -> Parts:
    """The forward pass again: the new logits given, softmax and loss of the right word to compute."""
    learning = learning_of(desk)
    right, words = right_word(desk), desk.vocabulary
    table = _after_table(desk, [right])
    tasks.add("after", "Berechne", "I", table)
    loss = desk.number("after.loss", blank=True)
    tasks.add("after_loss", "Bestimme", "I", loss, points=2)
    change = desk.quantity("after.logit").values - desk.quantity("logit").values
    change[right] *= -1  # its logit was to rise, the others to fall
    astray = [int(word) for word in np.argsort(-change, kind="stable") if change[word] > 0]
    before, after = learning.losses()
    places = desk.quantity("loss").places
    exact = [desk.constant(value, places) for value in learning.losses(hand=False)]
    does, how = _DOES[(after > before) - (after < before)]
    return parts(
        old_copied=desk.asks("logit"),
        table=table,
        loss=loss,
        change=does,
        compared=Solution(f"{how} der alte ({desk.number('loss').text})"),
        losses=[Solution(desk.number(name).text) for name in ("loss", "after.loss")],
        exact=(exact[0], exact[1]),
        p_before=Solution(desk.number(PROBABILITY, right).text),
        p_after=Solution(desk.number(_NEW + "probability", right).text),
        astray=Solution(in_words([f"„{words[word]}“" for word in astray])),
    )


def questions(tasks: Tasks, path: str) -> None:
    """The questions on the short form, which stand behind it."""
    tasks.add("loss_size", "Deute", "II", points=2)
    tasks.add("lower", "Begründe", "II", points=3)
    if path != "ausgabe":
        tasks.add("astray", "Begründe", "II", points=2)


def checked_part(desk: Desk, tasks: Tasks) -> Parts:
    """The new logits that the short form gave, found with the new vectors."""
    path = learning_of(desk).lesson.path
    words = {"ausgabe": exercise_words(desk), "alles": [right_word(desk)]}.get(path, [])
    lines = [_logit_line(desk, word, after=path == "alles") for word in words]
    if lines:
        tasks.add("logits", "Berechne", "I", points=len(lines))
    return parts(worked=_worked_logit(desk) if path == "ausgabe" else None, lines=lines)


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
    factors = last_vector(desk).numbers if y is None else y
    line, logit = room_for_products(desk, factors, new, _TERMS_A_LINE), desk.number("after.logit", word)
    line = replace(line, text=f"{line.text} {products_relation(factors, new, logit)} {logit.text}")
    return parts(word=desk.vocabulary[word], vector=Vector(new), line=line, logit=key_only(logit.text))


def _after_table(desk: Desk, rest: Sequence[int]) -> list[Table]:
    """rest: the words whose e^x and share are left to the pupil.

    Where a word has the same new logit as one of them, its numbers would tell theirs.
    """
    writable = len(desk.number(_NEW + "exp_sum").text) <= _WIDEST_EXP
    new = desk.quantity("after.logit").values
    asked = [int(word) for word in np.flatnonzero(np.isin(new, new[list(rest)]))]
    columns: dict[str, Sequence[CellContent]] = {
        "before.logit": desk.numbers("logit"),
        "logit": desk.numbers("after.logit"),
        "exp": desk.numbers(_NEW + "exp", blank=asked if writable else ()),
        "probability": desk.numbers(_NEW + "probability", blank=asked),
    }
    sums = {"exp": desk.number(_NEW + "exp_sum", blank=writable)}
    return columns_table(desk.vocabulary, columns, [sums.get(name, Words("")) for name in columns])


def changed_part(desk: Desk, tasks: Tasks, done: Iterable[Number]) -> Parts:
    """Every changed weight by one entry with a large gradient; small models: all new numbers too.

    done: what the pupil has worked out already, e.g. in the matrices of one head; it is not printed again.
    """
    places = map(place_of, learning_of(desk).names)
    names = [each._replace(way="").name for each in places if each.way == "step." and each.block]
    withheld = {(number.name, number.index) for number in done if number.blank}
    sizes = {name: desk.quantity("step." + name).values.size for name in names}
    cells = sum(sizes.values())
    biases = sum(size for name, size in sizes.items() if place_of(name).last in ("b_1", "b_2"))
    shown = names if cells <= _MOST_MATRIX_CELLS else []
    of_steps = {name for name, _ in withheld}
    known = _values(desk, withheld)
    largest = {name: _largest(desk, name, known) for name in names if "step." + name not in of_steps}
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

    body = tuple(Row(str(i + 1), tuple(cell(i, j) for j in range(columns))) for i in range(rows))
    return parts(
        label=_label(desk, name),
        table=Table(
            tuple(counted(columns)), body, even(columns, Column.FEW_DIGITS, Column.DENSE_UNIT), dense=True
        ),
    )


_LAYERS: Final = {"": "", "norm1": "Norm 1", "norm2": "Norm 2", "ffn": "FFN"}


def _label(desk: Desk, name: str) -> Markup:
    """W_Q of head 1, in block 2: how the table of changed weights calls them."""
    place = place_of(name)
    block = f"B{place.block}" if desk.sizes.n_blocks > 1 else ""
    where = [block, f"Head {place.head}" if place.head else _LAYERS[place.layer]]
    letter, _, index = place.last.partition("_")
    symbol = f"{letter}<sub>{index}</sub>" if index else _SYMBOLS[place.last]
    return Markup(", ".join([part for part in where if part] + [symbol]))


_LETTERS: Final = {"W_Q": "query", "W_K": "key", "W_V": "value"}


def matrix_steps(desk: Desk, at: str, tasks: Tasks) -> Parts:
    """One column of W_Q, gradient and step; one entry each of W_K and W_V."""
    last, d = desk.n - 1, desk.sizes.d_model
    written = min(desk.sizes.d_head, WRITTEN)
    column = int(np.argmax(np.abs(desk.quantity(f"gradient.{at}query").values[last, :written])))
    columns: dict[str, Sequence[CellContent]] = {
        "x": [block_x(desk, last, c) for c in range(d)],
        "gradient": [desk.number(f"gradient.{at}W_Q", c, column, blank=True) for c in range(d)],
        "old": [desk.weight(at + "W_Q", c, column) for c in range(d)],
        "new": [desk.number(f"step.{at}W_Q", c, column, blank=True) for c in range(d)],
    }
    table = columns_table(counted(d), columns, narrow=True)
    tasks.add("matrix", "Berechne", "I", table)
    entries = {W: _entry(desk, at, W, tasks) for W in ("W_K", "W_V")}
    rows = sorted({entry.row for entry in entries.values()})
    inputs = {str(row): [block_x(desk, j, row - 1) for j in range(desk.n)] for row in rows}
    return parts(
        source=_source(desk),
        column=column + 1,
        matrix=table,
        check=step_check(desk, f"{at}W_Q", [(c, column) for c in range(d)]),
        inputs=columns_table(desk.words, inputs),
        inputs_copied=any(number.blank for column in inputs.values() for number in column),
        entries=entries,
        rate=rate_text(desk),
    )


def _source(desk: Desk) -> str:
    """The station that has made what the last block reads."""
    if desk.sizes.n_blocks > 1:
        return id_of_block(desk.sizes.n_blocks - 1)
    return "3" if desk.has("positional_encoding") else "2"


def asked_entry(desk: Desk, at: str, W: str) -> tuple[int, int]:
    """The place of the largest gradient in the columns that are computed."""
    sizes = np.abs(desk.quantity(f"gradient.{at}{W}").values[:, :WRITTEN])
    row, column = np.unravel_index(int(np.argmax(sizes)), sizes.shape)
    return int(row), int(column)


def _entry(desk: Desk, at: str, W: str, tasks: Tasks) -> Parts:
    """The entry with the largest gradient: a sum over all tokens, and its step."""
    kind = _LETTERS[W]
    row, column = asked_entry(desk, at, W)
    components = [block_x(desk, j, row) for j in range(desk.n)]
    gradients = [desk.number(f"gradient.{at}{kind}", j, column) for j in range(desk.n)]
    gradient = desk.number(f"gradient.{at}{W}", row, column, blank=True)
    new = desk.number(f"step.{at}{W}", row, column, blank=True)
    tasks.add(W, "Bestimme", "II", gradient, new, points=3)
    return parts(
        row=row + 1,
        column=column + 1,
        line=room_for_products(desk, components, gradients),
        gradient=gradient,
        old=desk.weight(at + W, row, column).text,
        new=new,
    )


WRITTEN: Final = 2  # components of a query's, key's and value's gradient that are computed


def block_x(desk: Desk, token: int, component: int) -> Number:
    return desk.number(block_input(desk.sizes.n_blocks), token, component)
