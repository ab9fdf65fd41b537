"""Translation word by word: how it ends, and what is said to be kept has not changed.

That each round's numbers are the whole model's is asked of documents (engine_learning/test_document.py).
"""

import numpy as np
import pytest
from engine_learning.random_models import END, example_translation, two_sentences

from engine.numbers.arrays import CalculationError
from engine.texts.translation import translate


def start(style="auswahl", **options):
    return example_translation((), style, **options)


def test_kept_rows_stand_as_in_the_round_before_and_the_others_do_not():
    changed = 0
    for model in (start(), start("dezimal"), *(two_sentences(s, causal_mask=True) for s in range(12))):
        try:
            result = translate(model, 4)
        except CalculationError:
            continue
        for name, quantity in result.hand.items():
            number, _, end = name.removeprefix("round").partition(".")
            if kept := result.kept_rows(name):
                before = result.hand[f"round{int(number) - 1}.{end}"].values
                assert len(quantity.values) == kept + 1
                same = quantity.values[:kept]
                same = same[..., : before.shape[-1]] if same.ndim == before.ndim else same
                np.testing.assert_allclose(same, before, atol=1e-9)
            elif name == "round2.decoder.logit":
                changed += not np.array_equal(quantity.values, result.hand["round1.decoder.logit"].values)
    assert changed > 5
    unmasked = translate(start(causal_mask=False), 3)
    assert not any(unmasked.kept_rows(name) for name in unmasked.hand)


@pytest.mark.parametrize(
    ("style", "length", "most", "stop", "tokens"),
    [
        ("ganzzahlig", 5, 24, "end_token", None),
        ("auswahl", 3, 24, "length", 4),
        ("auswahl", 10, 3, "tokens", 3),
    ],
)
def test_it_stops_at_the_end_token_at_the_length_and_at_the_most_tokens(style, length, most, stop, tokens):
    result = translate(start(style), length, most_tokens=most)
    assert result.stop == stop
    assert result.rounds[-1].ends == (result.text[-1] == END) == (stop == "end_token")
    assert len(result.text) == (tokens or len(result.rounds) + 1)


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
