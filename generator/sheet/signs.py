"""Which signs stand in a formula: those of LaTeX, read as a person reads them."""

import re
from functools import lru_cache
from typing import Final

from markupsafe import Markup

_NUMBERS: Final = re.compile(r"\\begin\{pmatrix\}.*?\\end\{pmatrix\}", re.DOTALL)
_WHOLE: Final = {  # what is read as one sign
    r"^{\mathsf{T}}": r"\transposed ",
    r"_{\mathrm{ff}}": "_ff",
    r"_{\mathrm{model}}": "",
    r"_{\mathrm{neu}}": "",
    r"\mathit{pos}": r"\pos ",
    r"\tilde{s}": r"\tilde ",
    r"\hat{x}": r"\hat ",
    r"\bar{a}": "a",
    "e^": r"\exp ",
}
_FUNCTION: Final = re.compile(r"\\(?:mathrm|text)\{[^}]*\}")
_LETTER: Final = re.compile(r"(\\?[a-z]{2,}|[A-Za-z])\s*(?:_\{?(\w+))?")
_NAMED_BY_INDEX: Final = {"W_Q", "W_K", "W_V", "W_O", "W_1", "W_2", "d_k", "d_ff", "p_r"}
_PLACES: Final = "ijm"  # indices that are signs of their own
_COMMAND: Final = re.compile(
    r"\\(?:transposed|pos|tilde|hat|exp|partial|sum|beta|gamma|delta|eta|lambda|mu|sigma|varphi)"
)
_IN_HEADING: Final = re.compile("<i>([A-Za-z])</i>")


@lru_cache(maxsize=500, typed=True)
def signs_in(formula: str) -> set[str]:
    """The signs of LaTeX, or of a heading in which letters are <i>: of p_i the p and the i, W_Q as it is."""
    if isinstance(formula, Markup):
        return set(_IN_HEADING.findall(formula))
    formula = _NUMBERS.sub("", formula)
    for name, sign in _WHOLE.items():
        formula = formula.replace(name, sign)
    signs: set[str] = set()
    for letter, index in _LETTER.findall(_FUNCTION.sub("", formula)):
        if len(letter) > 1 and not _COMMAND.fullmatch(letter):
            continue
        whole = f"{letter}_{index}"
        signs |= {whole} if whole in _NAMED_BY_INDEX else {letter, *(set(index) & set(_PLACES))}
    return signs
