"""Translation word by word: each round is the whole model's, and what is said to be kept has not changed."""

import numpy as np
import pytest
from engine_learning.random_models import END, START, STYLES, example_translation, two_sentences

from engine.forward.encoder_decoder import calculate_encoder_decoder
from engine.numbers.arrays import CalculationError
from engine.texts.translation import extended, translate


def start(style="auswahl", **options):
    return example_translation((), style, **options)


@pytest.mark.parametrize("style", STYLES)
def test_each_round_is_the_whole_model_computed_anew(style):
    result = translate(start(style), 5)
    assert result.text[0] == START
    for round_ in result.rounds:
        whole = calculate_encoder_decoder(round_.model)
        for mine, wanted in ((result.hand, whole.hand), (result.exact, whole.exact)):
            for name, quantity in wanted.items():
                kept = name.startswith("encoder.") or name.endswith(("cross.head1.key", "cross.head2.value"))
                if "temperature0.5" in name or "temperature2" in name:
                    continue
                if kept or ".cross." not in name or not name.endswith((".key", ".value")):
                    found = mine[name if kept else f"round{round_.number}.{name}"]
                    np.testing.assert_allclose(found.values, quantity.values, atol=1e-12)
                    assert found.axes == quantity.axes
        assert round_.chosen == whole.predicted()


def test_kept_rows_stand_as_in_the_round_before_and_the_others_do_not():
    changed = 0
    for model in (start(), start("dezimal"), *(two_sentences(s, causal_mask=True) for s in range(30))):
        try:
            result = translate(model, 4)
        except CalculationError:
            continue
        for trace in (result.hand, result.exact):
            for name, quantity in trace.items():
                kept = result.kept_rows(name)
                if kept:
                    number = int(name[5 : name.index(".")])
                    before = trace[f"round{number - 1}" + name[name.index(".") :]].values
                    assert len(quantity.values) == kept + 1
                    same = quantity.values[:kept]
                    same = same[..., : before.shape[-1]] if same.ndim == before.ndim else same
                    np.testing.assert_allclose(same, before, atol=1e-9)
                elif name.endswith("round2.decoder.logit"):
                    changed += not np.array_equal(quantity.values, trace["round1.decoder.logit"].values)
    assert changed > 10


def test_without_a_mask_nothing_is_kept():
    result = translate(start(causal_mask=False), 3)
    assert not any(result.kept_rows(name) for name in result.hand)


def test_it_stops_at_the_end_token_at_the_length_and_at_the_most_tokens():
    ending = translate(start("ganzzahlig"), 5)
    assert ending.stop == "end_token"
    assert ending.text[-1] == END
    assert ending.rounds[-1].ends
    by_length = translate(start(), 3)
    assert by_length.stop == "length"
    assert len(by_length.rounds) == 3
    by_tokens = translate(start(), 10, most_tokens=3)
    assert by_tokens.stop == "tokens"
    assert len(by_tokens.text) == 3


def test_a_round_without_a_value_ends_the_text_and_leaves_no_trace():
    for seed in range(400):
        try:
            result = translate(two_sentences(seed, sheet=True, places=1), 4)
        except CalculationError:
            continue
        if result.stop == "error":
            assert result.hand.keys() == result.exact.keys()
            numbers = {int(name[5 : name.index(".")]) for name in result.hand if name.startswith("round")}
            assert numbers == {round_.number for round_ in result.rounds}
            return
    pytest.fail("no such model among the first")


def test_a_word_is_appended_with_its_own_vector():
    longer = extended(start(), "cat")
    assert longer.tokens == (START, "cat")
    assert np.array_equal(longer.embedding[1], longer.vocabulary_embedding[1])
    assert longer.token_ids == (1,)
