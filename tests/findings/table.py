"""All sentences in which a key judges, with the finding that each states and its check.

A line is a task, a sentence and a check. The sentence is a regular expression in which « is a word in quotes
and # a number. The check gets the sheet, what was said, and words, numbers and groups in order; None: the
sentence holds on every sheet, whatever its numbers are.
"""

from findings import first_stations, heads, layers, learning, lesson, output, two_sentences

PARTS = [first_stations, heads, lesson, layers, output, two_sentences, learning]
TABLE = [line for part in PARTS for line in part.LINES]
