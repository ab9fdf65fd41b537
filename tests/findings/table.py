"""All sentences in which a key judges, with the finding that each states and its check.

A line is a task, a sentence and a check. The sentence is a regular expression in which « is a word in quotes
and # a number. The check gets the sheet, what was said, and words, numbers and groups in order; None: the
sentence holds on every sheet, whatever its numbers are.
"""

import ast
import re
from difflib import SequenceMatcher
from pathlib import Path

from findings import first_stations, heads, layers, learning, lesson, noticed, output, two_sentences
from findings import line as line_module

PARTS = [first_stations, heads, lesson, layers, output, noticed, two_sentences, learning]
TABLE = [line for part in PARTS for line in part.LINES]
ROOT = Path(__file__).resolve().parents[2]


def nearest(task, sentence):
    """Of the task's lines the one most like it: file and row, and the line as it is written there.

    What it only names, as LOOK, comes with its own row.
    """
    asked = _first_words(re.sub("„[^“]*“", "", sentence))
    lines = [
        (_likeness(_first_words(line.sentence), asked), f"{file}, Zeile {row}", written)
        for part in PARTS
        for line, (file, row, written) in zip(part.LINES, _written(part), strict=True)
        if line.of(task)
    ]
    none = (0, "tests/findings", "noch keine Zeile dieser Aufgabe")
    _, place, written = max(lines, key=lambda each: each[0], default=none)
    shared = Path(line_module.__file__).read_text(encoding="utf-8").splitlines()
    for name in re.findall(r"\b[A-Z]{4,}\b", re.sub(r'"[^"]*"', "", written)):
        row = next(row for row, text in enumerate(shared, 1) if text.startswith(f"{name} = "))
        written += f"\n  {name} steht in tests/findings/line.py, Zeile {row}: {shared[row - 1]}"
    return place, written


def _likeness(line, asked):
    """Of a line's words and as many of those that are asked, for an answer goes on with another line."""
    return SequenceMatcher(None, line, asked[: len(line) + 2]).ratio()


def _first_words(sentence):
    """Up to the first . ? ! or ; of what was said or of a line."""
    parts = re.split(r"\\[.?!]|[!;.?](?=\s)|;", sentence)
    return re.findall(r"[^\W\d_]{2,}", next((part for part in parts if re.search(r"\w\w", part)), ""))


def _written(part):
    source = Path(part.__file__).read_text(encoding="utf-8")
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    lines = sorted((call for call in calls if ast.unparse(call.func) == "Line"), key=lambda call: call.lineno)
    file = Path(part.__file__).relative_to(ROOT).as_posix()
    for call in lines:
        yield (
            file,
            call.args[1].lineno,
            re.sub(r'"\s+r?f?"', "", ast.get_source_segment(source, call.args[1])),
        )
