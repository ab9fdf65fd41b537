import errno
import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics import files
from generator.basics.errors import UserError
from generator.basics.files import ensure_writable, folder_for, slug, write_together


def test_slug():
    assert slug("Die Müller grüßt") == "die-mueller-gruesst"
    assert slug("Der Café-Besitzer lacht!") == "der-cafe-besitzer-lacht"
    assert slug("„Ja“, sagt er.") == "ja-sagt-er"
    for unsafe in ("../../etc/passwd", "...", "/ / /", "", "CON", "nul", "القط", "🐈", "x" * 300):
        assert re.search(r"-[0-9a-f]{8}$", slug(unsafe))
    assert slug("القط") != slug("الكلب")
    assert slug("a" * 100 + "b") != slug("a" * 100 + "c")


@given(st.text())
def test_every_slug_is_a_safe_folder_name(sentence):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug(sentence))
    assert len(slug(sentence)) <= 60


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
        ensure_writable(tmp_path / "neu" / "satz")


def test_trying_out_a_folder_leaves_no_trace(tmp_path, monkeypatch):
    write_together(tmp_path / "da", {"rechnung.json": b"1"})
    before = sorted(tmp_path.rglob("*"))
    for folder in (tmp_path / "da", tmp_path / "neu" / "satz"):
        ensure_writable(folder)
        assert sorted(tmp_path.rglob("*")) == before

    def full(_):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(files.os, "fsync", full)
    for attempt in (ensure_writable, lambda folder: write_together(folder, {"rechnung.json": b"1"})):
        with pytest.raises(UserError, match="voll"):
            attempt(tmp_path / "neu" / "satz")
        assert sorted(tmp_path.rglob("*")) == before


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
