"""Where the German texts stand (`templates/`), and how all of them are filled in."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def templates_folder() -> Path:
    """In the repository or in the installed wheel."""
    package = Path(__file__).parents[1]
    places = (package / "templates", package.parent / "templates")
    return next(place for place in places if (place / "fonts").is_dir())


def text_of(name: str) -> str:
    """What stands in a file of the folder."""
    return (templates_folder() / name).read_text(encoding="utf-8")


@cache
def environment(part: str, escaped: bool = True, **more: Any) -> Environment:
    """The templates of a part of the folder: undefined names are errors. more: as of Jinja."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(templates_folder() / part),
        autoescape=escaped,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **more,
    )
