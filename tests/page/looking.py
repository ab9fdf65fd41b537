"""What is looked for on a page: findings of axe-core, and whether something is wider than the window."""

from pathlib import Path

import axe_playwright_python

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def findings(page, rules=""):
    """Findings of axe-core, of the page with its frames."""
    page.evaluate("document.fonts.ready")
    page.evaluate(AXE)
    found = page.evaluate(f"axe.run({{resultTypes: ['violations']{rules}}})")["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]


def too_wide(page):
    """By how many pixels something is wider than the window."""
    wide = "() => Math.max(0, document.documentElement.scrollWidth - innerWidth)"
    return page.evaluate(f"document.body.offsetWidth && document.fonts.ready.then({wide})")
