"""A formula's LaTeX beside its picture: words inside it, words read aloud, text that is copied."""

import re
from collections.abc import Iterator
from typing import Final

from generator.basics.fonts import printable
from generator.basics.greek import GREEK_LETTERS

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
GREEK = {rf"\{name}": sign for name, sign in GREEK_LETTERS.items()} | {r"\varphi": "φ", r"\varepsilon": "ε"}
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


_WORDS = {
    **{f"\\{name}": name for name in GREEK_LETTERS},
    **{f"\\{name.capitalize()}": name.capitalize() for name in GREEK_LETTERS},
    **{"\\varepsilon": "epsilon", "\\varphi": "phi"},
    **{"\\cdot": "mal", "\\times": "mal", "\\odot": "komponentenweise mal", "/": "durch", "\\circ": "nach"},
    **{"=": "gleich", "\\approx": "ungefähr gleich", "\\neq": "ungleich", "\\ne": "ungleich"},
    **{"+": "plus", "-": "minus", "−": "minus", "\\pm": "plus oder minus"},
    **{"<": "kleiner als", "\\leq": "kleiner oder gleich", "\\le": "kleiner oder gleich"},
    **{">": "größer als", "\\geq": "größer oder gleich", "\\ge": "größer oder gleich"},
    **{"\\to": "nach", "\\rightarrow": "nach", "\\mapsto": "wird zu", "\\Rightarrow": "daraus folgt"},
    **{"\\sum": "Summe", "\\prod": "Produkt", "\\infty": "unendlich", "\\in": "aus", "\\mid": "|"},
    **{"\\max": "Maximum", "\\min": "Minimum", "\\sin": "Sinus", "\\cos": "Kosinus"},
    **{
        "\\top": "transponiert",
        "\\partial": "d",
        "\\|": "Norm",
        "\\quad": ",",
        "\\qquad": ",",
        "\\mathbb": "",
    },
    **dict.fromkeys(["\\dots", "\\ldots", "\\cdots", "\\vdots"], "und so weiter"),
}
_SILENT = {"\\left", "\\right", "\\,", "\\;", "\\:", "\\!", "\\displaystyle", "\\textstyle", "&", "\\limits"}
_SILENT |= {"\\big", "\\Big", "\\bigl", "\\bigr", "\\Bigl", "\\Bigr", "\\middle", "\\nolimits"}
_LETTERS = {"\\text", "\\mathrm", "\\operatorname", "\\mathbf", "\\mathit", "\\textbf", "\\mathsf"}
_ABOVE = {"\\hat": "Dach", "\\bar": "quer", "\\tilde": "Schlange"}
_SPACES = {"\\ ": " ", "~": " "}


def spoken(latex: str) -> str:
    """The formula in words; what the function does not know it leaves as LaTeX. Never raises."""
    try:
        words = " ".join(_Reader(split_commands(latex)).read())
    except (IndexError, RecursionError):
        words = latex
    words = re.sub(r"(?<=\d)\{,\}(?=\d)|(?<=\d) , (?=\d)", ",", words)
    words = re.sub(r"\s+", " ", shown(words)).strip()
    return re.sub(r" (?=[,.;:)\]])|(?<=[(\[]) ", "", words)


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def read(self, end: str = "") -> Iterator[str]:
        """Words up to the end sign (a closing brace or bracket), which is read over."""
        while self._at < len(self._tokens):
            token = self._next()
            if token == end:
                return
            yield from self._say(token)

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _argument(self) -> str:
        """The next group or sign, in words."""
        while self._peek().isspace():
            self._at += 1
        token = self._next()
        return " ".join(self.read("}") if token == "{" else self._say(token))

    def _letters(self) -> str:
        """The next group letter by letter, as in \\text{…}."""
        while self._peek().isspace():
            self._at += 1
        token = self._next()
        if token != "{":
            return token
        depth, letters = 1, ""
        while depth:
            token = self._next()
            depth += {"{": 1, "}": -1}.get(token, 0)
            letters += token if depth and token not in "{}" else ""
        return letters

    def _say(self, token: str) -> Iterator[str]:
        if token in _SILENT or token in _SPACES or token.isspace():
            return
        if token == "{":
            yield from self.read("}")
        elif token in _LETTERS:
            yield self._letters()
        elif token in {"\\frac", "\\dfrac", "\\tfrac"}:
            over, under = self._argument(), self._argument()
            simple = " " not in over + under
            yield f"{over} durch {under}" if simple else f"Bruch {over} durch {under} Ende Bruch"
        elif token == "\\sqrt":
            yield from self._root()
        elif token == "^":
            power = self._argument()
            yield power if power in {"transponiert", "T"} else f"hoch {power}"
        elif token == "_":
            yield self._argument()
        elif token in {"\\sum", "\\prod"}:
            yield from self._sum(_WORDS[token])
        elif token in {"\\underbrace", "\\overbrace", "\\boxed", "\\overline", "\\vec"}:
            yield self._argument()
        elif token in _ABOVE:
            yield f"{self._argument()} {_ABOVE[token]}"
        elif token == "\\begin":
            yield from self._rows(self._letters())
        elif token == "\\\\":
            yield ";"
        elif token == "\\end":
            self._letters()
        else:
            yield _WORDS.get(token, token.removeprefix("\\"))

    def _root(self) -> Iterator[str]:
        if self._peek() == "[":
            self._at += 1
            yield " ".join(self.read("]")) + "-te"
        under = self._argument()
        yield f"Wurzel aus {under}" + (" Ende Wurzel" if " " in under else "")

    def _sum(self, word: str) -> Iterator[str]:
        """„Summe über j gleich 1 bis n von“."""
        yield word
        for sign, link in (("_", "über"), ("^", "bis")):
            if self._peek() == sign:
                self._at += 1
                yield f"{link} {self._argument()}"
        yield "von"

    def _rows(self, name: str) -> Iterator[str]:
        kind = {"cases": "Fallunterscheidung", "aligned": "", "align": ""}.get(name.rstrip("*"), "Matrix")
        if name == "array":
            self._letters()
        body: list[str] = []
        while self._peek() != "\\end" and self._at < len(self._tokens):
            token = self._next()
            body += [";"] if token == "\\\\" else ["|"] if token == "&" and kind else list(self._say(token))
        self._next()
        self._letters()
        yield " ".join([f"{kind}:" if kind else "", *body, f"Ende {kind}" if kind else ""])


COPIED_FONT: Final = "Formel"
_SIZE: Final = 900  # thousandths of an em
_GREEK_FROM: Final = 0xA1
_CODES: Final = {chr(code): code for code in range(0x20, 0x7F)} | {
    letter: _GREEK_FROM + place for place, letter in enumerate(sorted(set(GREEK.values())))
}
TO_UNICODE: Final = {code: sign for sign, code in _CODES.items()}


def unseen_text(latex: str, baseline: int) -> bytes:
    """The operators, b"" for what is no single symbol; baseline: below the picture's upper edge."""
    text = as_text(latex)
    if not text:
        return b""
    codes = bytes(_CODES[sign] for sign in text).hex()
    matrix = f"1 0 0 -1 0 {baseline} Tm"
    return f"q BT 3 Tr /{COPIED_FONT} {_SIZE} Tf {matrix} <{codes}> Tj ET Q\n".encode("ascii")
