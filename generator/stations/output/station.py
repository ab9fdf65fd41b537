"""Station 8, output: logits of the last token, softmax at each temperature, the predicted next word."""

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
from generator.calculation.later_stations import main_temperature
from generator.calculation.learnt import Learnt
from generator.options.course import id_of_block
from generator.sheet.desk import Desk
from generator.sheet.sheet import Figure, Number, Parts, Solution, parts, walk
from generator.sheet.wording import either
from generator.stations.common import Tasks
from generator.stations.next_word import (
    PROBABILITY_PLACES,
    at_temperature,
    last_steps,
    last_vector,
    own_output,
    softmax_tables,
    word_tables,
    word_vector,
    writable,
)
from generator.stations.output.exchange import exchanged
from generator.stations.output.figures import probability_bars, shown_words, telling_components, word_plane
from generator.stations.worked_lines import honest_sum, products_line

_TABLES_TO_FILL: Final = 2  # temperatures beside the main one that get a table of their own
_NEAR: Final = 0.1  # of a logit; what a drawing cannot tell apart


def station(desk: Desk, tasks: Tasks) -> Parts:
    main = main_temperature(desk.options.temperatur)
    others = [t for t in desk.options.temperatur if t != main]
    worked = desk.calculation.model.token_ids[desk.example]
    own = own_output(desk)
    vector, factors, logit = last_vector(desk), word_vector(desk, worked), desk.number("logit", worked)
    plane, ahead, axes = word_directions(desk, vector.blank)
    tasks.add("plane", "Zeichne", "II", points=2)
    words = word_tables(desk, own, main, worked)
    tasks.add("logits", "Berechne", "I", words)
    tasks.add("predict", "Gib", "I", points=1)
    if not desk.options.learns:
        tasks.add("worth", "Beurteile", "III", points=1)
    trained = compared(desk)
    if trained:
        tasks.add("learnt", "Vergleiche", "II", points=2)
        tasks.add("alone", "Begründe", "II", points=3)
    fitting = [t for t in others[:_TABLES_TO_FILL] if writable(desk, own, t)]
    tables = [_other(desk, t, worked, tasks) for t in fitting] if desk.less else []
    at_others = _last_steps(desk, fitting, tasks) if fitting and not desk.less else None
    bars = probability_bars(desk)
    tasks.add("bars", "Zeichne", "I", points=2)
    if others:
        tasks.add("compare", "Beschreibe", "II", points=2)
    swapped = exchanged(desk)
    if swapped and swapped.mix:
        tasks.add("tip", "Gib", "III", points=1)
    if swapped and swapped.own.blank:
        tasks.add("exchange", "Zeichne", "II", points=2)
    if swapped:
        tasks.add("read", "Deute", "III", points=3)
    if swapped and swapped.mix:
        tasks.add("guess", "Prüfe", "III", points=2)
    return parts(
        block=desk.sizes.n_blocks,
        before=id_of_block(desk.sizes.n_blocks),
        vector=vector,
        worked=desk.vocabulary[worked],
        line=None if vector.blank else products_line(desk, vector.numbers, factors, logit),
        factors=[number.bracketed for number in factors],
        worked_logit=logit,
        worked_exp=desk.number(at_temperature(main) + "exp", worked) if writable(desk, own, main) else None,
        worked_scaled=desk.number(at_temperature(main) + "scaled_logit", worked),
        words=words,
        logits=honest_sum(desk, "logit", [(i,) for i in range(len(desk.vocabulary))]),
        main=desk.constant(main),
        divided=main != 1,
        next=Solution(" oder ".join(desk.vocabulary[i] for i in desk.largest("logit"))),
        tables=tables,
        last_steps=at_others,
        again=desk.calculation.predicted() == desk.calculation.model.token_ids[-1],
        left_out=[desk.constant(t) for t in others if not writable(desk, own, t)],
        others=bool(others),
        bars=bars,
        all_bars=len(shown_words(desk)) == len(desk.vocabulary),
        coldest=_best_at(desk, min(desk.options.temperatur)),
        hottest=_best_at(desk, max(desk.options.temperatur)),
        trained=trained,
        exchanged=swapped,
        plane=plane,
        ahead=ahead,
        axes=axes,
    )


def _other(desk: Desk, temperature: float, worked: int, tasks: Tasks) -> Parts:
    """The whole way at another temperature."""
    table = softmax_tables(desk, own_output(desk), temperature, worked)
    name = at_temperature(temperature)
    tasks.add(name, "Berechne", "I", table)
    return parts(task=name, temperature=desk.constant(temperature), table=table)


def _last_steps(desk: Desk, temperatures: Sequence[float], tasks: Tasks) -> Parts:
    """Only the last step at the other temperatures. sums: of what is asked, for each temperature."""
    table = last_steps(desk, own_output(desk), temperatures)
    tasks.add("again", "Berechne", "I", table)
    asked = {n.index for n in walk(table, Number) if n.blank}
    return parts(
        table=table,
        temperatures=[desk.constant(t) for t in temperatures],
        sums=[desk.check_sum(at_temperature(t) + "probability", sorted(asked)) for t in temperatures],
    )


def _best_at(desk: Desk, temperature: float) -> Parts:
    best = desk.calculation.predicted()
    values = desk.quantity(at_temperature(temperature) + "probability").values
    return parts(
        temperature=desk.constant(temperature),
        word=desk.vocabulary[best],
        best=desk.constant(float(values[best]), PROBABILITY_PLACES),
    )


def word_directions(desk: Desk, blank: bool) -> tuple[Figure, Solution, list[int]]:
    """The plane of two components, the words with the largest logit in these two alone, and which they are.

    blank: the pupil draws the vector; it is given on the sheet otherwise.
    """
    vectors = desk.calculation.model.vocabulary_embedding  # (V, d_model)
    name = f"block{desk.sizes.n_blocks}.norm2.output"
    last = desk.quantity(name).values[-1]
    pair = list(telling_components(vectors, last))
    parts = vectors[:, pair] @ last[pair]
    near = [word for word, part in enumerate(parts) if part >= parts.max() - _NEAR]
    figure = word_plane(desk, vectors, name, desk.n - 1, near, blank=blank)
    return figure, Solution(either([desk.vocabulary[word] for word in near])), [c + 1 for c in pair]


# --- What a sheet says of a model that has learnt: its texts, what it would predict untrained or alone.


_WORD_AND_MARK: Final = 2  # with which a text ends


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
    more often than another. one_end: all beginnings end in one word at one place. wrong: the beginnings that
    go on wrongly without attention; context: the texts need it.
    """
    learnt = desk.built.learnt
    if learnt is None:
        return None
    model, heads = learnt.model, head_names(learnt.model)
    read = (text for text in learnt.corpus.ids if len(text) > _WORD_AND_MARK)
    ids = dict.fromkeys(learnt.corpus.asked_of(text, model.token_ids) for text in read)
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
        one_end=len({(len(each), each[-1]) for each in ids}) == 1,
    )


def _with_probability(desk: Desk, learnt: Learnt, word: str) -> str:
    """„Matte“ mit 0,473: what the sheet's own model says of a word."""
    row = by_hand(learnt.model)[-1]  # (V,)
    probability = float(row[learnt.model.vocabulary.index(word)])
    return f"„{printable(word)}“ mit {desk.format.text(probability, PROBABILITY_PLACES)}"


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
        text = desk.format.text(float(row[word]), PROBABILITY_PLACES)
        return Number(f"{name}.probability", (word,), text, PROBABILITY_PLACES)

    return Guess(printable(model.vocabulary[best]), number(best), number(expected))
