"""The review of a class by keys alone. Sending, reading, deleting: page/test_scans_in_a_browser.py."""

import io
import re

import pytest
from playwright.sync_api import expect

pytest.importorskip("zxingcpp")
from generator.options.options import Options
from generator.output.page_marks import MARKS
from generator.page import class_work
from generator.production import scanned
from generator.reading import blank_map
from generator.reading.papers import Class
from generator.stations.make_sheet import make_sheet
from scans.paper import BLANKS, SHEET, page


@pytest.fixture
def folder(tmp_path):
    """A sheet's folder, as the shelf has it."""
    whole = make_sheet(Options(satz="Die Katze sitzt", gewichte="ganzzahlig", stationen=("4b",)))
    (tmp_path / "rechnung.json").write_bytes(whole.record_json())
    fields = [list(blank._replace(cell=f"block1.head1.score[{blank.page},0]")) for blank in BLANKS]
    its = {"format": [210.0, 297.0], "seiten": 2, "felder": fields, "marken": list(MARKS)}
    content = blank_map.document_of([(SHEET, 0, "rechnung.json", its)])
    (tmp_path / "felder.json").write_bytes(content)
    return tmp_path


def test_a_hand_that_reads_badly_is_seen_as_a_whole_sheet_and_said_by_keys_alone(folder, chromium):
    scans = [page(number, {each.cell: "7" for each in BLANKS if each.page == number}) for number in (1, 2)]
    for number, scan in enumerate(scans):
        content = io.BytesIO()
        scan.save(content, "PNG")
        class_work.keep(str(folder), f"{number}.png", f"{number}.png", content.getvalue())
    class_work.read(str(folder), ["0.png", "1.png"])
    read = Class.load(folder / "eingelesen")
    for each in read.papers[0].fields:
        each.by, each.doubt, each.sure, each.guesses = "", "likely", False, [["7", 0.04], ["1", 0.03]]
    sheets = scanned.sheets_in(folder)
    shown = chromium.new_page()
    shown.set_content(scanned.review_page(sheets, read))
    inputs, left = shown.locator(".board input"), shown.locator("#left")
    expect(inputs).to_have_count(40)
    expect(left).to_have_text(re.compile("^0 haben Sie angesehen, 40 sind offen"))
    shown.keyboard.press("Delete")
    for typed in ("", "?", "−0,5", "sieben"):
        shown.keyboard.type(typed)
        shown.keyboard.press("Enter")
    for _ in range(36):
        shown.keyboard.press("Enter")
    expect(inputs).to_have_count(40)  # „sieben“ is no number: nothing is lost, and it is asked again
    expect(inputs.nth(3)).to_be_focused()
    shown.keyboard.type("7")
    for _ in range(37):
        shown.keyboard.press("Enter")
    expect(shown.locator("#review h2")).to_have_text("Fertig")
    expect(left).not_to_have_text(re.compile("^0 haben"))
    with shown.expect_download() as waiting:
        shown.keyboard.press("Enter")
    review = folder / "durchsicht.json"
    waiting.value.save_as(review)
    shown.close()
    read.save(folder / "eingelesen")
    said = [each.value for each in scanned.reviewed(sheets, review).papers[0].fields]
    assert said == ["", "?", "-0,5", *["7"] * 37]
