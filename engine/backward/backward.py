"""The order of the steps back, nothing else: from the loss to the weights, for one sentence and for two."""

from engine.backward.attention import BackwardAttentionSteps, total
from engine.backward.layers import BackwardLayerSteps
from engine.backward.loss import LossSteps
from engine.layers.encoder_decoder import EncoderDecoder
from engine.layers.forward import Forward
from engine.model.encoder_decoder_model import DECODER, ENCODER, EncoderDecoderModel
from engine.numbers.arrays import Array
from engine.trace.quantities import DIM, SOURCE


class Backward(LossSteps, BackwardLayerSteps, BackwardAttentionSteps, Forward):
    """The forward pass and the way back of a model with one sentence."""

    def back(self) -> None:
        """Every gradient that the lesson's path needs; `run` and `loss` come first."""
        g = self.output_back(f"block{self.sizes.n_blocks}.norm2.output")
        for block in range(self.sizes.n_blocks, 0, -1):
            if g is not None:
                g = self.block_back("", block, g)

    def block_back(self, side: str, block: int, g: Array) -> Array | None:
        """From the block's output to its input; None if nothing flows further on this path."""
        at = f"{side}block{block}."
        g = self.norm_back(at + "norm2.", at + "residual2", g)
        z = self.written[at + "norm1.output"]
        g = self.gradient(at + "norm1.output", g + self.feed_forward_back(at + "ffn.", z, g))
        g = self.norm_back(at + "norm1.", at + "residual1", g)
        x = f"{side}block{block - 1}.norm2.output" if block > 1 else side + "input"
        into_x, _ = self.multi_head_back(at, self.written[x], self.written[x], g)
        return None if into_x is None else self.gradient(x, g + into_x)


class EncoderDecoderBackward(Backward, EncoderDecoder):
    """The same with two sentences: through the decoder, and through its keys and values into the encoder."""

    model: EncoderDecoderModel

    def side_of_output(self) -> str:
        return DECODER

    def learning_head(self) -> str:
        return f"{DECODER}block{self.sizes.n_blocks}.cross.head{self.lesson.head}."

    def back(self) -> None:
        g = self.output_back(f"{DECODER}block{self.sizes.n_blocks}.norm3.output")
        into_source: list[Array] = []
        for block in range(self.sizes.n_blocks, 0, -1):
            if g is not None:
                g, from_block = self.decoder_block_back(block, g)
                into_source.append(from_block)
        if g is None:
            return
        g = self.gradient(self.encoder_output(), total(into_source))  # (n_source, d_model)
        for block in range(self.sizes.n_blocks, 0, -1):
            g = self.block_back(ENCODER, block, g)

    def decoder_block_back(self, block: int, g: Array) -> tuple[Array | None, Array | None]:
        """The gradients at the block's input and, from this block alone, at the encoder's output."""
        at = f"{DECODER}block{block}."
        g = self.norm_back(at + "norm3.", at + "residual3", g)
        z = self.written[at + "norm2.output"]
        g = self.gradient(at + "norm2.output", g + self.feed_forward_back(at + "ffn.", z, g))
        g = self.norm_back(at + "norm2.", at + "residual2", g)
        queried, source = self.written[at + "norm1.output"], self.written[self.encoder_output()]
        into_x, into_source = self.multi_head_back(at + "cross.", queried, source, g)
        if into_x is None:
            return None, None
        into_source = self.gradient(at + "cross.source", into_source, SOURCE, DIM)  # (n_source, d_model)
        g = self.gradient(at + "norm1.output", g + into_x)
        g = self.norm_back(at + "norm1.", at + "residual1", g)
        x = f"{DECODER}block{block - 1}.norm3.output" if block > 1 else DECODER + "input"
        into_x, _ = self.multi_head_back(at + "self.", self.written[x], self.written[x], g)
        return self.gradient(x, g + into_x), into_source

    def encoder_output(self) -> str:
        return f"{ENCODER}block{self.sizes.n_blocks}.norm2.output"
