"""A lesson with phones in a browser: one loses the network, the program is killed once, no number is lost."""

import urllib.request
from functools import partial
from urllib.error import HTTPError

from playwright.sync_api import expect

from generator.calculation.build import build
from generator.options.options import Options
from generator.options.sheet_code import sheet_code
from tests.page.looking import findings, too_wide
from tests.page.papers import number_at
from tests.page.running import HELD, joined, lesson_begun, wait_until

OPTIONS = Options(satz="Die Katze schläft", stationen=("2", "4a"))
WIDTHS = (360, 1280)


def clean(page):
    """No finding of axe, nothing wider than the window."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert too_wide(page) == 0, width
    assert findings(page) == []


def reached(shown):
    """The answer to a phone that asks for the address shown; no request leaves this computer."""
    host, _, path = shown.partition("/")
    address = f"http://127.0.0.1:{host.rpartition(':')[2]}/{path}"
    return urllib.request.urlopen(urllib.request.Request(address, headers={"Host": host}), timeout=60)


def refused(shown):
    try:
        reached(shown).close()
    except HTTPError:
        return False
    except OSError as error:
        return "refused" in str(error)
    return False


def enter(pupil, station, write):
    pupil.click(f".stations [data-station='{station}']")
    whole = pupil.locator("div.station:not([hidden]) .scroll")
    assert whole.evaluate_all("all => all.every((each) => each.scrollWidth <= each.clientWidth)")
    cells = pupil.locator(f"div.station[data-station='{station}'] .cell").all()
    cells[0].locator("input").focus()
    for cell in cells:  # from field to field by Tab
        expect(cell.locator("input")).to_be_focused()
        pupil.keyboard.type(write(cell.get_attribute("data-name"), cell.get_attribute("data-place")))
        pupil.keyboard.press("Tab")


def test_a_lesson_loses_nothing(program, chromium):
    right = partial(number_at, build(OPTIONS).passes.hand)
    teacher = lesson_begun(program, chromium, sheet_code(OPTIONS), "hilfe")
    shown = teacher.locator(".address").inner_text()
    assert f":{program.port}/" not in shown, "phones come in by a listener of their own"
    with reached(shown) as page:
        assert page.status == 200
    address = f"{program.base}/stunde/{shown.rpartition('/')[2]}"

    honest, lost, slipping = (joined(chromium, address, animal) for animal in ("Igel", "Eule", "Otter"))
    clean(honest)
    enter(honest, "2", right)
    expect(honest.locator("#stand")).to_have_text("Alles ist angekommen.")
    lost.context.set_offline(True)
    enter(lost, "2", right)
    expect(lost.locator("#stand")).to_contain_text(HELD)
    first = slipping.locator("div.station:not([hidden]) .cell").first
    first.locator("input").fill("77")
    expect(slipping.locator("div.station:not([hidden])")).to_contain_text("stimmt noch nicht")

    program.kill()
    enter(honest, "4a", right)
    rows = "[...document.querySelectorAll('div.station:not([hidden]) table.paper tr')]"
    highest = f"Math.max(...{rows}.map((row) => row.getBoundingClientRect().height))"
    assert honest.evaluate(highest) < 100, "no product stands there sign below sign"
    expect(honest.locator("#stand")).to_contain_text(HELD)
    program.start()
    lost.context.set_offline(False)
    for pupil in (honest, lost):
        expect(pupil.locator("#stand")).to_have_text("Alles ist angekommen.")
    fields = honest.locator(".cell").count()
    expect(honest.locator(".cell.good")).to_have_count(fields)
    honest.reload()
    expect(honest.locator(".cell.good")).to_have_count(fields)

    row = teacher.locator("#kinder tbody tr")
    expect(row).to_have_count(3)
    igel = teacher.locator("#kinder tr", has_text="Igel").locator("td")
    expect(igel.nth(1)).to_have_text(f"{fields} von {fields}")
    expect(igel.nth(3)).to_have_text("0")
    expect(teacher.locator("#kinder tr", has_text="Otter").locator("td").nth(3)).to_have_text("1")
    clean(teacher)
    wall = teacher.context.new_page()
    wall.goto(teacher.url + "/beamer")
    squares = wall.locator("#felder tr", has_text="Igel").locator(".square")
    expect(squares).to_have_count(fields)
    wall.set_viewport_size({"width": 720, "height": 640})
    expect(wall.locator("#rein img")).to_be_in_viewport(ratio=1)
    expect(wall.locator("#felder .square").first).to_be_in_viewport()
    wall.set_viewport_size({"width": 1280, "height": 800})
    expect(wall.locator("#felder tr", has_text="Igel").locator(".square.richtig")).to_have_count(fields)
    wall.locator("#felder tr", has_text="Otter").locator(".square.falsch").click()
    expect(wall.locator("#getippt")).to_contain_text("„77“")
    wall.select_option("#aufgabe", index=1)
    wall.click("#zeig")
    expect(wall.locator("#loesung dd").first).to_be_visible()
    wall.click("#pause")
    expect(honest.locator("#pause")).to_be_in_viewport(ratio=1)
    field = honest.locator("div.station:not([hidden]) .cell input").first
    assert field.evaluate("field => { field.focus(); return document.activeElement !== field }"), (
        "it looks locked and is"
    )
    wall.click("#pause")
    expect(honest.locator("#pause")).to_be_hidden()
    wall.click("#namen")
    expect(wall.locator("#felder tr", has_text="Igel")).to_have_count(0)
    clean(wall)
    wall.close()
    teacher.on("dialog", lambda dialog: dialog.accept())
    slipping.context.set_offline(True)
    slipping.locator("div.station:not([hidden]) .cell input").nth(1).fill("1")
    teacher.get_by_role("button", name="Stunde beenden").click()
    expect(teacher.locator("#zu-ende")).to_be_visible()
    slipping.context.set_offline(False)
    for pupil in (honest, lost, slipping):
        expect(pupil.locator("#ende")).to_contain_text("Geschafft")
        expect(pupil.locator("#fehler")).to_be_hidden()
    expect(honest.locator("#ende")).to_contain_text(f"{fields} von {fields} Zahlen stimmen")
    locked = honest.locator("div.station:not([hidden]) .cell input").first
    expect(locked).to_have_js_property("readOnly", True)
    expect(locked).to_have_css("border-top-color", "rgba(0, 0, 0, 0)")
    clean(honest)
    wait_until(lambda: refused(shown), 20)  # as soon as all have heard it
    teacher.get_by_role("button", name="alles löschen").click()
    expect(teacher.get_by_role("button", name="Stunde beginnen")).to_be_visible()
    assert teacher.locator(".lessons").count() == 0
