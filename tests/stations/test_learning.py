"""Station 11: what the numbers decide about its sentences and tasks, the short form, refusals."""

import re

import pytest
from laid_out import KATZE, html_of, sheet_of, text_of

from engine.numbers.arrays import CalculationError
from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.calculation.later_stations import in_german
from generator.calculation.learning import vector_twins
from generator.options.options import Options

HUND = "Der Hund liegt im Garten"
each_path = pytest.mark.parametrize("path", ["ausgabe", "attention", "alles"])


def learning(path="attention", satz=KATZE, stations="11", **options):
    sheet, desk = sheet_of(satz, stationen=stations, lernen=path, **options)
    return sheet.stations[-1], sheet, desk


@each_path
def test_the_short_form_comes_first_and_is_whole(path):
    station, sheet, desk = learning(path, stufe=3)
    assert list(station.tasks)[:6] == ["loss", "errors", "sign", "weight", "after", "after_loss"]
    first, behind = (
        [cell for task in tasks for cell in task.cells]
        for tasks in ([*station.tasks.values()][:6], [*station.tasks.values()][6:])
    )
    assert (first[0][0], first[-1][0]) == ("loss", "after.loss")
    assert any(name.startswith("step.") for name, _ in first)
    assert not {*first} & {*behind}
    short, longer = html_of(sheet, desk, "worksheet").split("Für alle, die weiterrechnen")
    for n, task in enumerate(station.tasks.values()):
        assert f'id="t11-{task.number}"' in (short if n < 6 else longer)


@each_path
def test_by_default_the_step_teaches_its_word_and_the_loss_falls_on_paper(path):
    built = build(Options(satz=KATZE, lernen=path))
    vectors, words = built.learning.model.vocabulary_embedding, built.learning.model.vocabulary
    before, after = built.learning.losses()
    assert after < before
    assert [words[i] for i in vector_twins(vectors, words.index("Die"))] == ["der"]
    assert words[built.calculation.predicted()] == "Matte"
    assert words[built.learning.lesson.word] == "Katze"


TOO_FAR = {"lernen": "alles", "lernrate": 10, "gewichte": "dezimal", "startwert": 3, "richtig": "Die"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"richtig": "Hund"}, r"--richtig „Hund“.*\.$"),
        ({"richtig": ""}, r"--richtig.*\.$"),
        *(({"lernrate": rate}, r"--lernrate.*\.$") for rate in (0, -1, 1000000)),
        (TOO_FAR, r"--lernrate 10 ist zu groß: .* kleineren Rate"),
    ],
)
def test_bad_input_is_refused_in_one_sentence_without_names_of_quantities(options, said):
    with pytest.raises(UserError, match=said) as caught:
        build(Options(**{"satz": KATZE, "lernen": "ausgabe"} | options))
    assert not re.search(r"after\.|block", str(caught.value))


@pytest.mark.parametrize("name", ["decoder.block1.cross.head1.exp_sum", "block1.norm1.std"])
def test_a_cell_that_cannot_be_computed_is_named_as_a_teacher_would(name):
    error = CalculationError("zero_divisor", name, (1,))
    message = str(in_german(error, Options(satz=KATZE, zielsatz="The cat")))
    assert name not in message
    assert re.search("Summe der e|Standardabweichung", message)


@pytest.mark.parametrize(("path", "style"), [("alles", "auswahl"), ("attention", "gelernt")])
def test_the_sheet_says_how_many_signs_rounding_turns(path, style):
    _, sheet, desk = learning(path, stations="8,11", gewichte=style)
    lesson = desk.built.learning
    turned = [
        max(abs(a), abs(b))
        for name in lesson.names
        if name.startswith("gradient.")
        for a, b in zip(lesson.hand[name].values.flat, lesson.exact[name].values.flat, strict=True)
        if (a < 0 < b) or (b < 0 < a)
    ]
    text = text_of(sheet, desk).replace("\N{NO-BREAK SPACE}", " ")
    said = re.search(r"Bei (\d+) von \d+ Gradienten .* höchstens ([\d,]+) von 0", text)
    assert ("alle dieselben wie ohne Runden" in text) == (not turned)
    assert (int(said[1]) if said else 0) == len(turned)
    if said:
        assert abs(float(said[2].replace(",", ".")) - max(turned)) < 1e-4


def test_zeros_that_station_6_asks_for_are_not_told():
    assert not learning("alles", HUND, "6,11")[0].parts.layers.same_hats


@pytest.mark.parametrize("satz", [KATZE, HUND])
@pytest.mark.parametrize("path", ["attention", "alles"])
def test_what_the_network_leaves_alone_is_named(path, satz):
    station, sheet, desk = learning(path, satz)
    after, before = (desk.numbers(f"gradient.block1.{x}", desk.n - 1) for x in ("residual2", "norm1.output"))
    same = [c for c, (a, b) in enumerate(zip(after, before, strict=True), 1) if a.text == b.text]
    parts = station.parts.given if path == "attention" else station.parts.layers.ffn
    own = [] if path == "attention" else [parts.component]
    assert parts.unchanged == [c for c in same if c not in own]
    if path == "alles":
        added = desk.quantity("block1.ffn.output").values[-1].any()
        assert station.parts.layers.same_hats == (not added)
        assert ("vorwärts überall 0 dazugezählt" in text_of(sheet, desk)) == (not added)


@each_path
@pytest.mark.parametrize("rate", [0.1, 10])
def test_the_new_loss_is_compared_with_the_old_one(path, rate):
    station, _, desk = learning(path, lernrate=rate)
    new, old = (desk.quantity(name).values.item() for name in ("after.loss", "loss"))
    said = "kleiner als" if new < old else "größer als" if new > old else "so groß wie"
    assert station.parts.after.compared.text.startswith(said)
