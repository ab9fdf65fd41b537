"""Every formula of the course as a SymPy expression; its LaTeX is read off it, as the field writes it.

SymPy prints a product with an inverse where the field writes a quotient; what the field writes in its own way
(softmax, quotients of matrices) is a function with a pattern of LaTeX here. Numbers are never part of these
expressions: they are put in as text where a line is worked out. `typeset.formulas` keeps the LaTeX on disk,
because loading SymPy takes longer than everything else that a sheet needs.
"""

from functools import cache, partial
from typing import Any

import sympy as sp

from engine.model.norms import NORM


class Form(sp.Function):  # type: ignore[misc]
    """Something that the field writes in its own way, its parts in the written order.

    pattern: its LaTeX; between: of any number of parts. brackets: around parts that are sums.
    """

    pattern = "%s"
    between = ""
    brackets = False

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        said = [printer.doprint(part) for part in self.args]
        if self.brackets:
            sums = (Plus, Minus, Negative, sp.Add)
            said = [
                rf"\left({a}\right)" if isinstance(p, sums) else a
                for a, p in zip(said, self.args, strict=True)
            ]
        return self.pattern % (self.between.join(said) if self.between else tuple(said))


class Over(Form):
    pattern = r"\frac{%s}{%s}"


class Transposed(Form):
    pattern = r"%s^{\mathsf{T}}"


class Times(Form):
    between, brackets = r" \cdot ", True


class Joined(Form):
    """Matrices, without a sign between them."""

    between, brackets = r"\,", True


class Plus(Form):
    between = " + "


class Minus(Form):
    pattern = "%s - %s"


class Negative(Form):
    pattern = "-%s"


class Square(Form):
    pattern, brackets = "%s^{2}", True


class Slash(Form):
    """A quotient on one line, for exponents, where a fraction would be too small to read."""

    pattern, brackets = "%s/%s", True


class Beside(Form):
    """Matrices side by side: Concat."""

    pattern, between = r"\left[%s\right]", r" \mid "


class Logarithm(Form):
    """The natural logarithm, as the calculator's key is called."""

    pattern = r"\ln %s"


class Partial(Form):
    """A partial derivative as one symbol: what the way back knows already."""

    pattern = r"\frac{\partial %s}{\partial %s}"


class Named(Form):
    r"""A function with an upright name: Named(Symbol("softmax"), x, …)."""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        inner = ", ".join(printer.doprint(part) for part in self.args[1:])
        grows = "\\frac" in inner or "^" in inner
        return rf"\mathrm{{{self.args[0]}}}" + (rf"\left({inner}\right)" if grows else f"({inner})")


_equal = partial(sp.Eq, evaluate=False)


def all_latex() -> dict[str, str]:
    """All formulas by name, as LaTeX."""
    return {name: sp.latex(expression, mul_symbol="dot") for name, expression in expressions().items()}


@cache
def expressions() -> dict[str, Any]:
    """All formulas by name, as SymPy expressions."""
    Q, K, X, E, Z, R, H, M, P = sp.symbols("Q K X E Z R H M P")
    W_Q, W_K, W_V, W_O, W_1, W_2 = sp.symbols("W_Q W_K W_V W_O W_1 W_2")
    b_1, b_2, gamma, beta, mu, sigma = sp.symbols("b_1 b_2 gamma beta mu sigma")
    d_k, d, h, B, n, T = sp.symbols("d_k d h B n T")
    d_model = sp.Symbol(r"d_{\mathrm{model}}")
    even, odd = sp.Symbol("2i"), sp.Symbol("2i+1")
    i, j, x, o, q, z = sp.symbols("i j x o q z")
    pos = sp.Symbol(r"\mathit{pos}")
    s_j, s_m, w_j, v_j, k_j, r_i, p_i, m, V = sp.symbols("s_j s_m w_j v_j k_j r_i p_i m V")
    lambda_i, lambda_m = sp.symbols("lambda_i lambda_m")  # logits
    softmax, attention, concat, dots = sp.symbols(r"softmax Attention MultiHead \ldots")
    root = sp.sqrt(d_k)
    products = Joined(Q, Transposed(K))
    scores = Over(products, root)
    angle = Over(pos, 10000 ** Slash(even, d))
    first, second, last = sp.symbols("O_1 O_2 O_h")
    in_blocks = Times(B, Plus(4 * d**2, 2 * d * sp.Symbol(r"d_{\mathrm{ff}}"), 2 * len(NORM.parameters) * d))
    ffn, relu, cosine, PE, sine, largest = sp.symbols("FFN ReLU cos PE sin max")
    norm = sp.Symbol(NORM.name)
    a, b = sp.symbols("a b")
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
        "multi_head": _equal(Named(concat, X), Joined(Beside(first, second, dots, last), W_O)),
        "d_head": _equal(d_k, Over(d_model, h)),
        "cosine": _equal(Named(cosine, a, b), Over(Times(a, b), Times(length_a, length_b))),
        "length": _equal(length_a, sp.sqrt(Plus(sp.Symbol("a_1") ** 2, sp.Symbol("a_2") ** 2, dots))),
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
        "logit": _equal(lambda_i, Times(sp.Symbol("y"), sp.Symbol("varphi_i"))),
        "temperature": _equal(
            p_i,
            Over(sp.exp(Slash(lambda_i, T)), sp.Sum(sp.exp(Slash(lambda_m, T)), (m, 1, V))),
        ),
        "parameters": Plus(Times(V, d), in_blocks),
        "parameters_with_output": Plus(Times(2, V, d), in_blocks),
        **_way_back(),
    }


def _way_back() -> dict[str, Any]:
    """Derivatives of the loss L. a_j: that of the weight w_j; g: that of the vector that came out.

    With a tilde: the score divided by √d_k, which goes into softmax.
    """
    L, W, g, y, d, n, V, i, m = sp.symbols("L W g y d n V i m")
    p_r, p_i, t_i, lambda_i, varphi_i = sp.symbols("p_r p_i t_i lambda_i varphi_i")
    w_j, w_k, w_m, v_j, s_j, s_k, a_j, a_m = sp.symbols("w_j w_k w_m v_j s_j s_k a_j a_m")
    q, k_j, x, r_i, g_i, g_m, sigma, eta = sp.symbols("q k_j x r_i g_i g_m sigma eta")
    H_j, W_K, W_V, d_k = sp.symbols("H_j W_K W_V d_k")
    into_j, into_k = sp.Symbol(r"\tilde{s}_j"), sp.Symbol(r"\tilde{s}_k")
    same, new = sp.Symbol(r"\delta_{jk}"), sp.Symbol(r"W_{\mathrm{neu}}")
    hat_i, hat_m = sp.Symbol(r"\hat{x}_i"), sp.Symbol(r"\hat{x}_m")
    average = Joined(Over(1, d), sp.Sum(g_m, (m, 1, d)))
    overlap = Joined(Over(1, d), sp.Sum(Times(g_m, hat_m), (m, 1, d)))
    jacobian = Times(w_j, Minus(same, w_k))
    through_softmax = Times(w_j, Minus(a_j, sp.Sum(Times(w_m, a_m), (m, 1, n))))
    return {
        "loss": _equal(L, Negative(Logarithm(p_r))),
        "back_logit": _equal(Partial(L, lambda_i), Minus(p_i, t_i)),
        "back_vector": _equal(Partial(L, varphi_i), Times(Minus(p_i, t_i), y)),
        "back_last": _equal(Partial(L, y), sp.Sum(Times(Minus(p_i, t_i), varphi_i), (i, 1, V))),
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
            Partial(L, H_j),
            Plus(
                Joined(Partial(L, k_j), Transposed(W_K)),
                Joined(Partial(L, v_j), Transposed(W_V)),
            ),
        ),
        "back_matrix": _equal(Partial(L, W), Joined(Transposed(x), Partial(L, q))),
        "back_norm": _equal(Partial(L, r_i), Over(Minus(Minus(g_i, average), Times(hat_i, overlap)), sigma)),
        "step": _equal(new, Minus(W, Times(eta, Partial(L, W)))),
    }
