"""„Abbrechen“ at random moments: what is asked for next is done, and no folder and no process is left."""

import contextlib
import http.client
import json
import tempfile
import time
from pathlib import Path
from random import Random

import pytest
from test_helpers import processes_with

from generator.page.shelf import ENTRY
from tests.page.papers import CODE
from tests.page.running import WORKS, Program, Teacher, wait_until

SENTENCE = "Der Igel sieht den Hund"
SMALL = {"satz": SENTENCE, "stationen": ["2"], "gewichte": "ganzzahlig"}
ASKED = {
    "booklet": ("/api/blatt", {"optionen": {"satz": SENTENCE, "gewichte": "ganzzahlig"}}, 9),
    "class set": ("/api/blatt", {"optionen": SMALL, "klasse": {"anzahl": 12}}, 9),
    "sheet": ("/api/blatt", {"optionen": SMALL}, 3),
    "preview": ("/api/vorschau", {"optionen": {"satz": SENTENCE}, "ganz": True, "fenster": "1"}, 3),
    "printed pages": ("/api/seiten", {"optionen": {"satz": SENTENCE}, "fenster": "1"}, 6),
}  # path, order, seconds that it takes here at most
pytestmark = pytest.mark.thorough  # a server and a dozen helpers: half a minute of work


@pytest.fixture
def scratch(monkeypatch):
    with tempfile.TemporaryDirectory(prefix="pf") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


def test_after_any_end_the_next_is_done_and_nothing_is_left(tmp_path, scratch, monkeypatch):
    monkeypatch.setenv("PAPIERFORMER_CACHE", "")  # nothing is at hand, so that all takes its time
    random, program = Random(2), Program(tmp_path / "a")
    teacher = Teacher(program.base)
    for turn in range(24):
        kind = list(ASKED)[turn % len(ASKED)]
        path, order, longest = ASKED[kind]
        wait = random.uniform(0, longest)
        if path == "/api/blatt":
            name = teacher.ask(path, order)["name"]
            time.sleep(wait)
            teacher.ask(f"/api/auftraege/{name}", method="DELETE")
            wait_until(lambda at=name: teacher.ask(f"/api/auftraege/{at}")["stand"] not in WORKS)
            job = teacher.ask(f"/api/auftraege/{name}")
            assert job["stand"] == "fertig" or job["fehler"] == "Abgebrochen.", (kind, wait, job)
        else:
            left_alone(teacher, path, order, wait)
        assert teacher.made({"optionen": SMALL})["stand"] == "fertig", (kind, wait)
        assert teacher.ask("/api/vorschau", {"optionen": SMALL})["seite"]
        lesson, _ = teacher.lesson(CODE)
        teacher.ask(f"/api/stunden/{lesson}/ende", {})
        each_folder_has_its_process(scratch)
        unfinished = [
            each for each in (program.folder / "blaetter").iterdir() if not (each / ENTRY).is_file()
        ]
        assert unfinished == [], (kind, wait)
    program.end()
    assert list(scratch.iterdir()) == []
    assert list(processes_with(str(scratch))) == []


def left_alone(teacher, path, order, wait):
    """Whoever asked goes away without the answer, as a tab that is closed."""
    connection = http.client.HTTPConnection(teacher.base.removeprefix("http://"), timeout=max(wait, 0.01))
    with contextlib.suppress(TimeoutError):
        connection.request("POST", path, json.dumps(order), teacher.headers)
        connection.getresponse()
    connection.close()


def is_helper(process):
    with contextlib.suppress(OSError):
        return b"answer_questions" in Path("/proc", process, "cmdline").read_bytes()
    return False


def each_folder_has_its_process(scratch):
    """Below the run's folder there is one for each helper that lives, and no other."""
    wait_until(
        lambda: (
            sum(map(is_helper, processes_with(str(scratch))))
            == len(list(scratch.glob("papierformer-*/papierformer-*")))
        )
    )
