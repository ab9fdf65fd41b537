"""Trees of frozen records, tuples, lists and mappings: their parts of a kind, and others in their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from operator import attrgetter, is_
from types import SimpleNamespace
from typing import Any, Final, Self, TypeVar, cast

T = TypeVar("T")
_PLAIN = ("str", "int", "bool", "float", "tuple[int, ...]", "tuple[str, ...]", "tuple[float, ...]")
_NO_PARTS: Final = frozenset(
    (*_PLAIN, "float | None", "Given | None", "CellAddress | None", "tuple[tuple[str, tuple[int, ...]], ...]")
)


class Record(SimpleNamespace):
    """A frozen record of whatever it is made with; to make a dataclass of its own would take much longer."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} stays as it is")

    def but(self, **named: object) -> Self:
        """A copy with other values of these names."""
        return type(self)(**{**vars(self), **named})


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
    if issubclass(kind, Record):
        return lambda part: list(vars(part).values())
    if is_dataclass(kind) and (names := parts_of(kind)):
        of = attrgetter(*names)
        return of if len(names) > 1 else lambda part: (of(part),)
    return None


def exchanged(part: T, how: Mapping[type, Callable[[Any], Any]]) -> T:
    """The same part, what is inside it exchanged: how, by its kind."""
    return cast(T, _exchanged(part, how))


def _exchanged(part: Any, how: Mapping[type, Callable[[Any], Any]]) -> Any:
    kind = part.__class__
    if kind in how:
        return how[kind](part)
    children = _children_of(kind)
    if children is None:
        return part
    old = children(part)
    new = [_exchanged(child, how) for child in old]
    if all(map(is_, new, old)):
        return part
    if issubclass(kind, Mapping):
        return dict(zip(part, new, strict=True))
    if issubclass(kind, Record):
        return part.but(**dict(zip(vars(part), new, strict=True)))
    if issubclass(kind, tuple | list):
        return new if issubclass(kind, list) else tuple(new)
    return replace(part, **dict(zip(parts_of(kind), new, strict=True)))
