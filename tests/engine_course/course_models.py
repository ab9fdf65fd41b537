"""Models for the tests of this folder: the running example, and random ones by seed."""

import json
from pathlib import Path

import numpy as np

from engine.model.model import Model, Sizes
from engine.model.rules import Rules, tokenize
from engine.model.weights import make_weights

DATA = Path(__file__).resolve().parents[1] / "data"
TEXTS = (
    "Die Katze sitzt auf der Matte",
    "der Hund und der Hund",
    "Ja !",
    "Wir sehen 3 Vögel , drei Vögel und noch einen Vogel",
    "a b c d e f g h i j",
)


def example(**options):
    embedding = np.array(json.loads((DATA / "katze-published.json").read_text("utf-8"))["embedding"])
    sizes = Sizes(4, 2, 8, 1)
    weights = make_weights(sizes, "auswahl", np.random.default_rng(0))
    return Model(sizes, tuple(tokenize(TEXTS[0])), embedding, weights, Rules(**options))


def random_model(seed, **options):
    rng = np.random.default_rng(seed)
    d, h = [(2, 1), (4, 2), (6, 3), (3, 1), (8, 4)][seed % 5]
    tokens = tuple(TEXTS[int(rng.integers(len(TEXTS)))].split())
    sizes = Sizes(d, h, 2 * d, int(rng.integers(1, 3)))
    words = {word: np.round(rng.integers(-9, 10, size=d) / 10, 1) for word in tokens}
    if rng.random() < 0.4:
        words[tokens[0]] = np.zeros(d)
    embedding = np.array([words[word] for word in tokens])
    style = ("auswahl", "ganzzahlig", "dezimal")[int(rng.integers(3))]
    defaults = {"places": int(rng.integers(1, 5)), "positions": bool(rng.random() < 0.7)}
    weights = make_weights(sizes, style, rng)
    return Model(sizes, tokens, embedding, weights, Rules(**{**defaults, **options}))
