"""A trained model goes in; by name, what it lacks for a sheet that teaches comes out.

CRITERIA has all, what is quickly seen first. „Written“ is what PUPILS pupils write who round as they like,
the first of them in school arithmetic: honest rounding changes none of it.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.forward.calculation import SentencePass, calculate
from engine.judging.parts import dead_components, dead_units, parts_not_needed
from engine.model.model import Model
from engine.numbers.arrays import CalculationError, Floats
from engine.trace import Trace
from engine.training.examination import (
    Prediction,
    by_hand,
    careless,
    examine,
    head_names,
    is_playable,
    spoken,
)
from engine.training.texts import Corpus, Exchange, Ids

_TINY: Final = 1e-9  # what floats may be off
BY_HAND: Final = 0  # the head that the class works out


@dataclass(frozen=True)
class Evidence:
    """What is known of a model, worked out as it is asked for.

    model: before the sheet's sentence. untrained: the same before the training. classes: of the vocabulary's
    words the vectors they began with, (V, d_model).
    """

    model: Model
    untrained: Model
    corpus: Corpus
    classes: Floats
    _written: dict[Ids, Trace] = field(default_factory=dict)

    @property
    def beginning(self) -> Ids:
        return self.model.token_ids

    @cached_property
    def calculation(self) -> SentencePass:
        return calculate(self.model)

    @cached_property
    def predictions(self) -> tuple[Prediction, ...]:
        return examine(self.model, self.corpus)

    def written(self, beginning: Ids) -> Trace:
        """By all pupils; with the mask a beginning is read from a text that goes on from it."""
        text = beginning
        if self.model.rules.causal_mask:
            longer = (each[:-1] for each in self.corpus.ids if each[: len(beginning)] == beginning)
            text = next(longer, beginning)
        if text not in self._written:
            self._written[text] = careless(spoken(self.model, text))
        return self._written[text]

    def winners(self, beginning: Ids) -> NDArray[np.intp]:
        """The most probable next word, (pupils,)."""
        return np.asarray(self.written(beginning)["logit"].values[..., len(beginning) - 1, :].argmax(-1))

    def look(self, head: int, beginning: Ids) -> Floats:
        """A head's weights at the last word, (pupils, n)."""
        row, n = self.written(beginning)[head_names(self.model)[head] + "weight"], len(beginning)
        return np.atleast_2d(row.values[..., n - 1, :n])

    @property
    def heads(self) -> range:
        """The heads of the first block."""
        return range(self.model.sizes.n_heads)


def every_component_works(e: Evidence) -> bool:
    """In no head is a component of all queries, keys or values 0; in the one worked out much more is asked.

    None of the last word's products there is 0, nor do all its queries, keys or values lie on one line: two
    words would have one row of weights, and what is mixed would be no point inside a figure.
    """
    names = head_names(e.model)
    query = e.written(e.beginning)[names[BY_HAND] + "query"].values[..., len(e.beginning) - 1, :]
    tables = [e.model.weights[names[BY_HAND] + name] for name in ("W_Q", "W_K", "W_V")]
    least = min(2, e.model.sizes.d_head)
    spread = all(np.linalg.matrix_rank(table) >= least for table in tables)
    dead = any(dead_components(e.calculation.hand, head) for head in names)
    return bool(not dead and query.all() and spread)


def begins_wrong(e: Evidence) -> bool:
    """Without training another word comes out."""
    try:
        first = int(by_hand(e.untrained)[-1].argmax())
    except CalculationError:
        return True
    return first not in e.corpus.followers.get(e.beginning, ())


def words_differ(e: Evidence) -> bool:
    """No two words have come to share a vector that did not share it in the beginning."""
    return len(np.unique(e.model.input_embedding, axis=0)) >= len(np.unique(e.classes, axis=0))


def vectors_name_their_class(e: Evidence) -> bool:
    """The largest component of every word, ahead of all others, is the one that is largest in its class."""
    size, own = np.abs(e.model.input_embedding), np.abs(e.classes).argmax(-1)
    ordered = np.sort(size, axis=-1)
    return bool((size.argmax(-1) == own).all() and (ordered[:, -1] > ordered[:, -2]).all())


LEAST_PROBABILITY, LEAST_RATIO = 0.5, 2.0  # of the right word; of it to the second


def finds_every_word(e: Evidence) -> bool:
    """After every beginning that the texts decide the right word is clearly the most probable."""
    return all(
        each.probability >= LEAST_PROBABILITY and each.probability >= LEAST_RATIO * each.second
        for each in e.predictions
    )


def needs_all_parts(e: Evidence) -> bool:
    """Where the texts know other words to go on with, none of its heads and networks can be left out."""
    own = e.beginning
    right = next((text[len(own)] for text in e.corpus.ids if text[: len(own)] == own), None)
    if right is None or e.corpus.fitting(own) == {right}:
        return True
    return not parts_not_needed(e.model, right)


LEAST_OF_SHARE: Final = 0.6  # of a word's share in the texts


def goes_on_as_read(e: Evidence) -> bool:
    """Where several words follow the sheet's beginning, each is about as probable as it is frequent."""
    after = e.corpus.followers.get(e.beginning, Counter())
    if len(after) < 2:
        return True
    row = e.calculation["temperature1.probability"].values  # (V,)
    other = np.delete(row, list(after)).max(initial=0.0)
    return all(
        row[word] >= max(LEAST_OF_SHARE * count / after.total(), LEAST_RATIO * other)
        for word, count in after.items()
    )


def can_be_calculated(e: Evidence) -> bool:
    """Nothing unfriendly, no layer whose result is 0."""
    return is_playable(e.calculation)


LEAST_OPEN: Final = 2  # hidden units for the last word
FEWEST_UNITS: Final = 3  # where nobody says how many


def every_unit_lives(e: Evidence) -> bool:
    """In every block each hidden unit says something, see `dead_units`, and a few do so for the last word."""
    n, written = len(e.beginning), e.written(e.beginning)
    for block in range(1, e.model.sizes.n_blocks + 1):
        prefix = f"block{block}.ffn."
        units = written[prefix + "activation"].values[..., n - 1, :]  # (pupils, d_ff)
        few = (units > 0).sum(-1).min() < min(LEAST_OPEN, e.model.sizes.d_ff)
        if few or dead_units(e.calculation[prefix + "activation"].values, e.model.weights, prefix).any():
            return False
    return True


LEAST_WEIGHT, LEAST_LEAD = 0.35, 0.1  # of a head's largest weight at the last word; above the second
LEAST_WEIGHT_BY_HAND, LEAST_LEAD_BY_HAND = 0.45, 0.2


def each_head_looks(e: Evidence) -> bool:
    """At the last word at one word more than at any other."""
    for head in e.heads:
        ordered = np.sort(e.look(head, e.beginning), axis=-1)
        least, lead = LEAST_WEIGHT, LEAST_LEAD
        if head == BY_HAND:
            least, lead = LEAST_WEIGHT_BY_HAND, LEAST_LEAD_BY_HAND
        if ordered[:, -1].min() < least - _TINY or np.diff(ordered)[:, -1].min() < lead - _TINY:
            return False
    return True


def every_row_has_a_first(e: Evidence) -> bool:
    """„Which most“ has one answer for everybody.

    All rows of the head that is worked out, masked or not; the last one of all others that are asked about.
    """
    n, rules, heads = e.model.n_tokens, e.model.rules, head_names(e.model)
    tables = [e.written(e.beginning)]
    if rules.causal_mask:
        tables.append(careless(replace(e.model, rules=replace(rules, causal_mask=False))))
    rows = [each[heads[BY_HAND] + "weight"].values[..., i, :n] for each in tables for i in range(1, n)]
    further = range(BY_HAND, len(heads), e.model.sizes.n_heads)
    rows += [e.look(head, e.beginning) for head in (*e.heads, *further)]
    return all(one_is_first(row, e.beginning) for row in rows)


def one_is_first(row: Floats, ids: Ids) -> bool:
    """Whether honest rounding leaves one word ahead of all others; one that stands twice may tie with itself.

    row: what every pupil writes, (pupils, n). ids: of the words.
    """
    words = np.unique(ids)
    best = np.stack([np.atleast_2d(row)[:, np.equal(ids, word)].max(-1) for word in words], axis=-1)
    ordered = np.sort(best, axis=-1)
    return len(words) == 1 or (
        len(set(best.argmax(-1))) == 1 and bool((ordered[:, -1] > ordered[:, -2]).all())
    )


def heads_look_apart(e: Evidence) -> bool:
    """Where two words decide, not all heads look at the same."""
    places = {int(e.look(head, e.beginning)[0].argmax()) for head in e.heads}
    return len(e.heads) == 1 or len(e.corpus.places(e.beginning)) < 2 or len(places) > 1


LEAST_MOVE: Final = 0.2


def exchanges_show(e: Evidence) -> bool:
    """For each head a word whose exchange moves the weight on its place and changes what comes out.

    Where one word decides alone, it is asked of the head that is worked out; where none does, of no head.
    """
    asked = {0: [], 1: [BY_HAND]}.get(len(e.corpus.places(e.beginning)), list(e.heads))
    return all(any(_shows(e, head, each) for each in e.corpus.exchanges(e.beginning)) for head in asked)


def _shows(e: Evidence, head: int, exchange: Exchange) -> bool:
    before = e.look(head, e.beginning)[:, exchange.place]
    after = e.look(head, exchange.beginning)[:, exchange.place]
    moved = max(before.min() - after.max(), after.min() - before.max())
    same = set(e.winners(e.beginning)) & set(e.winners(exchange.beginning))
    return bool(moved >= LEAST_MOVE - _TINY) and not same


def a_mix_goes_on_sensibly(e: Evidence) -> bool:
    """What the texts never combine goes on with a word that fits, ahead of all others and for everybody."""
    mix = e.corpus.mix(e.beginning)
    if mix is None:
        return True
    ordered = np.sort(by_hand(spoken(e.model, mix))[-1])  # (V,)
    if ordered[-1] - ordered[-2] < LEAST_LEAD - _TINY:
        return False
    winners = set(map(int, e.winners(mix)))
    return len(winners) == 1 and winners <= e.corpus.fitting(e.beginning)


def rounding_leaves_the_words(e: Evidence) -> bool:
    """After every decided beginning and the sheet's own everybody finds a word of the texts."""
    return all(
        np.isin(e.winners(beginning), list(after)).all()
        for beginning, after in e.corpus.followers.items()
        if len(after) == 1 or beginning == e.beginning
    )


CRITERIA: Final[tuple[Callable[[Evidence], bool], ...]] = (
    every_component_works,
    words_differ,
    vectors_name_their_class,
    begins_wrong,
    can_be_calculated,
    a_mix_goes_on_sensibly,
    finds_every_word,
    needs_all_parts,
    goes_on_as_read,
    each_head_looks,
    heads_look_apart,
    every_row_has_a_first,
    every_unit_lives,
    exchanges_show,
    rounding_leaves_the_words,
)


def faults(evidence: Evidence) -> Iterator[str]:
    """The criteria that are not kept; one where a step cannot be computed counts as not kept."""
    for criterion in CRITERIA:
        try:
            kept = criterion(evidence)
        except CalculationError:
            kept = False
        if not kept:
            yield criterion.__name__
