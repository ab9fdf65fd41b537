"""A model with two sentences goes in; both arithmetics of it come out."""

from engine.calculation.passes import ModelNumbers
from engine.layers.encoder_decoder import EncoderDecoder
from engine.layers.forward import Forward, exchanged
from engine.model.encoder_decoder_model import DECODER, EncoderDecoderModel
from engine.pens.pens import ExactPen, Pen, SchoolPen
from engine.trace.trace import Trace


class EncoderDecoderCalculation(ModelNumbers[EncoderDecoderModel]):
    """One model with two sentences."""

    before = DECODER

    def write(self, pen: Pen, way: type[Forward] = Forward) -> Trace:
        return exchanged(way, EncoderDecoder)(self.model, pen).run()


def calculate_encoder_decoder(model: EncoderDecoderModel) -> EncoderDecoderCalculation:
    """Both arithmetics of one model. Raises CalculationError where a step cannot be computed."""
    exact, hand = (EncoderDecoder(model, pen).run() for pen in (ExactPen(), SchoolPen(model.rules.places)))
    return EncoderDecoderCalculation(model, exact, hand)
