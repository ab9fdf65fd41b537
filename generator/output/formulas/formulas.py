"""The names of formulas go in, their LaTeX comes out: made by SymPy once, then kept on disk.

The expressions stand in `expressions`; loading SymPy takes longer than everything else that a sheet
needs, so their LaTeX is kept for the next start. Another version of either makes it anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from functools import cache
from importlib import metadata
from pathlib import Path

from generator.output.formulas.store import user_store


@cache
def formulas() -> dict[str, str]:
    """All formulas by name, as LaTeX."""
    source = Path(__file__).with_name("expressions.py").read_bytes()
    made_by = f"formulas {metadata.version('sympy')} {hashlib.sha256(source).hexdigest()}"
    store = user_store()
    kept = store.get_text(made_by)
    if kept is not None:
        with contextlib.suppress(ValueError):
            found: dict[str, str] = json.loads(kept)
            return found
    from generator.output.formulas.expressions import all_latex

    made = all_latex()
    store.put_text(made_by, json.dumps(made))
    return made
