"""How our templates are filled in; whoever made a mistake in one reads its file and line."""

import re
import traceback
from collections.abc import Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NoReturn

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateSyntaxError, UndefinedError

from generator.basics.errors import UnknownNameError, UserError, in_words, quoted, shown_path
from generator.basics.reading import templates_folder

_OPEN: Final = re.compile(r"needs to be closed is '(\w+)'")
_TAG: Final = re.compile(r"unknown tag '(\w+)'")
_PLACED: Final = re.compile(r"(?:unexpected (?:char )?|got |named )'(.+?)'")
_NAME: Final = re.compile(r".*'(.+?)'")
_QUOTES: Final = "in einem Satz stehen „ und “, nie ein gerades Anführungszeichen"


@cache
def environment(part: str, escaped: bool = True, **more: Any) -> Environment:
    """The templates of a part of the folder: undefined names are errors. more: as of Jinja."""
    made = _Templates(
        loader=FileSystemLoader(templates_folder() / part),
        autoescape=escaped,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **more,
    )
    made.filters |= {"in_quotes": _in_quotes, "und": in_words, "oder": partial(in_words, joint="oder")}
    made.filters["plural"] = _plural
    return made


def _in_quotes(words: Iterable[str]) -> list[str]:
    """Each word in German quotes: „Katze“."""
    return [f"„{word}“" for word in words]


def _plural(things: Sequence[object], one: str, more: str) -> str:
    """The form of a word that goes with so many: „achtet“ or „achten“."""
    return one if len(things) == 1 else more


class _Templates(Environment):
    """Jinja's environment; what a writer can mend in a template is a `UserError`."""

    def handle_exception(self, source: str | None = None) -> NoReturn:
        """A mistake in a template, with its place; all else as it is."""
        try:
            super().handle_exception(source)
        except TemplateSyntaxError as error:
            where = _place(error.filename or error.name or "", error.lineno)
            raise UserError(f"In {where}, {_mistake(error.message or '')}.") from error
        except (UndefinedError, UnknownNameError) as error:
            name = _NAME.match(str(error))
            word = quoted(name[1] if name else error)
            raise UserError(f"In {_last_place(error)}, steht {word}; das gibt es dort nicht.") from error


def _mistake(message: str) -> str:
    """What Jinja says, as the end of a German sentence."""
    opened, tag, placed = (form.search(message) for form in (_OPEN, _TAG, _PLACED))
    if tag and opened:
        return f"steht {{% {tag[1]} %}}, aber das letzte offene {{% {opened[1]} … %}} hat noch kein Ende"
    if opened:
        return f"endet die Datei, und zu einem {{% {opened[1]} … %}} fehlt {{% end{opened[1]} %}}"
    if tag:
        return f"steht {{% {tag[1]} %}}; dazu fehlt der Anfang, oder es ist verschrieben"
    if placed:
        return f"stimmt ein Zeichen nicht: Bei {quoted(placed[1])} geht es nicht weiter; {_QUOTES}"
    return f"stimmt ein Zeichen nicht: Einem {{{{, {{% oder {{# fehlt das Ende; {_QUOTES}"


def _last_place(error: Exception) -> str:
    """Of the templates on the way to the error the innermost, with its line."""
    steps = traceback.extract_tb(error.__traceback__)
    return _place(*[(step.filename, step.lineno or 0) for step in steps if _is_ours(step.filename)][-1])


def _is_ours(file: str) -> bool:
    return Path(file).is_relative_to(templates_folder())


def _place(file: str, line: int) -> str:
    """As one finds it in the project: templates/stations/…, Zeile 137."""
    name = Path("templates", Path(file).relative_to(templates_folder())) if _is_ours(file) else Path(file)
    return f"{shown_path(name)}, Zeile {line}"
