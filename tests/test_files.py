import errno
import os
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_what_the_set_up_has_prepared_is_read_and_never_written(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "PREPARED", tmp_path / "prepared")
    monkeypatch.setenv("PAPIERFORMER_CACHE", str(tmp_path / "prepared"))
    files.Kept(tmp_path / "prepared" / "formeln", ".shape").put("a", b"prepared")
    (before,) = (tmp_path / "prepared" / "formeln").iterdir()
    monkeypatch.setenv("PAPIERFORMER_CACHE", str(tmp_path / "own"))
    kept = files.Kept(tmp_path / "own" / "formeln", ".shape")
    assert kept.get("a") == b"prepared"
    kept.put("a", b"own")
    kept.put("b", b"more")
    kept.leave(1)
    assert list((tmp_path / "prepared" / "formeln").iterdir()) == [before]
    assert before.read_bytes() == b"prepared"
    assert files.Kept(tmp_path / "elsewhere", ".shape").get("a") is None
