"""In: a task, an arithmetic and a pen. Out: every quantity, written by the pen in order of calculation.

The pen decides what a later step reads: its `write(name, values)` gives back the written values.
"""

from __future__ import annotations

from .arithmetics import NotPlayableError
from .task import Task


class Pen:
    """Writes each quantity with its places and keeps it; masked cells stay None."""

    def __init__(self, arithmetic, places: dict[str, int]) -> None:
        self.arithmetic, self.places = arithmetic, places
        self.page: dict = {}

    def write(self, name: str, values):
        self.page[name] = self._rounded(values, self.places[name])
        return self.page[name]

    def _rounded(self, values, places: int):
        if isinstance(values, list):
            return [self._rounded(value, places) for value in values]
        return None if values is None else self.arithmetic.rounded(values, places)


class Transformer:
    """One pass through the model, sentence by sentence of the contract's table."""

    def __init__(self, task: Task, arithmetic, pen: Pen) -> None:
        self.task, self.a, self.pen = task, arithmetic, pen
        self.weights = {name: self._numbers(values) for name, values in task.weights.items()}

    def _numbers(self, values):
        if isinstance(values, list):
            return [self._numbers(value) for value in values]
        return self.a.number(values)

    def run(self) -> dict:
        x = self.input()
        if "similarity.norm" in self.pen.places:
            self.cosines("similarity", self._numbers(self.task.entering))
        if "entry.score" in self.pen.places:
            self.entry(x)
        if "unmasked.head1.query" in self.pen.places:
            self.head("unmasked.head1", "block1.head1", x, mask=False)
        for b in range(1, self.task.blocks + 1):
            x = self.block(f"block{b}", x)
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
    def divided(name, index, dividend, divisor):
        if not divisor:
            raise NotPlayableError(name, index)
        return dividend / divisor

    # --- steps ----------------------------------------------------------

    def input(self):
        task, pen = self.task, self.pen
        embedding = pen.write("embedding", self._numbers(task.embedding))
        if "positional_encoding" in pen.places:
            d = task.dimension
            waves = [
                [self.a.sine_cosine(position, i // 2, d)[i % 2] for i in range(d)]
                for position in range(task.tokens)
            ]
            positions = pen.write("positional_encoding", waves)
        return pen.write("input", self.plus(embedding, positions) if task.positions else embedding)

    def softmax(self, path: str, scaled):
        """exp, exp_sum and weight of every row; None cells take no part."""
        write = self.pen.write
        exp = write(f"{path}.exp", [[s if s is None else self.a.exp(s) for s in row] for row in scaled])
        sums = write(f"{path}.exp_sum", [self.a.total([e for e in row if e is not None]) for row in exp])
        name = f"{path}.weight"
        shares = [
            [e if e is None else self.divided(name, (i, j), e, sums[i]) for j, e in enumerate(row)]
            for i, row in enumerate(exp)
        ]
        return write(name, shares)

    def mixture(self, weight, value):
        """Σ weight · value over the visible tokens."""
        width = range(len(value[0]))
        return [
            [
                self.a.total([w * v[i] for w, v in zip(row, value, strict=True) if w is not None])
                for i in width
            ]
            for row in weight
        ]

    def entry(self, x):
        score = self.pen.write("entry.score", [[self.dot(row, other) for other in x] for row in x])
        output = self.pen.write("entry.output", self.mixture(self.softmax("entry", score), x))
        self.cosines("entry", output)

    def cosines(self, path: str, vectors):
        """Lengths, dot products and cosines; lengths that round to 0 at N places have no direction."""
        write, squares = self.pen.write, [self.dot(row, row) for row in vectors]
        norm = write(f"{path}.norm", [self.a.root(square) for square in squares])
        dot = write(f"{path}.dot", [[self.dot(p, q) for q in vectors] for p in vectors])
        half_unit = self.a.number(f"5e-{self.task.decimals + 1}")
        directed = [self.a.at_least(self.a.root(square), half_unit) for square in squares]
        name = f"{path}.cosine"
        cosine = [
            [
                self.divided(name, (i, j), value, norm[i] * norm[j]) if directed[i] and directed[j] else None
                for j, value in enumerate(row)
            ]
            for i, row in enumerate(dot)
        ]
        write(name, cosine)

    def head(self, path: str, weights: str, x, mask: bool):
        write = self.pen.write
        query = write(f"{path}.query", self.times(x, self.weights[f"{weights}.W_Q"]))
        key = write(f"{path}.key", self.times(x, self.weights[f"{weights}.W_K"]))
        value = write(f"{path}.value", self.times(x, self.weights[f"{weights}.W_V"]))
        table = [
            [None if mask and j > i else self.dot(q, k) for j, k in enumerate(key)]
            for i, q in enumerate(query)
        ]
        score = write(f"{path}.score", table)
        root = self.a.rounded(self.a.root(self.a.number(len(query[0]))), self.task.decimals)
        if not self.task.scaling:
            root = self.a.number(1)
        scaled = write(f"{path}.scaled", [[s if s is None else s / root for s in row] for row in score])
        return write(f"{path}.output", self.mixture(self.softmax(path, scaled), value))

    def norm(self, path: str, rows):
        write, d = self.pen.write, self.a.number(self.task.dimension)
        mean = write(f"{path}.mean", [self.a.total(row) / d for row in rows])
        squares = [[(x - m) * (x - m) for x in row] for row, m in zip(rows, mean, strict=True)]
        variance = write(f"{path}.variance", [self.a.total(row) / d for row in squares])
        std = write(f"{path}.std", [self.a.root(v) for v in variance])
        gamma, beta = self.weights[f"{path}.gamma"], self.weights[f"{path}.beta"]
        name = f"{path}.output"
        # One quotient of exact numbers, (x − mean)·γ / std: a tie stays a tie.
        values = [
            [
                self.divided(name, (i, j), (x - mean[i]) * gamma[j], std[i]) + beta[j]
                for j, x in enumerate(row)
            ]
            for i, row in enumerate(rows)
        ]
        return write(name, values)

    def block(self, path: str, x):
        write, weights = self.pen.write, self.weights
        names = [f"{path}.head{k}" for k in range(1, self.task.heads + 1)]
        heads = [self.head(name, name, x, self.task.mask) for name in names]
        rows = [[value for part in parts for value in part] for parts in zip(*heads, strict=True)]
        concat = write(f"{path}.concat", rows)
        attention = write(f"{path}.attention", self.times(concat, weights[f"{path}.W_O"]))
        if path == "block1" and "context.norm" in self.pen.places:
            self.cosines("context", attention)
        z = self.norm(f"{path}.norm1", write(f"{path}.residual1", self.plus(x, attention)))
        inner = self.times(z, weights[f"{path}.ffn.W_1"], weights[f"{path}.ffn.b_1"])
        hidden = write(f"{path}.ffn.hidden", inner)
        positive = [[max(self.a.zero, value) for value in row] for row in hidden]
        activation = write(f"{path}.ffn.activation", positive)
        outer = self.times(activation, weights[f"{path}.ffn.W_2"], weights[f"{path}.ffn.b_2"])
        output = write(f"{path}.ffn.output", outer)
        return self.norm(f"{path}.norm2", write(f"{path}.residual2", self.plus(z, output)))

    def output_layer(self, last):
        write = self.pen.write
        logit = write("logit", [self.dot(last, row) for row in self.weights["vocabulary_embedding"]])
        for text, value in self.task.temperatures.items():
            path, t = f"temperature{text}", self.a.number(value)
            scaled = write(f"{path}.scaled_logit", [entry / t for entry in logit])
            exp = write(f"{path}.exp", [self.a.exp(entry) for entry in scaled])
            total = write(f"{path}.exp_sum", self.a.total(exp))
            name = f"{path}.probability"
            write(name, [self.divided(name, (i,), e, total) for i, e in enumerate(exp)])
