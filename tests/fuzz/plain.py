"""What every refusal is: one German line, without anything of Python or of this machine."""

import re

QUOTED = re.compile(r"„[^“]*“|--\w+ \S+ passt nicht")
ENGLISH = re.compile(
    r"\b(the|error|invalid|expected|cannot|not|unexpected|line|column|object|value|must|Infinity|None|True|"
    r"False|Traceback|Unerwartet\w*|nan)\b"
)
PYTHON = re.compile(r"Decimal\(|<class|\{'|\['|0x[0-9a-f]{6}")


def ensure_plain(said, folder):
    assert said.count("\n") <= 1, said
    assert said.strip().isprintable(), said
    assert said.strip()[-1:] in '."]', said  # a sentence, or how to call it
    assert len(said) < 400, said
    assert str(folder) not in said, said
    assert not PYTHON.search(said), said
    assert not ENGLISH.search(QUOTED.sub("", said)), said
