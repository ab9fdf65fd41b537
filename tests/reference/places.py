"""In: a task (weights, embedding, options). Out: axes and places of every quantity by the contract."""

from __future__ import annotations

from typing import NamedTuple

from .arithmetics import places_needed
from .task import Task


class Form(NamedTuple):
    axes: tuple[str, ...]
    allowed: tuple[int, ...]  # places; the first is the reference's own choice

    @property
    def places(self) -> int:
        return self.allowed[0]


TOKEN, TABLE, VECTORS = ("token",), ("token", "token"), ("token", "dim")
HEAD, HIDDEN, WORD = ("token", "head_dim"), ("token", "hidden"), ("word",)


def forms(task: Task) -> dict[str, Form]:
    """Name to form, in the order of the calculation.

    The natural places of a product are the sum of the two arrays' places, of a sum the larger;
    an array of weights has the places that its entries need at most.
    """
    n = task.decimals
    found: dict[str, Form] = {}
    needed = places_needed(task.embedding)

    def add(name: str, axes: tuple[str, ...], *allowed: int) -> int:
        found[name] = Form(axes, tuple(dict.fromkeys(allowed)))
        return allowed[0]

    def weight(name: str) -> int:
        return places_needed(task.weights[name])

    def softmax_table(path: str, score: int) -> None:
        # Without scaling `scaled` equals `score`, digit for digit: its places may stay natural.
        add(f"{path}.scaled", TABLE, n, *([] if task.scaling else [score]))
        add(f"{path}.exp", TABLE, n)
        add(f"{path}.exp_sum", TOKEN, n)
        add(f"{path}.weight", TABLE, n)
        add(f"{path}.output", HEAD, n)

    def head(path: str, weights: str, x: int) -> None:
        query = add(f"{path}.query", HEAD, min(n, x + weight(f"{weights}.W_Q")))
        key = add(f"{path}.key", HEAD, min(n, x + weight(f"{weights}.W_K")))
        add(f"{path}.value", HEAD, min(n, x + weight(f"{weights}.W_V")))
        softmax_table(path, add(f"{path}.score", TABLE, min(n, query + key)))

    def norm(path: str) -> int:
        add(f"{path}.mean", TOKEN, n)
        add(f"{path}.variance", TOKEN, n + 1)
        add(f"{path}.std", TOKEN, n)
        return add(f"{path}.output", VECTORS, n)

    def cosines(path: str, axis: str, vector: int) -> None:
        add(f"{path}.norm", (axis,), n + 1)
        add(f"{path}.dot", (axis, axis), min(2 * vector, n + 1))
        add(f"{path}.cosine", (axis, axis), n)

    given = task.quantities["embedding"].get("places", needed)
    add("embedding", VECTORS, *([given] if given in (needed, max(1, needed)) else [needed]))
    if task.positions or task.mentions("positional_encoding"):
        add("positional_encoding", VECTORS, 3)
    x = add("input", VECTORS, 1 if task.positions else found["embedding"].places)
    if task.mentions("similarity."):
        cosines("similarity", "word", places_needed(task.entering))
    if task.mentions("entry."):
        add("entry.score", TABLE, min(n, 2 * x))
        add("entry.exp", TABLE, n)
        add("entry.exp_sum", TOKEN, n)
        add("entry.weight", TABLE, n)
        cosines("entry", "token", add("entry.output", VECTORS, n))
    if task.mask or task.mentions("unmasked.head1."):
        head("unmasked.head1", "block1.head1", x)
    for b in range(1, task.blocks + 1):
        block = f"block{b}"
        for k in range(1, task.heads + 1):
            head(f"{block}.head{k}", f"{block}.head{k}", x)
        concat = add(f"{block}.concat", VECTORS, n)
        attention = add(f"{block}.attention", VECTORS, min(n, concat + weight(f"{block}.W_O")))
        if b == 1 and task.mentions("context."):
            cosines("context", "token", attention)
        add(f"{block}.residual1", VECTORS, min(n, max(x, attention)))
        z = norm(f"{block}.norm1")
        inner = max(z + weight(f"{block}.ffn.W_1"), weight(f"{block}.ffn.b_1"))
        hidden = add(f"{block}.ffn.hidden", HIDDEN, min(n, inner))
        add(f"{block}.ffn.activation", HIDDEN, hidden)
        outer = max(hidden + weight(f"{block}.ffn.W_2"), weight(f"{block}.ffn.b_2"))
        output = add(f"{block}.ffn.output", VECTORS, min(n, outer))
        add(f"{block}.residual2", VECTORS, min(n, max(z, output)))
        x = norm(f"{block}.norm2")
    add("logit", WORD, n)
    for text in task.temperatures:
        path = f"temperature{text}"
        add(f"{path}.scaled_logit", WORD, n)
        add(f"{path}.exp", WORD, 3)
        add(f"{path}.exp_sum", (), 3)
        add(f"{path}.probability", WORD, 3)
    return found
