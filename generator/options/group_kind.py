"""The value of --gruppen in; „heads“, „token“ or a number of groups out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from generator.basics.errors import UserError
from generator.options.option_kinds import Kind, Whole, refused

HEADS: Final = "heads"
TOKENS: Final = "token"
MOST_GROUPS: Final = 24


@dataclass(frozen=True)
class Groups(Kind):
    """A head for each group, a token for each group, or so many groups that share the tokens."""

    placeholder = "heads|token|N"

    def read(self, flag: str, value: Any) -> str | int | None:
        if value is None or value in (HEADS, TOKENS):
            return str(value) if value else None
        try:
            return Whole(2, MOST_GROUPS).read(flag, value)
        except UserError as error:
            right = f"Möglich ist {HEADS}, {TOKENS} oder eine Zahl von Gruppen von 2 bis {MOST_GROUPS}."
            raise refused(flag, value, right) from error
