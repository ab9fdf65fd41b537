"""In: a seed. Out: one set of options as a mapping (the keys of `optionen` plus "satz"), varied but legal."""

from __future__ import annotations

import random

SENTENCES = (
    "Die Katze sitzt auf der Matte",
    "Vögel singen",
    "Es regnet",
    "Der Ball rollt und rollt und rollt",
    "Warum ist der Himmel blau?",
    "Hast du 3 Äpfel oder 4 Birnen?",
    "Wenn Fliegen hinter Fliegen fliegen fliegen Fliegen Fliegen nach",
    "Die Bank steht neben der Bank",
    "Die Lehrerin erklärt die schwere Aufgabe",
    "Anna gibt Ben das Heft weil er es braucht",
    "Im Garten wachsen Tomaten, Gurken und Kürbisse",
    "Der alte Kapitän steuert sein Schiff durch den dichten Nebel über das weite Meer",
)

TEXTS_EVERY = 10
TEMPERATURES = ([0.5, 1, 2], [1], [0.5, 1.0, 2.0], [0.7], [0.25, 1.5], [2, 0.8], [1.25, 3, 0.6])


def random_options(seed: int) -> dict:
    """Options of one configuration; the same seed gives the same mapping."""
    draw = random.Random(f"papierformer {seed}")
    dimension = draw.randint(2, 8)
    options = {
        "satz": draw.choice(SENTENCES),
        "dimension": dimension,
        "heads": draw.choice([h for h in range(1, dimension + 1) if dimension % h == 0]),
        "bloecke": draw.choice([1, 1, 1, 1, 2, 2, 2, 3]),
        "maske": draw.random() < 0.7,
        "skalierung": draw.random() < 0.75,
        "positionen": draw.random() < 0.75,
        "gewichte": draw.choice(["auswahl", "ganzzahlig", "dezimal"]),
        "startwert": draw.randint(0, 10_000),
        "nachkommastellen": draw.choice([1, 2, 2, 3, 4]),
        "temperatur": list(draw.choice(TEMPERATURES)),
    }
    if draw.random() < 0.6:
        options["ffn"] = draw.choice([1, dimension, 2 * dimension, 4 * dimension, draw.randint(2, 20)])
    if seed % TEXTS_EVERY:  # the texts of station 9 are as long to recompute as all the rest
        options["stationen"] = "8"
    elif seed % (2 * TEXTS_EVERY):
        options |= {"endezeichen": "<Ende>", "topk": draw.randint(1, 6), "topp": 0.7}
        options["laenge"] = draw.randint(1, 4)
    return options
