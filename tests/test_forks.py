"""Nothing is forked from a process that has used Pango: since 1.52 the new one waits for good for its thread.

Every process of the program loads `sitecustomize`, where a fork is noted that comes after a font map.
"""

import os

import pytest
from starting import ROOT, started

from tests.page.running import Program, Teacher

SENTENCE = "Die Katze schläft"
WATCHED = """
import os, sys
def note():
    machine = sys.modules.get("generator.output.machine")
    if machine and machine.font_configuration.cache_info().currsize:
        with open(os.environ["FORKS"], "a") as file:
            file.write(f"{sys.orig_argv}\\n")
os.register_at_fork(before=note)
"""
FORKS = """
from generator.output.pdf import write_pdf
write_pdf('<p>1</p>', title='x')
import os; os.fork() or os._exit(0); os.wait()
"""


@pytest.fixture
def watched(tmp_path, monkeypatch):
    """The file of what was forked, and the environment in which that is noted."""
    (tmp_path / "watched").mkdir()
    (tmp_path / "watched/sitecustomize.py").write_text(WATCHED, encoding="utf-8")
    monkeypatch.setenv("FORKS", str(tmp_path / "forks"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "watched"), str(ROOT)]))
    return tmp_path / "forks"


def test_a_fork_would_be_noticed_and_neither_a_command_nor_the_page_forks(watched, tmp_path):
    small = ("--anzahl", "2", "--stationen", "S", "--gewichte", "ganzzahlig", "--ausgabe", tmp_path / "out")
    ended = started("klassensatz", SENTENCE, *small, env=os.environ)
    assert ended.returncode == 0, ended.stderr
    assert list((tmp_path / "out").glob("*/*.pdf"))
    program = Program(tmp_path / "a")
    teacher = Teacher(program.base)
    order = {"optionen": {"satz": SENTENCE, "stationen": ["S"], "gewichte": "ganzzahlig"}}
    assert teacher.made(order | {"klasse": {"anzahl": 2}})["stand"] == "fertig"
    teacher.ask("/api/seiten", order)
    program.end()
    assert not watched.exists(), watched.read_text(encoding="utf-8")
    ended = started(code=FORKS, env=os.environ)
    assert (ended.returncode, watched.exists()) == (0, True), ended.stderr
