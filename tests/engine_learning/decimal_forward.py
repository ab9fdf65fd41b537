"""School arithmetic once more, with `decimal` and lists alone: the forward pass of both kinds of model.

`Paper.note` writes a table down: every number rounded half away from zero to a fixed count of places, and the
rounded table is what comes back. Tables are lists of rows, vectors lists, None where the mask hides a cell.
"""

import math
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from itertools import chain

from reference.arithmetics import Hand
from reference.task import BlockTask
from reference.transformer import Transformer, Written

CONTEXT = Context(prec=60, rounding=ROUND_HALF_UP)
ZERO = Decimal(0)


class NotPlayableError(ArithmeticError):
    """A division by zero, or a logarithm of zero."""


def number(value):
    return Decimal(repr(float(value)))


def table(values):
    return [table(v) for v in values] if getattr(values, "ndim", 0) else number(values)


def over(a, b):
    if b == 0:
        raise NotPlayableError
    return a / b


def dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), ZERO)


def columns(A):
    return [list(column) for column in zip(*A, strict=True)]


def times(A, B):
    return [[dot(row, column) for column in columns(B)] for row in A]


def plus(A, B):
    return [[x + y for x, y in zip(a, b, strict=True)] for a, b in zip(A, B, strict=True)]


def rounded(value, places):
    if isinstance(value, list):
        return [rounded(v, places) for v in value]
    if value is None:
        return None
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, CONTEXT) + ZERO


def seen(value):
    """Hidden cells read as 0."""
    return [[cell or ZERO for cell in row] for row in value]


class Paper:
    def __init__(self, model, weights):
        self.model = model
        self.N = model.rules.places
        self.heads = model.sizes.n_heads
        self.d = model.sizes.d_model
        self.w = weights
        self.notes = {}
        self.at = ""

    def note(self, name, value, places):
        self.notes[self.at + name] = rounded(value, places)
        return self.notes[self.at + name]

    def start(self, at, embedding):
        E = self.note(at + "embedding", table(embedding), 20)
        if not self.model.rules.positions:
            return self.note(at + "input", E, 20)
        place = []
        for pos in range(len(E)):
            angles = [pos / 10000 ** ((i - i % 2) / self.d) for i in range(self.d)]
            place.append([Decimal(math.cos(a) if i % 2 else math.sin(a)) for i, a in enumerate(angles)])
        return self.note(at + "input", plus(E, self.note(at + "positional_encoding", place, 3)), 1)

    def root(self):
        d_head = self.d // self.heads
        return rounded(Decimal(d_head).sqrt(CONTEXT), self.N) if self.model.rules.scaling else Decimal(1)

    def masked(self, at):
        return self.model.rules.causal_mask and not at.startswith("encoder.") and ".cross." not in at

    def attention(self, at, x, source):
        outputs = [self.head(f"{at}head{k}.", x, source) for k in range(1, self.heads + 1)]
        concat = self.note(at + "concat", [list(chain(*rows)) for rows in zip(*outputs, strict=True)], self.N)
        return self.note(at + "attention", times(concat, self.w[at + "W_O"]), self.N)

    def head(self, h, x, source):
        N, w = self.N, self.w
        query = self.note(h + "query", times(x, w[h + "W_Q"]), N)
        key = self.note(h + "key", times(source, w[h + "W_K"]), N)
        value = self.note(h + "value", times(source, w[h + "W_V"]), N)
        score = [
            [None if self.masked(h) and j > i else dot(query[i], key[j]) for j in range(len(key))]
            for i in range(len(query))
        ]
        score = self.note(h + "score", score, N)
        scaled = self.note(h + "scaled", [[s if s is None else s / self.root() for s in r] for r in score], N)
        exp = self.note(h + "exp", [[s if s is None else s.exp(CONTEXT) for s in r] for r in scaled], N)
        total = self.note(h + "exp_sum", [sum(row, ZERO) for row in seen(exp)], N)
        share = [[e if e is None else over(e, t) for e in row] for row, t in zip(exp, total, strict=True)]
        weight = self.note(h + "weight", share, N)
        return self.note(h + "output", times(seen(weight), value), N)

    def norm(self, at, x):
        return Block(self, at).norm(at.removesuffix("."), Written(x, self.N))

    def add(self, at, number, x, new):
        return self.norm(f"{at}norm{number}.", self.note(f"{at}residual{number}", plus(x, new), self.N))

    def feed(self, at, z):
        w, N = self.w, self.N
        bias_1, bias_2 = [w[at + "b_1"]] * len(z), [w[at + "b_2"]] * len(z)
        hidden = self.note(at + "hidden", plus(times(z, w[at + "W_1"]), bias_1), N)
        active = self.note(at + "activation", [[max(v, ZERO) for v in row] for row in hidden], N)
        return self.note(at + "output", plus(times(active, w[at + "W_2"]), bias_2), N)

    def block(self, at, x):
        return Block(self, at).block(at.removesuffix("."), Written(x, self.N))

    def decoder_block(self, at, x, source):
        x = self.add(at, 1, x, self.attention(at + "self.", x, x))
        x = self.add(at, 2, x, self.attention(at + "cross.", x, source))
        return self.add(at, 3, x, self.feed(at + "ffn.", x))

    def words(self, at, x, temperatures):
        logit = self.note(at + "logit", [dot(x[-1], v) for v in self.w[at + "vocabulary_embedding"]], self.N)
        for t in temperatures:
            here = f"{at}temperature{t:g}."
            scaled = self.note(here + "scaled_logit", [v / number(t) for v in logit], self.N)
            exp = self.note(here + "exp", [v.exp(CONTEXT) for v in scaled], 3)
            total = self.note(here + "exp_sum", sum(exp, ZERO), 3)
            self.note(here + "probability", [over(e, total) for e in exp], 3)

    def blocks(self, side, x, source=None):
        for b in range(1, self.model.sizes.n_blocks + 1):
            at = f"{side}block{b}."
            x = self.block(at, x) if source is None else self.decoder_block(at, x, source)
        return x


class School(Hand):
    rounded = staticmethod(lambda value, places: rounded(value, places))


class Block(Transformer):
    """A block of one sentence, as the other second calculation has it, written on this paper."""

    def __init__(self, paper, at):
        self.task = BlockTask(paper.model.sizes, paper.model.rules, paper.masked(at))
        self.a, self.pen, self.paper = School, self, paper
        self.weights = {name: Written(values, paper.N) for name, values in paper.w.items()}

    def write(self, name, axes, values, places, *_):
        return Written(self.paper.note(name, values, places), places)

    @staticmethod
    def divided(name, index, dividend, divisor):
        return over(dividend, divisor)


def forward_of_two(model):
    """All notes of an encoder–decoder's forward pass."""
    with localcontext(CONTEXT):
        weights = {name: table(values) for name, values in model.weights.items()}
        weights["decoder.vocabulary_embedding"] = table(model.vocabulary_embedding)
        paper = Paper(model, weights)
        source = paper.blocks("encoder.", paper.start("encoder.", model.source_embedding))
        x = paper.blocks("decoder.", paper.start("decoder.", model.embedding), source)
        paper.words("decoder.", x, model.rules.temperatures)
        return paper.notes
