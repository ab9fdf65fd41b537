"""What a sheet says of a model that has learnt: its texts, and what it would predict untrained or alone."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.forward.forward import temperature_name
from engine.model.model import Model
from engine.numbers.arrays import CalculationError
from engine.training.examination import by_hand, head_names, spoken
from engine.training.texts import Ids
from generator.basics.errors import in_words
from generator.basics.fonts import printable
from generator.calculation.further import main_temperature
from generator.calculation.learnt import Learnt
from generator.sheet.desk import Desk
from generator.sheet.sheet import Number, Parts, Solution, parts

_PLACES: Final = 3  # of probabilities
WORD_AND_MARK: Final = 2  # with which a text ends


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


def compared(desk: Desk) -> Parts | None:
    """The prediction beside the texts, before the training, and without attention; None where none learnt.

    word, probability: what the pupil finds, at the main temperature; all else is at 1. several: all words
    that follow in the texts, with what the model says of them, where the texts leave a choice; as_often: none
    more often than another. wrong: the beginnings that go on wrongly without attention; context: the texts
    need it.
    """
    learnt = desk.built.learnt
    if learnt is None:
        return None
    model, heads = learnt.model, head_names(learnt.model)
    ids = dict.fromkeys(text[:-2] for text in learnt.corpus.ids if len(text) > WORD_AND_MARK)
    continued = tuple(_continued(desk, learnt, number, each, heads) for number, each in enumerate(ids, 1))
    wrong = [each.beginning for each in continued if not _is_right(learnt, each)]
    guess = guess_of(desk, learnt, "trained", learnt.model, model.token_ids, ())
    after = learnt.corpus.following(model.tokens)
    asked = temperature_name(main_temperature(desk.options.temperatur)) + ".probability"
    return parts(
        texts=tuple(map(printable, learnt.lines)),
        beginning=spoken_words(model.tokens),
        expected=_right(learnt, model.tokens),
        decided=len(after) == 1,
        steps=desk.format.text(learnt.steps, 0),
        untrained=guess_of(desk, learnt, "untrained", learnt.untrained, model.token_ids, ()),
        word=Solution(guess.word if guess else ""),
        probability=Solution(desk.number(asked, desk.calculation.predicted()).text),
        continued=continued,
        wrong=Solution(in_words([f"„{each} …“" for each in wrong], "und")),
        several=Solution(in_words([_with_probability(desk, learnt, word) for word in after], "und")),
        as_often=len(set(after.values())) == 1,
        context=learnt.corpus.needs_context,
    )


def _with_probability(desk: Desk, learnt: Learnt, word: str) -> str:
    """„Matte“ mit 0,473: what the sheet's own model says of a word."""
    row = by_hand(learnt.model)[-1]  # (V,)
    probability = float(row[learnt.model.vocabulary.index(word)])
    return f"„{printable(word)}“ mit {desk.format.text(probability, _PLACES)}"


def _continued(desk: Desk, learnt: Learnt, number: int, ids: Ids, heads: Collection[str]) -> Continued:
    words = [learnt.model.vocabulary[i] for i in ids]
    own = tuple(words) == learnt.model.tokens  # that is the pupil's own
    return Continued(
        spoken_words(words),
        _right(learnt, words),
        None if own else guess_of(desk, learnt, f"text{number}", learnt.model, ids, ()),
        guess_of(desk, learnt, f"text{number}.alone", learnt.model, ids, heads),
        own,
    )


def _is_right(learnt: Learnt, each: Continued) -> bool:
    """Whether the beginning goes on as in the texts without attention too."""
    following = learnt.corpus.following(each.beginning.split(" "))
    return each.alone is not None and each.alone.word in map(printable, following)


def _right(learnt: Learnt, beginning: Sequence[str]) -> str:
    return in_words([f"„{printable(word)}“" for word in learnt.corpus.following(beginning)], "oder")


def spoken_words(words: Sequence[str]) -> str:
    return printable(" ".join(words))


def guess_of(
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
