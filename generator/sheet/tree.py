"""Trees of frozen records, tuples, lists and mappings: their parts of a kind, and others in their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from operator import is_
from typing import Any, Final, TypeVar, cast

T = TypeVar("T")
_PLAIN = ("str", "int", "bool", "float", "tuple[int, ...]", "tuple[str, ...]", "tuple[float, ...]")
_NO_PARTS: Final = frozenset(
    (*_PLAIN, "float | None", "Given | None", "CellAddress | None", "tuple[tuple[str, tuple[int, ...]], ...]")
)


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
def parts_of(kind: type) -> tuple[str, ...]:
    """The names of a part's fields that hold parts."""
    return tuple(each.name for each in fields(kind) if each.type not in _NO_PARTS)


@cache
def _children_of(kind: type) -> Callable[[Any], Sequence[Any]] | None:
    """How to come to the parts inside a part of this kind; None: there are none."""
    if issubclass(kind, Mapping):
        return lambda part: list(part.values())
    if issubclass(kind, tuple | list):
        return lambda part: part
    if is_dataclass(kind) and (names := parts_of(kind)):
        return lambda part: [getattr(part, name) for name in names]
    return None


def exchanged(part: T, how: Mapping[type, Callable[[Any], Any]]) -> T:
    """The same part, what is inside it exchanged: how, by its kind."""
    return cast(T, _exchanged(part, how))


def _exchanged(part: Any, how: Mapping[type, Callable[[Any], Any]]) -> Any:
    kind = type(part)
    if kind in how:
        return how[kind](part)
    if issubclass(kind, tuple):
        children = tuple(_exchanged(child, how) for child in part)
        return part if all(map(is_, children, part)) else children
    if issubclass(kind, list):
        return [_exchanged(child, how) for child in part]
    if issubclass(kind, Mapping):
        return {key: _exchanged(child, how) for key, child in part.items()}
    if is_dataclass(kind):
        fields = {name: getattr(part, name) for name in parts_of(kind)}
        new = {
            name: other for name, field in fields.items() if (other := _exchanged(field, how)) is not field
        }
        return replace(part, **new) if new else part
    return part
