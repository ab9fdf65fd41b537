"""In: a task and a lesson. Out: the way back in plain decimals: gradients, one step, the pass after it."""

from __future__ import annotations

from decimal import localcontext
from operator import add, mul, sub

from .arithmetics import CONTEXT, ZERO, Hand, NotPlayableError
from .models import Pass


def lesson_by_decimal(task, lesson, arithmetic=Hand) -> dict:
    """All numbers of a lesson (word, rate, path, head); NotPlayableError where a step has no value."""
    with localcontext(CONTEXT):
        before = WayBack(task, lesson, arithmetic)
        before.run()
        before.loss(lesson.word)
        before.back()
        after = Pass(task, arithmetic, weights=before.stepped())
        after.run()
        after.loss(lesson.word)
        return before.page | {"after." + name: values for name, values in after.page.items()}


def over(a, b):
    if b == 0:
        raise NotPlayableError("a step")
    return a / b


def columns(A):
    return [list(column) for column in zip(*A, strict=True)]


def added(A):
    """All rows together."""
    return [sum(column, ZERO) for column in columns(A)]


def each(function, A, B):
    """Number by number of two tables or vectors; None where the mask hides one."""
    if isinstance(A, list):
        return [each(function, a, b) for a, b in zip(A, B, strict=True)]
    return None if A is None or B is None else function(A, B)


def by_row(function, A, *numbers):
    """A number of each vector's own with all that stands in its row."""
    rows = zip(A, *numbers, strict=True)
    return [[None if a is None else function(a, *own) for a in row] for row, *own in rows]


def seen(A):
    """Hidden cells read as 0."""
    return [[cell or ZERO for cell in row] for row in A]


class WayBack(Pass):
    def __init__(self, task, lesson, arithmetic) -> None:
        super().__init__(task, arithmetic)
        self.lesson, self.all, self.N = lesson, lesson.path == "alles", self.task.decimals
        self.last = f"{self.side}block{self.task.blocks}."
        self.chosen = f"{self.last}{'cross.' if self.side else ''}head{lesson.head}."
        own = tuple(self.chosen + W for W in ("W_Q", "W_K", "W_V"))
        self.learning = {"alles": "", "attention": own, "ausgabe": "vocabulary_embedding"}[lesson.path]

    def gradient(self, name, value):
        return self.pen.write("gradient." + name, (), value, self.N + 2)

    def learned(self, name, value):
        if name.endswith(self.learning):
            self.gradient(name, value)

    def dots(self, A, B):
        return [self.dot(a, b) for a, b in zip(A, B, strict=True)]

    def through(self, g, name):
        """What a product with these weights hands back."""
        return self.times(g, columns(self.weights[name]))

    def back(self):
        side, encoded = self.side, f"encoder.block{self.task.blocks}.norm2.output"
        g, flows = self.output_back(f"{self.last}norm{3 if side else 2}.output"), None
        if self.lesson.path == "ausgabe":
            return
        for b in range(self.task.blocks, 0, -1):
            g, flow = self.block_back(side, b, g, encoded)
            if not self.all:
                return
            flows = each(add, flows, flow) if flows else flow
        if flows:
            g = self.gradient(encoded, flows)
            for b in range(self.task.blocks, 0, -1):
                g, _ = self.block_back("encoder.", b, g)

    def output_back(self, name):
        p = list(self.page[self.side + "temperature1.probability"])
        p[self.lesson.word] -= 1
        g, x = self.gradient(self.side + "logit", p), self.page[name]
        table = self.side + "vocabulary_embedding"
        self.learned(table, [[a * b for b in x[-1]] for a in g])
        if self.lesson.path != "ausgabe":
            others = [[ZERO] * self.task.dimension for _ in x[1:]]
            return self.gradient(name, others + self.times([g], self.weights[table]))
        return None

    def block_back(self, side, b, g, encoded=""):
        """What goes to the block's input, and from a decoder's to the encoder."""
        at, decoder = f"{side}block{b}.", side == "decoder."
        x = f"{side}block{b - 1}.norm{3 if decoder else 2}.output" if b > 1 else side + "input"
        if not decoder:
            return self.attention_back(at, 1, "", x, x, self.feed_forward_back(at, 2, g))
        g, flow = self.attention_back(
            at, 2, "cross.", at + "norm1.output", encoded, self.feed_forward_back(at, 3, g)
        )
        return (self.attention_back(at, 1, "self.", x, x, g)[0], flow) if self.all else (None, None)

    def norm_back(self, at, k, g):
        page, d, x, at = self.page, self.task.dimension, f"{at}residual{k}", f"{at}norm{k}."
        std = page[at + "std"]
        hat = by_row(lambda v, m, s: over(v - m, s), page[x], page[at + "mean"], std)
        hat = self.pen.write(at + "normalised", (), hat, self.N)
        self.learned(at + "gamma", self.dots(columns(g), columns(hat)))
        self.learned(at + "beta", added(g))
        gamma = list(self.weights[at + "gamma"])
        inner = self.gradient(at + "normalised", [each(mul, row, gamma) for row in g])
        average = self.gradient(at + "average", [sum(row, ZERO) / d for row in inner])
        overlap = self.gradient(at + "overlap", [dot / d for dot in self.dots(inner, hat)])
        along = by_row(mul, hat, overlap)
        return self.gradient(x, by_row(lambda v, a, s: over(v - a, s), each(sub, inner, along), average, std))

    def feed_forward_back(self, at, k, g):
        page, z, ffn = self.page, f"{at}norm{k - 1}.output", at + "ffn."
        g = self.norm_back(at, k, g)
        self.learned(ffn + "W_2", self.times(columns(page[ffn + "activation"]), g))
        self.learned(ffn + "b_2", added(g))
        active = self.gradient(ffn + "activation", self.through(g, ffn + "W_2"))
        hidden = each(lambda v, h: v if h > 0 else ZERO, active, page[ffn + "hidden"])
        hidden = self.gradient(ffn + "hidden", hidden)
        self.learned(ffn + "W_1", self.times(columns(page[z]), hidden))
        self.learned(ffn + "b_1", added(hidden))
        return self.gradient(z, each(add, g, self.through(hidden, ffn + "W_1")))

    def attention_back(self, at, k, kind, x, source, g):
        """To x, and to the source where that is another's."""
        g, at = self.norm_back(at, k, g), at + kind
        self.learned(at + "W_O", self.times(columns(self.page[at + "concat"]), g))
        concat = self.gradient(at + "concat", self.through(g, at + "W_O"))
        size, flow = self.task.dimension // self.task.heads, None
        for number in range(self.task.heads):
            head = f"{at}head{number + 1}."
            if self.all or head == self.chosen:
                own = [row[number * size : (number + 1) * size] for row in concat]
                parts = self.head_back(head, self.page[x], self.page[source], own)
            if self.all:
                g = each(add, g, parts[0])
                flow = each(add, flow, parts[1]) if flow else parts[1]
        if flow:
            flow = self.gradient(at + "source", flow)
        return (self.gradient(x, g) if self.all else None), flow

    def head_back(self, h, x, source, g):
        page, g = self.page, self.gradient(h + "output", g)
        weight, value = page[h + "weight"], page[h + "value"]
        to_value = self.gradient(h + "value", self.times(columns(seen(weight)), g))
        inner = [[self.dot(row, v) for v in value] for row in g]
        inner = self.gradient(h + "weight", each(lambda _, dot: dot, weight, inner))
        if h == self.chosen:
            last = list(enumerate(weight[-1]))
            self.gradient(h + "jacobian", [[(a if i == j else 0) - a * b for j, b in last] for i, a in last])
        average = self.gradient(h + "average", self.dots(seen(weight), seen(inner)))
        scaled = self.gradient(h + "scaled", each(mul, weight, by_row(sub, inner, average)))
        score = by_row(lambda s: over(s, self.root()), scaled)
        score = seen(self.gradient(h + "score", score))
        query = self.gradient(h + "query", self.times(score, page[h + "key"]))
        key = self.gradient(h + "key", self.times(columns(score), page[h + "query"]))
        for W, of, to in (("W_Q", x, query), ("W_K", source, key), ("W_V", source, to_value)):
            self.learned(h + W, self.times(columns(of), to))
        if not self.all:
            return None
        from_x = self.through(query, h + "W_Q")
        from_source = each(add, self.through(key, h + "W_K"), self.through(to_value, h + "W_V"))
        if ".cross." in h:
            return self.gradient(h + "input", from_x), self.gradient(h + "source", from_source)
        return self.gradient(h + "input", each(add, from_x, from_source)), None

    def stepped(self) -> dict:
        """The weights that have learnt."""
        rate, found = self.a.number(self.lesson.rate), {}
        for name, old in self.weights.items():
            if (g := self.page.get("gradient." + name)) is not None:
                new = each(lambda a, slope: a - rate * slope, list(old), g)
                found[name] = self.pen.write("step." + name, (), new, self.N + 2)
        return found
