"""What is said of each typical mistake, by its id."""

import tomllib
from functools import cache

from engine.model.norms import NORM
from generator.basics.fonts import folder


@cache
def mistake_texts() -> dict[str, dict[str, str]]:
    """Title, sentence for the key and advice of each typical mistake, by its id."""
    text = (folder().parent / "check" / "mistakes.toml").read_text(encoding="utf-8")
    return tomllib.loads(text.replace("{norm}", NORM.name))
