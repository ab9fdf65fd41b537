"""In: a document or a model. Out: what is given in it (sizes, weights, vectors), nothing calculated."""

from __future__ import annotations

from .arithmetics import written


def temperature_text(value) -> str:
    """0.5, 1, 2: a point, no trailing zeros, no exponent."""
    text = f"{written(value):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class Task:
    """The given part of a document; `quantities` is read for places and the embedding only.

    embedding, source: the rows of the sentence where they are others, and of a sentence to translate.
    """

    def __init__(self, document: dict, embedding: list | None = None, source: list | None = None) -> None:
        options = document["optionen"]
        self.weights: dict = document["weights"]
        # What words enter with: a table of its own only where the output has another one.
        self.entering = self.weights.get("input_embedding", self.weights.get("vocabulary_embedding"))
        self.quantities: dict = document.get("quantities", {})
        self.embedding = embedding or self.quantities["embedding"]["exact"]
        self.source, self.side = source, "decoder." if source else ""
        self.dimension: int = options["dimension"]
        self.heads: int = options["heads"]
        self.blocks: int = options["bloecke"]
        self.decimals: int = options["nachkommastellen"]
        self.mask: bool = options["maske"]
        self.scaling: bool = options["skalierung"]
        self.positions: bool = options["positionen"]
        self.temperatures: dict = {temperature_text(value): value for value in options["temperatur"]}

    def mentions(self, prefix: str) -> bool:
        """Whether the document holds a quantity whose name begins so (for what may be there)."""
        return any(name.startswith(prefix) for name in self.quantities)


def task_of(model) -> Task:
    """Of a model, for calculations that read no document."""
    sizes, rules, source = model.sizes, model.rules, getattr(model, "source_embedding", None)
    options = {"dimension": sizes.d_model, "heads": sizes.n_heads, "bloecke": sizes.n_blocks}
    options |= {"nachkommastellen": rules.places, "temperatur": rules.temperatures}
    options |= {"maske": rules.causal_mask, "skalierung": rules.scaling, "positionen": rules.positions}
    vocabulary = "vocabulary_embedding" if source is None else "decoder.vocabulary_embedding"
    tables = {**model.weights, vocabulary: model.vocabulary_embedding}
    document = {"optionen": options, "weights": {name: table.tolist() for name, table in tables.items()}}
    return Task(document, model.embedding.tolist(), None if source is None else source.tolist())
