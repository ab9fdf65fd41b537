"""What tests need to know of the page that runs, and what a teacher does on it again and again."""

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import expect


@dataclass(frozen=True)
class Running:
    base: str
    secret: str
    folder: Path
    said: str

    @property
    def entrance(self):
        return f"{self.base}/einlass/{self.secret}"


def settled(page):
    """Waits until the preview shows what was typed last."""
    expect(page.locator("#stand")).to_have_text("")
    expect(page.locator("#rahmen.stale")).to_have_count(0)


def typed(page, sentence, *stations):
    """A sentence, and some stations only."""
    page.fill("#satz", sentence)
    if stations:
        group = page.locator("[data-group=Stunde]")
        if group.get_attribute("open") is None:
            group.locator("summary").click()
        for station in stations:
            page.check(f"[data-option=stationen] input[value='{station}']")
    page.wait_for_timeout(400)  # longer than the pause after the last key
    settled(page)


def preview(page):
    return page.frame_locator("#rahmen iframe:not(.next)")


def made(page, link="Arbeitsblatt"):
    """Has the sheet made; where its files are."""
    page.click("#herstellen")
    found = page.locator("#auftraege").get_by_role("link", name=link, exact=True)
    expect(found.first).to_be_visible()
    return found.first.get_attribute("href").rpartition("/")[0]
