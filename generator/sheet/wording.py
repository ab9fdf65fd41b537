"""How words and factors are written, for the desk, the stations and formulas."""

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


def places(n: int) -> str:
    return "eine Nachkommastelle" if n == 1 else f"{n}\N{NO-BREAK SPACE}Nachkommastellen"


def factor(number: Number) -> Line:
    """A number of a line; brackets around an open place would tell its sign."""
    bare = number.blank or number.bracketed == number.text
    return Line((number,) if bare else ("(", number, ")"))
