"""In: a task, an arithmetic and a pen. Out: every quantity with its axes and places, in order of calculation.

The pen decides what a later step reads: its `write` gives back the written values. The natural places of a
product are the sum of the two tables' places, of a sum the larger; a table of weights has the places that its
entries need at most.
"""

from __future__ import annotations

from typing import NamedTuple

from .arithmetics import Exact, NotPlayableError, places_needed
from .task import Task

TOKEN, TABLE, VECTORS = ("token",), ("token", "token"), ("token", "dim")
HEAD, HIDDEN, WORD = ("token", "head_dim"), ("token", "hidden"), ("word",)


class Form(NamedTuple):
    axes: tuple[str, ...]
    allowed: tuple[int, ...]  # places; the first is the reference's own choice


class Written(list):
    """A table with its places by the rule."""

    def __init__(self, values: list, places: int) -> None:
        super().__init__(values)
        self.places = places


class Pen:
    """Writes each quantity and keeps it with its form; masked cells stay None.

    places: of quantities that are written with others than the rule's.
    """

    def __init__(self, arithmetic, places: dict[str, int]) -> None:
        self.arithmetic, self.places = arithmetic, places
        self.page: dict = {}
        self.forms: dict[str, Form] = {}

    def write(self, name: str, axes: tuple[str, ...], values, *allowed: int):
        self.forms[name] = Form(axes, tuple(dict.fromkeys(allowed)))
        self.page[name] = self._rounded(values, self.places.get(name, allowed[0]))
        passed = self.passed_on(name)
        return Written(passed, allowed[0]) if axes else passed

    def passed_on(self, name: str):
        """What a later step reads of a quantity."""
        return self.page[name]

    def _rounded(self, values, places: int):
        if isinstance(values, list):
            return [self._rounded(value, places) for value in values]
        return None if values is None else self.arithmetic.rounded(values, places)


class Transformer:
    """One pass through the model, sentence by sentence of the contract's table."""

    def __init__(self, task: Task, arithmetic, pen: Pen) -> None:
        self.task, self.a, self.pen = task, arithmetic, pen
        self.weights = {name: self._given(values) for name, values in task.weights.items()}

    def _given(self, values: list) -> Written:
        return Written(self._numbers(values), places_needed(values))

    def _numbers(self, values):
        if isinstance(values, list):
            return [self._numbers(value) for value in values]
        return self.a.number(values)

    def run(self, unmasked: bool = True) -> dict:
        x, mentions = self.input("", self.task.embedding), self.task.mentions
        if mentions("similarity."):
            self.cosines("similarity", WORD, self._given(self.task.entering))
        if mentions("entry."):
            self.entry(x)
        if unmasked and (self.task.mask or mentions("unmasked.head1.")):
            self.head("unmasked.head1", "block1.head1", x, mask=False)
        for b in range(1, self.task.blocks + 1):
            x = self.block(f"block{b}", x, self.task.mask)
        self.output_layer(x[-1])
        return self.pen.page

    # --- small algebra -------------------------------------------------

    def dot(self, left, right):
        return self.a.total([p * q for p, q in zip(left, right, strict=True)])

    def times(self, rows, matrix, bias=None):
        columns = list(zip(*matrix, strict=True))
        bias = bias or [self.a.zero] * len(columns)
        return [[self.dot(row, column) + c for column, c in zip(columns, bias, strict=True)] for row in rows]

    @staticmethod
    def plus(left, right):
        return [[p + q for p, q in zip(*rows, strict=True)] for rows in zip(left, right, strict=True)]

    @staticmethod
    def divided(name, dividend, divisor):
        if not divisor:
            raise NotPlayableError(name)
        return dividend / divisor

    # --- steps ----------------------------------------------------------

    def input(self, at: str, vectors: list):
        task, pen = self.task, self.pen
        needed = places_needed(vectors)
        given = task.quantities.get(f"{at}embedding", {}).get("places", needed)
        places = given if given in (needed, max(1, needed)) else needed
        embedding = pen.write(f"{at}embedding", VECTORS, self._numbers(vectors), places)
        if task.positions or task.mentions("positional_encoding"):
            d = task.dimension
            rows = range(len(vectors))
            waves = [[self.a.sine_cosine(row, i // 2, d)[i % 2] for i in range(d)] for row in rows]
            positions = pen.write(f"{at}positional_encoding", VECTORS, waves, 3)
        if not task.positions:
            return pen.write(f"{at}input", VECTORS, embedding, places)
        return pen.write(f"{at}input", VECTORS, self.plus(embedding, positions), 1)

    def softmax(self, path: str, scaled):
        """exp, exp_sum and weight of every row; None cells take no part."""
        write, n = self.pen.write, self.task.decimals
        exps = [[s if s is None else self.a.exp(s) for s in row] for row in scaled]
        exp = write(f"{path}.exp", TABLE, exps, n)
        totals = [self.a.total([e for e in row if e is not None]) for row in exp]
        sums = write(f"{path}.exp_sum", TOKEN, totals, n)
        name = f"{path}.weight"
        rows = zip(exp, sums, strict=True)
        shares = [[None if e is None else self.divided(name, e, total) for e in row] for row, total in rows]
        return write(name, TABLE, shares, n)

    def mixture(self, weight, value):
        """Σ weight · value over the visible tokens."""
        columns = list(zip(*value, strict=True))
        visible = [[(j, w) for j, w in enumerate(row) if w is not None] for row in weight]
        return [[self.a.total([w * column[j] for j, w in row]) for column in columns] for row in visible]

    def entry(self, x):
        write, n = self.pen.write, self.task.decimals
        products = [[self.dot(row, other) for other in x] for row in x]
        score = write("entry.score", TABLE, products, min(n, 2 * x.places))
        output = write("entry.output", VECTORS, self.mixture(self.softmax("entry", score), x), n)
        self.cosines("entry", TOKEN, output)

    def cosines(self, path: str, axis: tuple[str], vectors):
        """Lengths, dot products and cosines; lengths that round to 0 at N places have no direction."""
        write, n, squares = self.pen.write, self.task.decimals, [self.dot(row, row) for row in vectors]
        norm = write(f"{path}.norm", axis, [self.a.root(square) for square in squares], n + 1)
        products = [[self.dot(p, q) for q in vectors] for p in vectors]
        dot = write(f"{path}.dot", axis * 2, products, min(2 * vectors.places, n + 1))
        least, every = self.a.number(f"5e-{n + 1}"), range(len(norm))
        directed = [self.a.at_least(self.a.root(square), least) for square in squares]

        def cosine(i, j):
            seen = directed[i] and directed[j]
            return self.divided(f"{path}.cosine", dot[i][j], norm[i] * norm[j]) if seen else None

        write(f"{path}.cosine", axis * 2, [[cosine(i, j) for j in every] for i in every], n)

    def product(self, name: str, axes: tuple[str, str], x, matrix: str, bias: str = ""):
        """A table times a matrix of weights, with its natural places, at most N."""
        W, b = self.weights[matrix], self.weights[bias] if bias else Written([], 0)
        places = min(self.task.decimals, max(x.places + W.places, b.places))
        return self.pen.write(name, axes, self.times(x, W, b), places)

    def head(self, path: str, weights: str, x, mask: bool, source=None):
        """source: what keys and values are made of, where it is not x."""
        write, n = self.pen.write, self.task.decimals
        query, key, value = (
            self.product(f"{path}.{name}", HEAD, rows, f"{weights}.W_{name[0].upper()}")
            for name, rows in (("query", x), ("key", source or x), ("value", source or x))
        )
        every = [[(i, j) for j in range(len(key))] for i in range(len(query))]
        table = [[None if mask and j > i else self.dot(query[i], key[j]) for i, j in row] for row in every]
        score = write(f"{path}.score", TABLE, table, min(n, query.places + key.places))
        quotients = [[s if s is None else s / self.root() for s in row] for row in score]
        # Without scaling `scaled` equals `score`, digit for digit: its places may stay natural.
        scaled = write(f"{path}.scaled", TABLE, quotients, n, *([] if self.task.scaling else [score.places]))
        return write(f"{path}.output", HEAD, self.mixture(self.softmax(path, scaled), value), n)

    def root(self):
        d_head = self.task.dimension // self.task.heads if self.task.scaling else 1
        return self.a.rounded(self.a.root(self.a.number(d_head)), self.task.decimals)

    def norm(self, path: str, rows):
        write, n, d = self.pen.write, self.task.decimals, self.a.number(self.task.dimension)
        mean = write(f"{path}.mean", TOKEN, [self.a.total(row) / d for row in rows], n)
        squares = [[(x - m) * (x - m) for x in row] for row, m in zip(rows, mean, strict=True)]
        variance = write(f"{path}.variance", TOKEN, [self.a.total(row) / d for row in squares], n + 1)
        std = write(f"{path}.std", TOKEN, [self.a.root(v) for v in variance], n)
        gamma, beta = self.weights[f"{path}.gamma"], self.weights[f"{path}.beta"]
        name = f"{path}.output"

        def normalised(row, mean, std):
            """One quotient of exact numbers, (x − mean)·γ / std: a tie stays a tie."""
            each = zip(row, gamma, beta, strict=True)
            return [self.divided(name, (x - mean) * g, std) + b for x, g, b in each]

        return write(name, VECTORS, list(map(normalised, rows, mean, std)), n)

    def add(self, path: str, number: int, x, new):
        places = min(self.task.decimals, max(x.places, new.places))
        residual = self.pen.write(f"{path}.residual{number}", VECTORS, self.plus(x, new), places)
        return self.norm(f"{path}.norm{number}", residual)

    def attention(self, path: str, x, mask: bool, source=None):
        names = [f"{path}.head{k}" for k in range(1, self.task.heads + 1)]
        heads = [self.head(name, name, x, mask, source) for name in names]
        rows = [[value for part in parts for value in part] for parts in zip(*heads, strict=True)]
        concat = self.pen.write(f"{path}.concat", VECTORS, rows, self.task.decimals)
        return self.product(f"{path}.attention", VECTORS, concat, f"{path}.W_O")

    def feed_forward(self, path: str, z):
        hidden = self.product(f"{path}.hidden", HIDDEN, z, f"{path}.W_1", f"{path}.b_1")
        positive = [[max(self.a.zero, value) for value in row] for row in hidden]
        activation = self.pen.write(f"{path}.activation", HIDDEN, positive, hidden.places)
        return self.product(f"{path}.output", VECTORS, activation, f"{path}.W_2", f"{path}.b_2")

    def block(self, path: str, x, mask: bool):
        attention = self.attention(path, x, mask)
        if path == "block1" and self.task.mentions("context."):
            self.cosines("context", TOKEN, attention)
        z = self.add(path, 1, x, attention)
        return self.add(path, 2, z, self.feed_forward(f"{path}.ffn", z))

    def decoder_block(self, path: str, x, source):
        x = self.add(path, 1, x, self.attention(f"{path}.self", x, self.task.mask))
        x = self.add(path, 2, x, self.attention(f"{path}.cross", x, False, source))
        return self.add(path, 3, x, self.feed_forward(f"{path}.ffn", x))

    def output_layer(self, last, at: str = ""):
        write, n, vectors = self.pen.write, self.task.decimals, self.weights[f"{at}vocabulary_embedding"]
        logit = write(f"{at}logit", WORD, [self.dot(last, row) for row in vectors], n)
        for text, value in self.task.temperatures.items():
            path, t = f"{at}temperature{text}", self.a.number(value)
            scaled = write(f"{path}.scaled_logit", WORD, [entry / t for entry in logit], n)
            exp = write(f"{path}.exp", WORD, [self.a.exp(entry) for entry in scaled], 3)
            total = write(f"{path}.exp_sum", (), self.a.total(exp), 3)
            name = f"{path}.probability"
            write(name, WORD, [self.divided(name, e, total) for e in exp], 3)


def forms(task: Task) -> dict[str, Form]:
    """Name to form, in the order of the calculation."""
    pen = Pen(Exact, {})
    Transformer(task, Exact, pen).run()
    return pen.forms
