"""The printed formulas of the way back against what SymPy itself finds by differentiation."""

from itertools import product

import pytest
import sympy as sp

from generator.output.formulas.expressions import (
    Joined,
    Logarithm,
    Minus,
    Negative,
    Over,
    Partial,
    Plus,
    Times,
    Transposed,
    expressions,
)

ARITHMETIC = {
    Over: lambda above, below: above / below,
    Times: lambda *parts: sp.Mul(*parts),
    Joined: lambda *parts: sp.Mul(*parts),
    Plus: lambda *parts: sp.Add(*parts),
    Minus: lambda left, right: left - right,
    Negative: lambda part: -part,
    Logarithm: lambda part: sp.log(part),
    Transposed: lambda part: part,  # one component each
}


def right_side(name):
    """What is printed to the right of the equals sign, to calculate with."""
    expression = expressions()[name].rhs
    for field, meaning in ARITHMETIC.items():
        expression = expression.replace(field, meaning)
    return expression


def with_values(expression, indices, **vectors):
    """Sums written out, then x_m, x_i, … as the components of the vector x."""
    hats = {sp.Symbol(rf"\hat{{x}}_{index}"): sp.Symbol(f"hat_{index}") for index in "im"}
    count = len(next(iter(vectors.values())))

    def term(body, at):
        return body.subs({sp.Symbol(f"{name}_m"): vector[at] for name, vector in vectors.items()})

    def written_out(body, limits):
        return sp.Add(*(term(body, at) for at in range(count)))

    expression = expression.subs(hats).replace(sp.Sum, written_out)
    placed = {
        sp.Symbol(f"{name}_{index}"): vector[at]
        for name, vector in vectors.items()
        for index, at in indices.items()
    }
    return expression.subs(placed)


def softmax(x):
    total = sum(sp.exp(each) for each in x)
    return [sp.exp(each) / total for each in x]


def vector(name, count):
    return list(sp.symbols(f"{name}1:{count + 1}", real=True))


def jacobian():
    s = vector("s", 3)
    w = softmax(s)
    for j, k in product(range(3), repeat=2):
        printed = right_side("jacobian").subs(sp.Symbol(r"\delta_{jk}"), int(j == k))
        yield sp.diff(w[j], s[k]), with_values(printed, {"j": j, "k": k}, w=w)


def softmax_in_short():
    s, a = vector("s", 3), vector("a", 3)
    w = softmax(s)
    loss = sum(w_m * a_m for w_m, a_m in zip(w, a, strict=True))  # a: what the loss changes with each weight
    for j in range(3):
        yield sp.diff(loss, s[j]), with_values(right_side("back_softmax"), {"j": j}, w=w, a=a)


def divided_score():
    """The gradient of softmax is that of s̃ = s / √d_k; the one of s is smaller by √d_k."""
    s, known = sp.symbols("s known")
    loss = known * right_side("scaled_score").subs("s_j", s)
    yield sp.diff(loss, s), right_side("back_score").replace(Partial, lambda above, below: known)


def layer_norm():
    r, g = vector("r", 3), vector("g", 3)
    mean = sum(r) / 3
    std = sp.sqrt(sum((x - mean) ** 2 for x in r) / 3)
    hat = [(x - mean) / std for x in r]
    loss = sum(g_m * x_m for g_m, x_m in zip(g, hat, strict=True))
    for i in range(3):
        printed = with_values(right_side("back_norm"), {"i": i}, g=g, hat=hat)
        yield sp.diff(loss, r[i]), printed.subs({sp.Symbol("sigma"): std, sp.Symbol("d"): 3})


def output():
    y, e = vector("y", 2), [vector("e", 2), vector("f", 2)]
    p = softmax([sum(a * b for a, b in zip(y, row, strict=True)) for row in e])
    loss = right_side("loss").subs(sp.Symbol("p_r"), p[0])
    error = [right_side("back_logit").subs({"p_i": p[w], "t_i": int(w == 0)}) for w in range(2)]
    for i, c in product(range(2), repeat=2):
        printed = right_side("back_vector").subs({"p_i": p[i], "t_i": int(i == 0), "y": y[c]})
        yield sp.diff(loss, e[i][c]), printed
        yield sp.diff(loss, y[c]), sum(error[w] * e[w][c] for w in range(2))


def head():
    """One component each: what the printed products say for a sum of two terms."""
    w, v, g = vector("w", 2), vector("v", 2), sp.Symbol("g")
    loss = g * (w[0] * v[0] + w[1] * v[1])
    yield sp.diff(loss, w[1]), right_side("back_weight").subs("v_j", v[1])
    yield sp.diff(loss, v[1]), right_side("back_value").subs("w_j", w[1])
    q, k, t = sp.Symbol("q"), vector("k", 2), vector("t", 2)  # t: ∂L/∂s
    loss = t[0] * q * k[0] + t[1] * q * k[1]
    known = sp.Symbol("known")
    key, query = (
        right_side(name).replace(Partial, lambda above, below: known) for name in ("back_key", "back_query")
    )
    yield sp.diff(loss, k[1]), key.subs(known, t[1])
    yield sp.diff(loss, q), sum(query.function.subs({known: t[m], "k_j": k[m]}) for m in range(2))


def source_and_step():
    """h makes a key and a value, which both send their gradient back to it; a step on W² halves W."""
    h, K, V, k, v, W = sp.symbols("h W_K W_V k v W")  # k and v: ∂L/∂k and ∂L/∂v
    names = {sp.Symbol("k_j"): k, sp.Symbol("v_j"): v}
    printed = right_side("back_source").replace(Partial, lambda above, below: names[below])
    yield sp.diff(k * (h * K) + v * (h * V), h), printed
    step = right_side("step").replace(Partial, lambda above, below: 2 * W)
    yield W / 2, step.subs("eta", sp.Rational(1, 4))


@pytest.mark.parametrize(
    "found",
    [jacobian, softmax_in_short, divided_score, layer_norm, output, head,
     source_and_step],
)  # fmt: skip
def test_what_is_printed_is_the_derivative(found):
    for derivative, printed in found():
        assert sp.simplify(derivative - printed) == 0
