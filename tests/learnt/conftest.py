"""Trained numbers are kept for the tests of this folder only."""

import pytest


@pytest.fixture(scope="package", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAPIERFORMER_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
