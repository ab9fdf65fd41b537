# ruff: noqa: E501
"""Stations 5 to 7: what their keys say, each with its check."""

import re

import numpy as np

from findings.line import Line
from findings.seen import close, number

ATTENTION, FFN = "block1.attention", "block1.ffn.output"


def largest_of(name):
    """A component is the largest, and of what is as large nothing is left out."""

    def check(s, said, component, value):
        row = s.values(name, s.path)
        size = np.abs(row)
        assert close(value, row[int(component) - 1])
        # Of the network rounding may set another in the place of the largest.
        assert abs(value) >= size.max() - (0.05 if name == FFN else 1e-9)
        leaders = np.flatnonzero(np.isclose(size, size.max())) + 1
        return all(f"Komponente {leader} (" in said.text for leader in leaders)

    return check


def _source(s, said, head, words):
    component = int(re.search(r"Komponente (\d+) \(a", said.text)[1]) - 1
    width = s.desk.sizes.d_head
    assert int(head) == component // width + 1
    at, c = f"block1.head{head}.", component % width
    parts = np.nan_to_num(s.values(at + "weight", s.path)) * s.values(at + "value")[:, c]
    found = re.findall(r"„(.+?)“ \((−?[\d,]+) · \(?(−?[\d,]+)", words)
    assert found
    for word, weight, value in found:
        j = s.words.index(word)
        assert close(parts[j], number(weight) * number(value))
        assert abs(parts[j]) >= 0.9 * np.max(parts * np.sign(parts.sum() or 1)) - 1e-9


def spread(least, most):
    def check(s, said, sigma=None, ratios=None):
        value = float(s.values("block1.norm1.std", s.path))
        assert least <= value <= most
        assert sigma is None or close(value, sigma)
        plain = [s.desk.given("block1.norm1.gamma") - 1, s.desk.given("block1.norm1.beta")]
        return not ratios or not np.any(plain)

    return check


def _moves(s, said, component, verb, before, after):
    c, begun = int(component) - 1, "input" if s.desk.printed("5") else "block1.norm1.output"
    old, new = (s.values(name, s.path) for name in (begun, "block1.norm2.output"))
    assert close(old[c], before)
    assert close(new[c], after)
    assert verb == ("fällt" if new[c] < old[c] else "steigt")
    change = np.abs(new - old)
    return change[c] >= change.max() - 0.05


def _relu(s, said, zeros, units, already=None):
    hidden = s.values("block1.ffn.hidden", s.path)
    counts = (hidden < 0).sum(), len(hidden), (hidden == 0).sum()
    return (int(zeros), int(units), int(already or 0)) == counts


def _without(s, said, shift):
    names = [f"block1.ffn.b_{k}" for k in (1, 2)]
    biases = [s.desk.given(name) for name in names if name in s.desk.calculation.model.weights]
    return (shift != "") == any(np.any(b) for b in biases)


def _added(s, said, heard, thought):
    for name, line in ((ATTENTION, heard), (FFN, thought)):
        *terms, total = map(number, re.split(r" [+=] ", line))
        row = np.abs(s.values(name, s.path))
        assert np.allclose(terms, row, rtol=0, atol=1e-9)
        assert close(total, row.sum())


def more(from_network, nearly=False):
    def check(s, said):
        a, f = (np.abs(s.values(name, s.path)).sum() for name in (ATTENTION, FFN))
        return (f > a if from_network else a > f) and nearly == (abs(a - f) < 0.05 * max(a, f))

    return check


LINES = [
    Line("5 strip", r"Am meisten (?:ändert|ändern) sich "),
    Line("5 strip", r"Komponente (\d+) \(a = #\)(?: und |, )?", largest_of(ATTENTION)),
    Line("5 strip, 7 strip", r"\."),
    Line("5 strip", r"Das kommt aus Head (\d+), am meisten von ((?:„.+?“ \(.+? · .+?\)(?:, | und )?)+)\.", _source),
    Line("5 strip", r"Weil σ = # kleiner .+? größer(; ihre Verhältnisse bleiben)?\.", spread(0, 0.999)),
    Line("5 strip", r"Weil σ = # größer .+? kleiner(; ihre Verhältnisse bleiben)?\.", spread(1.001, 99)),
    Line("5 strip", r"Weil σ = 1 ist, bleiben die Abstände, wie sie sind\.", spread(1, 1)),
    Line("6 strip", r"Nichts: f ist überall 0", lambda s, said: not s.values(FFN, s.path).any()),
    Line("6 strip", r"Komponente (\d+) \(f = #\)(?: und |, )?", largest_of(FFN)),
    Line("6 strip", r"\. ReLU setzt (\d+) von (\d+) Zahlen u auf 0(?:; (\d+) (?:war|waren) schon 0)?\.", _relu),
    Line("6 strip", r"Ohne ReLU käme z W 1 W 2 gleich z \(W 1 W 2\)( mit .+?|) heraus: .+? Matrix\.", _without),
    Line("6 strip", r"ReLU macht den Knick, der Regeln wie „nur wenn“ erlaubt\."),
    Line("7 strip", r"Zuhören: (.+?); Nachdenken: (.+?)\.(?: |$)", _added),
    Line("7 strip", r"Auch richtig: Ganz vergleichbar ist das nicht, .+? hat \w+ alle Zahlen durch σ geteilt\."),
    Line("7 strip", r"Mehr kam vom Nachdenken\.", more(True)),
    Line("7 strip", r"Mehr kam vom Zuhören\.", more(False)),
    Line("7 strip", r"Etwas mehr kam vom Nachdenken, fast gleich viel\.", more(True, nearly=True)),
    Line("7 strip", r"Komponente (\d+) (fällt|steigt) von # auf #(?: und |, )?", _moves),
]  # fmt: skip
