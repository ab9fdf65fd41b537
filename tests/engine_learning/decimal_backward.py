"""School arithmetic of the way back, with `decimal` and lists alone: gradients, step, pass after it."""

from decimal import localcontext

from reference.arithmetics import CONTEXT, ZERO, NotPlayableError
from reference.transformer import Written

from engine_learning.decimal_forward import Paper, columns, dot, number, over, plus, seen, table, times


def minus(A, B):
    return [[x - y for x, y in zip(a, b, strict=True)] for a, b in zip(A, B, strict=True)]


def outer(a, b):
    return [[x * y for y in b] for x in a]


def sums_of_columns(A):
    return [sum(column, ZERO) for column in columns(A)]


class LessonPaper(Paper):
    """One lesson: path alles, attention or ausgabe; two: whether there are two sentences."""

    def __init__(self, model, weights, lesson, two):
        super().__init__(model, weights)
        self.lesson = lesson
        self.two = two
        self.side = "decoder." if two else ""
        self.all = lesson.path == "alles"
        self.chosen = f"{self.side}block{model.sizes.n_blocks}.{'cross.' if two else ''}head{lesson.head}."

    def gradient(self, name, value):
        return self.note("gradient." + name, value, self.N + 2)

    def learned(self, name, value):
        ends = {"attention": (self.chosen + "W_Q", self.chosen + "W_K", self.chosen + "W_V")}
        if name.endswith(ends.get(self.lesson.path, "" if self.all else "vocabulary_embedding")):
            self.gradient(name, value)

    def loss(self):
        p = self.notes[f"{self.at}{self.side}temperature1.probability"][self.lesson.word]
        if p == 0:
            raise NotPlayableError("loss", ())
        self.note(self.side + "loss", -p.ln(CONTEXT), self.N + 2)

    def back_to_last(self, name):
        x, side = self.notes[name], self.side
        p = list(self.notes[side + "temperature1.probability"])
        p[self.lesson.word] -= 1
        g = self.gradient(side + "logit", p)
        self.learned(side + "vocabulary_embedding", outer(g, x[-1]))
        if self.lesson.path == "ausgabe":
            return None
        rows = [[ZERO] * self.d for _ in x]
        rows[-1] = [dot(g, column) for column in columns(self.w[side + "vocabulary_embedding"])]
        return self.gradient(name, rows)

    def norm_back(self, at, x, g):
        N, d, notes = self.N, self.d, self.notes
        std, mean, gamma = notes[at + "std"], notes[at + "mean"], self.w[at + "gamma"]
        hat = [[over(v - m, s) for v in row] for row, m, s in zip(notes[x], mean, std, strict=True)]
        hat = self.note(at + "normalised", hat, N)
        self.learned(at + "gamma", [dot(a, b) for a, b in zip(columns(g), columns(hat), strict=True)])
        self.learned(at + "beta", sums_of_columns(g))
        inner = self.gradient(
            at + "normalised", [[v * c for v, c in zip(row, gamma, strict=True)] for row in g]
        )
        average = self.gradient(at + "average", [sum(row, ZERO) / d for row in inner])
        overlap = self.gradient(at + "overlap", [dot(a, b) / d for a, b in zip(inner, hat, strict=True)])
        rows = zip(inner, hat, average, overlap, std, strict=True)
        out = [
            [over(v - a - h * o, s) for v, h in zip(row, hats, strict=True)] for row, hats, a, o, s in rows
        ]
        return self.gradient(x, out)

    def feed_back(self, at, z, g):
        notes = self.notes
        self.learned(at + "W_2", times(columns(notes[at + "activation"]), g))
        self.learned(at + "b_2", sums_of_columns(g))
        active = self.gradient(at + "activation", times(g, columns(self.w[at + "W_2"])))
        hidden = [
            [v if h > 0 else ZERO for v, h in zip(a, b, strict=True)]
            for a, b in zip(active, notes[at + "hidden"], strict=True)
        ]
        hidden = self.gradient(at + "hidden", hidden)
        self.learned(at + "W_1", times(columns(z), hidden))
        self.learned(at + "b_1", sums_of_columns(hidden))
        return times(hidden, columns(self.w[at + "W_1"]))

    def attention_back(self, at, x, source, g):
        """Contributions to x and to the source, one table a head."""
        self.learned(at + "W_O", times(columns(self.notes[at + "concat"]), g))
        concat = self.gradient(at + "concat", times(g, columns(self.w[at + "W_O"])))
        size = self.d // self.heads
        found = []
        for k in range(self.heads):
            h = f"{at}head{k + 1}."
            if self.all or h == self.chosen:
                out = self.gradient(h + "output", [row[k * size : (k + 1) * size] for row in concat])
                found.append(self.head_back(h, x, source, out))
        return found

    def head_back(self, h, x, source, g):
        notes, w = self.notes, self.w
        weight, cross = notes[h + "weight"], ".cross." in h
        value = self.gradient(h + "value", times(columns(seen(weight)), g))
        inner = [
            [None if cell is None else dot(gi, v) for cell, v in zip(row, notes[h + "value"], strict=True)]
            for row, gi in zip(weight, g, strict=True)
        ]
        inner = self.gradient(h + "weight", inner)
        if h == self.chosen:
            last = weight[-1]
            self.gradient(
                h + "jacobian",
                [[(a if i == j else 0) - a * b for j, b in enumerate(last)] for i, a in enumerate(last)],
            )
        average = self.gradient(
            h + "average", [dot(a, b) for a, b in zip(seen(weight), seen(inner), strict=True)]
        )
        rows = zip(weight, inner, average, strict=True)
        scaled = [
            [None if a is None else a * (b - m) for a, b in zip(row, own, strict=True)]
            for row, own, m in rows
        ]
        scaled = self.gradient(h + "scaled", scaled)
        score = [[s if s is None else over(s, self.root()) for s in row] for row in scaled]
        score = seen(self.gradient(h + "score", score))
        query = self.gradient(h + "query", times(score, notes[h + "key"]))
        key = self.gradient(h + "key", times(columns(score), notes[h + "query"]))
        self.learned(h + "W_Q", times(columns(x), query))
        self.learned(h + "W_K", times(columns(source), key))
        self.learned(h + "W_V", times(columns(source), value))
        if not self.all:
            return None
        from_x = times(query, columns(w[h + "W_Q"]))
        from_source = plus(times(key, columns(w[h + "W_K"])), times(value, columns(w[h + "W_V"])))
        if cross:
            return self.gradient(h + "input", from_x), self.gradient(h + "source", from_source)
        return self.gradient(h + "input", plus(from_x, from_source)), None

    def block_back(self, side, b, g):
        at, notes = f"{side}block{b}.", self.notes
        g = self.norm_back(at + "norm2.", at + "residual2", g)
        z = notes[at + "norm1.output"]
        g = self.gradient(at + "norm1.output", plus(g, self.feed_back(at + "ffn.", z, g)))
        g = self.norm_back(at + "norm1.", at + "residual1", g)
        return self.into_input(side, b, at, "norm2", g)

    def into_input(self, side, b, at, norm, g):
        x = f"{side}block{b - 1}.{norm}.output" if b > 1 else side + "input"
        for part in self.attention_back(at, self.notes[x], self.notes[x], g):
            if part is not None:
                g = plus(g, part[0])
        return self.gradient(x, g) if self.all else None

    def decoder_block_back(self, b, g, encoded):
        at, notes = f"decoder.block{b}.", self.notes
        g = self.norm_back(at + "norm3.", at + "residual3", g)
        z = notes[at + "norm2.output"]
        g = self.gradient(at + "norm2.output", plus(g, self.feed_back(at + "ffn.", z, g)))
        g = self.norm_back(at + "norm2.", at + "residual2", g)
        asking = notes[at + "norm1.output"]
        parts = self.attention_back(at + "cross.", asking, notes[encoded], g)
        if not self.all:
            return None, None
        from_source = parts[0][1]
        for _, part in parts[1:]:
            from_source = plus(from_source, part)
        from_source = self.gradient(at + "cross.source", from_source)
        for part, _ in parts:
            g = plus(g, part)
        g = self.gradient(at + "norm1.output", g)
        g = self.norm_back(at + "norm1.", at + "residual1", g)
        return self.into_input("decoder.", b, at + "self.", "norm3", g), from_source

    def back(self):
        L = self.model.sizes.n_blocks
        g = self.back_to_last(f"{self.side}block{L}.norm{3 if self.two else 2}.output")
        encoded = f"encoder.block{L}.norm2.output"
        flows = None
        for b in range(L, 0, -1):
            if g is not None and self.two:
                g, flow = self.decoder_block_back(b, g, encoded)
                if flow is not None:
                    flows = flow if flows is None else plus(flows, flow)
            elif g is not None:
                g = self.block_back("", b, g)
        if flows is not None:
            g = self.gradient(encoded, flows)
            for b in range(L, 0, -1):
                g = self.block_back("encoder.", b, g)

    def step(self):
        rate = number(self.lesson.rate)
        changed = {n.removeprefix("gradient."): n for n in self.notes if n.startswith("gradient.")}
        for name in [name for name in self.w if name in changed]:
            g, old = self.notes[changed[name]], self.w[name]
            if isinstance(g[0], list):
                new = minus(old, [[rate * v for v in row] for row in g])
            else:
                new = [a - rate * v for a, v in zip(old, g, strict=True)]
            self.w[name] = Written(self.note("step." + name, new, self.N + 2), self.N)

    def pass_through(self):
        """The whole forward pass from the inputs on, (last block's output)."""
        if not self.two:
            return self.blocks("", self.notes["input"])
        source = self.blocks("encoder.", self.notes["encoder.input"])
        return self.blocks("decoder.", self.notes["decoder.input"], source)


def lesson_by_decimal(model, lesson, two):
    """All notes of a lesson; NotPlayableError where a step has no value."""
    with localcontext(CONTEXT):
        side = "decoder." if two else ""
        weights = {name: table(values) for name, values in model.weights.items()}
        weights[side + "vocabulary_embedding"] = table(model.vocabulary_embedding)
        paper = LessonPaper(model, weights, lesson, two)
        if two:
            paper.start("encoder.", model.source_embedding)
        paper.start(side, model.embedding)
        paper.output_layer(paper.pass_through()[-1], side)
        paper.loss()
        paper.back()
        paper.step()
        paper.at = "after."
        paper.output_layer(paper.pass_through()[-1], side)
        paper.loss()
        return paper.notes
