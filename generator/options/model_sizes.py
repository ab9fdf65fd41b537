"""Options go in; the sizes and the rules of their model, of one sentence or of two, come out."""

from __future__ import annotations

from engine.model.model import Sizes
from engine.model.rules import Rules
from generator.options.options import Options


def sizes_of(options: Options) -> Sizes:
    return Sizes(options.dimension, options.heads, options.ffn, options.bloecke)


def rules_of(options: Options) -> Rules:
    return Rules(
        causal_mask=options.maske,
        scaling=options.skalierung,
        positions=options.positionen,
        temperatures=options.temperatur,
        places=options.nachkommastellen,
    )
