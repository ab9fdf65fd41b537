"""Earlier sheets: names are the program's own, files only those of the entry, each owner sees their own."""

import os

import pytest

from generator.options.declaration import files_of_pages
from generator.page.shelf import Shelf, write_entry, write_progress


@pytest.fixture
def shelf(tmp_path):
    return Shelf(tmp_path)


@pytest.fixture
def sheet(shelf):
    name, folder = shelf.new("mia")
    (folder / "arbeitsblatt.pdf").write_bytes(b"%PDF")
    (folder / "geheim.txt").write_text("x", encoding="utf-8")
    write_entry(folder, satz="Die Katze", dateien=["arbeitsblatt.pdf"])
    return name


def test_a_finished_sheet_is_found_again(shelf, sheet):
    assert [entry["name"] for entry in shelf.entries("mia")] == [sheet]
    assert shelf.file(sheet, "arbeitsblatt.pdf", "mia").read_bytes() == b"%PDF"


def test_a_file_of_any_format_is_found(shelf):
    name, folder = shelf.new("mia")
    files = [*files_of_pages(["arbeitsblatt"]), "arbeitsblatt.neu"]
    for file in files:
        (folder / file).write_bytes(b"x")
    write_entry(folder, satz="Die Katze", dateien=files)
    assert {shelf.file(name, file, "mia").read_bytes() for file in files} == {b"x"}
    assert shelf.zipped(name, "mia")


def test_only_files_of_the_entry_and_none_by_a_link(shelf, sheet):
    for file in ("geheim.txt", "blatt.json", "besitz", "../x/blatt.json", "/etc/passwd", ""):
        with pytest.raises(KeyError):
            shelf.file(sheet, file, "mia")
    path = shelf.file(sheet, "arbeitsblatt.pdf", "mia")
    path.unlink()
    path.symlink_to("/etc/passwd")
    with pytest.raises(KeyError):
        shelf.file(sheet, "arbeitsblatt.pdf", "mia")


def test_what_is_not_finished_is_none_and_goes_after_a_day(shelf):
    name, folder = shelf.new("mia")
    write_progress(folder, "Rechne", 1, 3)
    assert shelf.progress(name) == {"schritt": "Rechne", "nummer": 1, "von": 3}
    assert shelf.entries("mia") == []
    shelf.tidy()
    assert folder.is_dir()
    os.utime(folder, (0, 0))
    shelf.tidy()
    assert not folder.exists()
