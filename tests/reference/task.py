"""In: a rechnung.json document. Out: what is given in it (sizes, weights, embedding), nothing calculated."""

from __future__ import annotations

from decimal import Decimal

from .arithmetics import written


def temperature_text(value) -> str:
    """0.5, 1, 2: a point, no trailing zeros, no exponent."""
    number = Decimal(value) if isinstance(value, str) else written(value)
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class Task:
    """The given part of a document; `quantities` is read for places and the embedding only."""

    def __init__(self, document: dict) -> None:
        options = document["optionen"]
        self.weights: dict = document["weights"]
        # What words enter with: a table of its own only where the output has another one.
        self.entering: list = self.weights.get("input_embedding", self.weights["vocabulary_embedding"])
        self.quantities: dict = document.get("quantities", {})
        self.embedding = self.quantities["embedding"]["exact"]
        self.tokens = len(self.embedding)
        self.dimension: int = options["dimension"]
        self.heads: int = options["heads"]
        self.blocks: int = options["bloecke"]
        self.decimals: int = options["nachkommastellen"]
        self.mask: bool = options["maske"]
        self.scaling: bool = options["skalierung"]
        self.positions: bool = options["positionen"]
        temperatures = {temperature_text(value): value for value in options["temperatur"]}
        self.temperatures: dict = temperatures

    def mentions(self, prefix: str) -> bool:
        """Whether the document holds a quantity whose name begins so (for what may be there)."""
        return any(name.startswith(prefix) for name in self.quantities)


class ModelTask:
    """What is given of a model, for calculations that read no document."""

    def __init__(self, model) -> None:
        sizes, rules = model.sizes, model.rules
        self.two = any(name.startswith("encoder.") for name in model.weights)
        tables = {**model.weights, f"{'decoder.' * self.two}vocabulary_embedding": model.vocabulary_embedding}
        self.weights: dict = {name: table.tolist() for name, table in tables.items()}
        self.quantities: dict = {}
        self.dimension: int = sizes.d_model
        self.heads: int = sizes.n_heads
        self.blocks: int = sizes.n_blocks
        self.decimals: int = rules.places
        self.mask: bool = rules.causal_mask
        self.scaling: bool = rules.scaling
        self.positions: bool = rules.positions
        self.temperatures = {temperature_text(value): value for value in rules.temperatures}

    def mentions(self, prefix: str) -> bool:
        return False
