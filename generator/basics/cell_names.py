"""What a teacher calls a quantity and its cells: block1.head1.weight[2,1] is „Head 1, Gewicht …“."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from engine.model.model import AnyModel, Sizes
from engine.trace import DECODER, ROUND, SOURCE_TOKEN, TARGET_TOKEN, Quantity, place_of
from generator.basics.numbers import DecimalSign
from generator.basics.reading import text_of

_TEMPERATURE = re.compile(r"(?:(.+)\.)?temperature([\d.]+)\.(\w+)")
_NUMBERED = re.compile(r"([a-z_]+?)([\d.]+)$")


@dataclass(frozen=True)
class SheetWords:
    """All words of a sheet: of the sentence, what an encoder reads, the target sentence, the end of texts."""

    sizes: Sizes
    tokens: tuple[str, ...]
    vocabulary: tuple[str, ...]
    source_tokens: tuple[str, ...] = ()
    target_tokens: tuple[str, ...] = ()
    target_vocabulary: tuple[str, ...] = ()
    end: str = ""


Named: TypeAlias = AnyModel | SheetWords  # what names need to know of a model: its sizes and its words


def quantity_title(name: str, model: Named, sign: DecimalSign = "komma") -> str:
    """block1.head2.weight -> "Head 2, Gewicht"; the block only where there are several.

    A name that nobody has worded yet is shown as it is.
    """
    texts = _texts()
    pieces = _pieces(name)
    plain = [piece for piece, _ in pieces]
    endings = [".".join(plain[i:]) for i in range(len(plain))]
    if plain[:1] == ["block"]:
        endings.insert(0, name.partition(".")[2])
    end = next((ending for ending in endings if ending in texts["names"]), "")
    before: list[str] = []
    for piece, number in pieces:
        if piece == "block" and model.sizes.n_blocks == 1:
            continue
        said = texts["parts"].get(piece, "")
        if said and (number or "{n}" not in said):
            shown = number.replace(".", "," if sign == "komma" else ".")
            before.append(said.format(n=shown, norm=model.sizes.norm.name))
    title = texts["names"].get(end, name)
    if "unmasked" in plain:  # its only head, as people know it from the sheet
        before = [texts["parts"]["unmasked"]]
    return ", ".join([*before, title])


def place_title(quantity: Quantity, index: tuple[int, ...], model: Named) -> str:
    """Where in its table a cell stands: "„Katze“ zu „Die“", "„sitzt“, Komponente 2"."""
    axes = quantity.axes
    words = [place_part(quantity, axis, place, model) for axis, place in enumerate(index)]
    if len(axes) > 1 and all(axis == "word" or axis.endswith("token") for axis in axes[:2]):
        words[:2] = [f"{words[0]} zu {words[1]}"]
    return ", ".join(words)


def place_part(quantity: Quantity, axis: int, place: int, model: Named) -> str:
    """One index of a cell in words: „Katze“, Komponente 2."""
    kind = quantity.axes[axis]
    if kind == ROUND:
        return f"Runde {place + 1}"
    words = _words(model, quantity.name, kind)
    if not "".join(words[place : place + 1]):
        return f"Komponente {place + 1}"
    twice = kind != "word" and words.count(words[place]) > 1
    return f"„{words[place]} ({place + 1}. Token)“" if twice else f"„{words[place]}“"


def cell_title(quantity: Quantity, index: tuple[int, ...], model: Named, sign: DecimalSign = "komma") -> str:
    """Quantity and place: "Head 1, Gewicht „Katze“ zu „Die“"."""
    return f"{quantity_title(quantity.name, model, sign)} {place_title(quantity, index, model)}".rstrip()


def cell_parts(cell: str) -> tuple[str, str]:
    """block1.head1.weight[2,1] -> its quantity and its index, as text."""
    name, _, index = cell.rstrip("]").partition("[")
    return name, index


def _words(model: Named, name: str, axis: str) -> tuple[str, ...]:
    """What the indices of an axis stand for; "" where that is no word that is known."""
    all_words = model if isinstance(model, SheetWords) else None
    if axis == TARGET_TOKEN:
        return all_words.target_tokens if all_words else ()
    if axis == SOURCE_TOKEN and all_words and all_words.source_tokens:
        return all_words.source_tokens
    if axis in ("token", SOURCE_TOKEN):
        return model.tokens
    if axis != "word":
        return ()
    if place_of(name).side == DECODER:
        return all_words.target_vocabulary if all_words else ()
    return (*model.vocabulary, all_words.end) if all_words else model.vocabulary


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
    return tomllib.loads(text_of("check/quantities.toml"))
