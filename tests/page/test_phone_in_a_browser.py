"""A phone: what is said stands where it is typed, a minus without a key, and two tabs that are one animal."""

import re

from playwright.sync_api import expect

from generator.options.sheet_code import short_mark
from tests.page.looking import findings, too_wide
from tests.page.papers import CODE, OPTIONS
from tests.page.running import PATIENCE, Teacher, joined, lesson_begun, texts_stored


def cell(tab, number=0):
    return tab.locator("div.station:not([hidden]) .cell input").nth(number)


def arrived(*tabs):
    for tab in tabs:
        expect(tab.locator("#stand")).to_have_text("Alles ist angekommen.")


def test_a_hint_stands_at_its_row_and_a_sign_helps_where_keys_have_no_minus(running, chromium):
    teacher = lesson_begun(running, chromium, CODE, "urteil")
    url = f"{running.base}/stunde/{teacher.url.rpartition('/')[2]}"
    phone = chromium.new_context(viewport={"width": 390, "height": 664}, has_touch=True, is_mobile=True)
    phone.set_default_timeout(PATIENCE)
    pupil = phone.new_page()
    pupil.goto(url)
    pupil.get_by_role("button", name="Igel", exact=True).tap()
    expect(pupil.locator("#blatt")).to_contain_text(f"Blatt {short_mark(OPTIONS)}")
    assert not re.search(r"√d_k|e\^x", pupil.locator("#blatt").inner_text())
    first, second = pupil.locator("table.paper .cell").all()[:2]
    first.locator("input").fill("abc")
    expect(first).to_have_class(re.compile("bad"))
    hint = pupil.locator("tr.hint .said").first
    expect(hint).to_have_text("Diese Zahl kann ich nicht lesen.")
    expect(hint).to_be_in_viewport(ratio=1)
    row, said = first.locator("xpath=ancestor::tr").bounding_box(), hint.bounding_box()
    assert 0 <= said["y"] - row["y"] - row["height"] < 20
    second.locator("input").fill("77,77")
    expect(hint).to_contain_text("stimmt noch nicht")
    first.locator("input").fill("")
    expect(first.locator("input")).to_have_attribute("title", "")
    pupil.reload()

    sign = pupil.get_by_role("button", name="Vorzeichen wechseln")
    expect(cell(pupil)).to_be_visible()
    expect(sign).to_be_hidden()
    cell(pupil).tap()
    expect(sign).to_be_in_viewport(ratio=1)
    pupil.keyboard.insert_text("4,5")
    sign.tap()
    expect(cell(pupil)).to_have_value("−4,5")
    expect(cell(pupil)).to_be_focused()
    pupil.keyboard.insert_text("2")
    arrived(pupil)
    assert findings(pupil) == []
    assert too_wide(pupil) == 0
    pupil.reload()
    expect(cell(pupil)).to_have_value("−4,52")
    cell(pupil).tap()
    sign.tap()
    expect(cell(pupil)).to_have_value("4,52")
    desk = joined(chromium, url, "Rabe")  # keys and a mouse
    cell(desk).click()
    expect(desk.get_by_role("button", name="Vorzeichen wechseln")).to_be_hidden()
    for context in (phone, desk.context, teacher.context):
        context.close()


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
    arrived(first, second)
    assert texts_stored(running.folder, lesson) == ["24"]
    expect(cell(first)).to_have_value("24")
    cell(first).fill("31")
    arrived(first)
    expect(cell(second)).to_have_value("31")
    assert texts_stored(running.folder, lesson) == ["31"]

    first.route("**/stunde/api/**", lambda route: route.abort())
    cell(first).fill("11")
    cell(first, 1).fill("12")
    expect(first.locator("#stand")).to_contain_text("wart")
    cell(second).fill("21")
    arrived(second)
    first.close()  # what waited there loses to what was typed later, and the rest is not lost
    second.reload()
    arrived(second)
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
