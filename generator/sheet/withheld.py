"""A part of a key goes in; the same part of the worksheet comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass, replace
from typing import Any, TypeVar, cast

from generator.sheet.sheet import Bar, Figure, Number, Pattern, Shade, Solution
from generator.sheet.walking import fields_of

T = TypeVar("T")


def withheld(part: T) -> T:
    """The same part as the pupil gets it: nothing left of what is to be written."""
    return cast(T, _withheld(part))


def _withheld(part: Any) -> Any:
    if isinstance(part, Number) and part.blank:
        return replace(part, text="", accepted="", changed=False)
    if isinstance(part, Solution) and part.blank:
        return replace(part, text="", accepted="")
    if isinstance(part, Bar | Pattern) and part.blank:
        return replace(part, share=None)
    if isinstance(part, Shade) and part.blank:
        return replace(part, share=None, number=_withheld(part.number))
    if isinstance(part, Figure) and part.empty is not None:
        return replace(part, drawing=part.empty, empty=None)
    if isinstance(part, tuple):
        return tuple(_withheld(child) for child in part)
    if isinstance(part, list):
        return [_withheld(child) for child in part]
    if isinstance(part, Mapping):
        return {key: _withheld(child) for key, child in part.items()}
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{name: _withheld(getattr(part, name)) for name in fields_of(type(part))})
    return part
