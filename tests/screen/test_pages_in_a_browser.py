"""Pages of pupils (to fill in, too) and teachers in a browser: no finding of axe-core, nothing too wide."""

import pytest

from tests.laid_out import SEEN, files_of
from tests.page.looking import findings, too_wide


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, data in files_of(SEEN).items():
        if name.endswith(".html"):
            (folder / name).write_bytes(data)
    return sorted(folder.iterdir())


def test_no_finding_of_axe(pages, chromium):
    for path in pages:
        page = chromium.new_page(viewport={"width": 360, "height": 900}, color_scheme="light")
        page.set_default_timeout(120_000)  # a busy machine is no finding
        page.goto(path.as_uri())
        for width, scheme, rules in ((360, "light", ""), (1280, "dark", ", runOnly: ['color-contrast']")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            assert findings(page, rules) == [], path.name
            assert too_wide(page) == 0, path.name
        page.close()


def test_what_scrolls_can_be_reached_by_keyboard(pages, chromium):
    page = chromium.new_page(viewport={"width": 360, "height": 900})
    page.goto(next(path for path in pages if path.name == "arbeitsblatt.html").as_uri())
    wide = "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth + 1)"
    assert page.evaluate(f"{wide}.length") > 0
    assert page.evaluate(f"{wide}.every(e => e.tabIndex === 0)")
    page.close()


def test_sums_have_room_beside_their_results_on_a_phone(pages, chromium):
    page = chromium.new_page(viewport={"width": 360, "height": 900})
    page.goto(next(path for path in pages if path.name == "loesung.html").as_uri())
    widths = page.evaluate("[...document.querySelectorAll('td.small')].map(e => e.clientWidth)")
    assert len(widths) > 10
    assert min(widths) > 90
    page.close()
