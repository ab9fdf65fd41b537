"""Pairs of sentences go in; an encoder–decoder that writes the targets word by word comes out, or None."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.backward.backward import EncoderDecoderBackward
from engine.forward.calculation import LARGEST_SCALED, divides_well, largest_scaled
from engine.forward.encoder_decoder import EncoderDecoderCalculation, calculate_encoder_decoder
from engine.judging.acceptance import simulate
from engine.judging.parts import (
    another_is_likeliest,
    begun_pair,
    copies,
    cross_heads_of,
    dead_components,
    dead_units,
    is_needed,
    pair_heads_of,
    pair_probabilities_without,
)
from engine.model.model import EncoderDecoderModel, encoder_decoder_shapes
from engine.numbers.arrays import Array, CalculationError, Floats
from engine.pens.pens import Pen, Visible
from engine.texts.translation import Translation, translate
from engine.trace import DECODER, ENCODER, place_of
from engine.training.absences import Absences, absences_of, with_copies, with_rows
from engine.training.budget import Budget, attention_numbers, token_numbers
from engine.training.criteria import LEAST_PROBABILITY, LEAST_RATIO
from engine.training.descent import Course, Parameters, descend
from engine.training.examination import PUPILS, can_be_written
from engine.training.heads import into_idle
from engine.training.one_sentence import OUTPUT, VECTORS, Learnable
from engine.training.steps import Batch, EveryBeginning, largest_to_write
from engine.training.texts import Reading, filled_up
from engine.training.training import REACHES, candidates

GUIDANCE = 0.3  # how strongly attention is drawn to the word that is translated
FIRM = 0.5  # the same where it is to be seen on the sheet
_HIGH, _LEAST_SEEN = 0.65, 0.5  # a weight is drawn above; so much it has at least in a worked row
LEAST_WEIGHT_OF_WORKED: Final = 0.45  # of the first head's largest weight, in one of the worked rows


@dataclass(frozen=True)
class Pair:
    """source: vectors of its words, (m, d_model). target: IDs of its words, without start and end.

    translates: for each target word the place of the source word that it translates, where one is known.
    """

    source: Floats
    target: tuple[int, ...]
    translates: Mapping[int, int]


class PairSteps(EveryBeginning, EncoderDecoderBackward):
    """Pairs of sentences; the cross-attention's first head learns to look at the word to be translated.

    there: which of the source is no filling, (B, 1, m). aligned: where the weights of a target token should
    be, (B, n, m). absences: the rows in which heads of the cross-attention say nothing. lengths: of the
    first pair's source and target, its start token among them.
    """

    model: Batch  # type: ignore[assignment]

    def __init__(
        self,
        batch: Batch,
        pen: Pen,
        there: NDArray[np.bool_],
        aligned: Floats,
        absences: Absences | None,
        lengths: tuple[int, int],
    ) -> None:
        super().__init__(batch, pen)
        self.there, self.aligned, self.absences, self.lengths = there, aligned, absences, lengths

    def visible(self, prefix: str) -> Visible:
        return self.model.visible if place_of(prefix).layer == "self" else self.there

    def attend(self, prefix: str, weights: str, x: Array, source: Array, visible: Visible) -> Array:
        return self.heard(prefix, super().attend(prefix, weights, x, source, visible))

    def head_back(self, prefix: str, x: Array, source: Array, g: Array) -> tuple[Array, Array]:
        return super().head_back(prefix, x, source, self.heard(prefix, g))

    def heard(self, prefix: str, output: Array) -> Array:
        """What a head says or is told, 0 where it is off, (S, B, n, d_head)."""
        place = place_of(prefix)
        if self.absences is None or place.layer != "cross":
            return output
        return output * self.absences.head(place.block, place.head)

    def extra_gradient(self, probability: Array) -> Array:
        return np.float64(0.0) if self.absences is None else self.absences.into_logits(probability)

    def softmax_back(self, prefix: str, weight: Array, g: Array) -> Array:
        scaled = super().softmax_back(prefix, weight, g)
        place = place_of(prefix)
        if (place.layer, place.head) != ("cross", 1):
            return scaled
        known = self.aligned.sum(-1, keepdims=True)  # (B, n, 1)
        wrong = scaled + GUIDANCE * (weight - self.aligned) * known
        if prefix == _WORKED_HEAD:
            low = (weight * self.aligned).sum(-1, keepdims=True) < _HIGH
            wrong = wrong + FIRM * (weight - self.aligned) * known * low
        return self.gradient(prefix + "scaled", wrong, visible=self.visible(prefix))

    def through_relu(self, name: str, g: Array) -> Array:
        length = self.lengths[place_of(name).side == DECODER]
        idle = np.zeros_like(g)
        idle[:, 0, :length] = into_idle(self.written[name][:, 0, :length])
        return super().through_relu(name, g + idle)

    def teaches(self, blocks: range, rows: Sequence[int]) -> NDArray[np.bool_]:
        """Which starts need every cross head, look at a word, and have no idle units, (S,).

        Who insists looks for copies among the units, too.
        """
        weight = self.written[_WORKED_HEAD + "weight"][:, 0, list(rows)]  # (S, rows, m)
        fit = [weight.max((-1, -2)) >= _LEAST_SEEN]
        if self.absences is not None:
            fit.append(self.absences.are_missed(self.written["decoder.temperature1.probability"]).all(-1))
        for side, length in zip((ENCODER, DECODER), self.lengths, strict=True):
            for block in blocks:
                own = self.written[f"{side}block{block}.ffn.hidden"][:, 0, :length]
                fit.append(((own.max(1) > 0) & (own.min(1) <= 0)).all(-1))
                if self.model.insists:
                    W_1, b_1 = (
                        self.model.weights[f"{side}block{block}.ffn.{name}"] for name in ("W_1", "b_1")
                    )
                    fit.append(~copies(W_1[:, 0], b_1[:, 0, 0]).any(-1))
        return np.asarray(np.all(fit, axis=0))

    def predict(self, source: Array, target: Array) -> Array:
        """Probabilities after every target token, (S, B, n, V)."""
        self.written["encoder.input"], self.written["decoder.input"] = source, target
        x = self.decoder_blocks(target, self.blocks(source, ENCODER))
        return self.probabilities(DECODER, self.logits(DECODER, x), 1.0)


_WORKED_HEAD: Final = f"{DECODER}block1.cross.head1."


@dataclass(frozen=True)
class TwoSentences(Learnable):
    """An encoder–decoder that translates pairs. n_targets: words that it can write.

    Its decoder learns with a causal mask, whatever the rules say of it. The first row of the vectors is the
    start token's. Every further pair has another word than the first at one place of its target.
    """

    pairs: Sequence[Pair]
    n_targets: int
    side = DECODER

    @property
    def weight_shapes(self) -> dict[str, tuple[int, ...]]:
        return encoder_decoder_shapes(self.sizes)

    @property
    def n_words(self) -> tuple[int, int]:
        return self.n_targets + 1, self.n_targets

    @property
    def exchanged(self) -> dict[int, tuple[int, ...]]:
        """The places of the first target where another pair has another word, with those words."""
        first, found = self.pairs[0].target, dict[int, tuple[int, ...]]()
        for pair in self.pairs[1:]:
            place = next(i for i, word in enumerate(pair.target) if word != first[i])
            found[place] = (*found.get(place, ()), pair.target[place])
        return found

    @property
    def worked(self) -> tuple[int, ...]:
        """The rows of the target, the start token's among them, that a class works out."""
        last = len(self.pairs[0].target)
        return tuple(sorted({min(1, last - 1), last}))

    @cached_property
    def lines(self) -> dict[str, int]:
        """Where no column or row may be empty."""
        return self.axes_of(W_Q=0, W_K=0, W_V=0, W_1=0, W_2=1)

    @cached_property
    def absences(self) -> Absences | None:
        first = self.pairs[0].target
        places = [(place, first[place], instead) for place, instead in self.exchanged.items()]
        if not places:
            return None
        return absences_of(len(self.pairs), 0, places, self.n_targets, self.sizes, networks=0)

    @property
    def _copies(self) -> int:
        return len(self.absences.place) if self.absences else 0

    @cached_property
    def reading(self) -> Reading:
        """What follows each beginning of each target sentence; the start token has the ID 0 here."""
        ids, _ = filled_up([(0, *(word + 1 for word in pair.target)) for pair in self.pairs])
        right = np.zeros((*ids.shape, self.n_targets))
        for b, pair in enumerate(self.pairs):
            right[b, np.arange(len(pair.target) + 1), [*pair.target, self.n_targets - 1]] = 1.0
        n = ids.shape[1]
        visible = np.broadcast_to(np.tri(n, dtype=np.bool_), (len(ids), n, n))
        return with_rows(Reading(ids, right, visible), 0, self._copies)

    @cached_property
    def source(self) -> tuple[Floats, NDArray[np.bool_]]:
        """The printed input of the encoder, (B, m, d_model), and which of it is there, (B, 1, m)."""
        longest = max(len(pair.source) for pair in self.pairs)
        rows = [pair.source[np.minimum(np.arange(longest), len(pair.source) - 1)] for pair in self.pairs]
        there = np.arange(longest) < np.array([len(pair.source) for pair in self.pairs])[:, None]
        copied = (with_copies(table, 0, self._copies) for table in (self.input(np.stack(rows)), there))
        source, there = copied
        return source, there[:, None, :]

    @cached_property
    def aligned(self) -> Floats:
        """Where the first head is to look; in worked rows without a translation at an exchanged word."""
        found = np.zeros((len(self.pairs), self.reading.ids.shape[1], self.source[0].shape[1]))
        for b, pair in enumerate(self.pairs):
            for row, place in pair.translates.items():
                found[b, row, place] = 1.0
            for row in self.worked:
                if not found[b, row].any():
                    found[b, row, self._source_places[row % len(self._source_places)]] = 1.0
        return with_copies(found, 0, self._copies)

    @cached_property
    def _source_places(self) -> tuple[int, ...]:
        """Where the sources of the pairs differ; the last word where they do not."""
        first = self.pairs[0].source
        alike = [pair.source for pair in self.pairs if pair.source.shape == first.shape]
        places = {int(place) for each in alike for place in np.flatnonzero((each != first).any(-1))}
        return tuple(sorted(places)) or (len(first) - 1,)

    @cached_property
    def largest(self) -> Floats:
        limits = np.full((*self.reading.ids.shape, 1), np.inf)
        limits[0, len(self.pairs[0].target)] = largest_to_write(self.rules)
        return limits

    @property
    def numbers(self) -> int:
        """About how many numbers one start writes in a step."""
        (rows, m, _), n, sizes = map(int, self.source[0].shape), int(self.reading.ids.shape[1]), self.sizes
        heads = [attention_numbers(sizes, rows, *lengths) for lengths in ((m, m), (n, n), (n, m))]
        others = token_numbers(sizes, 0) * m + token_numbers(sizes, self.n_targets) * n
        return sizes.n_blocks * sum(heads) + rows * others

    def steps(self, tables: Mapping[str, Floats], pen: Pen) -> PairSteps:
        source, there = self.source
        lengths = len(self.pairs[0].source), len(self.pairs[0].target) + 1
        steps = PairSteps(self.batch(tables, pen), pen, there, self.aligned, self.absences, lengths)
        target = self.input(tables[DECODER + VECTORS][:, self.reading.ids])  # (S, B, n, d_model)
        every = np.broadcast_to(source, (len(target), *source.shape))
        steps.predict(pen.read(every), pen.read(target))
        return steps

    def clear(self, steps: PairSteps) -> NDArray[np.bool_]:
        fit = self.predicts(steps)
        return fit & steps.teaches(range(1, self.sizes.n_blocks + 1), self.worked) if fit.any() else fit


# --- Starts learn side by side, and the first that passes is taken.


_ALL_HEADS: Final = "all"
_STREAM: Final = 1_000_003  # apart from the seeds of one sentence
_KEPT_EVERY, _EXAMINED_FROM, _PATIENT = 20, 0.7, 1
# Two stacks one upon the other: shorter steps from smaller weights than for one sentence.
_LARGEST_RATE, _RATE_FOR_ONE_COMPONENT, _STEPS, _PULL, _SPREAD = 0.03, 0.14, 350, 0.005, 0.45


Build = Callable[[Mapping[str, Floats], Floats, Floats], EncoderDecoderModel]


def train_pair(
    task: TwoSentences, classes: Floats, build: Build, seed: int, tell: Callable[[int], None]
) -> dict[str, Floats] | None:
    """The weights of the first start that passes, with the "vectors" that words enter with and the "output".

    classes: where the target's vectors begin, the start token's first. build: the sheet's model from weights,
    vectors (the start token's first) and the output's vectors.
    """
    rate = min(_LARGEST_RATE, _RATE_FOR_ONE_COMPONENT / task.sizes.d_model)
    course = Course(rate, _STEPS, _PULL)
    budget = pair_budget(task)
    for attempt, reach in enumerate(REACHES if budget.starts else ()):
        if not budget.allows_attempt(found=False):
            break
        tell(attempt)
        parameters = Parameters(task.shapes, {DECODER + VECTORS: classes}, reach, _SPREAD, task.lines)
        insisting = replace(task, insists=attempt >= _PATIENT)
        moments = descend(
            insisting, parameters, course, budget.starts, _STREAM + seed * len(REACHES) + attempt
        )
        late = _EXAMINED_FROM * course.steps
        kept = [moment for moment in moments if moment.step % _KEPT_EVERY == 0 and moment.step >= late]
        budget.attempted()
        for start, place in candidates(kept, course):
            if not budget.allows_look(found=False):
                break
            budget.looked()
            tables = {name: table[start] for name, table in kept[place].tables.items()}
            vectors, output = tables.pop(DECODER + VECTORS), tables.pop(DECODER + OUTPUT)
            weights = tables | task.kept
            if passes(build(weights, vectors, output), task):
                return {**weights, "vectors": vectors, "output": output}
    return None


def pair_budget(task: TwoSentences) -> Budget:
    weights = sum(map(prod, task.shapes.values()))
    return Budget(task.numbers, weights, 3 * task.sizes.n_blocks, _STEPS)


def passes(model: EncoderDecoderModel, task: TwoSentences) -> bool:
    """Whether a class can do it and gets the target word by word to its end, looking where it should."""
    try:
        calculation = calculate_encoder_decoder(model)
        start = replace(model, tokens=model.tokens[:1], embedding=model.embedding[:1])
        written = translate(start, model.n_tokens)
    except CalculationError:
        return False
    if largest_scaled(calculation) >= LARGEST_SCALED:
        return False
    if not divides_well(calculation.hand) or not is_clear(written, model):
        return False
    if not can_be_written(calculation.hand, DECODER, model.rules):
        return False
    winner = calculation.predicted()
    papers = simulate(calculation, PUPILS, _STREAM)
    if not all((np.atleast_2d(p["decoder.logit"].values).argmax(-1) == winner).all() for p in papers):
        return False
    weight = calculation.hand[_WORKED_HEAD + "weight"].values
    if weight[list(task.worked)].max() < LEAST_WEIGHT_OF_WORKED:
        return False
    if not all(weight[row].argmax() == place for row, place in task.pairs[0].translates.items()):
        return False
    return nothing_is_idle(model, calculation) and needs_source(model, task)


def nothing_is_idle(model: EncoderDecoderModel, calculation: EncoderDecoderCalculation) -> bool:
    """No component of any head is 0 for all tokens, and every hidden unit says something."""
    hand, sizes = calculation.hand, model.sizes
    if any(dead_components(hand, place_of(each).prefix) for each in pair_heads_of(sizes)):
        return False
    networks = (f"{side}block{b}.ffn." for side in (ENCODER, DECODER) for b in range(1, sizes.n_blocks + 1))
    return not any(
        dead_units(hand[prefix + "activation"].values, model.weights, prefix).any() for prefix in networks
    )


def needs_source(model: EncoderDecoderModel, task: TwoSentences) -> bool:
    """An exchanged source word changes what is written, and no cross head can be left out everywhere."""
    heads, needed = cross_heads_of(model.sizes), set[str]()
    for pair in task.pairs[1:]:
        place = next(i for i, word in enumerate(pair.target) if word != task.pairs[0].target[i])
        begun = begun_pair(model, place + 1)
        try:
            other = pair_probabilities_without(replace(begun, source_embedding=pair.source), ())[0]
            every, nowhere, *single = pair_probabilities_without(begun, (), heads, *((h,) for h in heads))
        except CalculationError:
            return False
        right = task.pairs[0].target[place]
        if other.argmax() != pair.target[place]:
            return False
        if another_is_likeliest(right, nowhere):
            needed.add(_ALL_HEADS)
        of_heads = zip(heads, single, strict=True)
        needed |= {head for head, without in of_heads if is_needed(right, float(every[right]), without)}
    return needed == {_ALL_HEADS, *heads}


def is_clear(written: Translation, model: EncoderDecoderModel) -> bool:
    """The target's words and the end token, each clearly the most probable."""
    if written.text[1:] != (*model.tokens[1:], model.vocabulary[-1]):
        return False
    for round_ in written.rounds:
        name = f"round{round_.number}.decoder.temperature1.probability"
        ordered = np.sort(written.hand[name].values)
        if ordered[-1] < LEAST_PROBABILITY or ordered[-1] < LEAST_RATIO * ordered[-2]:
            return False
    return True
