"""What a blank gives for what a pupil types, by Moodle's own rules, read strictly; and what Maxima says."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import unescape

# As in Moodle's question/type/multianswer and question/type/numerical, described in its documentation.
_NUMBER = r"-?(?:(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?)"
_ALTERNATIVE = re.compile(
    r"~?(?P<fraction>=|%(?P<percent>-?[0-9]+(?:[.,][0-9]*)?)%)?"
    r"(?P<answer>.+?(?<!\\|&)(?=[~#}]|$))"
    r"(?:#(?P<feedback>.*?(?<!\\)(?=[~}]|$)))?",
    re.S,
)
_NUMERICAL = re.compile(rf"^({_NUMBER})(?::({_NUMBER}))?$")
_BLANK = re.compile(r"\{([0-9]*):NUMERICAL:((?:[^{}])*)\}")
_OTHER_START = re.compile(r"\{[0-9]*:[A-Z_]+:")
_EPSILON = Decimal("1e-14")


@dataclass(frozen=True)
class Alternative:
    fraction: Decimal
    value: Decimal
    tolerance: Decimal
    feedback: str


def blanks(text: str) -> list[list[Alternative]]:
    """Every blank of a question's text. ValueError for what Moodle would read otherwise."""
    found = [_alternatives(match[2]) for match in _BLANK.finditer(text)]
    if len(found) != len(_OTHER_START.findall(text)):
        raise ValueError("a blank that is none")
    return found


def _alternatives(rest: str) -> list[Alternative]:
    out = []
    while rest and (match := _ALTERNATIVE.match(rest)):
        number = _NUMERICAL.match(match["answer"])
        if number is None:
            raise ValueError(f"{match['answer']} is no number")
        percent = match["percent"]
        fraction = (
            Decimal(1 if match["fraction"] == "=" else 0) if percent is None else Decimal(percent) / 100
        )
        out.append(
            Alternative(
                fraction, Decimal(number[1]), Decimal(number[2] or 0), unescape(match["feedback"] or "")
            )
        )
        rest = rest[match.end() :]
    if rest or not any(each.fraction == 1 for each in out):
        raise ValueError(f"nothing is right, or something is left: {rest!r}")
    return out


def given(alternatives: list[Alternative], typed: str) -> Alternative | None:
    """The alternative that Moodle chooses for what is typed: the first that fits, with comma or point."""
    value = Decimal(typed.replace(",", ".") if "." not in typed else typed.replace(",", ""))
    fitting = (each for each in alternatives if abs(value - each.value) <= each.tolerance + _EPSILON)
    return next(fitting, None)


def maxima(script: Sequence[str]) -> str:
    """What Maxima prints for these statements."""
    with tempfile.NamedTemporaryFile("w", suffix=".mac") as file:
        file.write("\n".join(script).replace(";", "$"))
        file.flush()
        command = ["maxima", "--very-quiet", f"--batch={file.name}"]
        return subprocess.run(command, capture_output=True, text=True, timeout=600, check=True).stdout
