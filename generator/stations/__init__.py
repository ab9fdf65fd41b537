"""The stations of the course, in order: a new station is one line here."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from generator.desk import Desk
from generator.errors import UserError
from generator.options import Options
from generator.sheet import Station
from generator.stations import (
    add_norm,
    cross_attention,
    embedding,
    feed_forward,
    formula_sheet,
    further_block,
    generation,
    learning,
    masked_attention,
    model_map,
    output,
    positions,
    self_attention,
    tokenizer,
)


def _always(options: Options) -> bool:
    return True


@dataclass(frozen=True)
class Entry:
    """A station's id, the function that makes it, and the name of its template.

    fits: whether the options give it what it needs; else `missing` says what to add, to who asks for it.
    """

    id: str
    make: Callable[[Desk], Station]
    template: str
    fits: Callable[[Options], bool] = _always
    missing: str = ""


STATIONS: Final[tuple[Entry, ...]] = (
    Entry(model_map.ID, model_map.station, "model_map"),
    Entry(tokenizer.ID, tokenizer.station, "tokenizer"),
    Entry(embedding.ID, embedding.station, "embedding"),
    Entry(positions.ID, positions.station, "positions"),
    Entry(self_attention.ID, self_attention.station, "self_attention"),
    Entry(masked_attention.ID, masked_attention.station, "masked_attention"),
    Entry(add_norm.ID, add_norm.station, "add_norm"),
    Entry(feed_forward.ID, feed_forward.station, "feed_forward"),
    Entry(add_norm.SECOND_ID, add_norm.second_station, "add_norm_2"),
    Entry(output.ID, output.station, "output"),
    Entry(generation.ID, generation.station, "generation"),
    Entry(
        cross_attention.ID,
        cross_attention.station,
        "cross_attention",
        cross_attention.fits,
        '--stationen 10 braucht einen Zielsatz; bitte zum Beispiel --zielsatz "The cat" angeben.',
    ),
    Entry(learning.ID, learning.station, "learning", learning.fits),
    Entry(formula_sheet.ID, formula_sheet.station, "formula_sheet"),
)


def chosen(options: Options) -> tuple[Entry, ...]:
    """The stations to print, in order; none wanted means all that fit. UserError for one that does not fit.

    Station 7 brings the further blocks with it.
    """
    entries: list[Entry] = []
    for entry in STATIONS:
        if entry.id in options.stationen and not entry.fits(options):
            raise UserError(entry.missing)
        if entry.fits(options) and (not options.stationen or entry.id in options.stationen):
            entries.append(entry)
            if entry.id == add_norm.SECOND_ID:
                entries += [_further(block) for block in range(2, options.bloecke + 1)]
    return tuple(entries)


def template_of(station: str) -> str:
    """The name of a station's template, by its id."""
    return _TEMPLATES.get(station, further_block.TEMPLATE)


def _further(block: int) -> Entry:
    make = partial(further_block.station, block=block)
    return Entry(further_block.identifier(block), make, further_block.TEMPLATE)


_TEMPLATES: Final = {entry.id: entry.template for entry in STATIONS}
