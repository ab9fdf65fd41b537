"""A jigsaw: who calculates what, the groups' sheets, and the one lesson that is made of them."""

import re
from dataclasses import replace

import numpy as np
import pytest
from choosing import crossed

from engine.training.examination import by_hand
from generator.basics.errors import UserError
from generator.basics.files import CARDS, SHEET_FILES
from generator.basics.numbers import about
from generator.calculation.build import build
from generator.options.options import Options
from generator.teacher.lesson import group_files, group_sheets, groups_of
from teacher.sheets import HUND, KATZE, printed, taught, text_of
from teacher.test_card import numbers_in

LEARNT = {"satz": HUND, "gewichte": "gelernt", "gruppen": "heads"}
BY_WORDS = {"gruppen": 3, "stationen": "4b", "maske": False}


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
    found = group_sheets(build(Options(satz=KATZE, gruppen=wish, gewichte=style)), {})
    together = found.pop("zusammen").sheet
    own = [whole.sheet for whole in found.values()]
    weights = [cells(sheet, ".weight") for sheet in own]
    assert set().union(*weights) <= cells(together, ".weight")  # every third is given to its group
    assert sum(map(len, weights)) == len(set().union(*weights)) >= len(cells(together, ".weight")) / 2
    tokens = {index[0] for sheet in own for _, index in cells(sheet, ".output")}
    assert {index[0] for _, index in cells(together, ".concat")} == tokens
    assert bool(cells(together, ".attention")) == (style == "dezimal")


def test_every_sheet_of_a_group_is_whole_by_itself():
    """With the rule for rounding and a score worked through; blank but on the key; its files are of a run."""
    own = taught(**BY_WORDS)
    names = [name for name in own.pages if name.startswith(("gruppe", "zusammen"))]
    assert {f"{name}.{kind}" for name in names for kind in ("pdf", "html")} <= set(group_files())
    assert not set(group_files()) & set(SHEET_FILES)
    desk = own.groups["gruppe-1"].desk
    first = desk.number("block1.head1.score", desk.example, 0).text
    for name in names:
        blanks = re.findall(r'<span class="blank[^>]*>(.*?)</span>', own.html[name])
        assert blanks
        assert all(bool(text) == name.endswith("-loesung") for text in blanks)
        if name.startswith("gruppe"):
            assert "So rundest du" in own.html[name]
            assert re.search(rf"Die [^A-Z]* · [^A-Z]* {first} ", text_of(own.html[name]))


@pytest.mark.parametrize("options", [LEARNT, BY_WORDS])
def test_a_jigsaw_is_one_lesson_on_the_sheets_of_its_groups(options):
    jigsaw = taught(**options)
    sheets, found = jigsaw.groups, jigsaw.found
    (card,) = found["cards"]
    *own, last = sheets
    phases = {stretch.kind: stretch for stretch in card.stretches}
    assert (phases["groups"].files, phases["together"].files) == (tuple(own), (last,))
    minutes = {each.file: each.minutes for each in found["groups"]}
    assert phases["groups"].minutes == max(minutes[name] for name in own)
    assert phases["together"].minutes >= minutes[last]
    assert card.length % 45 == 0
    where = [said.split(", Aufgabe\xa0") for said, _ in card.answers]
    tasks = {(label.casefold().replace("\xa0", "-"), number) for label, number in where}
    asked = {
        (name, str(task.number))
        for name, whole in sheets.items()
        for station in whole.sheet.stations
        for task in station.tasks.values()
    }
    assert tasks
    assert {task for task in tasks if task[0] != "jede gruppe"} <= asked
    assert {number for _, number in tasks} <= {number for _, number in asked}
    assert [part.points for part in found["stations"]] == [whole.sheet.points for whole in sheets.values()]
    sums = {whole.sheet.points + sheets[last].sheet.points for name, whole in sheets.items() if name != last}
    assert {each.points for each in found["graded"]} == sums
    text = text_of(jigsaw.html["lehrkraft"])
    for each in found["groups"]:
        said = f"{each.file}.pdf ({each.words}) " if each.words else f"{each.file}.pdf "
        assert f"{said}{about(each.minutes)}".replace("\xa0", " ") in text
    words = {"heads": ["Head 1", "Head 2", ""], 3: ["„Die“ und „der“", "„sitzt“ und „Matte“", "„auf“", ""]}
    assert [each.words for each in found["groups"]] == words[options["gruppen"]]


def test_nothing_on_the_pages_of_a_jigsaw_is_about_another_sheet():
    html = taught(**LEARNT).html
    shown = " ".join(page for name, page in html.items() if name.startswith(("gruppe", "zusammen")))
    (board,) = re.findall(r'(?s)<div class="blackboard">(.*?)</div>', html[CARDS])
    assert numbers_in(board) <= numbers_in(shown)
    for name in ("lehrkraft", CARDS):
        assert not re.search("Maske|W_O|−∞|Diktat|Bogenmaß|d_k", html[name])
        assert "gruppe-1.pdf und gruppe-2.pdf, bei 28 Lernenden je 14-mal" in text_of(html[name])
    for head in (1, 2):
        assert f"Head {head}, Gewicht „den“" in html["lehrkraft"]


EIGHT = {"satz": HUND, "dimension": 8, "heads": 4, "stationen": "4b"}
FURTHER = ({"gruppen": "token"}, {"gruppen": "heads", "gewichte": "gelernt"})


@pytest.mark.parametrize(
    "options", [{"gruppen": "heads"}, *(pytest.param(each, marks=pytest.mark.thorough) for each in FURTHER)]
)
def test_the_card_of_a_jigsaw_is_one_page(options):
    assert printed(CARDS, **EIGHT | options).pages == 1
    html = taught(**EIGHT | options).html[CARDS]
    assert "Vorwissen" in html
    said = re.findall(r"(?s)Aufgabe.\d+:</b> (.*?)</li>", html)
    assert len(set(said)) == len(said) > 0


def test_heads_of_a_model_that_has_learnt_decide_the_word_together():
    found = dict(taught(**LEARNT).groups)
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
