import errno
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics import atomic_write as one_switch
from generator.basics import files
from generator.basics.errors import UserError
from generator.basics.files import ensure_writable, folder_for, slug, write_together
from generator.commands.cli import main


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Die Katze sitzt auf der Matte", "die-katze-sitzt-auf-der-matte"),
        ("Die Müller grüßt Öl & Äpfel"[:16], "die-mueller-grue"[:16] + "sst"),
        ("Der Café-Besitzer lacht!", "der-cafe-besitzer-lacht"),
        ("„Ja“, sagt er.", "ja-sagt-er"),
    ],
)
def test_slug(sentence, expected):
    assert slug(sentence) == expected


@given(st.text())
def test_every_slug_is_a_safe_folder_name(sentence):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug(sentence))
    assert len(slug(sentence)) <= 60


@pytest.mark.parametrize(
    "sentence", ["../../etc/passwd", "...", "/ / /", "", "CON", "nul", "القط", "🐈", "x" * 300]
)
def test_names_that_would_be_unsafe_or_empty_get_a_hash(sentence):
    assert re.search(r"-[0-9a-f]{8}$", slug(sentence))


def test_sentences_that_lose_letters_stay_apart():
    assert slug("القط") != slug("الكلب")
    assert slug("a" * 100 + "b") != slug("a" * 100 + "c")


def test_another_sentence_with_the_same_slug_gets_its_own_folder(tmp_path):
    first = folder_for(tmp_path, "Die Katze sitzt")
    write_together(first, {"rechnung.json": b'{"satz": "Die Katze sitzt"}'})
    assert folder_for(tmp_path, "Die Katze sitzt") == first
    assert folder_for(tmp_path, "Die Katze sitzt!") != first
    (first / "rechnung.json").write_bytes(b"\xff not json")
    assert folder_for(tmp_path, "Die Katze sitzt!") == first


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_files_are_written_and_stale_ones_go(tmp_path):
    folder = tmp_path / "neu" / "satz"
    write_together(folder, {"arbeitsblatt.pdf": b"1", "rechnung.json": b"2"})
    (folder / "notizen.txt").write_bytes(b"von mir")
    write_together(folder, {"rechnung.json": b"3"})
    assert content(folder) == {"rechnung.json": b"3", "notizen.txt": b"von mir"}


OLD = {"arbeitsblatt.pdf": b"alt 1", "loesung.pdf": b"alt 2", "rechnung.json": b"alt 3"}
NEW = {"arbeitsblatt.pdf": b"neu 1", "arbeitsblatt.html": b"neu 2", "rechnung.json": b"neu 3"}
OWN = {"notizen.txt": b"von mir"}
CALLS = ("link", "rename", "replace", "unlink", "rmdir", "mkdir", "fsync", "open")


@pytest.fixture(params=["exchanged", "planned", "with a folder"])
def folder(request, tmp_path, monkeypatch):
    """With an earlier result and the user's own file; by all ways to replace it.

    Nothing waits for the disk: every call is still counted, and what a killed process wrote stays.
    """
    monkeypatch.setattr(os, "fsync", lambda _: None)
    if request.param == "planned":
        monkeypatch.setattr(one_switch, "_exchanged", lambda *_: False)
    folder = tmp_path / "satz"
    write_together(folder, OLD)
    (folder / "notizen.txt").write_bytes(OWN["notizen.txt"])
    if request.param == "with a folder":
        (folder / "bilder").mkdir()
    return folder


def at_call(number, act, after):
    """`act` happens at this call of all that change something on the disk, before it or after it."""
    count = 0

    def wrapped(original):
        def call(*arguments, **more):
            nonlocal count
            count += 1
            if count == number and not after:
                act()
            result = original(*arguments, **more)
            if count == number and after:
                act()
            return result

        return call

    for name in CALLS:
        setattr(os, name, wrapped(getattr(os, name)))
    one_switch._exchange = wrapped(one_switch._exchange)


def in_a_child(work):
    child = os.fork()
    if not child:
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork there")
@pytest.mark.parametrize("after", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_killed_at_any_step_the_folder_is_the_old_set_or_the_new_one(folder, after):
    states = set()
    for number in range(1, 200):

        def killed(number=number):
            at_call(number, lambda: os._exit(9), after)
            write_together(folder, NEW)

        ended = in_a_child(killed)
        planned = (folder / one_switch._PLAN).exists()
        if planned:
            one_switch.mend(folder)  # the next run begins with it
        found = {name: data for name, data in content_of_files(folder).items() if not name.startswith(".")}
        assert found in (OLD | OWN, NEW | OWN), number
        states.add(found == NEW | OWN)
        assert in_a_child(lambda: write_together(folder, OLD)) == 0
        assert content_of_files(folder) == OLD | OWN
        assert not [path for path in folder.parent.rglob("*") if path.name.startswith(".papierformer-")]
        if ended == 0:
            break
    assert states == {False, True}
    assert number > 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork there")
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_what_fails_at_any_step_leaves_the_old_set_or_the_new_one(folder, error):
    for number in range(1, 30):

        def failing(number=number):
            def fail():
                raise error

            at_call(number, fail, after=False)
            try:
                write_together(folder, NEW)
            except UserError as refused:
                os._exit(3 if "der Datenträger ist voll" in str(refused) else 4)

        ended = in_a_child(failing)
        assert content_of_files(folder) in (OLD | OWN, NEW | OWN), number
        assert in_a_child(lambda: write_together(folder, OLD)) == 0
        assert ended != 4


def content_of_files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork there")
def test_runs_into_one_folder_wait_for_each_other(folder):
    """Four at once, many times each: what is read is always one run's whole set."""
    sets = [dict.fromkeys(files.SHEET_FILES, b"%d" % run) for run in range(4)]

    def often(own):
        for _ in range(6):
            write_together(folder, own)

    children = []
    for own in sets:
        child = os.fork()
        if not child:
            try:
                often(own)
            except BaseException:
                os._exit(1)
            os._exit(0)
        children.append(child)
    assert all(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 for child in children)
    assert content_of_files(folder) in [own | OWN for own in sets]


def test_somebody_who_never_ends_is_not_waited_for_for_good(folder, monkeypatch):
    monkeypatch.setattr(one_switch, "_PATIENCE", 0.1)
    with (
        one_switch._alone(folder),
        pytest.raises(UserError, match="ein anderer Lauf schreibt gerade dorthin"),
    ):
        write_together(folder, NEW)


def test_scratch_of_earlier_versions_goes(folder):
    (folder / ".papierformer-abc").mkdir()
    (folder / ".papierformer-abc" / "new-0").write_bytes(b"x")
    write_together(folder, NEW)
    assert not (folder / ".papierformer-abc").exists()


@pytest.mark.skipif(shutil.which("strace") is None, reason="no strace here")
@pytest.mark.parametrize("call", ["renameat2", "linkat", "fsync", "rename", "unlink,unlinkat"])
def test_killed_by_the_system_at_the_switch(folder, call):
    code = (
        "from pathlib import Path; from generator.basics.files import write_together; "
        f"write_together(Path({str(folder)!r}), {NEW})"
    )
    inject = f"inject={call}:signal=KILL:when=1"
    root = str(Path(__file__).parents[1])
    done = subprocess.run(
        ["strace", "-qq", "-o", os.devnull, "-e", inject, sys.executable, "-B", "-c", code],
        env={**os.environ, "PYTHONPATH": root}, timeout=60, check=False, capture_output=True,
    )  # fmt: skip
    if b"ptrace" in done.stderr:
        pytest.skip("strace may not trace here")
    one_switch.mend(folder)
    found = {name: data for name, data in content_of_files(folder).items() if not name.startswith(".")}
    assert found in (OLD | OWN, NEW | OWN)


def test_a_failed_first_run_leaves_no_folder(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(UserError, match="voll"):
        write_together(tmp_path / "a" / "b", {"rechnung.json": b"1"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("make", ["file", "file above", "long name", "folder in the way"])
def test_targets_that_cannot_be_written(tmp_path, make):
    folder = tmp_path / "ziel"
    if make == "file":
        folder.write_text("da")
    elif make == "file above":
        folder.write_text("da")
        folder = folder / "satz"
    elif make == "long name":
        folder = tmp_path / ("x" * 300)
    else:
        (folder / "rechnung.json").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    for attempt in (lambda: ensure_writable(folder), lambda: write_together(folder, {"rechnung.json": b"1"})):
        with pytest.raises(UserError, match=r"--ausgabe .* lässt sich nicht beschreiben: "):
            attempt()
        assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_without_permission(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(UserError, match="nicht erlaubt"):
        write_together(tmp_path / "satz", {"rechnung.json": b"1"})
    with pytest.raises(UserError, match="nicht erlaubt"):
        ensure_writable(tmp_path / "neu" / "satz")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_system_files_are_no_folders():
    with pytest.raises(UserError, match="--ausgabe"):
        write_together(Path("/dev/full"), {"rechnung.json": b"1"})
    with pytest.raises(UserError, match="--ausgabe"):
        ensure_writable(Path("/dev/full"))


def test_trying_out_a_folder_leaves_no_trace(tmp_path, monkeypatch):
    write_together(tmp_path / "da", {"rechnung.json": b"1"})
    before = sorted(tmp_path.rglob("*"))
    for folder in (tmp_path / "da", tmp_path / "neu" / "satz"):
        ensure_writable(folder)
        assert sorted(tmp_path.rglob("*")) == before

    def full(_):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(UserError, match="voll"):
        ensure_writable(tmp_path / "neu")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("command", [["blatt"], ["loesung", "--mit", "block1.head1.weight[2,1]=0,48"]])
def test_a_target_that_cannot_be_written_is_said_before_the_work(tmp_path, monkeypatch, capsys, command):
    monkeypatch.setitem(sys.modules, "generator.production.worksheet", None)  # to import it would be an error
    monkeypatch.setitem(sys.modules, "generator.commands.own_key", None)
    (tmp_path / "datei").write_text("da")
    assert main([command[0], "Die Katze", *command[1:], "--ausgabe", str(tmp_path / "datei")]) == 2
    assert "lässt sich nicht beschreiben" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["datei"]
