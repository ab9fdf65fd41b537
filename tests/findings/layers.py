# ruff: noqa: E501
"""Stations 5 to 7: what their keys say, each with its check."""

import re

import numpy as np

from findings.line import Line
from findings.seen import close, number


def _component(s, said, component, value):
    row = s.values("block1.attention", s.path)
    assert close(number(value), row[int(component) - 1])
    assert close(abs(number(value)), np.abs(row).max())
    _all_named(said, row)


def _all_named(said, row):
    """Of what is as large as the largest nothing is left out."""
    leaders = np.flatnonzero(np.isclose(np.abs(row), np.abs(row).max())) + 1
    assert all(f"Komponente {component} (" in said.text for component in leaders)


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
        assert sigma is None or close(value, number(sigma))
        if ratios:
            assert not np.any(s.desk.given("block1.norm1.gamma") - 1)
            assert not np.any(s.desk.given("block1.norm1.beta"))

    return check


def moves(old, new):
    def check(s, said, component, verb, before, after):
        c = int(component) - 1
        begun = old if said.task[0] == "5" or s.desk.printed("5") else "block1.norm1.output"
        rows = [s.values(name, s.path) for name in (begun, new)]
        assert close(rows[0][c], number(before))
        assert close(rows[1][c], number(after))
        assert verb == ("fällt" if rows[1][c] < rows[0][c] else "steigt")
        change = np.abs(rows[1] - rows[0])
        assert change[c] >= change.max() - 0.05

    return check


def _wants(s, said, component, value):
    row = s.values("block1.ffn.output", s.path)
    assert close(number(value), row[int(component) - 1])
    assert abs(number(value)) >= np.abs(row).max() - 0.05
    _all_named(said, row)


def _all_stand(s, said):
    assert (s.values("block1.ffn.hidden", s.path) >= 0).all()


def _no_f(s, said):
    assert not s.values("block1.ffn.output", s.path).any()


def _relu(s, said, zeros, units, already="0"):
    hidden = s.values("block1.ffn.hidden", s.path)
    assert int(already or 0) == int((hidden == 0).sum())
    assert int(units) == len(hidden)
    assert int(zeros) == int((hidden < 0).sum())


def _without(s, said, shift):
    biases = [
        s.desk.given(f"block1.ffn.b_{k}")
        for k in (1, 2)
        if f"block1.ffn.b_{k}" in s.desk.calculation.model.weights
    ]
    assert (shift != "") == any(np.any(b) for b in biases)


def _added(s, said, heard, thought):
    for name, line in (("block1.attention", heard), ("block1.ffn.output", thought)):
        *terms, total = re.split(r" [+=] ", line)
        row = np.abs(s.values(name, s.path))
        assert all(close(number(a), b) for a, b in zip(terms, row, strict=True))
        assert close(number(total), row.sum())


def more(sign, nearly=False):
    def check(s, said, *_):
        a, f = (np.abs(s.values(f"block1.{name}", s.path)).sum() for name in ("attention", "ffn.output"))
        assert {"f": f > a, "a": a > f, "=": close(a, f)}[sign]
        assert sign == "=" or nearly == (abs(a - f) < 0.05 * max(a, f))

    return check


def _by_rounding(s, said):
    a, f = (np.abs(s.values(f"block1.{name}", s.path)).sum() for name in ("attention", "ffn.output"))
    assert (
        0 < abs(a - f) <= 2 * len(s.values("input", s.path)) * 10.0**-s.desk.options.nachkommastellen + 1e-9
    )


def near(name, other=""):
    """What rounding may set in the place of the largest is hardly smaller."""

    def check(s, said, words):
        row = s.values(name, s.path)
        begun = other if s.desk.printed("5") or not other else "block1.norm1.output"
        size = np.abs(row - s.values(begun, s.path)) if other else np.abs(row)
        for component in re.findall(r"Komponente (\d+)", words):
            assert 0.75 * size.max() - 0.05 <= size[int(component) - 1]

    return check


LINES = [
    Line("5 strip", r"Am meisten (?:ändert|ändern) sich "),
    Line("5 strip", r"Komponente (\d+) \(a = #\)(?: und |, )?", _component),
    Line("5 strip", r"; gerundet kann es auch (.+?) sein", near("block1.attention"), unseen=True),
    Line("5 strip", r"\."),
    Line("5 strip", r"Das kommt aus Head (\d+), am meisten von ((?:„.+?“ \(.+? · .+?\)(?:, | und )?)+)\.", _source),
    Line("5 strip", r"Weil σ = # kleiner als 1 ist, werden die Abstände beim Teilen größer(; ihre Verhältnisse bleiben)?\.", spread(0, 0.999)),
    Line("5 strip", r"Weil σ = # größer als 1 ist, werden die Abstände beim Teilen kleiner(; ihre Verhältnisse bleiben)?\.", spread(1.001, 99)),
    Line("5 strip", r"Weil σ = 1 ist, bleiben die Abstände, wie sie sind\.", spread(1, 1)),
    Line("6 strip", r"Nichts: f ist überall 0", _no_f),
    Line("6 strip", r"Komponente (\d+) \(f = #\)(?: und |, )?", _wants),
    Line("6 strip", r"; gerundet kann es auch (.+?) sein", near("block1.ffn.output"), unseen=True),
    Line("6 strip", r"\. ReLU setzt (\d+) von (\d+) Zahlen u auf 0(?:; (\d+) (?:war|waren) schon 0)?\.", _relu),
    Line("6 strip", r"\. ReLU lässt hier alles stehen\.", _all_stand, unseen=True),
    Line("6 strip", r"Ohne ReLU käme z W 1 W 2 gleich z \(W 1 W 2\)( mit einer festen Verschiebung|) heraus: nur eine "
         r"einzige Matrix\.", _without),
    Line("6 strip", r"ReLU macht den Knick, der Regeln wie „nur wenn“ erlaubt\."),
    Line("7 strip", r"Zuhören: (.+?); Nachdenken: (.+?)\.(?: |$)", _added),
    Line("7 strip", r"Fast gleich viel: Was vorn liegt, entscheidet das Runden\. Beides gilt\.", _by_rounding, unseen=True),
    Line("7 strip", r"Auch richtig: Ganz vergleichbar ist das nicht, denn dazwischen hat \w+ alle Zahlen durch σ geteilt\."),
    Line("7 strip", r"Mehr kam vom Nachdenken\.", more("f")),
    Line("7 strip", r"Mehr kam vom Zuhören\.", more("a")),
    Line("7 strip", r"Etwas mehr kam vom Nachdenken, fast gleich viel\.", more("f", nearly=True)),
    Line("7 strip", r"Etwas mehr kam vom (?:Zuhören), fast gleich viel\.", more("a", nearly=True), unseen=True),
    Line("7 strip", r"Beides gab gleich viel\.", more("="), unseen=True),
    Line("7 strip", r"Komponente (\d+) (fällt|steigt) von # auf #(?: und |, )?", moves("input", "block1.norm2.output")),
    Line("7 strip", r"; gerundet kann es auch (.+?) sein", near("block1.norm2.output", "input"), unseen=True),
    Line("7 strip", r"\."),
]  # fmt: skip
