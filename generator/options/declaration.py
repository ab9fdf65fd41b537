"""One option, said once as a field of `Options`: what parser, help, TOML template and README read of it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Final

from generator.options.option_kinds import Kind, Switch

NOT_OF_A_CLASS: Final = ("gruppen", "ausfuellbar")  # options that a class set does not have


@dataclass(frozen=True)
class Option:
    """What parser, help, TOML template and README need to know of one option."""

    name: str
    kind: Kind
    default: Any
    help: str
    default_text: str
    example: Any

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def off_flag(self) -> str | None:
        return "--ohne-" + self.name.replace("_", "-") if isinstance(self.kind, Switch) else None


def option(default: Any, kind: Kind, help: str, default_text: str = "", example: Any = None) -> Any:
    """A field of a class of options; a default of None depends on other options, `default_text` says how."""
    metadata = {"kind": kind, "help": help, "default_text": default_text, "example": example}
    return field(default=default, metadata=metadata)


def declared(options: type) -> tuple[Option, ...]:
    """The options that the fields of a class declare, in their order."""
    return tuple(
        Option(
            each.name,
            each.metadata["kind"],
            each.default,
            each.metadata["help"],
            each.metadata["default_text"] or each.metadata["kind"].shown(each.default),
            each.metadata["example"],
        )
        for each in fields(options)
        if "help" in each.metadata
    )
