"""A seed goes in; a playable calculation comes out: sizes, styles, sentences and places vary widely."""

import numpy as np

from engine.forward.calculation import Calculation, calculate, draw_playable
from engine.model.model import Model, Sizes
from engine.model.rules import Rules, tokenize
from engine.model.weights import make_weights

SENTENCES = (
    "Die Katze sitzt auf der Matte",
    "Der Hund schläft",
    "Vögel singen",
    "Der Ball rollt und rollt und rollt",
    "Ein kleiner Bär tanzt im Wald",
    "Die Maus frisst den Käse und die Katze frisst die Maus",
    "Übung macht den Meister",
)
CLASSES = (
    (0.9, 0.1, 0.0, 0.1),
    (0.0, 0.9, 0.1, 0.2),
    (0.0, 0.1, 0.9, 0.0),
    (0.5, 0.0, 0.3, 0.4),
    (0.0, 0.0, 0.0, 0.9),
)
EXAMPLE = {"Die": 0, "Katze": 1, "sitzt": 2, "auf": 3, "der": 0, "Matte": 4}


def example(**changes) -> Model:
    """„Die Katze sitzt auf der Matte“ with the vectors and matrices of the course."""
    sizes = Sizes(4, 2, 8, 1)
    embedding = np.array([CLASSES[number] for number in EXAMPLE.values()])
    weights = make_weights(sizes, "auswahl", np.random.default_rng(0))
    return Model(sizes, tuple(EXAMPLE), embedding, weights, Rules(**changes))


def configuration(seed: int) -> Calculation:
    """One of many; the same seed gives the same calculation."""
    rng = np.random.default_rng([seed, 2])
    d_model = int(rng.choice([2, 3, 4, 4, 4, 5, 6, 8]))
    heads = int(rng.choice([h for h in range(1, d_model + 1) if d_model % h == 0 and h <= 4]))
    sizes = Sizes(d_model, heads, int(rng.choice([d_model, 2 * d_model])), int(rng.choice([1, 1, 1, 2])))
    style = ("auswahl", "ganzzahlig", "dezimal")[seed % 3]
    tokens = tuple(tokenize(SENTENCES[int(rng.integers(len(SENTENCES)))]))
    switches = {
        "causal_mask": bool(rng.random() < 0.8),
        "scaling": bool(rng.random() < 0.85),
        "positions": bool(rng.random() < 0.85),
        "places": int(rng.choice([1, 2, 2, 2, 3, 4])),
    }
    return draw_playable(lambda attempt: _model(sizes, style, tokens, switches, [seed, attempt]), calculate)


def _model(sizes, style, tokens, switches, seed) -> Model:
    rng = np.random.default_rng(seed)
    vectors = {word: rng.integers(-3, 10, size=sizes.d_model) / 10 for word in dict.fromkeys(tokens)}
    embedding = np.array([vectors[token] for token in tokens])
    return Model(sizes, tokens, embedding, make_weights(sizes, style, rng), Rules(**switches))
