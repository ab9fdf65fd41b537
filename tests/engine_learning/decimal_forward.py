"""The second calculation with a model instead of a document, for two sentences and for lessons.

`Paper.note` writes a table down: every number rounded half away from zero to a fixed count of places, and the
rounded table is what comes back. Tables are lists of rows, vectors lists, None where the mask hides a cell.
"""

from decimal import Decimal, localcontext

from reference.arithmetics import CONTEXT, ZERO, Hand, NotPlayableError
from reference.task import ModelTask
from reference.transformer import Transformer, Written


def number(value):
    return Decimal(repr(float(value)))


def table(values):
    return [table(v) for v in values] if getattr(values, "ndim", 0) else number(values)


def over(a, b):
    if b == 0:
        raise NotPlayableError("a step", ())
    return a / b


def dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), ZERO)


def columns(A):
    return [list(column) for column in zip(*A, strict=True)]


def times(A, B):
    return [[dot(row, column) for column in columns(B)] for row in A]


def plus(A, B):
    return [[x + y for x, y in zip(a, b, strict=True)] for a, b in zip(A, B, strict=True)]


def seen(value):
    """Hidden cells read as 0."""
    return [[cell or ZERO for cell in row] for row in value]


def rounded(value, places):
    if isinstance(value, list):
        return [rounded(v, places) for v in value]
    return None if value is None else Hand.rounded(value, places)


class School(Hand):
    rounded = staticmethod(lambda value, places: rounded(value, places))  # looked up: a test rounds nothing


class Paper(Transformer):
    def __init__(self, model, weights):
        self.task = ModelTask(model.sizes, model.rules)
        self.a, self.pen, self.model = School, self, model
        self.N, self.heads, self.d = self.task.decimals, self.task.heads, self.task.dimension
        self.w = self.weights = {name: Written(values, self.N) for name, values in weights.items()}
        self.notes = {}
        self.at = ""

    def note(self, name, value, places):
        self.notes[self.at + name] = rounded(value, places)
        return self.notes[self.at + name]

    def write(self, name, axes, values, places, *_):
        written = self.note(name, values, places)
        return Written(written, places) if axes else written

    @staticmethod
    def divided(name, index, dividend, divisor):
        return over(dividend, divisor)

    def start(self, at, embedding):
        E = self.note(at + "embedding", table(embedding), 20)
        if not self.task.positions:
            return self.note(at + "input", E, 20)
        rows = range(len(E)), range(self.d)
        place = [[Hand.sine_cosine(pos, i // 2, self.d)[i % 2] for i in rows[1]] for pos in rows[0]]
        return self.note(at + "input", plus(E, self.note(at + "positional_encoding", place, 3)), 1)

    def blocks(self, side, x, source=None):
        mask, self.task.mask = self.task.mask, self.task.mask and side != "encoder."
        x = Written(x, self.N)
        for b in range(1, self.task.blocks + 1):
            at = f"{side}block{b}"
            x = self.block(at, x) if source is None else self.decoder_block(at, x, source)
        self.task.mask = mask
        return x


def forward_of_two(model):
    """All notes of an encoder–decoder's forward pass."""
    with localcontext(CONTEXT):
        weights = {name: table(values) for name, values in model.weights.items()}
        weights["decoder.vocabulary_embedding"] = table(model.vocabulary_embedding)
        paper = Paper(model, weights)
        source = paper.blocks("encoder.", paper.start("encoder.", model.source_embedding))
        x = paper.blocks("decoder.", paper.start("decoder.", model.embedding), source)
        paper.output_layer(x[-1], "decoder.")
        return paper.notes
