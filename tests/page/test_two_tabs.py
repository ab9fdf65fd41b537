"""Two tabs of one phone: of each cell the number typed last stands in both, and in the store."""

from playwright.sync_api import expect

from tests.page.papers import CODE
from tests.page.running import PATIENCE, Teacher, texts_stored


async def test_a_phone_is_told_what_stands_there_instead(room):
    lesson, mark, at = await room.begun()
    assert (await room.write(lesson, mark, [[*at, "7", 200]])).json["hat"] == []
    assert (await room.write(lesson, mark, [[*at, "5", 100]])).json["hat"] == [[*at, "7", 200]]
    assert (await room.write(lesson, mark, [[*at, "5", 200]])).json["hat"] == [[*at, "7", 200]]
    assert (await room.write(lesson, mark, [[*at, "7", 200]])).json["hat"] == []
    assert (await room.write(lesson, mark, [[*at, "8", 300]])).json["hat"] == []


def cell(tab, number=0):
    return tab.locator("div.station:not([hidden]) .cell input").nth(number)


def settled(*tabs):
    for tab in tabs:
        expect(tab.locator("#stand")).to_have_text("Alles ist angekommen.")


def test_two_tabs_are_one_animal_and_the_last_number_typed_stands_everywhere(running, chromium):
    teacher = Teacher(running.base)
    lesson, _ = teacher.lesson(CODE)
    phone = chromium.new_context()
    phone.set_default_timeout(PATIENCE)
    first, second = phone.new_page(), phone.new_page()
    for tab in (first, second):
        tab.goto(f"{running.base}/stunde/{lesson}")
    first.get_by_role("button", name="Igel", exact=True).click()
    for tab in (first, second):
        expect(tab.locator("#tier")).to_have_text("Igel")
    for number in range(5):
        cell(first).fill(f"1{number}")
        cell(second).fill(f"2{number}")
    settled(first, second)
    assert set(texts_stored(running.folder, lesson)) == {"24"}
    expect(cell(first)).to_have_value("24")
    cell(first).fill("31")
    settled(first)
    expect(cell(second)).to_have_value("31")
    assert set(texts_stored(running.folder, lesson)) == {"31"}

    first.route("**/stunde/api/**", lambda route: route.abort())
    cell(first).fill("11")
    cell(first, 1).fill("12")
    expect(first.locator("#stand")).to_contain_text("wart")
    cell(second).fill("21")
    settled(second)
    first.close()  # what waited there loses to what was typed later, and the rest is not lost
    second.reload()
    settled(second)
    expect(cell(second, 1)).to_have_value("12")
    assert texts_stored(running.folder, lesson) == ["12", "21"]

    teacher.ask(f"/api/stunden/{lesson}/entfernen", {"tier": "Igel"})
    cell(second).fill("12")
    expect(second.locator("#fremd")).to_be_visible()
    expect(cell(second)).to_have_value("12")  # whoever typed it throws it away, nobody else
    second.get_by_role("button", name="Neu anfangen").click()
    expect(second.locator("#rein")).to_be_visible()
    assert texts_stored(running.folder, lesson) == []
    assert teacher.ask(f"/api/stunden/{lesson}")["kinder"] == []
    phone.close()
