"""A gradient at an attention layer's output goes in; those of its matrices and of its vectors come out."""

import numpy as np

from engine.backward.steps import BackwardSteps, transposed
from engine.layers.attention import AttentionSteps
from engine.numbers.arrays import Array
from engine.trace.quantities import DIM, HEAD_DIM, SOURCE, TOKEN


class BackwardAttentionSteps(BackwardSteps, AttentionSteps):
    """softmax(Q·Kᵀ / √d_k)·V backwards. Hidden cells keep weight 0 whatever their score is: gradient 0."""

    def multi_head_back(self, at: str, x: Array, source: Array, g: Array) -> tuple[Array, Array]:
        """What flows back into the queries' vectors x, and into the vectors of the keys and values.

        Not written yet: the sums before the layer add to it. On the path attention nothing is left to flow.
        """
        self.learn(at + "W_O", transposed(self.written[at + "concat"]) @ g, DIM, DIM)  # (d_model, d_model)
        concat = self.gradient(at + "concat", g @ transposed(self.weight(at + "W_O")))  # (n, d_model)
        into_x: list[Array] = []
        into_source: list[Array] = []
        for k in range(1, self.sizes.n_heads + 1):
            head, d = f"{at}head{k}.", self.sizes.d_head
            if self.lesson.path == "attention" and head != self.learning_head():
                continue
            output = self.gradient(head + "output", concat[..., (k - 1) * d : k * d])  # (n, d_head)
            for parts, part in zip(
                (into_x, into_source), self.head_back(head, x, source, output), strict=True
            ):
                parts.append(part)
        return total(into_x), total(into_source)

    def head_back(self, at: str, x: Array, source: Array, g: Array) -> tuple[Array, Array]:
        written, visible = self.written, self.visible(at)
        weight = written[at + "weight"]  # (n, m)
        value = self.gradient(at + "value", transposed(weight) @ g)  # (m, d_head)
        inner = self.gradient(at + "weight", g @ transposed(written[at + "value"]), visible=visible)  # (n, m)
        scaled = self.softmax_back(at, weight, inner)  # (n, m)
        score = self.gradient(at + "score", self.scale(scaled), visible=visible)  # (n, m)
        query = self.gradient(at + "query", score @ written[at + "key"])  # (n, d_head)
        key = self.gradient(at + "key", transposed(score) @ written[at + "query"])  # (m, d_head)
        self.learn(at + "W_Q", transposed(x) @ query, DIM, HEAD_DIM)  # (d_model, d_head)
        self.learn(at + "W_K", transposed(source) @ key, DIM, HEAD_DIM)  # (d_model, d_head)
        self.learn(at + "W_V", transposed(source) @ value, DIM, HEAD_DIM)  # (d_model, d_head)
        return self.into_vectors(at, query, key, value)

    def softmax_back(self, at: str, weight: Array, g: Array) -> Array:
        """∂L/∂s_j = w_j·(g_j − Σ w·g), a row at a time: the Jacobian w_j·(δ_jk − w_k) applied to g."""
        if at == self.learning_head():
            self.jacobian(at, weight[..., -1, :])
        average = self.gradient(at + "average", (weight * g).sum(-1), TOKEN)  # (n,)
        scaled = weight * (g - average[..., None])  # (n, m)
        return self.gradient(at + "scaled", scaled, visible=self.visible(at))

    def jacobian(self, at: str, row: Array) -> None:
        """∂w_j/∂s_k of the last row, worked out for one head; the last token sees all, nothing is hidden."""
        own = row[..., :, None] * np.eye(row.shape[-1], dtype=np.int64)  # (m, m)
        self.gradient(at + "jacobian", own - row[..., :, None] * row[..., None, :], SOURCE, SOURCE)  # (m, m)

    def into_vectors(self, at: str, query: Array, key: Array, value: Array) -> tuple[Array, Array]:
        """What a head's queries, and what its keys and values send back to the vectors they were made of."""
        if self.lesson.path == "attention":
            return None, None
        from_query = query @ transposed(self.weight(at + "W_Q"))  # (n, d_model)
        from_source = key @ transposed(self.weight(at + "W_K")) + value @ transposed(self.weight(at + "W_V"))
        if ".cross." in at:
            source = self.gradient(at + "source", from_source, SOURCE, DIM)  # (m, d_model)
            return self.gradient(at + "input", from_query, TOKEN, DIM), source
        return self.gradient(at + "input", from_query + from_source, TOKEN, DIM), None  # (n, d_model)


def total(parts: list[Array]) -> Array:
    """The sum, or None where nothing flows."""
    there = [part for part in parts if part is not None]
    return sum(there[1:], start=there[0]) if there else None
