"""A sheet's HTML goes in; the same for a frame of the page, where no script of the sheet runs, comes out."""

from __future__ import annotations

import re
from typing import Final

from generator.output.screen import for_browsers

_SCRIPT: Final = re.compile(r"<script>.*?</script>", re.DOTALL)


def for_frame(html: str) -> str:
    """What the script of the sheet's own page does, the page around the frame does (static/api.js)."""
    return _SCRIPT.sub("", for_browsers(html))
