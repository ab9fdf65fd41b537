"""What a user can mend: one German sentence in, exit status 2 out; and how it quotes what was given."""

from __future__ import annotations

from pathlib import Path

_SHOWN = 48


class UserError(Exception):
    """Something the user can mend, in one German sentence: what, which value, what would be right."""


def quoted(value: object) -> str:
    """The value in German quotation marks, short and harmless for a terminal: „Die Katze sitzt …“."""
    return f"„{shortened(value)}“"


def shortened(value: object) -> str:
    """The value as text of at most 48 characters on one line; what cannot be printed becomes �.

    Of a long path the end is shown, of a long text the beginning.
    """
    text = str(value)
    if len(text) > _SHOWN:
        text = "… " + text[2 - _SHOWN :] if isinstance(value, Path) else text[: _SHOWN - 2].rstrip() + " …"
    return "".join(sign if sign.isprintable() else "�" for sign in text)
