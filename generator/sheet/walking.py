"""A part of a sheet goes in; the parts inside it come out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def walk(part: Any, kind: type[T]) -> Iterator[T]:
    """All parts of one kind inside a part, in order."""
    waiting = [part]
    while waiting:
        part = waiting.pop()
        if isinstance(part, kind):
            yield part
        kind_of_part: type = type(part)
        if children := _children_of(kind_of_part):
            waiting.extend(reversed(children(part)))


@cache
def fields_of(kind: type) -> tuple[str, ...]:
    """The names of a part's fields."""
    return tuple(each.name for each in fields(kind))


@cache
def _children_of(kind: type) -> Callable[[Any], Sequence[Any]] | None:
    """How to come to the parts inside a part of this kind; None: there are none."""
    if issubclass(kind, Mapping):
        return lambda part: list(part.values())
    if issubclass(kind, tuple | list):
        return lambda part: part
    if is_dataclass(kind) and (names := fields_of(kind)):
        return lambda part: [getattr(part, name) for name in names]
    return None
