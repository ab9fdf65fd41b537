"""The libraries and fonts of Windows and macOS, elsewhere: by the names that they have there."""

import inspect
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from generator.basics import fonts
from generator.output import machine
from generator.output.machine import weasyprint

# As in the wheels of gstreamer-libs 1.28.
WINDOWS = ["gobject-2.0-0", "pango-1.0-0", "harfbuzz", "harfbuzz-subset", "fontconfig-1", "pangoft2-1.0-0"]
MAC = ["gobject-2.0.0", "pango-1.0.0", "harfbuzz.0", "harfbuzz-subset.0", "fontconfig.1", "pangoft2-1.0.0"]


@pytest.mark.parametrize(
    "files", [[f"{name}.dll" for name in WINDOWS], [f"lib{name}.dylib" for name in MAC]], ids=["dll", "dylib"]
)
def test_every_library_that_weasyprint_needs_is_the_one_of_the_package(tmp_path, files):
    for file in files:
        (tmp_path / file).touch()
        if file.endswith(".dylib"):  # a copy, which those that need the other would not know
            (tmp_path / re.sub(r"\.\d\.dylib$", ".dylib", file)).touch()
    weasyprint()
    from weasyprint.text import ffi

    asked = re.findall(r"^\w+ = _dlopen\((.*?)\)$", inspect.getsource(ffi), re.MULTILINE | re.DOTALL)
    wanted = [re.findall(r"'([^']+)'", names) for names in asked if "harfbuzz-vector" not in names]
    found = [next(filter(None, (machine.library(tmp_path, name) for name in names))) for names in wanted]
    assert [Path(file).name for file in found] == files


@pytest.mark.parametrize(("home", "plain"), [("Mia", True), ("Jörg", False), ("Łukasz", False)])
def test_on_windows_fonts_lie_where_every_letter_is_plain(tmp_path, monkeypatch, home, plain):
    scratch, shared = tmp_path / home, tmp_path / "ProgramData"
    ours = Path(shutil.copytree(fonts.folder() / "pdf", scratch / "pdf"))
    monkeypatch.setattr(machine, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(machine, "fonts", SimpleNamespace(folder=lambda: scratch))
    monkeypatch.setenv("PROGRAMDATA", str(shared))
    file = machine.fontconfig_file(scratch)
    assert machine.fontconfig_file(scratch) == file
    assert str(file).isascii()
    (folder,) = re.findall("<dir>(.*)</dir>", file.read_text(encoding="utf-8"))
    assert (Path(folder) == ours) == plain
    assert shared.exists() != plain
    for font in ours.iterdir():
        assert (Path(folder) / font.name).read_bytes() == font.read_bytes()
