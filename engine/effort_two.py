"""A cell of the encoder–decoder goes in; what the pupil types into the calculator for it comes out."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.effort import Operations, operations
from engine.encoder_decoder_model import EncoderDecoderModel
from engine.model import Floats, Sizes


@dataclass(frozen=True)
class _Side:
    """One layer of one side, as if it were a model with one sentence."""

    sizes: Sizes
    tokens: tuple[str, ...]
    embedding: Floats
    weights: Mapping[str, Floats]
    causal_mask: bool
    scaling: bool
    positions: bool
    temperatures: tuple[float, ...]
    places: int
    vocabulary: tuple[str, ...]
    vocabulary_embedding: Floats

    @property
    def n_tokens(self) -> int:
        return len(self.tokens)


def operations_of_two(name: str, index: tuple[int, ...], model: EncoderDecoderModel) -> Operations:
    """What one cell takes; ValueError for a name or an index that the encoder–decoder does not have."""
    side = name.partition(".")[0]
    cross, third = ".cross." in name, "norm3" in name
    if side not in ("encoder", "decoder"):
        raise ValueError(f"no effort is known for {name}")
    asks_source = cross and name.rpartition(".")[2] not in ("key", "value")
    from_source = side == "encoder" or cross
    weights = {
        _plain(given): table
        for given, table in model.weights.items()
        if given.startswith(side)
        and (".self." if cross else ".cross.") not in given
        and ("norm2" if third else "norm3") not in given
    }
    seen = _Side(
        model.sizes,
        model.source_tokens if from_source else model.tokens,
        model.source_embedding if from_source else model.embedding,
        weights,
        model.causal_mask and ".self." in name,
        model.scaling,
        model.positions,
        model.temperatures,
        model.places,
        model.vocabulary,
        model.vocabulary_embedding,
    )
    if asks_source:  # every target token sees the whole source: each row is as much work as the first
        index = (0, *index[1:])
    return operations(_plain(name), index, seen)


def _plain(name: str) -> str:
    """The name of the same step in a model with one sentence."""
    for old, new in (("self.", ""), ("cross.", ""), ("norm3", "norm2"), ("residual3", "residual2")):
        name = name.replace(old, new)
    return name.partition(".")[2]
