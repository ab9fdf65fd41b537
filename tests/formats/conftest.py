"""Formats are written from the same sheets that `tests/sheets` looks at."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "sheets"))


@pytest.fixture
def verdicts_alone(monkeypatch):
    """`pruefe` judges every cell and looks for no name of a mistake, which takes it longest."""
    monkeypatch.setattr("generator.check.check.diagnose", lambda *_: [])
