"""Trained numbers are kept for one module's tests only."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAPIERFORMER_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
