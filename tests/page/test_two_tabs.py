"""Two tabs of one phone: of each cell the number typed last stands in both, and in the store."""

import pytest
from playwright.sync_api import expect

from tests.page.in_process import fields, run
from tests.page.planned_papers import CODE
from tests.page.running import PATIENCE, Program, Teacher, joined
from tests.page.test_thirty_phones import stored


def test_a_phone_is_told_what_stands_there_instead(tmp_path):
    async def scenario(room):
        lesson = await room.begin()
        mark = await room.join(lesson, "Igel")
        cell = fields(await room.room.lessons.find(lesson))[0]
        at = [cell["name"], cell["stelle"]]
        assert (await room.write(lesson, mark, [[*at, "7", 200]])).json["hat"] == []
        assert (await room.write(lesson, mark, [[*at, "5", 100]])).json["hat"] == [[*at, "7", 200]]
        assert (await room.write(lesson, mark, [[*at, "5", 200]])).json["hat"] == [[*at, "7", 200]]
        assert (await room.write(lesson, mark, [[*at, "7", 200]])).json["hat"] == []
        assert (await room.write(lesson, mark, [[*at, "8", 300]])).json["hat"] == []

    run(scenario, tmp_path)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("ablage") / "a")
    yield program
    program.end()


@pytest.fixture
def lesson(program):
    """Code of a lesson that is alone in the store."""
    teacher = Teacher(program.base)
    code, _ = teacher.lesson(CODE)
    yield code
    teacher.ask(f"/api/stunden/{code}/loeschen", {})


@pytest.fixture
def tabs(program, lesson, chromium):
    """Two tabs of one phone."""
    address = f"{program.base}/stunde/{lesson}"
    first = joined(chromium, address, "Igel")
    second = first.context.new_page()
    second.set_default_timeout(PATIENCE)
    second.goto(address)
    expect(second.locator("#blatt")).to_be_visible()
    yield first, second
    first.context.close()


def cell(tab, number=0):
    return tab.locator("div.station:not([hidden]) .cell input").nth(number)


def settled(*tabs):
    for tab in tabs:
        expect(tab.locator("#stand")).to_have_text("Alles ist angekommen.")


def test_the_last_number_typed_stands_everywhere(program, tabs):
    first, second = tabs
    for number in range(5):
        cell(first).fill(f"1{number}")
        cell(second).fill(f"2{number}")
    settled(first, second)
    assert set(stored(program.folder).values()) == {"24"}
    expect(cell(first)).to_have_value("24")
    cell(first).fill("31")
    settled(first)
    expect(cell(second)).to_have_value("31")
    assert set(stored(program.folder).values()) == {"31"}


def test_a_tab_without_a_network_takes_nothing_back_and_loses_nothing(program, tabs):
    first, second = tabs
    first.route("**/stunde/api/**", lambda route: route.abort())
    cell(first).fill("11")
    cell(first, 1).fill("12")
    expect(first.locator("#stand")).to_contain_text("wart")
    cell(second).fill("21")
    settled(second)
    first.close()
    second.reload()
    settled(second)
    expect(cell(second, 1)).to_have_value("12")
    assert sorted(stored(program.folder).values()) == ["12", "21"]


def test_the_other_tab_comes_in_as_the_same_animal(program, lesson, chromium):
    context = chromium.new_context()
    pages = [context.new_page(), context.new_page()]
    for page in pages:
        page.set_default_timeout(PATIENCE)
        page.goto(f"{program.base}/stunde/{lesson}")
    pages[0].get_by_role("button", name="Igel", exact=True).click()
    for page in pages:
        expect(page.locator("#tier")).to_have_text("Igel")
    context.close()


def test_an_animal_that_is_removed_may_choose_anew(program, lesson, tabs):
    first, _ = tabs
    cell(first).fill("11")
    settled(first)
    teacher = Teacher(program.base)
    teacher.ask(f"/api/stunden/{lesson}/entfernen", {"tier": "Igel"})
    cell(first).fill("12")
    expect(first.locator("#rein")).to_be_visible()
    assert stored(program.folder) == {}
    assert teacher.ask(f"/api/stunden/{lesson}")["kinder"] == []
