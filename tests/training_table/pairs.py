"""How many trained pairs of sentences need what they teach: looked at by nothing of the engine's.

    python -m tests.training_table.pairs [--anzahl 20] [--startwert 43]

Sources and targets are drawn: a translation word by word as far as words have one, its beginning, or another
German sentence. Each model is calculated by tests/reference (`decimal`, lists), unrounded, and read with
heads of the cross-attention at 0.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy as np
from reference.arithmetics import Unrounded
from reference.models import Pass
from reference.task import task_of

from engine.model.model import Sizes
from engine.model.rules import Rules
from generator.options.options import Options
from generator.words.target_vectors import pairs_like
from generator.words.word_vectors import word_vectors
from tests.training_table import arguments, sweep
from tests.training_table.sentences import sentences

TRANSLATIONS = Path(__file__).resolve().parents[2] / "generator/words/translations.toml"
_LITTLE = {"der": "the", "die": "the", "das": "the", "den": "the", "dem": "the", "ein": "a", "eine": "a"}
_LITTLE |= {"einen": "a", "auf": "on", "unter": "under", "neben": "beside", "hinter": "behind"}
_LITTLE |= {"vor": "before", "über": "over", "bei": "near", "in": "in"}
_SIZES = ((4, 2), (4, 2), (6, 3), (6, 2), (8, 2))


def targets(source: str, random: Random, others: list[str]) -> str:
    """Two to six words."""
    kind = random.random()
    if kind < 0.3:
        words = random.choice(others).split()
    else:
        lines = tomllib.loads(TRANSLATIONS.read_text("utf-8"))["lines"]
        known = dict(word.split("=") for line in lines for word in line.split())
        words = [_LITTLE.get(word.lower(), known.get(word, word)) for word in source.split()]
    words = words[: random.randint(2, 6)]
    return " ".join([words[0].capitalize(), *words[1:]])


class Pair:
    """A model of two sentences, from its document alone."""

    def __init__(self, contents: dict) -> None:
        options = contents["optionen"]
        self.weights = {name: np.array(w, dtype=float) for name, w in contents["weights"].items()}
        self.words, self.written = contents["zielvokabular"], contents["zieltokens"]
        self.start = contents["quantities"]["decoder.embedding"]["exact"][0]
        self.sizes = Sizes(options["dimension"], options["heads"], options["ffn"], options["bloecke"])
        self.rules = Rules(True, options["skalierung"], options["positionen"], temperatures=(1.0,))

    def run(self, source: np.ndarray, length: int, silent: tuple[str, ...] = ()) -> tuple[np.ndarray, dict]:
        """Probabilities of the words after so many, and what was met on the way; silent: heads without."""
        entering = self.weights["decoder.input_embedding"]
        rows = [self.start, *(entering[self.words.index(word)] for word in self.written[1:length])]
        values = {head + "W_V": 0 * self.weights[head + "W_V"] for head in silent}
        model = SimpleNamespace(
            sizes=self.sizes,
            rules=self.rules,
            source_embedding=source,
            embedding=np.array(rows),
            vocabulary_embedding=self.weights["decoder.vocabulary_embedding"],
            weights=self.weights | values,
        )
        page = Pass(task_of(model), Unrounded).run()
        seen = {name: np.array(table, dtype=float) for name, table in page.items()}
        return seen["decoder.temperature1.probability"], seen


def look(contents: dict, options: Options) -> dict[str, bool]:
    """Whether it is written to its end; whether the source, and each head that looks at it, is needed.

    looks: whether the head that is worked by hand looks somewhere. units, components: whether none is idle.
    """
    pair, written = Pair(contents), contents["zieltokens"]
    source_words, target_words = contents["quelltokens"], written[1:]
    own, *others = pairs_like(source_words, target_words, 2)
    said = [word for each in (own, *others) for word in each.source]
    spoken = {each.token: each.values for each in word_vectors(said, options.dimension)}
    spoken |= dict(zip(contents["vocabulary"], contents["weights"]["input_embedding"], strict=True))
    source = np.array([spoken[word] for word in source_words])
    right = [pair.words.index(word) for word in (*target_words, pair.words[-1])]
    rounds = [pair.run(source, length) for length in range(1, len(right) + 1)]
    places = product(range(1, pair.sizes.n_blocks + 1), range(1, pair.sizes.n_heads + 1))
    heads = [f"decoder.block{block}.cross.head{head}." for block, head in places]
    needed, nowhere = dict.fromkeys(heads, False), False
    for length, (word, (full, _)) in enumerate(zip(right, rounds, strict=True), 1):
        for head in heads:
            without, _ = pair.run(source, length, (head,))
            needed[head] |= without.argmax() != word or 2 * without[word] <= full[word]
        nowhere |= pair.run(source, length, tuple(heads))[0].argmax() != word
    exchanged = False
    for other in others:
        place = next(i for i, word in enumerate(other.target) if word != own.target[i])
        changed, _ = pair.run(np.array([spoken[word] for word in other.source]), place + 1)
        exchanged |= changed.argmax() != right[place]
    seen = rounds[-1][1]
    awake = [unit for name, rows in seen.items() if name.endswith("ffn.activation") for unit in rows.T]
    rows = (rows for name, rows in seen.items() if name.endswith((".query", ".key", ".value")))
    idle = [abs(column).max() < 0.005 for table in rows for column in table.T]
    return {
        "written": all(found.argmax() == word for word, (found, _) in zip(right, rounds, strict=True)),
        "source": bool(nowhere and exchanged),
        "heads": all(needed.values()),
        "looks": bool(seen[heads[0] + "weight"].max() >= 0.45),
        "units": all((unit > 0).any() for unit in awake),
        "components": not any(idle),
    }


def drawn(count: int, seed: int) -> Iterator[Options]:
    random, others = Random(seed), sentences(count, seed + 1)
    for sentence in sentences(count, seed):
        target, (d, heads) = targets(sentence, random, others), random.choice(_SIZES)
        sizes = {"dimension": d, "heads": heads}
        yield Options(satz=sentence, zielsatz=target, gewichte="gelernt", stationen=("10",), **sizes)


if __name__ == "__main__":
    wanted = arguments(anzahl=20, startwert=43)
    sweep(drawn(wanted.anzahl, wanted.startwert), look)
