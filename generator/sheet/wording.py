"""Words, numbers and tokens go in; how a sentence or a line of products writes them comes out."""

from __future__ import annotations

from collections.abc import Sequence

from generator.sheet.sheet import Line, Number


def either(words: Sequence[str]) -> str:
    """Words that are all right as an answer: „Katze“ oder „Matte“."""
    return " oder ".join(f"„{word}“" for word in words)


def numbered_twins(tokens: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        f"{word}\N{NO-BREAK SPACE}({place})" if tokens.count(word) > 1 else word
        for place, word in enumerate(tokens, 1)
    )


def bracketed(number: Number) -> str:
    """Negative factors stand in brackets."""
    negative = number.text.startswith("\N{MINUS SIGN}")
    return f"({number.text})" if negative else number.text


def factor(number: Number) -> Line:
    """A number of a line; brackets around an open place would tell its sign."""
    bare = number.blank or bracketed(number) == number.text
    return Line((number,) if bare else ("(", number, ")"))
