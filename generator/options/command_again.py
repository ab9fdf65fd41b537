"""Options go in; the command line that makes the same sheet again comes out."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from typing import Any, Final

from generator.options.declaration import Option
from generator.options.option_kinds import Switch, Temperatures
from generator.options.options import NOT_OF_THE_SHEET, TABLE, Options

_NOT_REPEATED: Final = (*NOT_OF_THE_SHEET, "vorlage")


def command_again(options: Options) -> str:
    """papierformer blatt "…" with every option that is not at its default; of files only the name.

    Numbers of one's own in a file are needed as well: the file is named, not repeated.
    """
    words = ["papierformer", "blatt", _quoted(options.satz)]
    if options.vorlage is not None:
        words += ["--vorlage", _quoted(options.vorlage.name)]
    for option in TABLE:
        value = getattr(options, option.name)
        if option.name not in _NOT_REPEATED and value != default_of(option, options):
            words += _said(option, value)
    return " ".join(words)


def default_of(option: Option, options: Options) -> Any:
    """What holds where the option is not named and the others are as they are."""
    if option.name == "ffn":
        return 2 * options.dimension
    if option.name == "beispiel":
        return Options(satz=options.satz).beispiel
    if option.name == "uebung":
        return replace(options, uebung=None).uebung  # type: ignore[arg-type]
    return option.default


def _said(option: Option, value: Any) -> list[str]:
    if isinstance(option.kind, Switch):
        return [option.flag if value else str(option.off_flag)]
    plain = option.kind.plain(value)
    if isinstance(option.kind, Temperatures):
        return [word for t in plain for word in (option.flag, f"{t:g}".replace(".", ","))]
    if isinstance(plain, list):
        plain = ",".join(map(str, plain))
    return [option.flag, _quoted(str(plain))]


def _quoted(text: str) -> str:
    """In double quotes, which every shell takes, unless signs in it mean something to a shell."""
    if re.fullmatch(r"[\w.,:+/-]+", text):
        return text
    return shlex.quote(text) if re.search(r"[\"$`\\\\!%]", text) else f'"{text}"'
