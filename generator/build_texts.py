"""Options and a calculation go in; the texts of station 9, each written in another way, come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.calculation import Calculation
from engine.choosing import Choice
from engine.generation import EndToken, drawn_end, generate
from engine.model import Model
from engine.texts import Texts, texts_of
from generator.limits import is_paper_size
from generator.options import Options

STATION: Final = "9"
_FURTHER_ROUNDS: Final = 6  # that the computer goes on greedily, to see what repeats


def build_texts(options: Options, calculation: Calculation) -> Texts | None:
    """Four texts from the sentence; None where the station is not wanted, or nobody could print it."""
    if (options.stationen and STATION not in options.stationen) or not is_paper_size(options):
        return None
    model, seed = calculation.model, options.startwert
    end = None if options.endezeichen is None else drawn_end(model, options.endezeichen, seed)
    return texts(model, choices(options.temperatur, options.topk, options.topp, seed), options.laenge, end)


def choices(temperatures: Sequence[float], k: int, p: float, seed: int) -> dict[str, Choice]:
    """The four ways to choose. Every way that draws has random numbers of its own."""
    main = main_temperature(temperatures)
    warm = max((t for t in temperatures if t != main), default=main)
    return {
        "greedy": Choice("greedy", main),
        "sampled": Choice("temperature", warm, seed=seed),
        "top_k": Choice("top_k", main, k=k, seed=seed + 1),
        "top_p": Choice("top_p", main, p=p, seed=seed + 2),
    }


def main_temperature(temperatures: Sequence[float]) -> float:
    """The temperature worked out first: 1 where it is asked for."""
    return 1.0 if 1.0 in temperatures else temperatures[0]


def texts(model: Model, ways: Mapping[str, Choice], length: int, end: EndToken | None) -> Texts:
    made = {}
    for name, choice in ways.items():
        rounds = length + (_FURTHER_ROUNDS if name == "greedy" else 0)
        made[name] = generate(model, choice, rounds, end, most_tokens=model.n_tokens + rounds)
    return texts_of(made, end)
