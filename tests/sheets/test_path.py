"""The path that counts: the last word's blanks lead without a gap to the prediction; no other word's do."""

from itertools import product

import pytest
from laid_out import KATZE, sheet_of

from generator.teacher.plan import total, workloads

NORMS = [f"norm{k}.{step}" for k in (1, 2) for step in ("mean", "variance", "std", "output")]
HEAD = ("score", "scaled", "exp", "exp_sum", "weight", "output")
SUMS = ["residual1", "residual2", *(f"ffn.{step}" for step in ("hidden", "activation", "output"))]
WHOLE = {*NORMS, *SUMS, *(f"head{k}.{step}" for k, step in product((1, 2), HEAD))}
UNITS = 3  # of the network's are enough: station 6 gives the others


def cells_of(sheet, *stations):
    """What the tasks of these stations ask for, of none named all."""
    tasks = [task for s in sheet.stations if s.id in (stations or (s.id,)) for task in s.tasks.values()]
    return {cell for task in tasks for cell in task.cells}


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


@pytest.mark.parametrize(
    ("sentence", "weights"), [(KATZE, "auswahl"), ("Im Winter schlafen kleine Füchse", "dezimal")]
)
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


BACK = {  # the path -> its gradients, as they follow, without their beginning; and its steps
    "ausgabe": ("", "logit vocabulary_embedding", "vocabulary_embedding"),
    "attention": (
        "block1.head1.",
        "weight average scaled score jacobian query key value",
        "block1.head1.W_Q block1.head1.W_K block1.head1.W_V",
    ),
    "alles": (
        "block1.",
        "norm2.output residual2 ffn.hidden norm1.output residual1 head1.score",
        "vocabulary_embedding block1.ffn.W_2",
    ),
}


@pytest.mark.parametrize("path", BACK)
def test_every_step_of_a_way_back_is_asked_for_and_both_losses(path):
    at, gradients, steps = BACK[path]
    wanted = {f"gradient.{at}{each}" for each in gradients.split()} | {
        f"step.{each}" for each in steps.split()
    }
    names = {number.name for number in sheet_of(stationen="11", lernen=path)[0].blanks()}
    assert wanted | {"loss", "after.loss", "after.temperature1.probability"} <= names


def test_no_other_word_is_asked_for_after_its_head_unless_the_teacher_leaves_the_last_one_out():
    sheet, desk = sheet_of()
    assert {index[0] for _, index in cells_of(sheet, "5", "6", "7")} == {desk.n - 1}
    heads = {name for name, index in cells_of(sheet, "4b") if index[0] == 2}
    assert heads
    assert all(name.startswith("block1.head1.") for name in heads)
    other, desk = sheet_of(uebung=("sitzt",))
    assert asked(other, desk, 2) >= {*NORMS, *SUMS}
    assert not asked(other, desk, desk.n - 1)


def test_the_way_through_the_model_takes_at_most_six_hours_and_copies_little():
    """At the range's upper end. When not the last word was worked out, the way had 113 copies."""
    sheet, desk = sheet_of(stationen="0,1,2,3,4a,4b,5,6,7,8,9,S")
    assert total(workloads(sheet.stations, desk.built.effort)).minutes <= 360
    cells = [desk.names_of(number.name, *number.index)[0] for number in sheet.blanks()]
    different = {(name, tuple(sorted(i)) if name.startswith("similarity.") else i) for name, i in cells}
    assert len(cells) - len(different) <= 56
