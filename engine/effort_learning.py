"""A cell of the way back goes in; what the pupil types into the calculator for it comes out."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from engine.effort import Operations, operations
from engine.model import Model

_FIXED: Final[Mapping[str, Operations]] = {
    r"loss": Operations(exponentials=1, cells=1),  # ln lies on the same key as e^x
    r"gradient\.logit": Operations(additions=1, cells=1),
    r"gradient\..+\.(jacobian|scaled)": Operations(multiplications=1, additions=1, cells=1),
    r"gradient\..+\.score": Operations(divisions=1, cells=1),
    r"gradient\..+\.(key|value)": Operations(multiplications=1, cells=1),
    r"step\..+": Operations(multiplications=1, additions=1, cells=1),
}
_SUMS: Final[Mapping[str, Callable[[Model], int]]] = {
    r"gradient\..+\.(average|overlap|query|W_[QKV])": lambda model: model.n_tokens,
    r"gradient\..+\.weight": lambda model: model.sizes.d_head,
    r"gradient\..+": lambda model: model.sizes.d_model,
}


def operations_of_learning(name: str, index: tuple[int, ...], model: Model) -> Operations:
    """What one cell takes; ValueError for a name or an index that the way back does not have.

    Gradients of whole layers are counted as one sum of products.
    """
    if name.startswith("after.") and name != "after.loss":
        return operations(name.removeprefix("after."), index, model)
    plain = name.removeprefix("after.")
    for pattern, fixed in _FIXED.items():
        if re.fullmatch(pattern, plain):
            return fixed
    for pattern, terms in _SUMS.items():
        if re.fullmatch(pattern, plain):
            return Operations(multiplications=terms(model), additions=terms(model) - 1, cells=1)
    raise ValueError(f"no effort is known for {name}")
