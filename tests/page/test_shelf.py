"""Earlier sheets: names are the program's own, files only those of the entry, each owner sees their own."""

import os

import pytest

from generator.options.declaration import files_of_pages
from generator.page.shelf import Shelf, write_entry, write_progress


def test_a_finished_sheet_is_found_with_the_files_of_its_entry_and_none_by_a_link(tmp_path):
    shelf = Shelf(tmp_path)
    name, folder = shelf.new("mia")
    files = ["arbeitsblatt.pdf", *files_of_pages(["arbeitsblatt"]), "arbeitsblatt.neu"]  # of any format
    for file in (*files, "geheim.txt"):
        (folder / file).write_bytes(b"x")
    write_entry(folder, satz="Die Katze", dateien=files)
    assert [entry["name"] for entry in shelf.entries("mia")] == [name]
    assert {shelf.file(name, file, "mia").read_bytes() for file in files} == {b"x"}
    assert shelf.zipped(name, "mia")
    (folder / "arbeitsblatt.pdf").unlink()
    (folder / "arbeitsblatt.pdf").symlink_to("/etc/passwd")
    for file in (
        "geheim.txt",
        "blatt.json",
        "besitz",
        "../x/blatt.json",
        "/etc/passwd",
        "",
        "arbeitsblatt.pdf",
    ):
        with pytest.raises(KeyError):
            shelf.file(name, file, "mia")


def test_what_is_not_finished_is_none_and_goes_after_a_day(tmp_path):
    shelf = Shelf(tmp_path)
    name, folder = shelf.new("mia")
    write_progress(folder, "Rechne", 1, 3)
    assert shelf.progress(name) == {"schritt": "Rechne", "nummer": 1, "von": 3}
    assert shelf.entries("mia") == []
    shelf.tidy()
    assert folder.is_dir()
    os.utime(folder, (0, 0))
    shelf.tidy()
    assert not folder.exists()
