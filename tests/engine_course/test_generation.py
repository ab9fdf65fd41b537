"""Generated texts against a loop written anew on the independent reference calculation."""

import sys
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import pytest
from course_models import example, random_model

from engine.numbers.arrays import CalculationError
from engine.texts.choosing import WordChoice
from engine.texts.generation import EndToken, drawn_end, generate, repeats

sys.path.append(str(Path(__file__).resolve().parents[1]))
from reference.arithmetics import Exact, Hand, NotPlayableError
from reference.recomputation import calculate as reference_calculation
from reference.task import Task

THREE = Decimal("0.001")


def document(model, tokens, words, vectors, temperature):
    embedding = [vectors[words.index(token)].tolist() for token in tokens]
    options = {
        "dimension": model.sizes.d_model,
        "heads": model.sizes.n_heads,
        "bloecke": model.sizes.n_blocks,
        "nachkommastellen": model.rules.places,
        "maske": model.rules.causal_mask,
        "skalierung": model.rules.scaling,
        "positionen": model.rules.positions,
        "temperatur": [temperature],
    }
    weights = {name: table.tolist() for name, table in model.weights.items()}
    weights["vocabulary_embedding"] = vectors.tolist()
    return {"optionen": options, "weights": weights, "quantities": {"embedding": {"exact": embedding}}}


def naive_round(model, tokens, words, vectors, choice, random):
    """Ranking, kept words and chosen word of both arithmetics, from the reference's probabilities."""
    task = Task(document(model, tokens, words, vectors, choice.temperature))
    sides = {}
    for arithmetic in (Hand, Exact):
        page = reference_calculation(task, arithmetic, {})
        name = next(name for name in page if name.endswith(".probability"))
        p, logit = page[name], page["logit"]
        ranked = sorted(range(len(words)), key=lambda i: (-round(logit[i], 9), i))
        kept = list(ranked)
        if choice.method == "greedy":
            kept = ranked[:1]
        elif choice.method == "top_k":
            kept = ranked[: choice.k]
        elif choice.method == "top_p":
            kept = []
            for i in ranked:
                kept.append(i)
                if float(sum(p[j] for j in kept)) >= choice.p - 1e-9:
                    break
        total = sum(p[i] for i in kept)
        shares = {i: p[i] for i in kept}
        if choice.method in ("top_k", "top_p"):
            shares = {i: p[i] / total for i in kept}
            if arithmetic is Hand:
                shares = {i: s.quantize(THREE, ROUND_HALF_UP) for i, s in shares.items()}
        reached, sums = 0, {}
        for i in kept:
            reached += shares[i]
            sums[i] = reached
        chosen = kept[0]
        if random is not None:
            r = arithmetic.number(random)
            chosen = next((i for i in kept if sums[i] > r), kept[-1])
        sides[arithmetic.name] = (ranked, kept, chosen, p, shares, sums)
    return sides


METHODS = [
    WordChoice(temperature=0.5),
    WordChoice("temperature", 2.0, seed=5),
    WordChoice("top_k", 1.0, k=2, seed=1),
    WordChoice("top_k", 0.5, k=50),
    WordChoice("top_p", 1.0, p=0.7, seed=2),
    WordChoice("top_p", 2.0, p=1.0),
]


def compare(model, choice, length, end):
    """Every round like the naive one; returns the generation."""
    generation = generate(model, choice, length, end)
    words = list(model.vocabulary) + ([end.word] if end else [])
    vectors = np.vstack([model.vocabulary_embedding, *([end.vector] if end else [])])
    tokens = list(model.tokens)
    for round_ in generation.rounds:
        assert list(round_.model.tokens) == tokens
        sides = naive_round(model, tokens, words, vectors, choice, round_.random)
        ranked, kept, chosen, p, shares, sums = sides["hand"]
        assert list(round_.hand.order) == ranked
        assert round_.hand.n_kept == len(kept)
        assert round_.hand.chosen == chosen
        assert [c.probability for c in round_.candidates] == [float(p[i]) for i in ranked]
        if choice.at_random:
            at, hand = f"round{round_.number}.", generation.hand
            share = hand.get(at + "share", hand[at + "probability"]).values
            assert [share[i] for i in kept] == [float(shares[i]) for i in kept]
            assert [hand[at + "cumulative"].values[i] for i in kept] == [float(sums[i]) for i in kept]
            assert Decimal(repr(round_.random)) not in sums.values()
            assert round_.random < sums[kept[-1]]
        tokens.append(words[chosen])
    if generation.stop == "error":
        with pytest.raises(NotPlayableError):
            naive_round(model, tokens, words, vectors, choice, None)
    assert list(generation.text) == tokens
    return generation


@pytest.mark.parametrize("choice", METHODS, ids=lambda c: f"{c.method}-{c.temperature}")
def test_every_round_is_that_of_the_naive_loop(choice):
    stops, rounds = set(), 0
    for seed in range(18):
        model = random_model(seed, places=1 + seed % 3)
        end = drawn_end(model, "<Ende>", seed) if seed % 2 else None
        generation = compare(model, choice, 3, end)
        stops.add(generation.stop)
        rounds += len(generation.rounds)
    assert rounds > 15
    assert "length" in stops


def test_the_example_says_matte_and_then_repeats_itself():
    generation = compare(example(), WordChoice(), 6, drawn_end(example(), "<Ende>", 0))
    assert generation.text[6:] == ("Matte", "Katze", "Katze", "Katze", "Katze", "Katze")
    assert generation.stop == "length"
    seen = repeats(generation.rounds)
    assert seen.period == 1
    assert seen.rounds[0].own_rank == 1


def test_it_stops_at_the_end_token_and_does_not_feed_it_back():
    model = example()
    end = EndToken("<Ende>", np.array([-9.0, 9.0, -9.0, 9.0]))
    generation = generate(model, WordChoice(), 5, end)
    assert (generation.stop, generation.text[6:]) == ("end_token", ("<Ende>",))
    assert generation.rounds[-1].ends
    assert generation.words == (*model.vocabulary, "<Ende>")


def test_a_later_round_that_cannot_be_computed_ends_the_text_with_its_reason():
    choice, found = WordChoice(temperature=0.05), 0
    for seed in range(100):
        model = random_model(seed, places=1)
        generation = generate(model, choice, 6)
        rounds = len(generation.rounds)
        if generation.stop == "error" and rounds:
            found += 1
            assert f"round{rounds}.probability" in generation.hand
            assert not any(name.startswith(f"round{rounds + 1}.") for name in generation.hand)
            compare(model, choice, 6, None)
    assert found > 0


def test_the_same_seed_gives_the_same_text_and_another_seed_another():
    texts = [generate(example(), WordChoice("temperature", 2.0, seed=seed), 8).text for seed in (4, 4, 5, 6)]
    assert texts[0] == texts[1]
    assert len(set(texts)) > 1
    row = generate(example(), WordChoice("temperature", 2.0, seed=4), 8).random_row
    assert len(row) == 8
    assert all(round(number * 100) == pytest.approx(number * 100) for number in row)


def test_a_random_number_on_a_boundary_is_drawn_again():
    """Two words alike share half and half: 0.50 is a boundary, so no seed ever gives it in a second round.

    The first round misses the best word, and 0 comes in none.
    """
    model = replace(example(), tokens=("a", "b"), embedding=np.array([[0.9, 0.1, 0.0, 0.1]] * 2))
    rows = [generate(model, WordChoice("temperature", seed=seed), 2) for seed in range(300)]
    assert {g.hand["round1.cumulative"].values[g.rounds[0].hand.order[0]] for g in rows} == {0.5}
    first, second = ({g.random_row[place] for g in rows} for place in (0, 1))
    assert min(first) == 0.51
    assert min(second) == 0.01
    for generation in rows:
        for round_, number in zip(generation.rounds, generation.random_row, strict=True):
            assert number not in generation.hand[f"round{round_.number}.cumulative"].values
        assert generation.rounds[0].hand.chosen == 1


def test_equal_words_are_told_and_the_older_one_wins():
    model = replace(example(), tokens=("a", "b"), embedding=np.array([[0.9, 0.1, 0.0, 0.1]] * 2))
    (round_,) = generate(model, WordChoice(), 1).rounds
    assert round_.tied_at_cut
    assert round_.chosen.word == "a"
    assert not generate(example(), WordChoice(), 1).rounds[0].tied_at_cut


def test_quantities_have_names_axes_and_places_of_their_own():
    generation = generate(example(), WordChoice("top_k", 1.0), 2)
    endings = ["logit", "scaled_logit", "exp", "exp_sum", "probability", "kept_sum", "share", "cumulative"]
    names = [f"round{r}.{ending}" for r in (1, 2) for ending in endings]
    assert list(generation.hand) == list(generation.exact) == names
    share = generation.hand["round2.share"]
    assert (share.places, share.axes, int(share.visible.sum())) == (3, ("word",), 3)
    assert generation.hand["round2.exp_sum"].axes == ()
    assert not any(name.startswith("round1.cum") for name in generate(example(), WordChoice(), 1).hand)


def test_what_cannot_be_chosen_is_refused():
    for wrong in ({"temperature": 0.0}, {"k": 0}, {"p": 0.0}, {"p": 1.5}, {"seed": -1}):
        with pytest.raises(ValueError, match="chosen"):
            WordChoice("top_k", **wrong)
    with pytest.raises(ValueError, match="end token"):
        generate(example(), WordChoice(), 1, EndToken("Katze", np.zeros(4)))
    with pytest.raises(CalculationError):
        generate(example(), WordChoice(), 1, EndToken("<Ende>", np.zeros(3)))


def test_texts_without_rounds_repeat_nothing():
    assert repeats(()).rounds == ()
    assert repeats(()).period is None
