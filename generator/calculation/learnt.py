"""Options go in; a model that has learnt its texts comes out, kept on disk for the next time."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np

from engine.model.model import Model, Vocabulary, weight_shapes
from engine.numbers.arrays import CalculationError
from engine.training.criteria import Evidence
from engine.training.examination import by_hand
from engine.training.one_sentence import OneSentence, Problem, State
from engine.training.texts import Corpus
from engine.training.training import REACHES, Trained, budget_of, train
from generator.basics.errors import UserError, in_words, quoted
from generator.basics.files import Kept, user_cache
from generator.options.numbers_file import GivenNumbers, rules_of, sizes_of
from generator.options.options import Options
from generator.options.sentence import MOST_WORDS, Text, ended, shown, texts_in_file, vocabulary_of_texts
from generator.words.exchanges import similar_texts
from generator.words.word_vectors import WordVector, word_vectors


class NoModelError(UserError):
    """There are no texts to learn from, or of all starts none ends in a model that teaches."""


Tell = Callable[[int, int], None]
_DIMENSIONS: Final = (4, 16)  # that are trained unasked
_MOST_BLOCKS: Final = 2
_FURTHER_TEXTS: Final = 2  # beside the sentence, where they are made from it
_NEEDED: Final = {"problem", "states", "curve", "starts", "reach", "pruned", "seconds"}
_NOTHING: Final = b"none"  # kept where no model was found


@dataclass(frozen=True)
class Learnt:
    """A trained model and how it came about.

    model: of the sheet's sentence. untrained: the same with the numbers that the training began with;
    earlier: between the two, by the steps done. texts: what it has read, the sentence first. curve: step and
    loss. starts: how many have learnt in all. pruned: weights set to 0 or ±1 after the last step. seconds: of
    the training, as estimated.
    vectors: of the vocabulary's words, as the classes gave them.
    """

    model: Model
    untrained: Model
    earlier: Mapping[int, Model]
    texts: tuple[Text, ...]
    expected: str
    curve: tuple[tuple[int, float], ...]
    steps: int
    starts: int
    reach: float
    pruned: int
    seconds: float
    vectors: tuple[WordVector, ...]

    @property
    def corpus(self) -> Corpus:
        return Corpus(self.texts, self.model.vocabulary)

    @cached_property
    def evidence(self) -> Evidence:
        """What its heads do, and what is known of it else."""
        classes = np.array([vector.values for vector in self.vectors])
        return Evidence(self.model, self.untrained, self.corpus, classes)

    @property
    def knowing_less(self) -> tuple[Model, ...]:
        """The earlier states in which the right word is less probable than at the end."""
        word = self.model.vocabulary.index(self.expected)

        def known(model: Model) -> float:
            try:
                return float(by_hand(model)[-1, word])
            except CalculationError:
                return 1.0

        end = known(self.model)
        return tuple(model for model in self.earlier.values() if known(model) < end)

    def step_of(self, model: Model) -> int:
        """After how many steps the training had a model's weights."""
        return next(step for step, each in self.earlier.items() if each.weights is model.weights)

    @property
    def lines(self) -> tuple[str, ...]:
        """The texts as one writes them."""
        return tuple(map(shown, self.texts))


def ensure_learnable(options: Options) -> None:
    """NoModelError where no training is worth its time unless somebody asks for it."""
    low, high = _DIMENSIONS
    if not low <= options.dimension <= high or options.bloecke > _MOST_BLOCKS:
        raise NoModelError(
            f"Trainiert wird von selbst nur mit --dimension {low} bis {high} und höchstens {_MOST_BLOCKS} "
            "Blöcken; „--gewichte gelernt“ versucht es auch sonst."
        )


def learn_texts(options: Options, given: GivenNumbers, tell: Tell = lambda number, of: None) -> Learnt:
    """Train, or take what an earlier run has kept. NoModelError where nothing is found.

    tell: called before each attempt with its number and how many there may be.
    """
    if given.weights or given.embedding is not None:
        raise UserError(
            "--gewichte gelernt lernt die Matrizen selbst; eigene Matrizen und Embedding-Tabellen passen "
            "nicht dazu, wortvektoren schon."
        )
    choices = _choices(options)
    problems, vectors = [], []
    for texts in choices:
        words = vocabulary_of_texts(texts)
        found = _classes(texts, words, options, given)
        vectors.append(found)
        task = OneSentence(
            sizes_of(options), rules_of(options), Corpus(texts, words), options.tokens, bool(options.ffn)
        )
        problems.append(Problem(task, np.array([each.values for each in found])))

    if not budget_of(problems).starts:
        raise NoModelError(too_large(options, len(options.tokens) + 1))

    def find() -> dict[str, Any] | None:
        trained = train(problems, options.startwert, tell=lambda n: tell(n + 1, len(REACHES)))
        return None if trained is None else _written(trained, problems)

    none = _not_found(options, choices[-1])
    content = kept_or_found(_name(options, choices, vectors), _NEEDED, find, none)
    place = content["problem"]
    return _learnt(options, problems[place], choices[place], tuple(vectors[place]), content)


def _choices(options: Options) -> tuple[tuple[Text, ...], ...]:
    """What the model is to read, the sentence first; of several choices the easier ones come later."""
    own = ended(options.source_tokens)
    if options.texte is not None:
        return (texts_in_file(options.texte, own),)
    found, others = (
        [ended(text) for text in similar_texts(own[:-1], _FURTHER_TEXTS, with_articles)]
        for with_articles in (True, False)
    )
    if not found:
        raise NoModelError(
            f"Zu {quoted(options.satz)} lassen sich keine ähnlichen Texte bilden, weil kein Wort sich "
            "tauschen lässt; nötig ist --texte mit einer Datei, in der sie stehen."
        )
    all_choices = [(own, *found)]
    if others != found and len(others) == len(found):  # an article says little, so it is heard less easily
        all_choices.append((own, *others))
    if len(found) == _FURTHER_TEXTS:  # the same with one word less, or with one text
        easier = (own, found[0], (*found[1][: len(own) - 2], *found[0][len(own) - 2 :]))
        all_choices.append(easier if easier not in all_choices else (own, found[0]))
    fitting = _fitting(all_choices) or _fitting([(own, found[0])])
    if not fitting:
        raise NoModelError(
            "Der Satz hat zu viele verschiedene Wörter für --gewichte gelernt; mit den Texten, aus denen "
            f"gelernt wird, sind höchstens {MOST_WORDS} möglich."
        )
    return fitting


def _fitting(choices: Sequence[tuple[Text, ...]]) -> tuple[tuple[Text, ...], ...]:
    return tuple(texts for texts in choices if len(vocabulary_of_texts(texts)) <= MOST_WORDS)


def _classes(texts: Sequence[Text], words: Text, options: Options, given: GivenNumbers) -> list[WordVector]:
    """Where each word begins: the vector of its class, of whose components one is the largest."""
    spoken = [word for text in texts for word in text]
    found = word_vectors(spoken, options.dimension, options.startwert, given.word_vectors)
    by_word = {vector.token: vector for vector in reversed(found)}
    return [replace(by_word[word], values=_decided(by_word[word].values)) for word in words]


def _decided(values: Sequence[float]) -> tuple[float, ...]:
    """The last of several largest components gets a tenth more: for a property it is that of a thing."""
    size = np.abs(values)
    if (size == size.max()).sum() == 1:
        return tuple(values)
    place = len(size) - 1 - int(size[::-1].argmax())
    return tuple(round(x + np.copysign(0.1, x), 1) if i == place else x for i, x in enumerate(values))


def _not_found(options: Options, texts: Sequence[Text]) -> str:
    words = len(vocabulary_of_texts(texts))
    larger = 6 if options.dimension < 6 else 8
    helps = [f"mehr Komponenten (--dimension {larger})"] * (options.dimension < 8)
    helps += ["weniger Wörter", "ein anderer --startwert"]
    return (
        f"Mit --dimension {options.dimension} und {words} Wörtern im Vokabular ist in der Zeit, die ein "
        "Training hat, kein Modell gefunden, das auf dem Papier richtig rechnet und braucht, was gerechnet "
        f"wird; es helfen {in_words(helps, 'oder')}."
    )


def too_large(options: Options, words: int) -> str:
    mask = "" if options.maske else " und --ohne-maske"
    return (
        f"Zu groß zum Trainieren: --dimension {options.dimension}, --heads {options.heads}, --bloecke "
        f"{options.bloecke}{mask} mit {words} Wörtern; ein Training dauert höchstens "
        "20 Sekunden, und es geht mit weniger Heads, Blöcken oder Wörtern oder mit --gewichte auswahl."
    )


def _written(trained: Trained, problems: Sequence[Problem]) -> dict[str, Any]:
    return {
        "problem": next(i for i, each in enumerate(problems) if each is trained.problem),
        "states": list(map(_state, trained.states)),
        "curve": [list(point) for point in trained.curve],
        "starts": trained.starts,
        "reach": trained.reach,
        "pruned": trained.pruned,
        "seconds": round(trained.seconds, 2),
    }


def _state(state: State) -> dict[str, Any]:
    tables = {
        **state.weights,
        "input_embedding": state.vocabulary.vectors,
        "vocabulary_embedding": state.vocabulary.output,
    }
    return {"step": state.step, "tables": {name: table.tolist() for name, table in tables.items()}}


def kept_or_found(
    name: str, needed: Set[str], find: Callable[[], dict[str, Any] | None], none: str
) -> dict[str, Any]:
    """What an earlier run has kept under the name, with all that is needed, else what is found now.

    NoModelError (none) where nothing is found, or was before.
    """
    folder = user_cache()
    kept = Kept(folder and folder / _edition(), ".json")
    before, content = kept.get(name), None
    if before == _NOTHING:
        raise NoModelError(none)
    with suppress(ValueError):
        content = json.loads(before or b"")
    if not isinstance(content, dict) or not needed <= content.keys():
        content = find()
        kept.put(name, _NOTHING if content is None else json.dumps(content).encode("ascii"))
    if content is None:
        raise NoModelError(none)
    return content


def _learnt(
    options: Options,
    problem: Problem,
    texts: tuple[Text, ...],
    vectors: tuple[WordVector, ...],
    content: dict[str, Any],
) -> Learnt:
    words = problem.task.corpus.vocabulary
    models = []
    for state in content["states"]:
        tables = {name: np.array(rows, dtype=np.float64) for name, rows in state["tables"].items()}
        vocabulary = Vocabulary(words, tables.pop("input_embedding"), tables.pop("vocabulary_embedding"))
        weights = {name: tables[name] for name in weight_shapes(problem.task.sizes)}
        models.append(problem.model(State(state["step"], weights, vocabulary)))
    untrained, *between, model = models
    steps = [state["step"] for state in content["states"]]
    return Learnt(
        model=model,
        untrained=untrained,
        earlier=dict(zip(steps[1:-1], between, strict=True)),
        texts=texts,
        expected=options.next_word,
        curve=tuple((step, loss) for step, loss in content["curve"]),
        steps=steps[-1],
        starts=content["starts"],
        reach=content["reach"],
        pruned=content["pruned"],
        seconds=content["seconds"],
        vectors=vectors,
    )


def _name(
    options: Options, choices: Sequence[Sequence[Text]], vectors: Sequence[Sequence[WordVector]]
) -> str:
    """The name under which trained numbers are kept: everything that they depend on."""
    return json.dumps(
        [
            choices,
            options.tokens,
            [[each.values for each in found] for found in vectors],
            repr(sizes_of(options)),
            repr(rules_of(options)),
            bool(options.ffn),
            options.startwert,
        ]
    )


@cache
def _edition() -> str:
    """Changes with every line of the engine: a training runs through most of them."""
    digest = hashlib.sha256(files("generator.calculation").joinpath("learnt.py").read_bytes())
    for file in sorted(Path(str(files("engine"))).rglob("*.py")):
        digest.update(file.read_bytes())
    return "gelernt-" + digest.hexdigest()[:12]
