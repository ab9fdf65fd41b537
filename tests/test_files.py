"""Names of folders; files that are written together, tried out before the work, or kept for the next run."""

import errno
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.basics import files
from generator.basics.errors import UserError
from generator.basics.files import ensure_writable, folder_for, slug, write_together


@given(
    st.text()
    | st.sampled_from(["../../etc/passwd", "...", "/ / /", "", "CON", "nul", "القط", "🐈", "x" * 300])
)
def test_every_slug_is_a_safe_folder_name(sentence):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug(sentence))
    assert slug(sentence) not in ("con", "nul")
    assert len(slug(sentence)) <= 60


def test_slugs_are_read_and_tell_sentences_apart():
    assert slug("Die Müller grüßt") == "die-mueller-gruesst"
    assert slug("Der Café-Besitzer lacht!") == "der-cafe-besitzer-lacht"
    assert slug("القط") != slug("الكلب")
    assert slug("a" * 100 + "b") != slug("a" * 100 + "c")


def test_another_sentence_with_the_same_slug_gets_its_own_folder(tmp_path):
    first = folder_for(tmp_path, "Die Katze sitzt")
    write_together(first, {"rechnung.json": b'{"satz": "Die Katze sitzt"}'})
    assert folder_for(tmp_path, "Die Katze sitzt") == first
    assert folder_for(tmp_path, "Die Katze sitzt!") != first
    (first / "rechnung.json").write_bytes(b"\xff not json")
    assert folder_for(tmp_path, "Die Katze sitzt!") == first


def test_files_are_written_and_stale_ones_go(tmp_path):
    folder = tmp_path / "neu" / "satz"
    write_together(folder, {"arbeitsblatt.pdf": b"1", "rechnung.json": b"2"})
    (folder / "notizen.txt").write_bytes(b"von mir")
    write_together(folder, {"rechnung.json": b"3"})
    content = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert content == {"rechnung.json": b"3", "notizen.txt": b"von mir"}


def attempts(folder):
    yield from (lambda: ensure_writable(folder), lambda: write_together(folder, {"rechnung.json": b"1"}))


@pytest.mark.parametrize("make", ["file", "file above", "long name", "folder in the way"])
def test_targets_that_cannot_be_written(tmp_path, make):
    folder = tmp_path / ("x" * 300 if make == "long name" else "ziel")
    if make.startswith("file"):
        folder.write_text("da")
    elif make == "folder in the way":
        (folder / "rechnung.json").mkdir(parents=True)
    folder /= "satz" if make == "file above" else ""
    before = sorted(tmp_path.rglob("*"))
    for attempt in attempts(folder):
        with pytest.raises(UserError, match=r"--ausgabe .* lässt sich nicht beschreiben: "):
            attempt()
        assert sorted(tmp_path.rglob("*")) == before


def test_trying_out_a_folder_leaves_no_trace(tmp_path, monkeypatch):
    write_together(tmp_path / "da", {"rechnung.json": b"1"})
    before = sorted(tmp_path.rglob("*"))
    for folder in (tmp_path / "da", tmp_path / "neu" / "satz"):
        ensure_writable(folder)
        assert sorted(tmp_path.rglob("*")) == before

    def full(_):
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(files.os, "fsync", full)
    for attempt in attempts(tmp_path / "neu" / "satz"):
        with pytest.raises(UserError, match="voll"):
            attempt()
        assert sorted(tmp_path.rglob("*")) == before


def test_what_the_set_up_has_prepared_is_read_and_never_written(tmp_path, monkeypatch):
    prepared = tmp_path / "prepared" / "formeln"
    monkeypatch.setattr(files, "PREPARED", prepared.parent)
    monkeypatch.setenv("PAPIERFORMER_CACHE", str(prepared.parent))
    files.Kept(prepared, ".shape").put("a", b"prepared")
    (before,) = prepared.iterdir()
    monkeypatch.setenv("PAPIERFORMER_CACHE", str(tmp_path / "own"))
    kept = files.Kept(tmp_path / "own" / "formeln", ".shape")
    assert kept.get("a") == b"prepared"
    kept.put("a", b"own")
    kept.put("b", b"more")
    kept.leave(1)
    assert list(prepared.iterdir()) == [before]
    assert before.read_bytes() == b"prepared"
    assert files.Kept(tmp_path / "elsewhere", ".shape").get("a") is None
