"""Trained numbers are kept for the tests of this folder only; formulas are at hand as elsewhere."""

import pytest

from generator.basics.files import user_cache


@pytest.fixture(scope="package", autouse=True)
def cache(tmp_path_factory):
    folder, usual = tmp_path_factory.mktemp("cache"), user_cache()
    for each in usual.iterdir() if usual and usual.is_dir() else ():
        if not each.name.startswith("gelernt"):
            (folder / each.name).symlink_to(each)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAPIERFORMER_CACHE", str(folder))
        yield
