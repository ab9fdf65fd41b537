"""The forward pass with two sentences: encoder blocks, then decoder blocks that look at their output, too."""

from collections.abc import Mapping

import numpy as np

from engine.forward.calculation import ModelNumbers, both_traces
from engine.forward.forward import Forward, exchanged, sinusoids
from engine.model.model import EncoderDecoderModel
from engine.numbers.arrays import Array, Floats
from engine.pens.pens import Pen, Visible
from engine.trace import DECODER, ENCODER, SOURCE, SOURCE_TOKEN, TARGET_TOKEN, TOKEN, Trace, place_of


class EncoderDecoder(Forward):
    """The whole transformer of Vaswani et al. (2017), post-norm."""

    model: EncoderDecoderModel

    def run(self, entry: bool = False) -> Trace:
        """`entry` is the one-sentence pass's own and changes nothing here."""
        with np.errstate(all="ignore"):  # the pen looks at every value itself
            self.next_word(self.decode(self.encode()), DECODER)
        return self.pen.trace

    def encode(self) -> Array:
        return self.blocks(self.side(ENCODER, self.model.source_embedding), ENCODER)

    def decode(self, source: Array) -> Array:
        return self.decoder_blocks(self.side(DECODER, self.model.embedding), source)

    def side(self, prefix: str, embedding: Floats) -> Array:
        """The input of the one or the other sentence; positions count from 0 in both."""
        return self.input_of(prefix, embedding, sinusoids(len(embedding), self.sizes.d_model))

    def decoder_blocks(self, x: Array, source: Array) -> Array:
        for block in range(1, self.sizes.n_blocks + 1):
            prefix = f"{DECODER}block{block}."
            attention = self.multi_head(prefix + "self.", x)  # (n_target, d_model)
            x = self.decoder_rest(prefix, self.add_norm(prefix, 1, x, attention), source)
        return x  # (n_target, d_model)

    def decoder_rest(self, prefix: str, x: Array, source: Array) -> Array:
        """The sublayers in which it looks at the source, and in which each token works alone."""
        attention = self.cross(prefix + "cross.", x, source)  # (n_target, d_model)
        z = self.add_norm(prefix, 2, x, attention)
        return self.add_norm(prefix, 3, z, self.feed_forward(prefix + "ffn.", z))

    def cross(self, prefix: str, x: Array, source: Array) -> Array:
        """Queries from x (n_target, d_model), keys and values from the source (n_source, d_model)."""
        heads = [f"{prefix}head{k}." for k in range(1, self.sizes.n_heads + 1)]
        outputs = [self.attend(head, head, x, source, None) for head in heads]  # h × (n_target, d_head)
        return self.join(prefix, outputs)

    def visible(self, prefix: str) -> Visible:
        place = place_of(prefix)
        return super().visible(prefix) if (place.side, place.layer) == (DECODER, "self") else None

    def tokens_of(self, name: str) -> Mapping[str, str]:
        place = place_of(name)
        tokens = SOURCE_TOKEN if place.side == ENCODER else TARGET_TOKEN
        return {TOKEN: tokens, SOURCE: SOURCE_TOKEN if place.layer == "cross" else tokens}


class EncoderDecoderCalculation(ModelNumbers[EncoderDecoderModel]):
    """One model with two sentences."""

    before = DECODER

    def write(self, pen: Pen, variant: type[Forward] = Forward) -> Trace:
        return exchanged(variant, EncoderDecoder)(self.model, pen).run()


def calculate_encoder_decoder(model: EncoderDecoderModel) -> EncoderDecoderCalculation:
    """Both arithmetics of one model. Raises CalculationError where a step cannot be computed."""
    return EncoderDecoderCalculation(model, *both_traces(EncoderDecoder, model))
