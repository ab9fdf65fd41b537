"""In: a rechnung.json document. Out: every number of station 9's rounds, and its form by the contract.

The hand arithmetic chooses the words; both arithmetics run on the same text and rank by themselves.
"""

from __future__ import annotations

from decimal import localcontext

from .arithmetics import CONTEXT, Exact, Hand, NotPlayableError, places_needed
from .task import Task, temperature_text
from .transformer import WORD, Form, Pen, Transformer

ARITHMETICS = {"exact": Exact, "hand": Hand}
FURTHER_ROUNDS = 6  # of the greedy text
THREE = 3
ENDS_OF_TEXTS = ".!?…"  # of those that a trained model has read
ROUND_FORMS = {"logit": WORD, "scaled_logit": WORD, "exp": WORD, "exp_sum": (), "probability": WORD}
LOT_FORMS = {"kept_sum": (), "share": WORD, "cumulative": WORD}


def has_texts(document: dict) -> bool:
    return "greedy.round1.logit" in document["quantities"]


def ways(options: dict) -> dict[str, tuple]:
    """Temperature, and of probabilities best first how many words stay."""
    temperatures = options["temperatur"]
    main = 1.0 if 1.0 in temperatures else temperatures[0]
    # Station 8 prints or asks what it has at its temperatures; chance has another.
    warmer = [round(main * tenths) / 100 for tenths in (150, 140, 160, 130, 170, 120, 180)]
    warm = next((t for t in warmer if t not in temperatures), main)

    def nucleus(ranked) -> int:
        reached = [float(sum(ranked[: i + 1])) >= options["topp"] - 1e-9 for i in range(len(ranked))]
        return reached.index(True) + 1 if True in reached else len(ranked)

    top_k = (warm, lambda ranked: min(options["topk"], len(ranked)))
    return {"greedy": (main, None), "sampled": (warm, len), "top_k": top_k, "top_p": (warm, nucleus)}


def lots(page: dict, arithmetic, kept_of, whole: bool) -> tuple[list, dict]:
    """Word IDs best first, and what the pupil works out of the probabilities; whole: with their shares."""
    logit, p = page["logit"], page["probability"]
    order = sorted(range(len(p)), key=lambda i: (-round(float(logit[i]), 9), i))
    if kept_of is None:
        return order, {}
    kept, found, share = order[: kept_of([p[i] for i in order])], {}, p
    if whole:
        total = arithmetic.rounded(arithmetic.total([p[i] for i in kept]), THREE)
        share = [arithmetic.rounded(p[i] / total, THREE) if i in kept else None for i in range(len(p))]
        found = {"kept_sum": total, "share": share}
    sums = {i: arithmetic.total([share[j] for j in kept[: n + 1]]) for n, i in enumerate(kept)}
    return order, found | {"cumulative": [sums.get(i) for i in range(len(p))]}


def texts(document: dict) -> dict[str, dict]:
    """Name to {"exact": …, "hand": …}, as `recompute` gives them."""
    quantities, options, weights = document["quantities"], document["optionen"], document["weights"]
    found: dict[str, dict] = {}

    def given(name: str) -> list:
        """What is read from the file: a row that is printed."""
        if values := quantities.get(name, {}).get("exact"):
            found[name] = {"exact": values, "hand": list(map(Hand.number, values))}
        return [values] if values else []

    end = given("end.embedding")
    output = [*weights["vocabulary_embedding"], *end]
    vectors = [*weights.get("input_embedding", weights["vocabulary_embedding"]), *end]
    entering = {"input_embedding": vectors} if "input_embedding" in weights else {}

    def pages(ids: list[int], temperature: float) -> dict[str, dict]:
        """Logits and probabilities of a text, in both arithmetics."""
        inner = {"optionen": options | {"temperatur": [temperature]}}
        inner["weights"] = weights | {"vocabulary_embedding": output} | entering
        task = Task(inner, [vectors[i] for i in ids])
        with localcontext(CONTEXT):
            return {n: Transformer(task, a, Pen(a, {})).run(unmasked=False) for n, a in ARITHMETICS.items()}

    known: dict = {}
    for way, (temperature, kept_of) in ways(options).items():
        given(f"{way}.random")
        ids = list(document["token_ids"])
        for number in range(1, options["laenge"] + (FURTHER_ROUNDS if kept_of is None else 0) + 1):
            try:
                if (key := (*ids, temperature)) not in known:
                    known[key] = pages(ids, temperature)
            except NotPlayableError:
                break
            order = one_round(found, f"{way}.round{number}.", known[key], temperature, kept_of)
            chosen = order[0]
            if kept_of is not None:
                sums, drawn = found[f"{way}.round{number}.cumulative"]["hand"], found[f"{way}.random"]["hand"]
                reached = [i for i in order if sums[i] is not None]
                chosen = next((i for i in reached if sums[i] > drawn[number - 1]), reached[-1])
            word = (*document["vocabulary"], None)[chosen]
            if word is None or ("texte" in document and word in ENDS_OF_TEXTS):
                break
            ids.append(chosen)
    return found


def one_round(found: dict, at: str, pages: dict, temperature: float, kept_of) -> list[int]:
    """Note a round's numbers; the ranking by hand."""
    by_hand: list[int] = []
    inner = f"temperature{temperature_text(temperature)}."
    for name, page in pages.items():
        plain = {end: page[("" if end == "logit" else inner) + end] for end in ROUND_FORMS}
        by_hand, more = lots(plain, ARITHMETICS[name], kept_of, not at.startswith("sampled"))
        for end, values in (plain | more).items():
            found.setdefault(at + end, {})[name] = values
    return by_hand


def text_forms(document: dict, names) -> dict[str, Form]:
    """Axes and places of the names, in their order."""
    n, quantities, found = document["optionen"]["nachkommastellen"], document["quantities"], {}
    for name in names:
        end = name.rpartition(".")[2]
        if ".round" in name:
            found[name] = Form((ROUND_FORMS | LOT_FORMS)[end], (n if end.endswith("logit") else THREE,))
        else:
            axes = ("dim",) if name == "end.embedding" else ("round",)
            found[name] = Form(axes, (places_needed(quantities[name]["exact"]),))
    return found
