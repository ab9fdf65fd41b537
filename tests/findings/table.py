"""All sentences in which a key judges, with the finding that each states and its check.

A line is a task, a sentence and a check. The sentence is a regular expression in which « is a word in quotes
and # a number. The check gets the sheet, what was said, and words, numbers and groups in order; None: the
sentence holds on every sheet, whatever its numbers are.
"""

import re
from difflib import SequenceMatcher

from findings import first_stations, heads, layers, learning, lesson, line, noticed, output, two_sentences

PARTS = [first_stations, heads, lesson, layers, output, noticed, two_sentences, learning]
TABLE = [each for part in PARTS for each in part.LINES]


def nearest(task, sentence):
    """Of the task's lines the one most like it: where it stands, and how it is written."""
    asked = _first_words(re.sub("„[^“]*“", "", sentence))

    def likeness(each):
        """Of a line's words and as many of those that are asked, for an answer goes on with another line."""
        words = _first_words(each.sentence)
        return SequenceMatcher(None, words, asked[: len(words) + 2]).ratio()

    found = max((each for each in TABLE if each.of(task)), key=likeness, default=None)
    if found is None:
        return "tests/findings", "noch keine Zeile dieser Aufgabe"
    shared = [name for name in ("LOOK", "EVEN", "SOME") if getattr(line, name) in found.sentence]
    return found.place, found.sentence + "".join(f" ({name}: tests/findings/line.py)" for name in shared)


def _first_words(sentence):
    """Up to the first . ? ! or ; of what was said or of a line."""
    parts = re.split(r"\\[.?!]|[!;.?](?=\s)|;", sentence)
    return re.findall(r"[^\W\d_]{2,}", next((part for part in parts if re.search(r"\w\w", part)), ""))
