"""A report as HTML goes in; it comes out with our type, and with signs set as on the sheet."""

from __future__ import annotations

import re
from typing import Final

from generator.basics.fonts import font_css
from generator.basics.templates import text_of

_POWER: Final = re.compile(r"\b(e|10)\^x")


def as_page(html: str) -> str:
    """html: a page with an empty <style>."""
    set_ = _POWER.sub(r"\1<sup>x</sup>", html)
    rules = text_of("check/report.css")
    return set_.replace("<style></style>", f"<style>\n{font_css('screen', set_)}\n{rules}</style>", 1)
