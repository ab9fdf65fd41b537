"""What a phone says of a number stands where it is typed; the sheet can be compared with the paper."""

import re

from playwright.sync_api import expect

from generator.options.options import Options
from generator.options.sheet_code import sheet_code, short_mark
from tests.page.looking import findings, too_wide
from tests.page.running import joined, lesson_begun

OPTIONS = Options(satz="Die Katze schläft", stationen=("4a",))


def test_a_hint_stands_at_its_row_and_what_is_no_number_is_marked(running, chromium):
    teacher = lesson_begun(running, chromium, sheet_code(OPTIONS), "urteil")
    pupil = joined(chromium, f"{running.base}/stunde/{teacher.url.rpartition('/')[2]}", "Igel")
    expect(pupil.locator("#blatt")).to_contain_text(f"Blatt {short_mark(OPTIONS)}")
    assert not re.search(r"√d_k|e\^x", pupil.locator("#blatt").inner_text())
    cell = pupil.locator("table.paper .cell").first
    cell.locator("input").fill("abc")
    expect(cell).to_have_class(re.compile("bad"))
    hint = pupil.locator("tr.hint .said").first
    expect(hint).to_have_text("Diese Zahl kann ich nicht lesen.")
    expect(hint).to_be_in_viewport(ratio=1)
    row, said = cell.locator("xpath=ancestor::tr").bounding_box(), hint.bounding_box()
    assert 0 <= said["y"] - row["y"] - row["height"] < 20
    other = pupil.locator("table.paper .cell").nth(1)
    other.locator("input").fill("77,77")
    expect(hint).to_contain_text("stimmt noch nicht")
    cell.locator("input").fill("")
    assert cell.locator("input").get_attribute("title") == ""
    head, text = (
        pupil.locator(each).first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
        for each in ("table.paper th math", "table.paper td")
    )
    assert head >= text
    assert findings(pupil) == []
    assert too_wide(pupil) == 0
    pupil.context.close()
    teacher.context.close()


def test_a_phone_whose_keys_have_no_minus_still_enters_a_negative_number(running, chromium):
    teacher = lesson_begun(running, chromium, sheet_code(OPTIONS), "urteil")
    url = f"{running.base}/stunde/{teacher.url.rpartition('/')[2]}"
    phone = chromium.new_context(viewport={"width": 390, "height": 664}, has_touch=True, is_mobile=True)
    pupil = phone.new_page()
    pupil.goto(url)
    pupil.get_by_role("button", name="Igel", exact=True).tap()
    sign = pupil.get_by_role("button", name="Vorzeichen wechseln")
    cell = pupil.locator("table.paper .cell input").first
    expect(cell).to_be_visible()
    expect(sign).to_be_hidden()
    cell.tap()
    expect(sign).to_be_in_viewport(ratio=1)
    pupil.keyboard.insert_text("4,5")
    sign.tap()
    expect(cell).to_have_value("−4,5")
    expect(cell).to_be_focused()
    pupil.keyboard.insert_text("2")
    expect(cell).to_have_value("−4,52")
    expect(pupil.locator("#stand")).to_have_text("Alles ist angekommen.")
    assert findings(pupil) == []
    assert too_wide(pupil) == 0
    pupil.reload()
    expect(cell).to_have_value("−4,52")
    cell.tap()
    sign.tap()
    expect(cell).to_have_value("4,52")
    desk = joined(chromium, url, "Rabe")  # keys and a mouse
    desk.locator("table.paper .cell input").first.click()
    expect(desk.get_by_role("button", name="Vorzeichen wechseln")).to_be_hidden()
    for context in (phone, desk.context, teacher.context):
        context.close()
