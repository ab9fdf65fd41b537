"""A lesson with phones in a browser: one loses the network, the program is killed once, no number is lost."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect

from generator.calculation.build import build
from generator.options.options import Options
from generator.options.sheet_code import sheet_code_of
from tests.page.conftest import PATIENCE, ROOT, SECRET

OPTIONS = Options(satz="Die Katze schläft", stationen=("2", "4a"))
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
WIDTHS = (360, 1280)


class Program:
    """The page as a process that can be killed and started again on the same port and folder."""

    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder = folder
        self.start()

    def start(self):
        command = [sys.executable, "-m", "generator", "seite", "--ohne-browser", f"--port={self.port}"]
        self.process = subprocess.Popen(
            [*command, f"--ablage={self.folder}"],
            cwd=ROOT,
            env=os.environ | {"PAPIERFORMER_SCHLUESSEL": SECRET},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert "Papierformer läuft" in self.process.stdout.readline()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    @property
    def base(self):
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture
def program(tmp_path):
    program = Program(tmp_path)
    yield program
    program.process.terminate()
    program.process.wait(60)
    program.process.stdout.close()


def numbers():
    """What an honest pupil writes in each cell."""
    hand = build(OPTIONS).whole.hand

    def text(name, place):
        index = tuple(int(i) for i in place.split(",") if i)
        return f"{round(float(hand[name].values[index]), 4):g}".replace(".", ",")

    return text


def clean(page):
    """No finding of axe, nothing wider than the window."""
    page.evaluate("document.fonts.ready")
    page.evaluate(AXE)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
        assert not found, [(each["id"], each["nodes"][0]["html"][:200]) for each in found]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


def enter(pupil, station, write):
    pupil.click(f".stations [data-station='{station}']")
    for cell in pupil.locator(f"div.station[data-station='{station}'] .cell").all():
        cell.locator("input").fill(write(cell.get_attribute("data-name"), cell.get_attribute("data-place")))


def joined(chromium, address, animal):
    context = chromium.new_context(viewport={"width": 360, "height": 740}, locale="de-DE")
    context.set_default_timeout(PATIENCE)
    pupil = context.new_page()
    pupil.goto(address)
    pupil.get_by_role("button", name=animal, exact=True).click()
    expect(pupil.locator("#blatt")).to_be_visible()
    return pupil


def test_a_lesson_loses_nothing(program, chromium):
    right = numbers()
    teacher = chromium.new_context().new_page()
    teacher.set_default_timeout(PATIENCE)
    teacher.goto(f"{program.base}/einlass/{SECRET}")
    teacher.get_by_role("link", name="Stunde").click()
    clean(teacher)
    teacher.fill("#code", sheet_code_of(OPTIONS))
    teacher.check("input[value=hilfe]")
    teacher.get_by_role("button", name="Stunde beginnen").click()
    expect(teacher.locator("#klasse-titel")).to_be_visible()
    shown = "http://" + teacher.locator(".address").inner_text()
    assert f":{program.port}/" not in shown, "phones come in by a listener of their own"
    with urllib.request.urlopen(shown, timeout=60) as page:
        assert page.status == 200
    address = f"{program.base}/stunde/{shown.rpartition('/')[2]}"

    honest, lost, slipping = (joined(chromium, address, animal) for animal in ("Igel", "Eule", "Otter"))
    clean(honest)
    enter(honest, "2", right)
    expect(honest.locator("#stand")).to_have_text("Alles ist angekommen.")
    lost.context.set_offline(True)
    enter(lost, "2", right)
    expect(lost.locator("#stand")).to_contain_text("wart")
    first = slipping.locator("div.station:not([hidden]) .cell").first
    first.locator("input").fill("77")
    expect(first.locator(".said")).to_contain_text("stimmt noch nicht")

    program.kill()
    enter(honest, "4a", right)
    expect(honest.locator("#stand")).to_contain_text("wart")
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
    teacher.on("dialog", lambda dialog: dialog.accept())
    teacher.get_by_role("button", name="Stunde beenden").click()
    expect(honest.locator("#stand")).to_have_text("Diese Stunde ist zu Ende.")
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(shown, timeout=10)
    teacher.get_by_role("button", name="alles löschen").click()
    expect(teacher.get_by_role("button", name="Stunde beginnen")).to_be_visible()
    assert teacher.locator(".lessons").count() == 0
