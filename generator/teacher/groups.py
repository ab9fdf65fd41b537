"""Options for a jigsaw go in; its groups, and a sheet for each and one for all, come out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from engine.judging.ranges import Range
from generator.basics.errors import UserError
from generator.calculation.build import Built
from generator.options.group_kind import HEADS, MOST_GROUPS, TOKENS
from generator.print.sheet_documents import TO_FILL
from generator.sheet.copying import lay_out
from generator.sheet.desk import Desk
from generator.sheet.sheet import Sheet
from generator.stations.group_work import ID, Group, group_station, together_station

GROUP: Final = "gruppe-"
TOGETHER: Final = "zusammen"
KEY_ENDING: Final = "-loesung"


def groups_of(built: Built) -> list[Group]:
    """Who calculates what. A number of groups equal to the heads means a head for each."""
    wish, sizes = built.options.gruppen, built.calculation.model.sizes
    heads = tuple(range(1, sizes.n_heads + 1))
    if wish == HEADS or wish == sizes.n_heads:
        if sizes.n_heads == 1:
            raise UserError("--gruppen heads braucht mehr als einen Head; möglich ist --gruppen token.")
        tokens = tuple(place - 1 for place in built.options.uebung)
        return [Group(k, (k,), tokens) for k in heads]
    tokens = tuple(i for i in range(built.calculation.model.n_tokens) if i != built.options.beispiel - 1)
    number = len(tokens) if wish == TOKENS else int(wish or 0)
    if number > len(tokens):
        raise UserError(
            f"--gruppen {number} passt nicht: Der Satz hat neben dem vorgerechneten {len(tokens)} Token zu "
            "verteilen, also höchstens so viele Gruppen."
        )
    return [Group(i + 1, heads, tokens[i::number]) for i in range(number)]


def group_sheets(built: Built, code: str, ranges: Mapping[str, Range]) -> dict[str, tuple[Sheet, Desk]]:
    """Name of the file -> sheet and desk: gruppe-1, gruppe-2, …, zusammen."""
    groups = groups_of(built)
    desk = Desk(built, (ID,), ranges)
    makers = {
        f"{GROUP}{group.number}": partial(group_station, group=group, of=len(groups)) for group in groups
    }
    makers[TOGETHER] = partial(together_station, groups=groups)
    laid_out = {name: lay_out(desk, [make]) for name, make in makers.items()}
    return {name: (Sheet(built.options.satz, code, made), own) for name, (made, own) in laid_out.items()}


def group_files() -> tuple[str, ...]:
    """Every name that a run with groups can write."""
    names = [*(f"{GROUP}{number}" for number in range(1, MOST_GROUPS + 1)), TOGETHER]
    return tuple(
        f"{name}{ending}.{kind}"
        for name in names
        for ending in ("", KEY_ENDING, TO_FILL)
        for kind in ("pdf", "html")
    )
