"""Symbols of the course go in, LaTeX comes out: every formula is a SymPy expression, as the field writes it.

SymPy prints a product with an inverse where the field writes a quotient; the few forms of its own that the
field has (softmax, quotients of matrices, tables of cases) are functions with a LaTeX form here. Numbers are
never part of these expressions: they are put in as text where a line is worked out.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter

from engine.model.rules import NORM


class _Field(sp.Function):  # type: ignore[misc]
    """A form that the field writes in its own way; printed by `_latex`."""


class Over(_Field):
    def _latex(self, printer: Any, exp: str | None = None) -> str:
        above, below = (printer.doprint(part) for part in self.args)
        return rf"\frac{{{above}}}{{{below}}}"


class Transposed(_Field):
    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return rf"{printer.doprint(self.args[0])}^{{\mathsf{{T}}}}"


class Named(_Field):
    r"""A function with an upright name: Named(Symbol("softmax"), x, …)."""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        name, *rest = self.args
        inner = ", ".join(printer.doprint(part) for part in rest)
        if "\\frac" in inner or "^" in inner:
            return rf"\mathrm{{{name}}}\!\left({inner}\right)"
        return rf"\mathrm{{{name}}}({inner})"  # brackets that need not grow stand closer


class Times(_Field):
    r"""A product in the written order: matrices with a thin space, numbers with a dot."""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return r" \cdot ".join(_bracketed(printer, part) for part in self.args)


class Joined(_Field):
    """Matrices in the written order, without a sign between them."""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return r"\,".join(_bracketed(printer, part) for part in self.args)


class Plus(_Field):
    """A sum in the written order."""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return " + ".join(printer.doprint(part) for part in self.args)


class Minus(_Field):
    """A difference in the written order."""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        left, right = (printer.doprint(part) for part in self.args)
        return f"{left} - {right}"


class Negative(_Field):
    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return f"-{printer.doprint(self.args[0])}"


class Logarithm(_Field):
    """The natural logarithm, as the calculator's key is called."""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return rf"\ln {printer.doprint(self.args[0])}"


class Partial(_Field):
    """A partial derivative as one symbol: what the way back knows already."""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        above, below = (printer.doprint(part) for part in self.args)
        return rf"\frac{{\partial {above}}}{{\partial {below}}}"


class Square(_Field):
    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return _bracketed(printer, self.args[0]) + "^{2}"


class Slash(_Field):
    """A quotient on one line, for exponents, where a fraction would be too small to read."""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        above, below = (_bracketed(printer, part) for part in self.args)
        return f"{above}/{below}"


class Beside(_Field):
    """Matrices side by side: Concat."""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return r"\left[" + r" \mid ".join(printer.doprint(part) for part in self.args) + r"\right]"


class Dots(_Field):
    def _latex(self, printer: Any, exp: str | None = None) -> str:
        return r"\ldots"


def _bracketed(printer: Any, part: Any) -> str:
    text = printer.doprint(part)
    return rf"\left({text}\right)" if isinstance(part, Plus | Minus | Negative | sp.Add) else text


class _Printer(LatexPrinter):  # type: ignore[misc]
    def _print_Equality(self, expr: Any) -> str:  # noqa: N802
        return f"{self.doprint(expr.lhs)} = {self.doprint(expr.rhs)}"


def latex(expression: Any) -> str:
    """LaTeX of an expression in the field's notation."""
    return str(_Printer({"mul_symbol": "dot"}).doprint(expression))


def _symbols(names: str) -> Any:
    return sp.symbols(names)


def _equal(left: Any, right: Any) -> Any:
    return sp.Eq(left, right, evaluate=False)


def all_latex() -> dict[str, str]:
    """All formulas by name, as LaTeX."""
    return {name: latex(expression) for name, expression in expressions().items()}


@cache
def expressions() -> dict[str, Any]:
    """All formulas by name, as SymPy expressions."""
    Q, K, V, X, E, Z, R, H = _symbols("Q K V X E Z R H")
    W_Q, W_K, W_V, W_O, W_1, W_2 = _symbols("W_Q W_K W_V W_O W_1 W_2")
    b_1, b_2, gamma, beta, mu, sigma = _symbols("b_1 b_2 gamma beta mu sigma")
    d_k, d, h, L, n, T = _symbols("d_k d h L n T")
    d_model = sp.Symbol(r"d_{\mathrm{model}}")
    even, odd = sp.Symbol("2i"), sp.Symbol("2i+1")
    i, j, x, o, q, z = _symbols("i j x o q z")
    pos = sp.Symbol(r"\mathit{pos}")
    s_j, s_m, w_j, v_j, r_i, p_i, z_i, m = (
        sp.Symbol(name) for name in ("s_j", "s_m", "w_j", "v_j", "r_i", "p_i", "z_i", "m")
    )
    k_j = sp.Symbol("k_j")
    softmax, attention, concat = (sp.Symbol(name) for name in ("softmax", "Attention", "MultiHead"))
    M, P = _symbols("M P")
    root = sp.sqrt(d_k)
    products = Joined(Q, Transposed(K))
    scores = Over(products, root)
    angle = Over(pos, 10000 ** Slash(even, d))
    head = [sp.Symbol(f"O_{c}") for c in ("1", "2", "h")]
    in_blocks = Times(L, Plus(4 * d**2, 2 * d * sp.Symbol(r"d_{\mathrm{ff}}"), 2 * len(NORM.parameters) * d))
    ffn, relu, norm, cosine = (sp.Symbol(name) for name in ("FFN", "ReLU", NORM.name, "cos"))
    PE, sine, largest = (sp.Symbol(name) for name in ("PE", "sin", "max"))
    a, b = _symbols("a b")
    length_a, length_b = sp.Symbol(r"\left\|a\right\|"), sp.Symbol(r"\left\|b\right\|")
    return {
        "entry": _equal(Named(attention, X, X, X), Joined(Named(softmax, Joined(X, Transposed(X))), X)),
        "attention": _equal(Named(attention, Q, K, V), Joined(Named(softmax, scores), V)),
        "masked": _equal(Named(attention, Q, K, V), Joined(Named(softmax, Plus(scores, M)), V)),
        "attention_plain": _equal(Named(attention, Q, K, V), Joined(Named(softmax, products), V)),
        "masked_plain": _equal(Named(attention, Q, K, V), Joined(Named(softmax, Plus(products, M)), V)),
        "query": _equal(Q, Joined(X, W_Q)),
        "key": _equal(K, Joined(X, W_K)),
        "value": _equal(V, Joined(X, W_V)),
        "cross_query": _equal(Q, Joined(Z, W_Q)),
        "cross_key": _equal(K, Joined(H, W_K)),
        "cross_value": _equal(V, Joined(H, W_V)),
        "score": _equal(s_j, Times(q, k_j)),
        "scaled": Over(s_j, root),
        "scaled_score": _equal(sp.Symbol(r"\tilde{s}_j"), Over(s_j, root)),
        "root": root,
        "softmax": _equal(w_j, Over(sp.exp(s_j), sp.Sum(sp.exp(s_m), (m, 1, n)))),
        "softmax_scaled": _equal(
            w_j, Over(sp.exp(Slash(s_j, root)), sp.Sum(sp.exp(Slash(s_m, root)), (m, 1, n)))
        ),
        "weighted_sum": _equal(o, sp.Sum(Times(w_j, v_j), (j, 1, n))),
        "multi_head": _equal(Named(concat, X), Joined(Beside(head[0], head[1], Dots(x), head[2]), W_O)),
        "d_head": _equal(d_k, Over(d_model, h)),
        "cosine": _equal(Named(cosine, a, b), Over(Times(a, b), Times(length_a, length_b))),
        "length": _equal(length_a, sp.sqrt(sp.Symbol("a_1") ** 2 + sp.Symbol("a_2") ** 2 + Dots(x))),
        "position_even": _equal(Named(PE, pos, even), Named(sine, angle)),
        "position_odd": _equal(Named(PE, pos, odd), Named(cosine, angle)),
        "input": _equal(X, Plus(E, P)),
        "residual": _equal(R, Plus(X, Named(concat, X))),
        "residual_ffn": _equal(R, Plus(Z, Named(ffn, Z))),
        "mean": _equal(mu, Joined(Over(1, d), sp.Sum(r_i, (i, 1, d)))),
        "variance": _equal(sigma**2, Joined(Over(1, d), sp.Sum(Square(Minus(r_i, mu)), (i, 1, d)))),
        "deviation": _equal(sigma, sp.sqrt(sigma**2, evaluate=False)),
        "norm": _equal(Named(norm, r_i), Plus(Times(Over(Minus(r_i, mu), sigma), gamma), beta)),
        "ffn": _equal(Named(ffn, z), Plus(Joined(Named(relu, Plus(Joined(z, W_1), b_1)), W_2), b_2)),
        "relu": _equal(Named(relu, x), Named(largest, 0, x)),
        "logit": _equal(z_i, Times(sp.Symbol("y"), sp.Symbol("e_i"))),
        "temperature": _equal(
            p_i,
            Over(sp.exp(Slash(z_i, T)), sp.Sum(sp.exp(Slash(sp.Symbol("z_m"), T)), (m, 1, sp.Symbol("V")))),
        ),
        "parameters": Plus(Times(sp.Symbol("V"), d), in_blocks),
        "parameters_with_output": Plus(Times(2, sp.Symbol("V"), d), in_blocks),
        **_way_back(),
    }


def _way_back() -> dict[str, Any]:
    """Derivatives of the loss L. a_j: that of the weight w_j; g: that of the vector that came out.

    With a tilde: the score divided by √d_k, which goes into softmax.
    """
    L, W, g, y, d, n, V, i, m = _symbols("L W g y d n V i m")
    p_r, p_i, t_i, z_i, e_i = _symbols("p_r p_i t_i z_i e_i")
    w_j, w_k, w_m, v_j, s_j, s_k, a_j, a_m = _symbols("w_j w_k w_m v_j s_j s_k a_j a_m")
    q, k_j, x, r_i, g_i, g_m, sigma, eta = _symbols("q k_j x r_i g_i g_m sigma eta")
    h_j, W_K, W_V, d_k = _symbols("h_j W_K W_V d_k")
    into_j, into_k = sp.Symbol(r"\tilde{s}_j"), sp.Symbol(r"\tilde{s}_k")
    same, new = sp.Symbol(r"\delta_{jk}"), sp.Symbol(r"W_{\mathrm{neu}}")
    hat_i, hat_m = sp.Symbol(r"\hat{x}_i"), sp.Symbol(r"\hat{x}_m")
    average = Joined(Over(1, d), sp.Sum(g_m, (m, 1, d)))
    overlap = Joined(Over(1, d), sp.Sum(Times(g_m, hat_m), (m, 1, d)))
    jacobian = Times(w_j, Minus(same, w_k))
    through_softmax = Times(w_j, Minus(a_j, sp.Sum(Times(w_m, a_m), (m, 1, n))))
    return {
        "loss": _equal(L, Negative(Logarithm(p_r))),
        "back_logit": _equal(Partial(L, z_i), Minus(p_i, t_i)),
        "back_vector": _equal(Partial(L, e_i), Times(Minus(p_i, t_i), y)),
        "back_last": _equal(Partial(L, y), sp.Sum(Times(Minus(p_i, t_i), e_i), (i, 1, V))),
        "back_value": _equal(Partial(L, v_j), Times(w_j, g)),
        "back_weight": _equal(Partial(L, w_j), Times(g, v_j)),
        "jacobian": _equal(Partial(w_j, into_k), jacobian),
        "jacobian_plain": _equal(Partial(w_j, s_k), jacobian),
        "back_softmax": _equal(Partial(L, into_j), through_softmax),
        "back_softmax_plain": _equal(Partial(L, s_j), through_softmax),
        "back_score": _equal(Partial(L, s_j), Times(Over(1, sp.sqrt(d_k)), Partial(L, into_j))),
        "back_query": _equal(Partial(L, q), sp.Sum(Times(Partial(L, s_j), k_j), (sp.Symbol("j"), 1, n))),
        "back_key": _equal(Partial(L, k_j), Times(Partial(L, s_j), q)),
        "back_source": _equal(
            Partial(L, h_j),
            Plus(
                Joined(Partial(L, k_j), Transposed(W_K)),
                Joined(Partial(L, v_j), Transposed(W_V)),
            ),
        ),
        "back_matrix": _equal(Partial(L, W), Joined(Transposed(x), Partial(L, q))),
        "back_norm": _equal(Partial(L, r_i), Over(Minus(Minus(g_i, average), Times(hat_i, overlap)), sigma)),
        "step": _equal(new, Minus(W, Times(eta, Partial(L, W)))),
    }
