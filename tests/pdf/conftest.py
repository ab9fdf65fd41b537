"""What the tests of PDFs share."""

import pytest


@pytest.fixture
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every document is laid out."""
    monkeypatch.setenv("PAPIERFORMER_CACHE", "")
