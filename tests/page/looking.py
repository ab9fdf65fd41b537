"""What is looked for on a page: findings of axe-core, and whether something is wider than the window."""

from pathlib import Path

import axe_playwright_python

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def findings(page):
    """Findings of axe-core, of the page with its frames."""
    page.evaluate("document.fonts.ready")
    page.evaluate(AXE)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]


def clean(page, schemes):
    """No finding on a phone, nothing wider than its window or a desk's. schemes: light or dark, or both."""
    for width in (1440, 360):
        page.set_viewport_size({"width": width, "height": 900})
        assert too_wide(page) == 0, width
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        assert findings(page) == [], scheme


def too_wide(page):
    """By how many pixels something is wider than the window."""
    wide = "() => Math.max(0, document.documentElement.scrollWidth - innerWidth)"
    return page.evaluate(f"document.body.offsetWidth && document.fonts.ready.then({wide})")
