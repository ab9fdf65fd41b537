"""The running example's calculation file, as `papierformer rechne` writes it."""

import json

import pytest

from generator.calculation.document import to_json
from tests.laid_out import document


@pytest.fixture(scope="session")
def contents():
    return document({"satz": "Die Katze sitzt auf der Matte"})


@pytest.fixture(scope="session")
def rechnung(contents, tmp_path_factory):
    path = tmp_path_factory.mktemp("rechnung") / "rechnung.json"
    path.write_text(to_json(contents), encoding="utf-8")
    return path


@pytest.fixture
def answers(tmp_path):
    """A function: contents of an answers file (text, bytes, or a mapping) to its path."""

    def write(content, name="antworten.csv"):
        path = tmp_path / name
        if isinstance(content, dict):
            content = json.dumps(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write
