"""A cell of the way back goes in; what the pupil types into the calculator for it comes out."""

import re
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from engine.effort import Operations, given_products, operations, products
from engine.encoder_decoder_model import DECODER, ENCODER
from engine.model import AnyModel

_Rule = Callable[[AnyModel, str, tuple[int, ...]], Operations]  # model, name up to its last part, index


def operations_of_learning(name: str, index: tuple[int, ...], model: AnyModel) -> Operations:
    """What one cell takes; ValueError for a name that the way back does not have.

    model: the encoder–decoder's for the quantities of two sentences. Only the last token has a loss, so that
    sums over the tokens are asked for only where they are long on the sheet.
    """
    if name == "after.logit":  # every component of the new vector has its own digits
        return products(model.sizes.d_model)
    if name.startswith("after.") and not name.endswith("loss"):
        return operations(name.removeprefix("after."), index, model)
    for pattern, count in _RULES.items():
        match = re.fullmatch(pattern, name)
        if match is not None:
            return count(model, match.groupdict().get("path") or "", index)
    raise ValueError(f"no effort is known for {name}")


def _one(**done: int) -> _Rule:
    fixed = Operations(**done, cells=1)
    return lambda model, path, index: fixed


def _over_tokens(model: AnyModel, path: str, index: tuple[int, ...]) -> Operations:
    return products(model.n_tokens)


def _over_head(model: AnyModel, path: str, index: tuple[int, ...]) -> Operations:
    return products(model.sizes.d_head)


def _scaled_back(model: AnyModel, path: str, index: tuple[int, ...]) -> Operations:
    return Operations(divisions=int(model.scaling and model.sizes.d_head > 1), cells=1)


def _stretched(model: AnyModel, path: str, index: tuple[int, ...]) -> Operations:
    """γ · g; nothing but writing where γ is 1."""
    gamma = model.weights[path + ".gamma"][index[-1]]
    return Operations(multiplications=int(abs(gamma) not in (0.0, 1.0)), cells=1)


def _from_words(model: AnyModel, path: str, index: tuple[int, ...]) -> Operations:
    """Errors of the words times one component of their vectors."""
    return given_products(model.vocabulary_embedding[:, index[-1]])


def _through_first_layer(model: AnyModel, path: str, index: tuple[int, ...]) -> Operations:
    """What flows past the layer, and what comes back through W_1."""
    back = given_products(model.weights[path + ".ffn.W_1"][index[-1]])
    return back + Operations(additions=int(back.additions + back.multiplications > 0))


def _through_second_layer(model: AnyModel, path: str, index: tuple[int, ...]) -> Operations:
    return given_products(model.weights[path + ".W_2"][index[-1]])


def _to_source(model: AnyModel, path: str, index: tuple[int, ...]) -> Operations:
    """Back through W_K and W_V of a head, added."""
    rows = [model.weights[f"{path}.{W}"][index[-1]] for W in ("W_K", "W_V")]
    return given_products(np.concatenate(rows))


def _over_heads(model: AnyModel, path: str, index: tuple[int, ...]) -> Operations:
    return Operations(additions=model.sizes.n_heads - 1, cells=1)


def _norm_output(model: AnyModel, path: str, index: tuple[int, ...]) -> Operations:
    """The last norm gets it from the words; the one before a feed-forward network from that network."""
    side = path.partition("block")[0]
    if not path.endswith("norm3" if side == DECODER else "norm2"):
        return _through_first_layer(model, path.rpartition(".")[0], index)
    if side == ENCODER:  # from every block of the decoder
        return Operations(additions=model.sizes.n_blocks - 1, cells=1)
    return _from_words(model, path, index)


_RULES: Final[Mapping[str, _Rule]] = {
    r"(after\.|decoder\.)?loss": _one(exponentials=1),  # ln lies on the same key as e^x
    r"gradient\.logit": _one(additions=1),
    r"gradient\.vocabulary_embedding": _one(multiplications=1),
    r"gradient\.(?P<path>.+\.norm\d)\.output": _norm_output,
    r"gradient\.(?P<path>.+\.norm\d)\.normalised": _stretched,
    r"gradient\..+\.norm\d\.(average|overlap)": lambda model, path, index: products(model.sizes.d_model),
    r"gradient\..+\.residual\d": _one(multiplications=1, additions=2, divisions=1),
    r"gradient\..+\.ffn\.hidden": _one(),
    r"gradient\.(?P<path>.+\.ffn)\.activation": _through_second_layer,
    r"gradient\..+\.jacobian": _one(multiplications=1, additions=1),
    r"gradient\..+\.weight": _over_head,
    r"gradient\..+\.(average|query|W_K|W_V)": _over_tokens,
    r"gradient\..+\.scaled": _one(multiplications=1, additions=1),
    r"gradient\..+\.score": _scaled_back,
    r"gradient\..+\.(key|value|W_Q)": _one(multiplications=1),  # only the last token asks
    r"gradient\.(?P<path>.+\.cross\.head\d+)\.source": _to_source,
    r"gradient\..+\.cross\.source": _over_heads,
    r"step\..+": _one(multiplications=1, additions=1),
}
