"""What a trained model says of any beginning, calculated by the reference: nothing is asked of the engine."""

from decimal import localcontext

import numpy as np
from reference.arithmetics import CONTEXT, Hand
from reference.recomputation import used_places
from reference.task import Task
from reference.transformer import Pen, Transformer


class EachForItself(Transformer):
    """Without attention every word sees itself alone."""

    def mixture(self, weight, value):
        return value


def page_of(s, tokens, *silent, kind=Transformer, untrained=False):
    """Every quantity of a beginning, by hand. silent: heads whose values are all 0."""
    if (known := (*tokens, silent, kind, untrained)) in s.pages:
        return s.pages[known]
    learnt, document = s.desk.built.learnt, s.document
    model = learnt.untrained if untrained else learnt.model
    weights = dict(document["weights"])
    if untrained:
        weights = {name: table.tolist() for name, table in model.weights.items()}
        weights["input_embedding"] = model.input_embedding.tolist()
        weights["vocabulary_embedding"] = model.vocabulary_embedding.tolist()
    for name in (f"block1.head{head}.W_V" for head in silent):
        weights[name] = [[0] * len(row) for row in weights[name]]
    task = Task(document | {"weights": weights})
    task.temperatures = {"1": 1}
    task.embedding = [task.entering[model.vocabulary.index(token)] for token in tokens]
    places = {} if untrained else {n: each for n, each in used_places(task).items() if n != "embedding"}
    with localcontext(CONTEXT):
        s.pages[known] = kind(task, Hand, Pen(Hand, places)).run(unmasked=False)
    return s.pages[known]


def shares_of(s, tokens, *silent, **how):
    """Word -> probability, the likeliest first; of equals the one with the larger e^x, then the first."""
    page, words = page_of(s, tokens, *silent, **how), s.desk.built.learnt.model.vocabulary
    p, e = (page[f"temperature1.{name}"] for name in ("probability", "exp"))
    return {words[w]: float(p[w]) for w in sorted(range(len(words)), key=lambda w: (-p[w], -e[w], w))}


def says(s, tokens, *silent, **how):
    """The likeliest next word and its probability."""
    return next(iter(shares_of(s, tokens, *silent, **how).items()))


def weights_of(s, tokens):
    """The last word's weights in each head of the first block."""
    page, heads = page_of(s, tokens), range(1, s.desk.sizes.n_heads + 1)
    return [np.array(page[f"block1.head{k}.weight"][-1], dtype=float) for k in heads]
