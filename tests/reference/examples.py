"""In: the files of tests/data/. Out: documents for the published examples, given part only (no results)."""

from __future__ import annotations

import json
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"

PICKS = {  # course.md: which components each head takes, counted from 0
    "block1.head1.W_Q": (0, 1),
    "block1.head1.W_K": (2, 3),
    "block1.head1.W_V": (1, 3),
    "block1.head2.W_Q": (2, 3),
    "block1.head2.W_K": (0, 1),
    "block1.head2.W_V": (0, 2),
}
W_1_COLUMNS = (  # d1, d2, d3−d1, d4−d2, d1, d2, d3−d4, d4−d1
    (1, 0, 0, 0),
    (0, 1, 0, 0),
    (-1, 0, 1, 0),
    (0, -1, 0, 1),
    (1, 0, 0, 0),
    (0, 1, 0, 0),
    (0, 0, 1, -1),
    (-1, 0, 0, 1),
)
W_2_SOURCES = (0, 1, 4, 5)  # hidden 1, 2, 5, 6 go to d1, d2, d3, d4


def load(name: str) -> dict:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def identity(size: int) -> list:
    return [[int(i == j) for j in range(size)] for i in range(size)]


def plain_rest(dimension: int, hidden: int) -> dict:
    """W_O, norms and biases that change nothing."""
    norms = {
        f"block1.norm{k}.{part}": [value] * dimension
        for k in (1, 2)
        for part, value in (("gamma", 1), ("beta", 0))
    }
    biases = {"block1.ffn.b_1": [0] * hidden, "block1.ffn.b_2": [0] * dimension}
    return {"block1.W_O": identity(dimension), **biases, **norms}


def _document(sentence: str, embedding: list, places: int, weights: dict, **options) -> dict:
    tokens = sentence.split()
    vocabulary = list(dict.fromkeys(tokens))
    ids = [vocabulary.index(token) for token in tokens]
    rows = [embedding[ids.index(i)] for i in range(len(vocabulary))]
    standard = {
        "dimension": len(embedding[0]),
        "heads": 2,
        "bloecke": 1,
        "maske": True,
        "skalierung": True,
        "positionen": True,
        "nachkommastellen": 2,
        "temperatur": [0.5, 1, 2],
    }
    given = {"axes": ["token", "dim"], "places": places, "exact": embedding, "hand": embedding}
    return {
        "satz": sentence,
        "optionen": standard | options,
        "tokens": tokens,
        "vocabulary": vocabulary,
        "token_ids": ids,
        "weights": {**weights, "vocabulary_embedding": rows},
        "quantities": {"embedding": given},
    }


def katze(**options) -> dict:
    """„Die Katze sitzt auf der Matte“ with the matrices of the course."""
    picks = {name: [[int(i == j) for j in columns] for i in range(4)] for name, columns in PICKS.items()}
    ffn = {
        "block1.ffn.W_1": [list(row) for row in zip(*W_1_COLUMNS, strict=True)],
        "block1.ffn.W_2": [
            identity(4)[W_2_SOURCES.index(i)] if i in W_2_SOURCES else [0] * 4 for i in range(8)
        ],
    }
    embedding = load("katze-published.json")["embedding"]
    weights = {**plain_rest(4, 8), **picks, **ffn}
    return _document("Die Katze sitzt auf der Matte", embedding, 1, weights, **options)
