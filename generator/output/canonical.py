"""In: the HTML of a document. Out: the same for all documents that may share its layout."""

from __future__ import annotations

import re
from typing import Final

GAUGE: Final = re.compile(r'<span class="gauge" style="width:(\d+)%">')
_HALF: Final = '<span class="gauge" style="width:50%">'
_SHADE: Final = re.compile(r'(<td class="number shade(?: write)?)(?: s\d)?(?=")')
_VIEW: Final = re.compile(r"\b(worksheet|key)( both)?\b")


def canonical(html: str) -> str:
    """The HTML as it is laid out to be shared: what may be empty holds something to write over.

    Every shaded cell has one shade, every bar half its length.
    """
    return GAUGE.sub(_HALF, shaded(html))


def shaded(html: str) -> str:
    """The HTML with the first shade in every cell that may have one."""
    return _SHADE.sub(r"\1 s1", html)


def of_either(body: str) -> str:
    """The tag of a page's body, be it the worksheet's or the key's."""
    return _VIEW.sub("", body)
