"""A class set: right names or one sentence, sheets equally hard, numbers as in the files, nothing half."""

import gc
import json
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pypdfium2
import pytest
import zxingcpp

from generator.basics.errors import UserError
from generator.basics.helpers import ThisProcess
from generator.commands import cli
from generator.options.options import Options
from generator.output.page_marks import PageMark
from generator.production import class_set
from generator.production.drawing import (
    BANDS,
    FURTHER,
    SECONDS,
    Drawn,
    Hardness,
    Missed,
    Pool,
    contents_of,
    draw,
    draw_all,
    hardness,
)
from generator.production.variant import Order, carry_out
from generator.production.workshop import Workshop
from generator.reading.blank_map import read_map
from generator.sheet.whole_sheet import exercises_of
from generator.stations.make_sheet import make_sheet
from tests.classes.sweeps import wrong_in

SENTENCE = "Die Katze sitzt auf der Matte"


def mark_on(page):
    """What the DataMatrix of a printed page says."""
    found = zxingcpp.read_barcodes(
        page.render(scale=150 / 72).to_pil(), formats=zxingcpp.BarcodeFormat.DataMatrix
    )
    return PageMark.of(found[0].text) if found else None


def test_the_same_numbers_are_one_key_that_says_whose_it_is_and_another_class_has_its_own_folder(
    tmp_path, capsys
):
    def made(names):
        (tmp_path / "namen.csv").write_text(names, encoding="utf-8")
        call = ["klassensatz", SENTENCE, str(tmp_path / "namen.csv"), "--stationen", "2"]
        assert cli.main([*call, "--gewichte", "auswahl", "--ausgabe", str(tmp_path / "x")]) == 0
        return capsys.readouterr().out

    said = made("Ada\nBob\nCem\n")
    assert "3 Blätter, 1 verschiedenes" in said
    assert "--gewichte ganzzahlig" in said
    assert "früher" not in said
    (folder,) = (tmp_path / "x").iterdir()
    variant = json.loads((folder / class_set.MANIFEST).read_text(encoding="utf-8"))["varianten"][0]
    keys = pypdfium2.PdfDocument(folder / "loesungen.pdf")
    assert len(keys) == variant["seiten"] + variant["seiten"] % 2
    assert "Ada, Bob, Cem" in keys[0].get_textpage().get_text_range()
    titles = [each.get_title() for each in keys.get_toc() if each.level == 0]
    assert titles == [f"1, 2, 3 – Blatt {variant['blatt']}"]
    assert "1 verschiedenes" in (folder / "uebersicht.html").read_text(encoding="utf-8")

    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert "früher" in made("Dora\n")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert "früher" not in made("Ada\nBob\nCem\n")
    assert {path.name for path in (tmp_path / "x").iterdir()} == {folder.name, f"{folder.name}-2"}


def test_what_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    def fails(*_):
        raise UserError("Nein.")

    options = Options(satz=SENTENCE, stationen=("5",), gewichte="ganzzahlig", ausgabe=tmp_path)
    monkeypatch.setattr("generator.production.variant.sheet_of", fails)
    with pytest.raises(UserError, match="Nein"):
        class_set.make(options, ("", ""), ThisProcess(), lambda *_: None)
    assert not list(tmp_path.iterdir())


def found(seed, blanks=10, row="", width=1.0, seconds=1.0):
    options = Options(satz=SENTENCE, gewichte="ganzzahlig", startwert=seed)
    return Drawn(
        options, Hardness(20.0, width, blanks, 10), str(seed), frozenset([row or f"row {seed}"]), seconds
    )


def drawn(number, draws, at_once=2):
    """The seeds that a pool takes from these draws, None for one that fails; how many were begun."""
    pool = Pool(Options(satz=SENTENCE, gewichte="ganzzahlig"), number)
    said = [each or Missed(f"Nichts zu {seed}.", 1.0) for seed, each in enumerate(draws)]
    (seats,) = draw_all([pool], lambda of: lambda: said[of.startwert], lambda *_: None, at_once)
    return [each.options.startwert for each in seats], pool.begun


def test_equally_hard_sheets_are_drawn_until_there_are_enough():
    one_of = [found(0), found(1, blanks=11), found(2), found(3, width=3.0), found(4)]
    assert drawn(3, one_of)[0] == [0, 2, 4]
    assert drawn(2, [found(0), found(1, row="row 0"), found(2)])[0] == [0, 2], "no row beside an equal one"
    assert drawn(2, [None, None, found(2), found(3)])[0] == [2, 3]
    two = [found(0), found(1)] + [found(0)] * 9
    assert drawn(5, two)[0] == [0, 1, 0, 1, 0], "nothing new comes: neighbours have different ones"
    with pytest.raises(UserError, match=r"Nichts zu 0\."):
        drawn(2, [None] * 9)


def test_the_more_are_drawn_the_further_apart_they_may_lie():
    widths = [found(seed, width=2.0**seed) for seed in range(9)]
    assert drawn(2, widths)[0] == [0, 1]
    blanks = [found(seed, blanks=100 + seed) for seed in range(9)]
    assert drawn(3, blanks)[0] == [0, 1, 2]
    apart = [found(seed, blanks=2**seed) for seed in range(9)]
    seats, begun = drawn(2, apart)
    assert len(set(seats)) == 1, "the last resort: the same numbers twice"
    assert begun <= 2 + FURTHER + 1


def test_drawing_ends_by_what_it_takes_on_an_ordinary_computer():
    """Half of them are too hard: what is drawn ends by its number, or by the work of thirty sheets."""
    apart = [found(seed, blanks=10 + 5 * (seed % 2)) for seed in range(60)]
    assert drawn(30, apart)[1] <= 30 + FURTHER + 2
    dear = [found(seed, seconds=3 * SECONDS) for seed in range(60)]
    assert drawn(30, dear) == ([*range(10)] * 3, 11)
    assert drawn(10, [None, *dear[1:]])[0] == [*range(1, 11)]


def test_equally_hard_sheets_have_equally_many_blanks():
    """Which rows are given does not depend on the numbers."""
    options = Options(
        satz="Der kleine Roboter lernt heute Deutsch", gewichte="ganzzahlig", stationen=("4a", "4b")
    )
    sheets = [make_sheet(replace(options, startwert=seed)) for seed in (1, 2)]
    one, other = map(hardness, sheets)
    asked = [{cell for each in exercises_of(sheet.sheet) for cell in each.cells} for sheet in sheets]
    assert asked[0] == asked[1]
    assert (one.blanks, one.points) == (other.blanks, other.points)


class Dies(ThisProcess):
    """The process is killed at its second sheet."""

    def __init__(self):
        self.orders = 0

    def submit(self, fn, /, *args, **kwargs):
        self.orders += fn is carry_out
        if self.orders == 2:
            raise KeyboardInterrupt
        return super().submit(fn, *args, **kwargs)


class LastFirst(Executor):
    """Does the job that was handed over last before all others, as soon as somebody waits for any."""

    def __init__(self):
        self.waiting = []

    def submit(self, fn, /, *args, **kwargs):
        self.waiting.append((Future(), partial(fn, *args, **kwargs)))
        return self.waiting[-1][0]

    def wait(self, _, timeout, __):
        """Instead of `concurrent.futures.wait`."""
        if timeout == 0:
            return SimpleNamespace(done=set())
        future, work = self.waiting.pop()
        future.set_result(work())
        return SimpleNamespace(done={future})


def test_a_sheet_that_was_laid_out_leaves_no_document():
    """A helper collects so rarely that thirty booklets would lie in its memory."""

    def documents() -> int:
        return sum(type(each).__module__ == "weasyprint.document" for each in gc.get_objects())

    gc.disable()
    before = documents()  # what other tests hold
    try:
        carry_out(Order(Options(satz=SENTENCE, stationen=("5",), gewichte="ganzzahlig")))
        assert documents() <= before
    finally:
        gc.enable()


NAMES = ("Zoë von der Großen Mühle-Schmitz", "", "Jörg")
FIVE = Options(satz=SENTENCE, stationen=("5",), gewichte="ganzzahlig")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A finished set."""
    options = replace(FIVE, ausgabe=tmp_path_factory.mktemp("set"))
    return class_set.make(options, NAMES, ThisProcess(), lambda *_: None)


def contents(folder):
    """What has no time in it."""
    return {name: (folder / name).read_bytes() for name in class_set.FILES if "pdf" in name}


def test_the_same_command_gives_the_same_bytes_whatever_is_finished_first(folder, tmp_path, monkeypatch):
    executor = LastFirst()
    monkeypatch.setattr("generator.production.workshop.wait", executor.wait)
    monkeypatch.setattr(Workshop, "draw", lambda self, options: partial(draw, options, {}))
    monkeypatch.setattr(Workshop, "share", lambda self, work: {k: part() for k, part in work.items()})
    last = class_set.make(replace(FIVE, ausgabe=tmp_path), NAMES, executor, lambda *_: None)
    assert contents(last) == contents(folder)


def test_a_set_that_was_killed_goes_on_and_is_the_same(folder, tmp_path, monkeypatch):
    options = replace(FIVE, ausgabe=tmp_path)
    monkeypatch.setattr("shutil.rmtree", lambda *_, **__: None)  # whoever is killed takes nothing away
    with pytest.raises(KeyboardInterrupt):
        class_set.make(options, NAMES, Dies(), lambda *_: None)
    monkeypatch.undo()
    (scratch,) = tmp_path.iterdir()
    assert len(list(scratch.glob("*-note.json"))) == 1

    again = ThisProcess()
    seen = []
    again.submit = lambda fn, *order: (
        seen.extend(each.name for each in order if isinstance(each, Order)),
        ThisProcess().submit(fn, *order),
    )[1]
    told = []
    made = class_set.make(options, NAMES, again, lambda *said: told.append(said))
    assert seen[:2] == list(NAMES[1:])
    assert told[-1] == ("Binde die Blätter", 3, 3)
    assert [path.name for path in tmp_path.iterdir()] == [made.name]
    assert {path.name for path in made.iterdir()} == {*class_set.FILES, "rechnungen"}
    assert contents(made) == contents(folder)


def test_the_pages_of_a_set_agree_with_its_files(folder):
    assert not list(wrong_in(folder))
    manifest = json.loads((folder / "klassensatz.json").read_text(encoding="utf-8"))
    variants = manifest["varianten"]
    assert [each["name"] for each in variants] == list(NAMES)
    assert len({each["startwert"] for each in variants}) == 3
    for each in variants:
        for other in variants:
            assert each["minuten"] <= other["minuten"] * (1 + BANDS[0].minutes) / (1 - BANDS[0].minutes)
            assert each["breite"] <= other["breite"] * (1 + BANDS[0].width) / (1 - BANDS[0].width) + 0.001
    keys = pypdfium2.PdfDocument(folder / "loesungen.pdf")
    sheets = pypdfium2.PdfDocument(folder / "arbeitsblaetter.pdf")
    assert len(keys) == len(sheets)
    page = 0
    for each in variants:
        assert page % 2 == 0, "begins on a front page"
        first = sheets[page].get_textpage().get_text_range()
        assert f"Blatt {each['blatt']}" in first
        assert (each["name"][:20] in first) if each["name"] else ("Name" in first)
        said = "".join(keys[page + n].get_textpage().get_text_range() for n in range(each["seiten"]))
        assert "Zoë" not in said
        rechnung = json.loads((folder / f"rechnungen/{each['nummer']}.json").read_text(encoding="utf-8"))
        assert rechnung["optionen"]["startwert"] == each["startwert"]
        assert mark_on(sheets[page]) == (each["blatt"], each["nummer"], 1)
        assert mark_on(sheets[page + each["seiten"] - 1]) == (each["blatt"], each["nummer"], each["seiten"])
        assert mark_on(keys[page]) is None
        page += each["seiten"] + each["seiten"] % 2
    assert page == len(keys)
    printed = read_map(folder / "felder.json")
    assert [(each.mark, each.number) for each in printed] == [(v["blatt"], v["nummer"]) for v in variants]
    assert all(each.blanks and (folder / each.calculation).is_file() for each in printed)
    for path in (folder / "rechnungen").iterdir():
        assert "Zoë" not in path.read_text(encoding="utf-8")


def test_what_is_drawn_elsewhere_carries_its_files(tmp_path):
    path = tmp_path / "zahlen.json"
    path.write_text(json.dumps({"block1.head1.W_Q": [[1, 0], [0, 1], [1, 0], [0, 1]]}), encoding="utf-8")
    options = Options(satz=SENTENCE, stationen=("4b",), gewichte=path)
    here, contents = draw(options, {}), contents_of(options)
    path.unlink()
    assert draw(options, contents) == here
    assert "zahlen.json" in draw(options, {}).why, "a sentence on the file that is not there"


def test_the_same_set_is_not_made_twice_at_once(tmp_path):
    options = class_set.class_options({"satz": SENTENCE, "stationen": "2", "gewichte": "ganzzahlig"})
    each = replace(options, ausgabe=tmp_path)

    class Again(ThisProcess):
        def submit(self, fn, /, *args, **kwargs):
            with pytest.raises(UserError, match="anderer Lauf"):
                class_set.make(each, ("Ada",), ThisProcess(), lambda *_: None)
            return super().submit(fn, *args, **kwargs)

    made = class_set.make(each, ("Ada",), Again(), lambda *_: None)
    assert (made / class_set.MANIFEST).exists()
