"""The path that counts: the last word's blanks lead without a gap to the prediction; no other word's do."""

from itertools import product

import pytest
from laid_out import KATZE, sheet_of

from generator.sheet.sheet import Number, walk
from generator.teacher.plan import total, workloads

OTHER = "Im Winter schlafen kleine Füchse"
NORMS = [f"norm{k}.{step}" for k in (1, 2) for step in ("mean", "variance", "std", "output")]
HEAD = ("score", "scaled", "exp", "exp_sum", "weight", "output")
SUMS = ["residual1", "residual2", *(f"ffn.{step}" for step in ("hidden", "activation", "output"))]
WHOLE = {*NORMS, *SUMS, *(f"head{k}.{step}" for k, step in product((1, 2), HEAD))}
UNITS = 3  # of the network's are enough: station 6 gives the others


def cells_of(sheet, *stations):
    """What the tasks of these stations ask for, of none named all."""
    return {
        cell
        for station in sheet.stations
        if station.id in (stations or (station.id,))
        for task in station.tasks.values()
        for cell in task.cells
    }


def asked(sheet, desk, token):
    """The quantities of which most cells of a token are to be worked out (one number under several names)."""
    cells = {desk.names_of(name, *index)[0] for name, index in cells_of(sheet)}
    found = set()
    for name in WHOLE:
        width = desk.quantity(f"block1.{name}").values.shape[1:]
        indices = [(token, i) for i in range(width[0])] if width else [(token,)]
        done = [desk.names_of(f"block1.{name}", *index)[0] in cells for index in indices]
        of_units = name in ("ffn.hidden", "ffn.activation")
        if sum(done) > len(done) / 2 or (of_units and sum(done) >= UNITS):
            found.add(name)
    return found


@pytest.mark.parametrize("sentence", [KATZE, OTHER])
@pytest.mark.parametrize("weights", ["auswahl", "dezimal"])
def test_every_step_of_the_last_word_is_asked_from_the_heads_to_the_logits(sentence, weights):
    sheet, desk = sheet_of(sentence, gewichte=weights)
    shown = {name for name in WHOLE if name.startswith("head1.")}  # worked out in the picture of station 4a
    assert asked(sheet, desk, desk.n - 1) == WHOLE - shown
    assert asked(*sheet_of(sentence, gewichte=weights, stationen="4b,5,6,7,8"), desk.n - 1) == WHOLE
    logits = {index for name, index in cells_of(sheet, "8") if name == "logit"}
    assert (desk.calculation.model.token_ids[desk.example],) not in logits
    assert len(desk.vocabulary) / 2 < len(logits) < len(desk.vocabulary)
    assert (desk.calculation.predicted(),) in logits


def test_a_further_block_asks_for_every_step_from_a_head_to_its_output():
    found = {name for name, index in cells_of(sheet_of(stationen="7", bloecke=2)[0], "B2") if index[0] == 5}
    assert found == {f"block2.{step}" for step in (*NORMS, *SUMS, *(f"head1.{step}" for step in HEAD))}


def back(at, *steps):
    return [f"gradient.{at}{step}" for step in steps]


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("ausgabe", [*back("", "logit", "vocabulary_embedding"), "step.vocabulary_embedding"]),
        ("attention",
         [*back("block1.head1.", "weight", "average", "scaled", "score", "jacobian", "query", "key", "value"),
          *(f"step.block1.head1.W_{W}" for W in "QKV")]),
        ("alles",
         [*back("block1.", "norm2.output", "residual2", "ffn.hidden", "norm1.output", "residual1",
                "head1.score"), "step.vocabulary_embedding", "step.block1.ffn.W_2"]),
    ],
)  # fmt: skip
def test_every_step_of_a_way_back_is_asked_for_and_both_losses(path, steps):
    names = {number.name for number in sheet_of(stationen="11", lernen=path)[0].blanks()}
    assert {*steps, "loss", "after.loss", "after.temperature1.probability"} <= names


def test_no_other_word_is_asked_for_after_its_head():
    sheet, desk = sheet_of()
    assert {index[0] for _, index in cells_of(sheet, "5", "6", "7")} == {desk.n - 1}
    heads = {name for name, index in cells_of(sheet, "4b") if index[0] == 2}
    assert heads
    assert all(name.startswith("block1.head1.") for name in heads)


def test_what_the_last_word_brings_is_printed_nowhere_again():
    """No vector of the path is printed where the next station goes on with it: it is copied."""
    sheet, desk = sheet_of()
    handed_on = {
        "5": ("input", "block1.attention"),
        "6": ("block1.norm1.output",),
        "7": ("block1.norm1.output", "block1.ffn.output"),
        "8": ("block1.norm2.output",),
    }
    for station in sheet.stations:
        for name in handed_on.get(station.id, ()):
            numbers = [n for n in walk(station, Number) if n.name == name and n.index[0] == desk.n - 1]
            first = desk.sizes.d_head  # head 1 of the picture is printed, what the pupil worked out is not
            own = [n for n in numbers if name != "block1.attention" or n.index[1] >= first]
            assert numbers, (station.id, name)
            assert all(number.copied for number in own), (station.id, name)


def test_a_teacher_who_leaves_the_last_word_out_is_followed():
    sheet, desk = sheet_of(uebung=("sitzt",))
    assert asked(sheet, desk, 2) >= {*NORMS, *SUMS}
    assert not asked(sheet, desk, desk.n - 1)


def test_the_way_through_the_model_takes_at_most_six_hours_and_copies_little():
    """At the range's upper end. When not the last word was worked out, the way had 113 copies."""
    sheet, desk = sheet_of(stationen="0,1,2,3,4a,4b,5,6,7,8,9,S")
    assert total(workloads(sheet.stations, desk.built.effort)).minutes <= 360
    seen, copies = set(), 0
    for number in sheet.blanks():
        name, index = desk.names_of(number.name, *number.index)[0]
        cell = (name, tuple(sorted(index)) if name.startswith("similarity.") else index)
        copies += cell in seen
        seen.add(cell)
    assert copies <= 56
