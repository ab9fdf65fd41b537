"""How many trained models need their parts, and print no idle numbers: looked at by nothing of the engine's.

    python -m tests.training_table.parts [--anzahl 20] [--startwert 43] [--dimension 4] [--heads 2]

Every model is recomputed by tests/reference (`decimal`, lists), also with a head's W_V at 0, with all of them
at 0, and with W_2 and b_2 at 0.
"""

from __future__ import annotations

from reference.arithmetics import Hand
from reference.recomputation import calculate, differences, used_places
from reference.task import Task

from generator.options.options import Options
from tests.training_table import arguments, sweep
from tests.training_table.sentences import sentences

PROBABILITY = "temperature1.probability"


def zeros(table):
    return [zeros(row) for row in table] if isinstance(table, list) else 0


def recomputed(contents: dict, *silent: str) -> dict:
    """Every quantity in hand arithmetic, with these matrices at 0."""
    weights = {name: zeros(w) if name in silent else w for name, w in contents["weights"].items()}
    task = Task(contents | {"weights": weights})
    return calculate(task, Hand, used_places(task))


def another_is_likelier(row: list, word: int) -> bool:
    return max(p for i, p in enumerate(row) if i != word) > row[word]


def look(contents: dict, options: Options) -> dict[str, bool]:
    """Whether all parts are needed, all hidden units live, no component is idle and no cell differs."""
    same = differences(contents) == []
    ways = ("greedy.", "sampled.", "top_k.", "top_p.")
    contents["quantities"] = {n: q for n, q in contents["quantities"].items() if not n.startswith(ways)}
    word = contents["vocabulary"].index(contents["weiter"])
    blocks = [f"block{b}." for b in range(1, options.bloecke + 1)]
    heads = [f"{at}head{h}." for at in blocks for h in range(1, options.heads + 1)]
    whole = recomputed(contents)
    full = whole[PROBABILITY][word]
    one_by_one = [recomputed(contents, head + "W_V")[PROBABILITY] for head in heads]
    nowhere = recomputed(contents, *(head + "W_V" for head in heads))[PROBABILITY]
    networks = [recomputed(contents, at + "ffn.W_2", at + "ffn.b_2")[PROBABILITY] for at in blocks]
    needed = [another_is_likelier(row, word) or 2 * row[word] <= full for row in one_by_one]
    needed += [another_is_likelier(row, word) or 5 * row[word] <= 4 * full for row in networks]
    living, working = [], []
    for at in blocks:
        columns = list(zip(*whole[at + "ffn.activation"], strict=True))
        living += [any(x > 0 for x in unit) and any(x <= 0 for x in unit) for unit in columns]
        living += [any(row) for row in contents["weights"][at + "ffn.W_2"]]
    for head in heads:
        tables = (whole[head + name] for name in ("query", "key", "value"))
        working += [any(column) for table in tables for column in zip(*table, strict=True)]
    return {
        "parts": all(needed) and another_is_likelier(nowhere, word),
        "units": all(living),
        "components": all(working),
        "cells": same,
    }


if __name__ == "__main__":
    wanted = arguments(anzahl=20, startwert=43, dimension=4, heads=2)
    size = {"dimension": wanted.dimension, "heads": wanted.heads}
    own = {"gewichte": "gelernt", "stationen": ("8",), **size}
    sweep((Options(satz=each, **own) for each in sentences(wanted.anzahl, wanted.startwert)), look)
