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

    return {
        "greedy": (main, None),
        "sampled": (warm, len),
        "top_k": (warm, lambda ranked: min(options["topk"], len(ranked))),
        "top_p": (warm, nucleus),
    }


def last_pages(
    document: dict, ids: list[int], vectors: list, output: list, temperature: float
) -> dict[str, dict]:
    """Logits and probabilities of a text, in both arithmetics."""
    entering = {"input_embedding": vectors} if "input_embedding" in document["weights"] else {}
    inner = {
        "optionen": document["optionen"] | {"temperatur": [temperature]},
        "weights": document["weights"] | {"vocabulary_embedding": output} | entering,
        "quantities": {"embedding": {"exact": [vectors[i] for i in ids]}},
    }
    task = Task(inner)
    with localcontext(CONTEXT):
        return {name: Transformer(task, a, Pen(a, {})).run(unmasked=False) for name, a in ARITHMETICS.items()}


def lots(page: dict, arithmetic, kept_of, places) -> tuple[list, dict]:
    """Word IDs best first, and what the pupil works out of the probabilities."""
    logit, p = page["logit"], page["probability"]
    order = sorted(range(len(p)), key=lambda i: (-round(float(logit[i]), 9), i))
    if kept_of is None:
        return order, {}
    kept = order[: kept_of([p[i] for i in order])]
    found, share = {}, p
    if places:
        found["kept_sum"] = arithmetic.rounded(arithmetic.total([p[i] for i in kept]), THREE)
        share = [
            arithmetic.rounded(p[i] / found["kept_sum"], THREE) if i in kept else None for i in range(len(p))
        ]
        found["share"] = share
    sums = {i: arithmetic.total([share[j] for j in kept[: n + 1]]) for n, i in enumerate(kept)}
    found["cumulative"] = [sums.get(i) for i in range(len(p))]
    return order, found


def texts(document: dict) -> dict[str, dict]:
    """Name to {"exact": …, "hand": …}, as `recompute` gives them."""
    quantities, options = document["quantities"], document["optionen"]
    output = [list(row) for row in document["weights"]["vocabulary_embedding"]]
    vectors = [list(row) for row in document["weights"].get("input_embedding", output)]
    found: dict[str, dict] = {}
    if options["endezeichen"] is not None:
        found["end.embedding"] = given(quantities["end.embedding"]["exact"])
        vectors.append(quantities["end.embedding"]["exact"])
        output.append(quantities["end.embedding"]["exact"])
    known: dict = {}
    for way, (temperature, kept_of) in ways(options).items():
        random = quantities.get(f"{way}.random", {"exact": []})["exact"]
        if random:
            found[f"{way}.random"] = given(random)
        ids = list(document["token_ids"])
        for number in range(1, options["laenge"] + (FURTHER_ROUNDS if kept_of is None else 0) + 1):
            key = (*ids, temperature)
            try:
                if key not in known:
                    known[key] = last_pages(document, ids, vectors, output, temperature)
            except NotPlayableError:
                break
            order = one_round(found, f"{way}.round{number}.", known[key], temperature, kept_of)
            chosen = order[0]
            if kept_of is not None:
                sums = found[f"{way}.round{number}.cumulative"]["hand"]
                reached = [i for i in order if sums[i] is not None]
                drawn = Hand.number(random[number - 1])
                chosen = next((i for i in reached if sums[i] > drawn), reached[-1])
            if chosen == len(document["vocabulary"]):
                break
            if "texte" in document and document["vocabulary"][chosen] in ENDS_OF_TEXTS:
                break
            ids.append(chosen)
    return found


def one_round(found: dict, at: str, pages: dict, temperature: float, kept_of) -> list[int]:
    """Note a round's numbers; the ranking by hand."""
    by_hand: list[int] = []
    for name, page in pages.items():
        arithmetic, inner = ARITHMETICS[name], f"temperature{temperature_text(temperature)}."
        plain = {end: page[("" if end == "logit" else inner) + end] for end in ROUND_FORMS}
        whole = not at.startswith("sampled")
        by_hand, more = lots(plain, arithmetic, kept_of, whole)
        for end, values in (plain | more).items():
            found.setdefault(at + end, {})[name] = values
    return by_hand


def given(values: list) -> dict:
    return {"exact": values, "hand": [Hand.number(value) for value in values]}


def text_forms(document: dict, names) -> dict[str, Form]:
    """Axes and places of the names, in their order."""
    n, quantities = document["optionen"]["nachkommastellen"], document["quantities"]
    found = {}
    for name in names:
        end = name.rpartition(".")[2]
        if ".round" not in name:
            axes = ("dim",) if name == "end.embedding" else ("round",)
            found[name] = Form(axes, (places_needed(quantities[name]["exact"]),))
        else:
            axes = (ROUND_FORMS | LOT_FORMS)[end]
            found[name] = Form(axes, (n if end.endswith("logit") else THREE,))
    return found
