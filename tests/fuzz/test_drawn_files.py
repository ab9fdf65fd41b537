"""Own numbers, answers and files of numbers, drawn: one German sentence, or a result."""

import json
import math
import random
import re

import pytest

from generator.basics.errors import UserError
from generator.calculation.rebuild import rebuild
from generator.check.answers import read_answers
from generator.check.check import check
from generator.check.entries import ensure_defined, recomputed
from generator.check.report import write_report
from generator.options.numbers_file import read_given
from generator.options.options import Options
from tests.laid_out import document

SENTENCE = "Die Katze sitzt auf"
OWN_NUMBERS, ANSWERS, FILES = 80, 60, 200
QUOTED = re.compile("„[^“]*“")
ENGLISH = re.compile(
    r"\b(the|error|invalid|expected|cannot|not|unexpected|line|column|object|value|must|Infinity|None|True|"
    r"False|Traceback)\b"
)
PYTHON = re.compile(r"Decimal\(|<class|\{'|\['|0x[0-9a-f]{6}")
NUMBERS = (0, 1, -1, 0.5, 7.25, 10**6, 10**9, 10**30, 1e-9, 1e300, math.nan, math.inf, -math.inf)
OTHERS = (None, True, False, "", "1", "1,5", "viel", "−2", "=1+1", "\x1b[31m", "𝟙", [], {}, {"a": 1}, [[]])


@pytest.fixture(scope="module")
def rebuilt():
    return rebuild(document({"satz": SENTENCE, "gewichte": "auswahl"}))


def ensure_plain(said, tmp_path):
    """In German, on one line, without anything of Python's or of this machine."""
    assert str(tmp_path) not in said
    assert not PYTHON.search(said), said
    assert not ENGLISH.search(QUOTED.sub("", said)), said


def drawn_value(rng, deep=0):
    kind = rng.random()
    if kind < 0.25 and deep < 4:
        return [drawn_value(rng, deep + 1) for _ in range(rng.randrange(5))]
    if kind < 0.35 and deep < 4:
        return {rng.choice(("a", "Katze", "0")): drawn_value(rng, deep + 1) for _ in range(rng.randrange(3))}
    return rng.choice(NUMBERS if kind < 0.8 else OTHERS)


def matrix(rng, rows, columns):
    """Of this shape or one beside it, mostly of numbers."""
    rows, columns = (max(0, each + rng.choice((0, 0, 0, 0, 1, -1))) for each in (rows, columns))
    odd = rng.random() < 0.5
    cell = lambda: rng.choice(NUMBERS + OTHERS) if odd and rng.random() < 0.2 else rng.randint(-3, 3)  # noqa: E731
    return [[cell() for _ in range(columns)] for _ in range(rows)]


def test_own_numbers_for_a_key(rebuilt, tmp_path):
    rng, refused = random.Random(50), 0
    hand = rebuilt.calculation.hand
    for _ in range(OWN_NUMBERS):
        name = rng.choice(list(hand))
        shape = hand[name].values.shape
        index = [
            rng.randrange(size + (rng.random() < 0.1)) for size in shape[: len(shape) - (rng.random() < 0.05)]
        ]
        value = rng.choice(
            ("0", "-1", "0,5", "1000000", "1e9", "nan", "inf", "viel", "", "40", "0,00000001", "−3")
        )
        text = f"{name}[{','.join(map(str, index))}]={value}"
        try:
            own = recomputed(rebuilt.calculation, [text])
            ensure_defined(own, [text])
        except UserError as error:
            refused += 1
            ensure_plain(str(error), tmp_path)
    assert 15 < refused < OWN_NUMBERS - 15


def test_answers(rebuilt, tmp_path):
    rng, refused = random.Random(51), 0
    names = [*rebuilt.axes, "unbekannt", "wort.1", ""]
    for number in range(ANSWERS):
        path = tmp_path / f"antworten.{rng.choice(('json', 'csv', 'txt'))}"
        if number % 3:
            tables = {rng.choice(names): drawn_value(rng) for _ in range(rng.randrange(1, 6))}
            text = json.dumps(tables if rng.random() < 0.95 else [tables])
        else:
            separator = rng.choice(";,\t")
            cells = ("0", "1,5", "[0,1]", "(0|1)", '"', "viel", "−0,5", "", "nan", "1e999", "'")
            rows = (
                [rng.choice(names), *(rng.choice(cells) for _ in range(rng.randrange(5)))] for _ in range(9)
            )
            text = "\n".join(separator.join(row) for row in rows)
        content = text.encode()
        if rng.random() < 0.2:
            place = rng.randrange(len(content) + 1)
            content = (
                content[:place]
                + rng.choice((b"", b"\xff\xfe", b"\x00", b"}", content))
                + content[place:][:40]
            )
        path.write_bytes(content)
        try:
            said = write_report(check(rebuilt, read_answers(path, rebuilt.axes)), rebuilt, "txt")
        except UserError as error:
            refused += 1
            said = str(error)
        ensure_plain(said, tmp_path)
    assert 5 < refused < ANSWERS - 10


def test_files_of_numbers(tmp_path):
    rng, refused = random.Random(52), 0
    for _ in range(FILES):
        words = SENTENCE.split()
        parts = {
            "embedding": matrix(rng, len(words), 4),
            "wortvektoren": {word: (matrix(rng, 1, 4) or [[]])[0] for word in words},
            "block1.W_O": matrix(rng, 4, 4),
            "weights": {"block1.head1.W_Q": matrix(rng, 4, 2)},
            "block1.norm1.gamma": drawn_value(rng),
            "blok1.W_O": drawn_value(rng),
            "block1": drawn_value(rng),
        }
        chosen = rng.sample(list(parts), rng.randrange(1, 3))
        text = json.dumps({name: parts[name] for name in chosen})
        if rng.random() < 0.2:
            text = text[: rng.randrange(len(text))]
        path = tmp_path / rng.choice(("zahlen.json", "zahlen.toml", "zahlen"))
        path.write_text(text, encoding="utf-8")
        try:
            read_given(Options(satz=SENTENCE, gewichte=path))
        except UserError as error:
            refused += 1
            ensure_plain(str(error), tmp_path)
    assert 20 < refused < FILES - 10
