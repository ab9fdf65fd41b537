"""Formats are written from the same sheets that `tests/sheets` looks at."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "sheets"))
