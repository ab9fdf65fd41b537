"""In: any words. Out: the same words, safe inside \\text{…}.

What LaTeX would read as a command stands in the source as a private character and gets its own face
back only after the LaTeX has been read (`shown`), so nothing in a word can ever be a command.
"""

from __future__ import annotations

import re

from generator.basics.fonts import printable

_HIDDEN_FROM = 0xE000
_COMMANDS = "\\{}$%&_^~#<>\"'`|@-[]"
_HIDE = {ord(sign): chr(_HIDDEN_FROM + i) for i, sign in enumerate(_COMMANDS)}
_IN_LATEX = {
    _HIDE[ord(sign)]: written
    for sign, written in {
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        **{sign: "\\" + sign for sign in "{}$%&_#"},
    }.items()
}
GREEK = {
    "\\" + name: chr(code)
    for name, code in {
        **{"alpha": 0x3B1, "beta": 0x3B2, "gamma": 0x3B3, "delta": 0x3B4, "epsilon": 0x3B5, "eta": 0x3B7},
        **{"lambda": 0x3BB, "mu": 0x3BC, "sigma": 0x3C3, "varphi": 0x3C6, "varepsilon": 0x3B5},
    }.items()
}
_LETTER = r"([A-Za-z]|" + "|".join(map(re.escape, GREEK)) + ")"
_SYMBOL = re.compile(_LETTER + r"(?:_\{?(?:\\mathrm\{)?([A-Za-z0-9]+)\}{0,2})?")
_SHOW = {ord(hidden): chr(sign) for sign, hidden in _HIDE.items()}


def tex_text(words: str) -> str:
    """The words for \\text{…}: nothing in them is a command, and what the math font lacks is □."""
    one_line = re.sub(r"\s+", " ", printable(words, "math")).strip()
    return one_line.translate(_HIDE) or "\u00a0"


def shown(text: str) -> str:
    """The signs as they are to be read, where tex_text had hidden them."""
    return text.translate(_SHOW)


def source(latex: str) -> str:
    """The LaTeX as another program reads it: what tex_text had hidden stands there as LaTeX writes it."""
    return "".join(_IN_LATEX.get(sign, shown(sign)) for sign in latex)


def as_text(latex: str) -> str:
    """A formula of symbols in one line as text that can be copied: d_k, W_Q, μ; "" for any other formula."""
    found = _SYMBOL.fullmatch(latex.strip())
    if found is None:
        return ""
    letter, index = found[1], found[2] or ""
    letter = GREEK.get(letter, letter)
    return letter + (f"_{index}" if index else "")


def split_commands(latex: str) -> list[str]:
    """The LaTeX as commands, words in braces and single signs."""
    return re.findall(r"\\[A-Za-z]+\*?|\\.|\d+(?:\{,\}\d+|\.\d+)?|\s+|.", latex, re.S)
