"""In: the LaTeX of a single symbol. Out: operators that put it as text under its picture, unseen.

So it is found, copied and read aloud where it stands. Nothing of the text is drawn (rendering mode 3), so its
font needs no file; the PDF says which sign each code is (`TO_UNICODE`).
"""

from __future__ import annotations

from typing import Final

from generator.output.formulas.text import GREEK, as_text

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
