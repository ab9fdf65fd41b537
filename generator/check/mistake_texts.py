"""What is said of each typical mistake, by its id."""

import tomllib
from functools import cache

from generator.basics.fonts import folder


@cache
def mistake_texts() -> dict[str, dict[str, str]]:
    """Title, sentence for the key and advice of each typical mistake, by its id."""
    return tomllib.loads((folder().parent / "check" / "mistakes.toml").read_text(encoding="utf-8"))
