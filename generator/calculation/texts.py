"""Options and a calculation go in; the texts of station 9, each written in another way, come out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.calculation.calculation import Calculation
from engine.model.model import Model
from engine.texts.choosing import WordChoice
from engine.texts.generation import EndToken, drawn_end, generate
from engine.texts.texts import Texts, texts_of
from engine.training.texts import Corpus
from generator.options.limits import is_paper_size
from generator.options.numbers_file import GivenNumbers
from generator.options.options import Options
from generator.words.exchanges import SENTENCE_ENDS

STATION: Final = "9"
_WARMER: Final = (1.5, 1.4, 1.6, 1.3, 1.7, 1.2, 1.8)  # times the main one
_SENTENCES: Final = 2  # of three texts that are drawn
_APART, _ROWS = 3, 12  # between the seeds of rows of random numbers, and how many are looked at
_FURTHER_ROUNDS: Final = 6  # that the computer goes on greedily, to see what repeats


def build_texts(
    options: Options, calculation: Calculation, given: GivenNumbers, corpus: Corpus | None = None
) -> Texts | None:
    """Four texts from the sentence; None where the station is not wanted, or nobody could print it.

    corpus: what a trained model has read; random numbers are taken with which its texts are worth reading.
    """
    if (options.stationen and STATION not in options.stationen) or not is_paper_size(options):
        return None
    model, seed = calculation.model, options.startwert
    word, vector = options.endezeichen, given.end
    end = None if word is None else drawn_end(model, word, seed) if vector is None else EndToken(word, vector)

    def made(seed: int) -> Texts:
        ways = choices(options.temperatur, options.topk, options.topp, seed)
        ways = {name: replace(choice, printed=given.random.get(name)) for name, choice in ways.items()}
        return texts(model, ways, options.laenge, end, SENTENCE_ENDS if options.learns else ())

    first = made(seed)
    if corpus is None or given.random or _worth_reading(first, corpus):
        return first
    further = map(made, range(seed + _APART, seed + _APART * _ROWS, _APART))
    return next((each for each in further if _worth_reading(each, corpus)), first)


def _worth_reading(found: Texts, corpus: Corpus) -> bool:
    """Whether of the texts drawn most are sentences, and not all are the same."""
    drawn = [made.text for made in found.ways.values() if made.choice.at_random]
    return len(set(drawn)) > 1 and sum(map(corpus.sounds_read, drawn)) >= _SENTENCES


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
) -> Texts:
    """ends: words that end a text, because a trained model has read nothing behind them."""
    made = {}
    for name, choice in ways.items():
        rounds = length + (_FURTHER_ROUNDS if name == "greedy" else 0)
        made[name] = generate(model, choice, rounds, end, most_tokens=model.n_tokens + rounds, ends=ends)
    return texts_of(made, end)
