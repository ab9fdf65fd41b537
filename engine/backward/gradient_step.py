"""One step of learning, forward and back: loss, gradients, the changed weights and the loss with them."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from engine.backward.backward import Backward, EncoderDecoderBackward, Lesson
from engine.forward.calculation import Calculation, ModelNumbers, with_entry_step
from engine.forward.encoder_decoder import EncoderDecoderCalculation
from engine.forward.forward import Forward, exchanged
from engine.model.model import EncoderDecoderModel, Model, encoder_decoder_shapes, weight_shapes
from engine.numbers.arrays import Array
from engine.pens.pens import ExactPen, Pen, SchoolPen, Visible
from engine.trace import DECODER, N_PLUS_2, Trace, place_of


class LearningSteps(Backward):
    """Forward, loss, back, one step of gradient descent W − rate·∂L/∂W, and forward again from there.

    The second pass writes after.<name>, and only what can have changed: after the output's vectors alone the
    logits; after one head that head and what follows it; else everything from the first block on. What the
    model shows beside its forward pass (cosines, entry step) is written the first time only.
    """

    def run(self, entry: bool = True) -> Trace:
        if not self.lesson.before:
            super().run(entry)
        with np.errstate(all="ignore"):
            if self.lesson.before:
                self.output(self.whole_way())
            self.loss()
            self.back()
            self.descend()
            self.prefix = "after."
            self.output(self.again())
            self.loss()
        return self.pen.trace

    def whole_way(self) -> Array:
        """From the tokens to the last block's output, (n, d_model); nothing beside it."""
        return self.blocks(self.input())

    def output(self, x: Array) -> None:
        """The probabilities from which the loss is taken."""
        self.probabilities(self.side_of_output(), self.logits(self.side_of_output(), x), 1.0)

    def weight_names(self) -> list[str]:
        return [*weight_shapes(self.sizes), "vocabulary_embedding"]

    def descend(self) -> None:
        rate = self.pen.read(np.asarray(self.lesson.rate))
        for name in filter(self.learns, self.weight_names()):
            of_output = place_of(name).last == "vocabulary_embedding"
            old = self.vocabulary() if of_output else self.weight(name)
            axes = self.axes["gradient." + name]
            new = self.stepped(old, self.written["gradient." + name], rate)
            new = self.write("step." + name, new, N_PLUS_2.over(*axes))
            is_vector = len(axes) == 1
            self._read[name] = new[..., None, :] if is_vector else new  # a row for all tokens, in every run

    def stepped(self, old: Array, gradient: Array, rate: Array) -> Array:
        return old - gradient * rate

    def again(self) -> Array:
        """The last block's output with the changed weights, (n, d_model)."""
        L, path = self.sizes.n_blocks, self.lesson.path
        if path == "ausgabe":
            return self.written[f"block{L}.norm2.output"]
        first = L if path == "attention" else 1
        x = self.written[f"block{first - 1}.norm2.output" if first > 1 else "input"]
        return self.blocks(x, first=first)

    def attend(self, prefix: str, weights: str, x: Array, source: Array, visible: Visible) -> Array:
        if self.prefix and self.lesson.path == "attention" and prefix != self.learning_head():
            return self.written[prefix + "output"]
        return super().attend(prefix, weights, x, source, visible)

    def attention_cosines(self, attention: Array) -> None:
        if not self.prefix and not self.lesson.before:
            super().attention_cosines(attention)


class EncoderDecoderLearningSteps(LearningSteps, EncoderDecoderBackward):
    """One step of learning with two sentences."""

    def weight_names(self) -> list[str]:
        return [*encoder_decoder_shapes(self.sizes), DECODER + "vocabulary_embedding"]

    def whole_way(self) -> Array:
        return self.decode(self.encode())

    def again(self) -> Array:
        L, path = self.sizes.n_blocks, self.lesson.path
        prefix = f"{DECODER}block{L}."
        if path == "ausgabe":
            return self.written[prefix + "norm3.output"]
        if path == "attention":
            return self.decoder_rest(
                prefix, self.written[prefix + "norm1.output"], self.written[self.encoder_output()]
            )
        source = self.blocks(self.written["encoder.input"], "encoder.")
        return self.decoder_blocks(self.written["decoder.input"], source)


@dataclass(frozen=True)
class Learning(ModelNumbers[Model | EncoderDecoderModel]):
    """One lesson; the traces hold the forward pass and all that follows it."""

    lesson: Lesson

    def write(self, pen: Pen, variant: type[Forward] = Forward) -> Trace:
        return write_lesson(self.model, self.lesson, pen, "entry.score" in self.hand, variant)

    @property
    def names(self) -> list[str]:
        """What learning adds to the forward pass, in the order of the calculation."""
        names = list(self.hand)
        return names[names.index(self.loss_name) :]

    @property
    def loss_name(self) -> str:
        return (DECODER if isinstance(self.model, EncoderDecoderModel) else "") + "loss"

    def losses(self, hand: bool = True) -> tuple[float, float]:
        """Before and after the step."""
        trace = self.hand if hand else self.exact
        return float(trace[self.loss_name].values), float(trace["after." + self.loss_name].values)


def next_word_to_learn(calculation: Calculation | EncoderDecoderCalculation) -> int:
    """A right next word where the teacher names none: its place in the vocabulary.

    The sentence's first word, as if the next sentence began like it; with two sentences the end token. Where
    its probability is written as 0, so that the loss has no value, the predicted word.
    """
    two = isinstance(calculation, EncoderDecoderCalculation)
    word = len(calculation.model.vocabulary) - 1 if two else 0
    probability = calculation.hand.get(calculation.before + "temperature1.probability")
    impossible = probability is not None and probability.values[word] == 0
    return calculation.predicted() if impossible else word


def learn(model: Model | EncoderDecoderModel, lesson: Lesson) -> Learning:
    """Both arithmetics of one step of learning.

    Temperature 1 joins the model's temperatures, since the loss is taken there. Raises IndexError for a word
    or a head that the model does not have, CalculationError where a step cannot be computed: "logarithm"
    where the right word's probability is written as 0; a name that begins with "after." means that the step
    was too large for the forward pass that follows it.
    """
    if not (0 <= lesson.word < len(model.vocabulary) and 1 <= lesson.head <= model.sizes.n_heads):
        raise IndexError(f"no such word or head: {lesson}")
    if 1.0 not in model.rules.temperatures:
        rules = replace(model.rules, temperatures=(*model.rules.temperatures, 1.0))
        model = replace(model, rules=rules)

    def both(entry: bool) -> Learning:
        pens = ExactPen(), SchoolPen(model.rules.places)
        exact, hand = (write_lesson(model, lesson, pen, entry) for pen in pens)
        return Learning(model, exact, hand, lesson)

    return with_entry_step(model, both) if isinstance(model, Model) else both(False)


def write_lesson(
    model: Model | EncoderDecoderModel,
    lesson: Lesson,
    pen: Pen,
    entry: bool = True,
    variant: type[Forward] = Forward,
) -> Trace:
    """The whole calculation of a lesson with any pen; `entry` as in `forward`, way: with a step exchanged."""
    two = isinstance(model, EncoderDecoderModel)
    steps = exchanged(variant, EncoderDecoderLearningSteps if two else LearningSteps)
    return cast(type[LearningSteps], steps)(model, pen, lesson).run(entry and not two)
