"""The texts of station 9, each written on from the sentence in another way; called by build.py."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.forward.calculation import Calculation
from engine.model.model import Model
from engine.texts.choosing import WordChoice
from engine.texts.generation import EndToken, Generation, States, Texts, drawn_end, generate, texts_of
from engine.training.texts import Corpus
from generator.options.learnt_texts import SENTENCE_ENDS
from generator.options.limits import is_paper_size
from generator.options.numbers_file import GivenNumbers
from generator.options.options import Options

STATION: Final = "9"
_WARMER: Final = (1.5, 1.4, 1.6, 1.3, 1.7, 1.2, 1.8)  # times the main one
_FEWEST_FIRST: Final = ("top_p", "top_k", "sampled")  # ways that draw, by how many texts they can write
_APART, _ROWS, _MISSING = (
    3,
    36,
    24,
)  # between the seeds of rows; how many are looked at; that miss the best word
_FURTHER_ROUNDS: Final = 6  # that the computer goes on greedily, to see what repeats


def build_texts(
    options: Options, calculation: Calculation, given: GivenNumbers, corpus: Corpus | None = None
) -> Texts | None:
    """Four texts from the sentence; None where the station is not wanted, or nobody could print it.

    corpus: what a trained model has read; random numbers are then chosen with which the ways write different
    sentences, as far as such are found.
    """
    if (options.stationen and STATION not in options.stationen) or not is_paper_size(options):
        return None
    model, seed = calculation.model, options.startwert
    word, vector = options.endezeichen, given.end
    end = None if word is None else drawn_end(model, word, seed) if vector is None else EndToken(word, vector)
    ways = choices(options.temperatur, options.topk, options.topp, seed)
    ways = {name: replace(choice, printed=given.random.get(name)) for name, choice in ways.items()}
    known = None if given.random or end is not None else corpus
    return texts(model, ways, options.laenge, end, SENTENCE_ENDS if options.learns else (), known)


def choices(temperatures: Sequence[float], k: int, p: float, seed: int) -> dict[str, WordChoice]:
    """The four ways to choose. Every way that draws has random numbers of its own.

    They draw at a temperature that station 8 does not ask for: its results would stand in their tables.
    """
    main = main_temperature(temperatures)
    warmer = (round(main * factor, 2) for factor in _WARMER)
    warm = next((t for t in warmer if t not in temperatures), main)
    return {
        "greedy": WordChoice("greedy", main),
        "sampled": WordChoice("temperature", warm, seed=seed),
        "top_k": WordChoice("top_k", warm, k=k, seed=seed + 1),
        "top_p": WordChoice("top_p", warm, p=p, seed=seed + 2),
    }


def main_temperature(temperatures: Sequence[float]) -> float:
    """The temperature worked out first: 1 where it is asked for."""
    return 1.0 if 1.0 in temperatures else temperatures[0]


def texts(
    model: Model,
    ways: Mapping[str, WordChoice],
    length: int,
    end: EndToken | None,
    ends: Collection[str] = (),
    corpus: Corpus | None = None,
) -> Texts:
    """ends: words that end a text, because a trained model has read nothing behind them.

    corpus: what it has read; of each way's rows of random numbers the first is taken that writes a sentence
    which no other way draws, else one that writes another text at least.
    """
    made: dict[str, Generation] = {}
    states: States = {}
    for name in ("greedy", *_FEWEST_FIRST):
        choice, rounds = ways[name], length + (_FURTHER_ROUNDS if name == "greedy" else 0)
        others = {made[other].text for other in _FEWEST_FIRST if other in made}
        looked_at = _ROWS if corpus is not None and choice.at_random else 1
        best = (-1, -1)
        for row in range(looked_at):
            missing = (
                row < _MISSING or name == "sampled"
            )  # whose whole text the sheet shows beside the best one
            drawn = replace(choice, seed=choice.seed + _APART * row, misses_best=missing)
            text = generate(model, drawn, rounds, end, model.n_tokens + rounds, ends, states)
            fits = (text.text not in others, corpus is not None and corpus.sounds_read(text.text))
            if fits > best:
                made[name], best = text, fits
            if all(fits):
                break
    return texts_of({name: made[name] for name in ways}, end)
