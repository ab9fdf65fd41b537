"""A lesson with phones in a browser: one loses the network, the program is killed once, no number is lost."""

import urllib.request
from functools import partial
from urllib.error import HTTPError, URLError

from playwright.sync_api import expect

from generator.calculation.build import build
from generator.options.options import Options
from generator.options.sheet_code import sheet_code
from generator.page.lesson.databases import copy_of
from tests.page.looking import clean, too_wide
from tests.page.papers import CODE, number_at, right
from tests.page.running import HELD, Teacher, joined, lesson_begun, stored, wait_until

OPTIONS = Options(satz="Die Katze schläft", stationen=("2", "4a"))
ARRIVED = "Alles ist angekommen."


def reached(shown):
    """The status for a phone that asks for the address shown, 0 where nobody listens."""
    host, _, path = shown.partition("/")
    address = f"http://127.0.0.1:{host.rpartition(':')[2]}/{path}"
    try:
        with urllib.request.urlopen(
            urllib.request.Request(address, headers={"Host": host}), timeout=60
        ) as said:
            return said.status
    except HTTPError as error:
        error.close()
        return error.code
    except URLError:
        return 0


def enter(pupil, station, write):
    """From field to field by Tab."""
    pupil.click(f".stations [data-station='{station}']")
    whole = pupil.locator("div.station:not([hidden]) .scroll")
    assert whole.evaluate_all("all => all.every((each) => each.scrollWidth <= each.clientWidth)")
    cells = pupil.locator(f"div.station[data-station='{station}'] .cell").all()
    cells[0].locator("input").focus()
    for cell in cells:
        expect(cell.locator("input")).to_be_focused()
        pupil.keyboard.type(write(cell.get_attribute("data-name"), cell.get_attribute("data-place")))
        pupil.keyboard.press("Tab")


def test_a_lesson_loses_nothing(program, chromium):
    teacher = lesson_begun(program, chromium, sheet_code(OPTIONS), "hilfe")
    shown = teacher.locator(".address").inner_text()
    assert f":{program.port}/" not in shown, "phones come in by a listener of their own"
    assert reached(shown) == 200
    address = f"{program.base}/stunde/{shown.rpartition('/')[2]}"
    honest, lost, slipping = (joined(chromium, address, animal) for animal in ("Igel", "Eule", "Otter"))
    right_numbers = partial(number_at, build(OPTIONS).passes.hand)
    clean(honest, ["light"])
    enter(honest, "2", right_numbers)
    expect(honest.locator("#stand")).to_have_text(ARRIVED)
    lost.context.set_offline(True)
    enter(lost, "2", right_numbers)
    expect(lost.locator("#stand")).to_contain_text(HELD)
    slipping.locator("div.station:not([hidden]) .cell input").first.fill("77")
    expect(slipping.locator("div.station:not([hidden])")).to_contain_text("stimmt noch nicht")

    program.kill()
    enter(honest, "4a", right_numbers)
    expect(honest.locator("#stand")).to_contain_text(HELD)
    program.start()
    lost.context.set_offline(False)
    for pupil in (honest, lost):
        expect(pupil.locator("#stand")).to_have_text(ARRIVED)
    fields = honest.locator(".cell").count()
    expect(honest.locator(".cell.good")).to_have_count(fields)
    honest.reload()
    expect(honest.locator(".cell.good")).to_have_count(fields)

    expect(teacher.locator("#kinder tbody tr")).to_have_count(3)
    for animal, column, text in (("Igel", 1, f"{fields} von {fields}"), ("Igel", 3, "0"), ("Otter", 3, "1")):
        cell = teacher.locator("#kinder tr", has_text=animal).locator("td").nth(column)
        expect(cell).to_have_text(text)
    clean(teacher, ["light"])
    wall = teacher.context.new_page()
    wall.goto(teacher.url + "/beamer")
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
        "it is locked"
    )
    wall.click("#pause")
    expect(honest.locator("#pause")).to_be_hidden()
    wall.click("#namen")
    expect(wall.locator("#felder tr", has_text="Igel")).to_have_count(0)
    clean(wall, ["dark"])
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
    expect(field).to_have_js_property("readOnly", True)
    assert too_wide(honest) == 0
    wait_until(lambda: not reached(shown), 20)  # as soon as all have heard it
    teacher.get_by_role("button", name="alles löschen").click()
    expect(teacher.get_by_role("button", name="Stunde beginnen")).to_be_visible()
    assert teacher.locator(".lessons").count() == 0
    program.end()
    expect(teacher.locator(".gone")).to_contain_text("Papierformer antwortet nicht")
    program.start()
    expect(teacher.locator(".gone")).to_be_hidden()


def test_a_phone_sends_again_what_an_older_copy_lacks(program, chromium):
    """The file is damaged, and the copy put back as the sentence says; it is older than the last numbers."""
    lesson, _ = Teacher(program.base).lesson(CODE)
    phone = joined(chromium, f"{program.base}/stunde/{lesson}", "Igel")
    cells, file = list(right().items()), program.folder / "stunden.db"

    def types(some, said):
        for (name, place), text in some:
            phone.locator(f".cell[data-name='{name}'][data-place='{place}'] input").fill(text)
        expect(phone.locator("#stand")).to_contain_text(said)

    types(cells[:3], ARRIVED)
    program.end()
    program.start()  # looks after the file at the start
    wait_until(copy_of(file).exists, 20)
    types(cells[3:6], ARRIVED)
    program.end()
    file.write_bytes(b"\xff" * 100 + file.read_bytes()[100:])
    program.start()
    types(cells[6:7], HELD)
    program.end()
    copy_of(file).replace(file)
    program.start()
    expect(phone.locator("#stand")).to_have_text(ARRIVED)
    there = {tuple(cell): text for (_, *cell), (_, text) in stored(program.folder).items()}
    assert there == dict(cells[:7])
    assert f'"{copy_of(file)}"' in program.log.read_text(encoding="utf-8")
