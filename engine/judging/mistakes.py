"""The typical mistakes, each the forward pass with one step exchanged: `MISTAKES` is what others read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.forward.calculation import Calculation, write_as_far_as_possible
from engine.forward.forward import Forward, alternating, angles
from engine.model.model import Model
from engine.numbers.arrays import Array, Floats, cut, half_up, ln, relu
from engine.pens.pens import FloatPen, Numbers, Rounding, Visible
from engine.trace import Place, place_of


class ForgotScaling(Forward):
    def scale(self, score: Array) -> Array:
        return score


class DividedByDk(Forward):
    def scale(self, score: Array) -> Array:
        return score / float(self.sizes.d_head)


class SoftmaxOverColumns(Forward):
    def total(self, e: Array) -> Array:
        return e.sum(-2)

    def normalise(self, e: Array, total: Array) -> Array:
        return e / total[..., None, :]


class ForgotMask(Forward):
    def causal(self) -> NDArray[np.bool_]:
        return np.ones((self.model.n_tokens, self.model.n_tokens), dtype=np.bool_)


class MaskAsZero(Forward):
    """Hidden scores become 0 and not −∞: e^0 = 1 counts in the sum."""

    def mask(self, scaled: Array, visible: Visible) -> tuple[Array, Visible]:
        return scaled, None


class ScoreTransposed(Forward):
    def score(self, query: Array, key: Array) -> Array:
        return super().score(key, query)


class QueryMatrixForKey(Forward):
    def weight(self, name: str) -> Array:
        place = place_of(name)
        last = {"W_Q": "W_K", "W_K": "W_Q"}.get(place.last, place.last)
        return super().weight(place._replace(last=last).name)


class ValuesOfOtherHead(Forward):
    """The next head's value table is mixed; the own one stands where it should."""

    step = 1

    def keys_and_values(self, prefix: str, weights: str, source: Array) -> tuple[Array, Array]:
        key, _ = super().keys_and_values(prefix, weights, source)
        other = neighbour(weights, self.step, self.sizes.n_heads)
        return key, source @ self.weight(other + "W_V")  # (m, d_head)


class ValuesOfHeadBefore(ValuesOfOtherHead):
    step = -1


class ValueMatrixOfOtherHead(Forward):
    def weight(self, name: str) -> Array:
        return super().weight(
            neighbour(name, 1, self.sizes.n_heads) if place_of(name).last == "W_V" else name
        )


def neighbour(name: str, step: int, heads: int) -> str:
    """block1.head2.W_V -> block1.head1.W_V with two heads."""
    place = place_of(name)
    return place._replace(head=(place.head - 1 + step) % heads + 1).name


class NotNormalised(Forward):
    def normalise(self, e: Array, total: Array) -> Array:
        return e


class ForgotResidual(Forward):
    def residual(self, name: str, x: Array, new: Array) -> Array:
        return super().residual(name, 0.0 * x, new)


class RootForgotten(Forward):
    """In a norm."""

    def norm_divisor(self, mean_square: Array) -> Array:
        return mean_square


class OneLess(Forward):
    """The sample's variance: divided by d − 1."""

    def mean_square(self, numbers: Array) -> Array:
        return (numbers * numbers).sum(-1) / (self.sizes.d_model - 1.0)


class ForgotRelu(Forward):
    def activate(self, hidden: Array) -> Array:
        return hidden


class ReluOnOutput(Forward):
    def project(self, prefix: str, activation: Array) -> Array:
        return relu(super().project(prefix, activation))


class ReluOnOutputOnly(ReluOnOutput, ForgotRelu):
    pass


class TimesTemperature(Forward):
    def tempered(self, logit: Array, temperature: float) -> Array:
        return logit * temperature


class PowersOfTen(Forward):
    def exp(self, scaled: Array) -> Array:
        return np.power(10.0, scaled)


class Degrees(Forward):
    def position(self) -> Array:
        angle = np.radians(angles(self.model.n_tokens, self.sizes.d_model))
        return alternating(np.sin(angle), np.cos(angle))


class SineAndCosineExchanged(Forward):
    def position(self) -> Array:
        angle = angles(self.model.n_tokens, self.sizes.d_model)
        return alternating(np.cos(angle), np.sin(angle))


class HeadsBackwards(Forward):
    def join(self, prefix: str, outputs: Sequence[Array]) -> Array:
        return super().join(prefix, outputs[::-1])


class HeadsTurned(Forward):
    def join(self, prefix: str, outputs: Sequence[Array]) -> Array:
        return super().join(prefix, [*outputs[1:], outputs[0]])


class FirstToken(Forward):
    def last(self, x: Array) -> Array:
        return x[..., 0, :]


class CommonLogarithm(Forward):
    def surprise(self, probability: Array) -> Array:
        return -ln(probability) / ln(np.asarray(10.0))


class ForgotTarget(Forward):
    def error(self, probability: Array, right: Array) -> Array:
        return probability


class Uphill(Forward):
    def stepped(self, old: Array, gradient: Array, rate: Array) -> Array:
        return old + gradient * rate


class ForgotRate(Forward):
    def stepped(self, old: Array, gradient: Array, rate: Array) -> Array:
        return old - gradient


MadeIn: TypeAlias = Callable[[Place], bool]


@dataclass(frozen=True)
class Mistake:
    """A mistake by its name; the ways to make it, the likeliest first; whether a model leaves room for it.

    made_in: whether someone who writes the quantity at a place can make it.
    """

    id: str
    variants: tuple[type[Forward], ...]
    made_in: MadeIn
    applies: Callable[[Model], bool] = lambda model: True
    rounding: Rounding = half_up

    def possible(self, model: Model, names: Iterable[str]) -> bool:
        """Whether it can be made by someone who writes these quantities."""
        return self.applies(model) and any(self.made_in(place_of(name)) for name in names)


def _named(*names: str) -> MadeIn:
    return lambda at: at.name in names


def _every(*last: str) -> MadeIn:
    return lambda at: at.last in last


def _of_heads(*last: str) -> MadeIn:
    return lambda at: at.head > 0 and at.last in last


def _of_masked(*last: str) -> MadeIn:
    return lambda at: at.block > 0 and not at.layer and at.head > 0 and at.last in last


def _of_softmax(*last: str) -> MadeIn:
    return lambda at: (at.head > 0 or at.way == "entry.") and at.last in last


def _of_norms(*last: str) -> MadeIn:
    return lambda at: at.of_norm and at.last in last


def _of_networks(*last: str) -> MadeIn:
    return lambda at: at.layer == "ffn" and at.last in last


def _scales(model: Model) -> bool:
    return model.rules.scaling and model.sizes.d_head > 1


def _hides(model: Model) -> bool:
    return model.rules.causal_mask and model.n_tokens > 1


def _several_heads(model: Model) -> bool:
    return model.sizes.n_heads > 1


def _positions(model: Model) -> bool:
    return model.rules.positions


def _has_variance(model: Model) -> bool:
    return "variance" in model.sizes.norm.steps


MISTAKES: Final[tuple[Mistake, ...]] = (
    Mistake("degrees", (Degrees,), _named("positional_encoding"), _positions),
    Mistake("sine_cosine_exchanged", (SineAndCosineExchanged,), _named("positional_encoding"), _positions),
    Mistake("query_key_exchanged", (ScoreTransposed, QueryMatrixForKey), _of_heads("query", "key", "score")),
    Mistake("scaling_forgotten", (ForgotScaling,), _of_heads("scaled", "exp"), _scales),
    Mistake("divided_by_dk", (DividedByDk,), _of_heads("scaled", "exp"), _scales),
    Mistake("base_ten", (PowersOfTen,), _every("exp")),
    Mistake("mask_forgotten", (ForgotMask,), _of_masked("exp_sum", "weight"), _hides),
    Mistake("mask_as_zero", (MaskAsZero,), _of_masked("exp_sum", "weight"), _hides),
    Mistake("softmax_over_columns", (SoftmaxOverColumns,), _of_softmax("exp_sum", "weight")),
    Mistake("not_normalised", (NotNormalised,), _of_softmax("weight")),
    Mistake(
        "values_of_other_head",
        (ValuesOfOtherHead, ValuesOfHeadBefore, ValueMatrixOfOtherHead),
        _of_heads("output"),
        _several_heads,
    ),
    Mistake(
        "heads_in_wrong_order", (HeadsBackwards, HeadsTurned), _every("concat", "attention"), _several_heads
    ),
    Mistake("residual_forgotten", (ForgotResidual,), _every("residual1", "residual2", "residual3")),
    Mistake("variance_for_deviation", (RootForgotten,), _of_norms("std", "output"), _has_variance),
    Mistake(
        "one_less",
        (OneLess,),
        _of_norms("variance", "std", "output"),
        lambda model: _has_variance(model) and model.sizes.d_model > 1,
    ),
    Mistake("relu_forgotten", (ForgotRelu,), _of_networks("activation", "output")),
    Mistake("relu_on_output", (ReluOnOutput, ReluOnOutputOnly), _of_networks("output")),
    Mistake("first_token", (FirstToken,), _named("logit"), lambda model: model.n_tokens > 1),
    Mistake(
        "temperature_multiplied",
        (TimesTemperature,),
        lambda at: bool(at.temperature) and not at.way + at.side,
        lambda model: set(model.rules.temperatures) != {1.0},
    ),
    Mistake("cut", (Forward,), lambda at: True, rounding=cut),
)


# Of the way back, which pupils take on paper and in questions; diagnosis reads the way forward alone.
LEARNING_MISTAKES: Final[tuple[Mistake, ...]] = (
    Mistake("common_logarithm", (CommonLogarithm,), _every("loss")),
    Mistake("target_forgotten", (ForgotTarget,), _named("gradient.logit", "gradient.decoder.logit")),
    Mistake("uphill", (Uphill,), lambda at: at.way == "step."),
    Mistake("rate_forgotten", (ForgotRate,), lambda at: at.way == "step."),
)
ALL_MISTAKES: Final = (*MISTAKES, *LEARNING_MISTAKES)


def mistaken_numbers(
    calculation: Calculation, mistake: Mistake, numbers: Mapping[str, Numbers]
) -> list[Mapping[str, Floats]]:
    """What each way to make the mistake gives in every cell, computed from the numbers before that cell.

    numbers: the pupil's own; nothing for a mistake that runs on through the whole sheet, the key's for one
    that is made in this cell for the first time. nan where nothing can be computed.
    """
    return [
        numbers_of_variant(calculation, numbers, variant, mistake.rounding) for variant in mistake.variants
    ]


def numbers_of_variant(
    calculation: Calculation, numbers: Mapping[str, Numbers], variant: type[Forward], rounding: Rounding
) -> Mapping[str, Floats]:
    """What one way gives in every cell of every pass, computed from the numbers before that cell.

    nan in the tables that it cannot come to.
    """
    right: dict[str, Floats] = {}
    for each, names in calculation.parts():
        pen = FloatPen(each.hand, numbers, rounding)
        write_as_far_as_possible(each, pen, variant)
        for name in names:
            known = name in pen.right
            right[name] = pen.right[name] if known else np.full(each.hand[name].values.shape, np.nan)
    return right
