"""What a sheet says of a model that has learnt: its texts, and what it would predict untrained or alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np

from engine.forward.forward import temperature_name
from engine.model.model import Model
from engine.numbers.arrays import CalculationError
from engine.training.examination import by_hand, head_names, spoken
from engine.training.texts import Ids
from generator.basics.fonts import printable
from generator.calculation.learnt import Learnt
from generator.calculation.texts import main_temperature
from generator.figures.loss_curve import loss_curve
from generator.options.option_kinds import in_words
from generator.sheet.desk import Desk
from generator.sheet.sheet import Figure, Number, Solution

_PLACES: Final = 3  # of probabilities
_WORD_AND_MARK: Final = 2  # with which a text ends
_MOST_UNREAD: Final = 2


@dataclass(frozen=True)
class Guess:
    """What a model says next; None where its numbers cannot be computed by hand."""

    word: str
    probability: Number
    of_expected: Number


@dataclass(frozen=True)
class Continued:
    """A beginning of a text, what follows it there, and what the model says with attention and without.

    own: it is the sheet's own, whose prediction is the pupil's to find.
    """

    beginning: str
    right: str
    guess: Guess | None
    alone: Guess | None
    own: bool


@dataclass(frozen=True)
class ReadTexts:
    """What the model has read, and how its loss fell."""

    texts: tuple[str, ...]
    beginning: str
    steps: str
    curve: Figure


@dataclass(frozen=True)
class Compared:
    """The prediction beside the texts, before the training, and without attention.

    word, probability: what the pupil finds, at the main temperature; all else is at 1. several: all words
    that follow in the texts, with what the model says of them, where the texts leave a choice; as_often: none
    more often than another. wrong: the beginnings that go on wrongly without attention; context: the texts
    need it.
    """

    beginning: str
    expected: str
    decided: bool
    steps: str
    untrained: Guess | None
    word: Solution
    probability: Solution
    continued: tuple[Continued, ...]
    wrong: Solution
    several: Solution
    as_often: bool
    context: bool


def read_texts(desk: Desk) -> ReadTexts | None:
    """For station 0; None where the model has not learnt."""
    learnt = desk.built.learnt
    if learnt is None:
        return None
    return ReadTexts(
        texts=tuple(map(printable, learnt.lines)),
        beginning=_spoken(learnt.model.tokens),
        steps=desk.format.text(learnt.steps, 0),
        curve=loss_curve(learnt.curve, desk.format),
    )


def compared(desk: Desk) -> Compared | None:
    """For station 8; None where the model has not learnt."""
    learnt = desk.built.learnt
    if learnt is None:
        return None
    model, heads = learnt.model, head_names(learnt.model)
    ids = dict.fromkeys(text[:-2] for text in learnt.corpus.ids if len(text) > _WORD_AND_MARK)
    continued = tuple(_continued(desk, learnt, number, each, heads) for number, each in enumerate(ids, 1))
    wrong = [each.beginning for each in continued if not _is_right(learnt, each)]
    guess = _guess(desk, learnt, "trained", learnt.model, model.token_ids, ())
    after = learnt.corpus.following(model.tokens)
    asked = temperature_name(main_temperature(desk.options.temperatur)) + ".probability"
    return Compared(
        beginning=_spoken(model.tokens),
        expected=_right(learnt, model.tokens),
        decided=len(after) == 1,
        steps=desk.format.text(learnt.steps, 0),
        untrained=_guess(desk, learnt, "untrained", learnt.untrained, model.token_ids, ()),
        word=Solution(guess.word if guess else ""),
        probability=Solution(desk.number(asked, desk.calculation.predicted()).text),
        continued=continued,
        wrong=Solution(in_words([f"„{each} …“" for each in wrong], "und")),
        several=Solution(in_words([_with_probability(desk, learnt, word) for word in after], "und")),
        as_often=len(set(after.values())) == 1,
        context=learnt.corpus.needs_context,
    )


@dataclass(frozen=True)
class Unread:
    """A beginning that no text has, and what the model says next.

    pattern: the most similar beginning of a text that goes on so, with that word; "" where none does.
    """

    beginning: str
    guess: Guess
    pattern: str


def unread(desk: Desk) -> tuple[Unread, ...]:
    """For station Σ: beginnings mixed from two that the model has read; none without texts."""
    learnt = desk.built.learnt
    if learnt is None:
        return ()
    guesses = [
        (ids, _guess(desk, learnt, f"unread{number}", learnt.model, ids, ()))
        for number, ids in enumerate(_mixed([text[:-_WORD_AND_MARK] for text in learnt.corpus.ids]), 1)
    ]
    return tuple(
        Unread(_spoken([learnt.model.vocabulary[i] for i in ids]), guess, _pattern(learnt, ids, guess.word))
        for ids, guess in guesses
        if guess
    )


def _pattern(learnt: Learnt, ids: Ids, word: str) -> str:
    """The beginning of a text, with the word that follows, that has most words where these are."""
    said = [[learnt.model.vocabulary[i] for i in text[: len(ids) + 1]] for text in learnt.corpus.ids]
    own = [learnt.model.vocabulary[i] for i in ids]
    alike = [text for text in said if len(text) > len(ids) and printable(text[-1]) == word]

    def shared(text: Sequence[str]) -> int:
        return sum(one == other for one, other in zip(text, own, strict=False))

    return _spoken(max(alike, key=shared)) if alike else ""


def _mixed(read: Sequence[Ids]) -> list[Ids]:
    """Beginnings with one word from another of the same length."""
    found = [
        (*one[:place], other[place], *one[place + 1 :])
        for one, other in permutations(dict.fromkeys(map(tuple, read)), 2)
        if len(one) == len(other)
        for place in range(len(one))
    ]
    return [ids for ids in dict.fromkeys(found) if ids not in set(map(tuple, read))][:_MOST_UNREAD]


def _with_probability(desk: Desk, learnt: Learnt, word: str) -> str:
    """„Matte“ mit 0,473: what the sheet's own model says of a word."""
    row = by_hand(learnt.model)[-1]  # (V,)
    probability = float(row[learnt.model.vocabulary.index(word)])
    return f"„{printable(word)}“ mit {desk.format.text(probability, _PLACES)}"


def _continued(desk: Desk, learnt: Learnt, number: int, ids: Ids, heads: Collection[str]) -> Continued:
    words = [learnt.model.vocabulary[i] for i in ids]
    own = tuple(words) == learnt.model.tokens  # that is the pupil's own
    return Continued(
        _spoken(words),
        _right(learnt, words),
        None if own else _guess(desk, learnt, f"text{number}", learnt.model, ids, ()),
        _guess(desk, learnt, f"text{number}.alone", learnt.model, ids, heads),
        own,
    )


def _is_right(learnt: Learnt, each: Continued) -> bool:
    """Whether the beginning goes on as in the texts without attention too."""
    following = learnt.corpus.following(each.beginning.split(" "))
    return each.alone is not None and each.alone.word in map(printable, following)


def _right(learnt: Learnt, beginning: Sequence[str]) -> str:
    return in_words([f"„{printable(word)}“" for word in learnt.corpus.following(beginning)], "oder")


def _spoken(words: Sequence[str]) -> str:
    return printable(" ".join(words))


def _guess(
    desk: Desk, learnt: Learnt, name: str, model: Model, ids: Ids, alone: Collection[str]
) -> Guess | None:
    try:
        row = by_hand(spoken(model, ids), alone)[-1]  # (V,)
    except CalculationError:
        return None
    best = int(np.argmax(row))
    after = list(learnt.corpus.followers.get(tuple(ids), ()))
    expected = max(after, key=lambda word: float(row[word]), default=best)

    def number(word: int) -> Number:
        text = desk.format.text(float(row[word]), _PLACES)
        return Number(f"{name}.probability", (word,), text, _PLACES)

    return Guess(printable(model.vocabulary[best]), number(best), number(expected))
