import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from choosing import crossed

from engine.training.examination import by_hand
from generator.basics.errors import UserError
from generator.basics.files import SHEET_FILES
from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.production.worksheet import group_documents
from generator.sheet.page import Objects
from generator.teacher.lesson import group_files, group_sheets, groups_of
from tests.laid_out import written

KATZE = "Die Katze sitzt auf der Matte"

SCREEN = Typesetter("screen")


def sheets(**options):
    return group_sheets(build(Options(satz=KATZE, **options)), {})


def cells(sheet, ending):
    return {(b.name, b.index) for b in sheet.blanks() if b.name.endswith(ending)}


@pytest.mark.parametrize(
    ("wish", "options", "expected"),
    [
        ("heads", {}, [((1,), (2, 5)), ((2,), (2, 5))]),
        (2, {}, [((1,), (2, 5)), ((2,), (2, 5))]),
        ("token", {}, [((1, 2), (i,)) for i in (2, 3, 4, 5)]),  # the first word sees only itself
        ("token", {"maske": False}, [((1, 2), (i,)) for i in (0, 2, 3, 4, 5)]),
        (3, {}, [((1, 2), (0, 4)), ((1, 2), (2, 5)), ((1, 2), (3,))]),
        ("token", {"heads": 1, "beispiel": 1}, [((1,), (i,)) for i in range(1, 6)]),
    ],
)
def test_every_group_gets_a_head_or_tokens(wish, options, expected):
    groups = groups_of(build(Options(satz=KATZE, gruppen=wish, **options)))
    assert [(group.heads, group.tokens) for group in groups] == expected
    assert [group.number for group in groups] == list(range(1, len(expected) + 1))


@pytest.mark.parametrize(("wish", "heads"), [("heads", 1), (6, 2), (24, 2)])
def test_groups_without_work_are_refused(wish, heads):
    with pytest.raises(UserError, match="--gruppen"):
        groups_of(build(Options(satz=KATZE, gruppen=wish, heads=heads)))


@pytest.mark.parametrize(("wish", "style"), crossed(["heads", "token", 3], ["auswahl", "dezimal"]))
def test_what_the_groups_calculate_is_what_is_put_together(wish, style):
    found = sheets(gruppen=wish, gewichte=style)
    together = found.pop("zusammen").sheet
    sheets_of_groups = [whole.sheet for whole in found.values()]
    weights = [cells(sheet, ".weight") for sheet in sheets_of_groups]
    assert set().union(*weights) <= cells(together, ".weight")  # every third is given to its group
    assert sum(map(len, weights)) == len(set().union(*weights)) >= len(cells(together, ".weight")) / 2
    tokens = {index[0] for sheet in sheets_of_groups for _, index in cells(sheet, ".output")}
    assert {index[0] for _, index in cells(together, ".concat")} == tokens
    assert bool(cells(together, ".attention")) == (style == "dezimal")


def test_worksheets_of_groups_leak_nothing_and_every_file_belongs_to_a_run():
    made = list(group_documents(sheets(gruppen="token", maske=False, dimension=2, heads=1), Objects()))
    names = {document.name for document in made}
    assert {f"{name}.{kind}" for name in names for kind in ("pdf", "html")} <= set(group_files())
    assert not set(group_files()) & set(SHEET_FILES)
    for document in made:
        blanks = re.findall(r'<span class="blank[^>]*>(.*?)</span>', written(document.page, SCREEN))
        assert blanks
        assert all(bool(text) == document.name.endswith("-loesung") for text in blanks)


def test_every_group_has_the_rule_for_rounding_and_a_score_worked_through():
    found = sheets(gruppen="token", heads=1, dimension=8)
    desk = found["gruppe-1"].desk
    first = desk.number("block1.head1.score", desk.example, 0).text
    for document in group_documents(found, Objects()):
        if document.name.startswith("gruppe"):
            assert "So rundest du" in written(document.page, SCREEN)
            said = unescape(re.sub("<[^>]*>", "", written(document.page, SCREEN))).replace("\xa0", " ")
            assert re.search(rf"Score mit „Die“: .* [=≈] {first}", said)


HUND = "Der Hund holt den Ball"


def test_heads_of_a_model_that_has_learnt_decide_the_word_together():
    found = group_sheets(build(Options.asked({"satz": HUND, "gruppen": "heads"})), {})
    together = found.pop("zusammen")
    last = together.desk.n - 1
    for k, whole in enumerate(found.values(), 1):
        asked = whole.sheet.blanks()
        assert {number.name.rpartition(".")[0] for number in asked} == {f"block1.head{k}"}
        assert {number.index[0] for number in asked} == {last}
    assert {(n.name, n.index[0]) for n in together.sheet.blanks()} == {("block1.concat", last)}
    model = together.desk.built.learnt.model
    rows = together.sheet.stations[0].parts.results.rows
    for k, row in enumerate(rows):
        name = f"block1.head{k}.W_V"  # values of zeros say nothing
        silent = {name: model.weights[name] * 0} if k else {}
        shares = by_hand(replace(model, weights=model.weights | silent))[-1]
        word, number, bar = row.cells
        assert word.text == model.vocabulary[int(np.argmax(shares))]
        assert number.text == together.desk.constant(float(shares.max()), 3)
        assert bar.share == pytest.approx(float(shares.max()))
    assert len({row.cells[0].text for row in rows}) > 1
