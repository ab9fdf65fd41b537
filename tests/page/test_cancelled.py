"""„Abbrechen“ at random moments: what is asked for next is done, and no folder and no process is left."""

import contextlib
import http.client
import json
import time
from pathlib import Path
from random import Random

import pytest
from test_helpers import processes_with

from generator.page.shelf import ENTRY
from tests.page.running import WORKS, Program, Teacher, wait_until

SENTENCE = "Der Igel sieht den Hund"
SMALL = {"satz": SENTENCE, "stationen": ["2"], "gewichte": "ganzzahlig"}
ASKED = (
    ("/api/blatt", {"optionen": {"satz": SENTENCE, "gewichte": "ganzzahlig"}}, 9),
    ("/api/blatt", {"optionen": SMALL, "klasse": {"anzahl": 12}}, 9),
    ("/api/blatt", {"optionen": SMALL}, 3),
    ("/api/vorschau", {"optionen": {"satz": SENTENCE}, "ganz": True, "fenster": "1"}, 3),
    ("/api/seiten", {"optionen": {"satz": SENTENCE}, "fenster": "1"}, 6),
)  # path, order, seconds that it takes here at most


@pytest.mark.thorough  # a server and a dozen helpers: half a minute of work
def test_after_any_end_the_next_is_done_and_nothing_is_left(tmp_path, scratch, monkeypatch):
    monkeypatch.setenv("PAPIERFORMER_CACHE", "")  # nothing is at hand, so that all takes its time
    random, program = Random(2), Program(tmp_path / "a")
    teacher = Teacher(program.base)
    for path, order, longest in ASKED * 4:
        wait = random.uniform(0, longest)
        if path == "/api/blatt":
            at = f"/api/auftraege/{teacher.ask(path, order)['name']}"
            time.sleep(wait)
            teacher.ask(at, method="DELETE")
            wait_until(lambda at=at: teacher.ask(at)["stand"] not in WORKS)
            job = teacher.ask(at)
            assert job["stand"] == "fertig" or job["fehler"] == "Abgebrochen.", (order, wait, job)
        else:
            left_alone(teacher, path, order, wait)
        assert teacher.made({"optionen": SMALL})["stand"] == "fertig", (order, wait)
        assert teacher.ask("/api/vorschau", {"optionen": SMALL})["seite"]
        wait_until(lambda: helpers(scratch) == len(list(scratch.glob("papierformer-*/papierformer-*"))))
        sheets = (program.folder / "blaetter").iterdir()
        assert [each for each in sheets if not (each / ENTRY).is_file()] == [], (order, wait)
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


def helpers(scratch):
    """How many live; each has a folder below the run's."""
    said = []
    for process in processes_with(str(scratch)):
        with contextlib.suppress(OSError):
            said.append(Path("/proc", process, "cmdline").read_bytes())
    return sum(b"answer_questions" in each for each in said)
