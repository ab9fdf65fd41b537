"""The running example's calculation file, as `papierformer rechne` writes it, and files of answers to it."""

import json

import pytest

from generator.calculation.document import to_json
from tests.laid_out import KATZE, document


@pytest.fixture(scope="session")
def contents():
    return document({"satz": KATZE})


@pytest.fixture(scope="session")
def rechnung(contents, tmp_path_factory):
    path = tmp_path_factory.mktemp("rechnung") / "rechnung.json"
    path.write_text(to_json(contents), encoding="utf-8")
    return path


@pytest.fixture
def answers(tmp_path):
    """A function: contents of an answers file (text, bytes, or a mapping) to its path."""

    def write(content, name="antworten.csv"):
        content = json.dumps(content) if isinstance(content, dict) else content
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return tmp_path / name

    return write
