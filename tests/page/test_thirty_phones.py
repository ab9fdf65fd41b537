"""A lesson with many phones: some lose the network, the program is killed once, nothing is lost."""

import contextlib
import sqlite3
import time
from collections import Counter
from statistics import median

import pytest
from playwright.sync_api import expect

from generator.page.lesson.opened import ANIMALS
from tests.page.planned_papers import CODE, FOLLOWS, RIGHT, WRONG, a_class, cells
from tests.page.running import HELD, PATIENCE, joined, lesson_begun

SECONDS_FOR_TEACHER = 2.0
SAID = {
    "stimmt": "richtig",
    "stimmt, ehrlich gerundet": "angenommen",
    "richtig weitergerechnet": FOLLOWS,
    "stimmt noch nicht": WRONG,
}
READ = """all => all.map(cell => [cell.dataset.name, cell.dataset.place,
    cell.querySelector("input").title])"""
ROWS = """rows => Object.fromEntries([...rows].map(
    row => [row.cells[0].textContent, [...row.cells].slice(1).map(cell => cell.textContent)]))"""


def types(phone, paper, wanted):
    for name, place in wanted:
        phone.locator(f".cell[data-name='{name}'][data-place='{place}'] input").fill(paper.texts[name, place])


def told(phone):
    """The verdict of each cell as the phone says it, without the hint."""
    said = phone.locator(".cell").evaluate_all(READ)
    return {(name, place): SAID.get(text.partition(". ")[0]) for name, place, text in said}


def seen(teacher):
    """What the teacher's table says of each animal: fields written, right, wrong, mistakes."""
    rows = teacher.locator("#kinder tbody tr").evaluate_all(ROWS)
    return {animal: (row[1], row[2], row[3], row[6]) for animal, row in rows.items()}


def planned_row(paper, verdicts):
    count = Counter(verdicts.values())
    right = sum(count[each] for each in (*RIGHT, FOLLOWS))
    return (f"{len(cells())} von {len(cells())}", str(right), str(count[WRONG]), paper.title)


def wait_until(page, holds):
    """Looks ten times a second; seconds until it held."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() - begun < PATIENCE / 1000
        page.wait_for_timeout(100)
    return time.monotonic() - begun


def stored(folder, lesson="%"):
    """What stands in the store of a lesson, or of all: texts by animal and cell."""
    asked = "SELECT animal, name, place, text FROM answer JOIN pupil ON pupil = token WHERE lesson LIKE ?"
    with contextlib.closing(sqlite3.connect(f"file:{folder / 'stunden.db'}?mode=ro", uri=True)) as database:
        rows = database.execute(asked, [lesson])
        return {(animal, name, place): text for animal, name, place, text in rows}


@pytest.mark.thorough
@pytest.mark.parametrize("pupils", [3, 30])
def test_phones_lose_nothing_and_are_judged_as_planned(program, chromium, pupils):
    papers = a_class(pupils)
    verdicts = [paper.verdicts() for paper in papers]
    assert {"honest", "mistaken", "slipped"} == {paper.kind for paper in papers}
    teacher = lesson_begun(program, chromium, CODE, "hilfe")
    code = teacher.locator(".address").inner_text().rpartition("/")[2]
    animals = ANIMALS[:pupils]
    phones = [joined(chromium, f"{program.base}/stunde/{code}", animal) for animal in animals]
    first, second, third = cells()[:10], cells()[10:15], cells()[15:]

    without = phones[::4]
    for phone in without:
        phone.context.set_offline(True)
    for phone, paper in zip(phones, papers, strict=True):
        types(phone, paper, first)
    program.kill()
    for phone, paper in zip(phones, papers, strict=True):
        types(phone, paper, second)
    expect(phones[0].locator("#stand")).to_contain_text(HELD)
    expect(phones[1].locator("#stand")).to_contain_text(HELD)
    program.start()
    for phone in without:
        phone.context.set_offline(False)
    for phone, paper in zip(phones, papers, strict=True):
        types(phone, paper, third)
    for phone in phones:
        expect(phone.locator("#stand")).to_have_text("Alles ist angekommen.")

    texts = {(a, *cell): text for a, p in zip(animals, papers, strict=True) for cell, text in p.texts.items()}
    assert stored(program.folder) == texts
    for phone, paper, planned in zip(phones, papers, verdicts, strict=True):
        wait_until(phone, lambda phone=phone, planned=planned: told(phone) == planned)
        if paper.kind == "mistaken":
            expect(phone.locator("input[title^='stimmt noch nicht. ']").first).to_be_visible()
    rows = {a: planned_row(p, v) for a, p, v in zip(animals, papers, verdicts, strict=True)}
    wait_until(teacher, lambda: seen(teacher) == rows)
    follow_changes(teacher, phones, rows)


def follow_changes(teacher, phones, rows):
    """Numbers are changed on phones: how soon after their arrival the teacher sees it."""
    taken = []
    for phone, animal in list(zip(phones, rows, strict=True))[:5]:
        wrong = int(rows[animal][2])
        phone.locator(".cell.good input").last.fill("987")
        expect(phone.locator("#stand")).to_contain_text(HELD)
        expect(phone.locator("#stand")).to_have_text("Alles ist angekommen.")
        taken.append(wait_until(teacher, lambda a=animal, w=wrong: int(seen(teacher)[a][2]) > w))
    print("seconds until the teacher sees a change:", *(f"{each:.1f}" for each in taken))
    assert median(taken) < SECONDS_FOR_TEACHER, taken
