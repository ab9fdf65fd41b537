"""Station 11: what is left to the pupil, every number is the trace's, extremes can be printed, refusals."""

import re

import pytest
from laid_out import KATZE, blanks_of, html_of, laid_out

from engine.numbers.arrays import CalculationError
from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.calculation.later_stations import in_german
from generator.options.options import Options

PATHS = ("ausgabe", "attention", "alles")


def sheet_of(path="ausgabe", sentence=KATZE, stations="11", **options):
    return laid_out(Options(satz=sentence, stationen=stations, lernen=path, **options))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("rate", [0.5, 10.0])
def test_the_key_compares_the_losses(path, rate):
    sheet, desk = sheet_of(path, lernrate=rate)
    old, new = desk.number("loss").text, desk.number("after.loss").text
    how = "kleiner" if float(new.replace(",", ".")) < float(old.replace(",", ".")) else "größer"
    assert f"{how} als der alte ({old})" in html_of(sheet, desk, "key")


@pytest.mark.parametrize("path", PATHS)
def test_the_short_form_comes_first_and_is_whole(path):
    sheet, desk = sheet_of(path, stufe=3)
    tasks = list(sheet.stations[0].tasks.values())
    names = list(sheet.stations[0].tasks)
    assert names[:6] == ["loss", "errors", "sign", "weight", "after", "after_loss"]
    asked = [name for task in tasks[:6] for name, _ in task.cells]
    assert asked[0] == "loss"
    assert asked[-1] == "after.loss"
    assert any(name.startswith("step.") for name in asked)
    behind = {cell for task in tasks[6:] for cell in task.cells}
    assert not behind & {cell for task in tasks[:6] for cell in task.cells}
    text = html_of(sheet, desk, "worksheet")
    ends = text.index("Für alle, die weiterrechnen")
    for task in tasks:
        assert (text.index(f'id="t{sheet.stations[0].id}-{task.number}"') < ends) == (task in tasks[:6])


def test_the_loss_falls_on_paper_at_the_default_rates():
    for path in PATHS:
        before, after = build(Options(satz=KATZE, lernen=path)).learning.losses()
        assert after < before


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"richtig": "Hund"}, "--richtig „Hund“"),
        ({"lernrate": 0}, "--lernrate"),
        ({"lernrate": -1}, "--lernrate"),
        ({"lernrate": 1000000}, "--lernrate"),
        ({"richtig": ""}, "--richtig"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(options, named):
    with pytest.raises(UserError) as caught:
        build(Options(satz=KATZE, lernen="ausgabe", **options))
    assert named in str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("name", ["decoder.block1.cross.head1.exp_sum", "block1.norm1.std"])
def test_a_cell_that_cannot_be_computed_is_named_as_a_teacher_would(name):
    message = str(
        in_german(CalculationError("zero_divisor", name, (1,)), Options(satz=KATZE, zielsatz="The cat"))
    )
    assert name not in message
    assert re.search("Summe der e|Standardabweichung", message)


def test_a_step_that_is_too_large_is_said_without_names_of_quantities():
    with pytest.raises(UserError, match=r"--lernrate 10 ist zu groß: .* kleineren Rate") as caught:
        build(
            Options(satz=KATZE, lernen="alles", lernrate=10, gewichte="dezimal", startwert=3, richtig="Die")
        )
    assert "after." not in str(caught.value)
    assert "block" not in str(caught.value)


HEAD = "gradient.block1.head1."
ASKED = {
    "ausgabe": ("gradient.logit", "gradient.vocabulary_embedding", "step.vocabulary_embedding"),
    "attention": (
        *(
            HEAD + step
            for step in ("weight", "average", "scaled", "score", "jacobian", "query", "key", "value")
        ),
        *(f"step.block1.head1.W_{W}" for W in "QKV"),
    ),
    "alles": (
        *(f"gradient.block1.{at}" for at in ("norm2.output", "residual2", "ffn.hidden", "norm1.output")),
        *("gradient.block1.residual1", HEAD + "score", "step.vocabulary_embedding", "step.block1.ffn.W_2"),
    ),
}


@pytest.mark.parametrize("path", PATHS)
def test_every_step_of_a_way_back_is_asked_for_and_both_losses(path):
    names = {name for name, _ in blanks_of(sheet_of(path)[0])}
    assert {*ASKED[path], "loss", "after.loss", "after.temperature1.probability"} <= names
