"""A quantity's name and an index go in; what a teacher calls that cell comes out: „Head 1, Gewicht …“."""

from __future__ import annotations

import re
import tomllib
from functools import cache

from engine.model import Model
from engine.quantities import kind_of
from generator.fonts import folder
from generator.numbers import DecimalSign

_UNNUMBERED = (
    *("unmasked", "entry", "similarity", "context", "encoder", "decoder", "self", "cross"),
    *("greedy", "sampled", "top_k", "top_p", "gradient", "step", "after"),
)
_TEMPERATURE = re.compile(r"(?:(.+)\.)?temperature([\d.]+)\.(\w+)")
_NUMBERED = re.compile(r"([a-z_]+?)([\d.]+)$")


def quantity_title(name: str, model: Model, sign: DecimalSign = "komma") -> str:
    """block1.head2.weight -> "Head 2, Gewicht"; the block only where there are several.

    A name that nobody has worded yet is shown as it is.
    """
    texts = _texts()
    pieces = _pieces(name)
    plain = [piece for piece, _ in pieces]
    endings = (".".join(plain[i:]) for i in range(len(plain)))
    end = next((ending for ending in endings if ending in texts["names"]), "")
    before: list[str] = []
    for piece, number in pieces:
        if piece == "block" and model.sizes.n_blocks == 1:
            continue
        if piece in texts["parts"] and (number or piece in _UNNUMBERED):
            shown = number.replace(".", "," if sign == "komma" else ".")
            before.append(texts["parts"][piece].format(n=shown))
    title = texts["names"].get(end, name)
    if "unmasked" in plain:  # "Head 1 ohne Maske"
        before = [" ".join(reversed(before))]
    return ", ".join([*before, title])


def place_title(name: str, index: tuple[int, ...], model: Model) -> str:
    """Where in its table a cell stands: "„Katze“ zu „Die“", "„sitzt“, Komponente 2"."""
    axes = kind_of(name).axes
    words = [place_part(name, axis, place, model) for axis, place in enumerate(index)]
    if axes[:2] in (("token", "token"), ("word", "word")):
        words[:2] = [f"{words[0]} zu {words[1]}"]
    return ", ".join(words)


def place_part(name: str, axis: int, place: int, model: Model) -> str:
    """One index of a cell in words: „Katze“, Komponente 2."""
    kind = kind_of(name).axes[axis]
    return f"„{_word(model, kind, place)}“" if kind in ("token", "word") else f"Komponente {place + 1}"


def cell_title(name: str, index: tuple[int, ...], model: Model, sign: DecimalSign = "komma") -> str:
    """Quantity and place: "Head 1, Gewicht „Katze“ zu „Die“"."""
    return f"{quantity_title(name, model, sign)} {place_title(name, index, model)}".rstrip()


def _word(model: Model, axis: str, place: int) -> str:
    if axis == "word":
        return model.vocabulary[place]
    word = model.tokens[place]
    return f"{word} ({place + 1}. Token)" if model.tokens.count(word) > 1 else word


def _pieces(name: str) -> list[tuple[str, str]]:
    """block1.head2.weight -> (block, 1), (head, 2), (weight, "")."""
    if cooled := _TEMPERATURE.fullmatch(name):
        before = _pieces(cooled[1]) if cooled[1] else []
        return [*before, ("temperature", cooled[2]), (cooled[3], "")]
    names = _texts()["names"]
    found = [(part, None if part in names else _NUMBERED.fullmatch(part)) for part in name.split(".")]
    return [(match[1], match[2]) if match else (part, "") for part, match in found]


@cache
def _texts() -> dict[str, dict[str, str]]:
    path = folder().parent / "check" / "quantities.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))
