"""What can be proved of Windows and macOS elsewhere: libraries and fonts by the names that they have there;
nothing that only Unix has is needed on the way to a sheet.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pdfplumber
import pytest

from generator.basics import atomic_write, fonts
from generator.basics.files import slug
from generator.output import machine
from generator.output.machine import weasyprint

ROOT = Path(__file__).resolve().parents[2]
# Runs before anything else: Unix taken away, as a module of ours meets it. What the standard library itself
# has loaded by then keeps what it took.
NO_UNIX = """
import os, shutil, signal, subprocess, sys, tempfile, types
for library in (subprocess, shutil, tempfile):  # the standard library's own Unix
    library.os = types.SimpleNamespace(**vars(os))
subprocess.signal = types.SimpleNamespace(**vars(signal))
gone = ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog", "readline")
for name in gone:
    sys.modules[name] = None
for name in ("fork", "forkpty", "geteuid", "getuid", "getgid", "setsid", "killpg", "getpgid", "mkfifo",
             "chown", "sched_getaffinity", "statvfs", "nice", "wait", "WNOHANG", "O_NONBLOCK"):
    vars(os).pop(name, None)
for name in ("SIGHUP", "SIGKILL", "SIGALRM", "SIGUSR1", "SIGCHLD", "alarm", "setitimer", "pthread_sigmask"):
    vars(signal).pop(name, None)
msvcrt = types.ModuleType("msvcrt")
msvcrt.LK_NBLCK = 2
msvcrt.locking = lambda handle, mode, count: None
sys.modules["msvcrt"] = msvcrt
from generator.commands.cli import main
sys.exit(main(sys.argv[1:]))
"""
NO_PANGO = """
import cffi
def dlopen(self, name, *flags):
    raise OSError(f"cannot load library {name}")
cffi.FFI.dlopen = dlopen
"""
REFUSED = re.compile(
    r'[<>:"/\\\\|?*\x00-\x1f]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$', re.IGNORECASE
)


@pytest.fixture
def environment(tmp_path):
    """A console of an old Windows."""
    if not sys.prefix.isascii():
        pytest.skip("from such a folder NumPy itself does not load in such a locale")
    old = {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    return {**os.environ, **old, "PYTHONPATH": str(ROOT), "PAPIERFORMER_CACHE": str(tmp_path / "cache")}


def run(environment, *words):
    command = [sys.executable, "-c", NO_UNIX, *words]
    return subprocess.run(command, env=environment, capture_output=True, check=False)


def test_the_way_to_a_checked_sheet_needs_no_unix(tmp_path, environment):
    """Nor a folder, or a locale, without umlauts; all that is said is UTF-8 on every console."""
    here = tmp_path / "Für Jörg"
    for part in ("engine", "generator", "templates"):
        shutil.copytree(ROOT / part, here / part)
    environment |= {"PYTHONPATH": str(here)}
    sentence = "Die Müller − grüßt ≈"
    folder = tmp_path / "out" / slug(sentence)  # of an earlier run: it is gone on with
    folder.mkdir(parents=True)
    (folder / "rechnung.json").write_text(json.dumps({"satz": sentence}), encoding="utf-8")
    small = ["--stationen", "2", "--gewichte", "auswahl", "--ausgabe", str(tmp_path / "out")]
    done = run(environment, "blatt", sentence, *small)
    assert done.returncode == 0, done.stderr.decode()
    assert "arbeitsblatt.pdf" in done.stdout.decode("utf-8")
    with pdfplumber.open(folder / "arbeitsblatt.pdf") as pdf:
        assert "Papierformer-Sans" in {sign["fontname"].split("+")[-1] for sign in pdf.pages[0].chars}
    assert {file.suffix for file in folder.iterdir()} == {".pdf", ".html", ".json"}
    assert not [file for file in folder.iterdir() if REFUSED.search(file.name)]
    answers = tmp_path / "antworten.csv"
    answers.write_text("name;index;wert\nembedding;1,0;0,9\n", encoding="utf-8")
    done = run(environment, "pruefe", str(folder / "rechnung.json"), str(answers))
    assert done.returncode == 0, done.stderr.decode()
    assert (done.stdout + run(environment, "--help").stdout).decode("utf-8").strip()


def test_without_pango_there_is_all_else_and_the_status_says_so(tmp_path, environment):
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "sitecustomize.py").write_text(NO_PANGO, encoding="utf-8")
    lacking = environment | {"PYTHONPATH": os.pathsep.join([str(tmp_path / "hidden"), str(ROOT)])}
    small = ["--stationen", "2", "--gewichte", "auswahl", "--ausgabe", str(tmp_path / "out")]
    done = run(lacking, "blatt", "Die Katze", *small)
    (folder,) = (tmp_path / "out").iterdir()
    said = done.stderr.decode("utf-8")
    assert done.returncode == 1
    assert "Fertig, aber ohne PDF" in said
    assert said.count("Pango;") == 1
    assert {file.suffix for file in folder.iterdir()} == {".html", ".json"}
    assert all(file.name in said for file in folder.iterdir())
    done = run(lacking, "klassensatz", "Die Katze", "--anzahl", "2", *small)
    assert done.returncode == 2
    assert "Pango" in done.stderr.decode("utf-8")
    assert [*(tmp_path / "out").iterdir()] == [folder]


@pytest.mark.parametrize("sentence", ["con", "NUL", "Aux.", "com1", "LPT9 ", "a:b*c?", "Ende..."])
def test_no_folder_has_a_name_that_windows_refuses(sentence):
    for name in (slug(sentence), f"{slug(sentence)}-klasse"):
        assert not REFUSED.search(name)


def test_no_file_of_the_project_has_such_a_name():
    folders = ("engine", "generator", "templates", "docs", "tests")  # with or without git
    found = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())
    files = [path.relative_to(ROOT).as_posix() for path in found if "__pycache__" not in path.parts]
    assert len(files) > 100
    assert not [name for name in files if any(REFUSED.search(part) for part in name.split("/"))]
    assert len({name.lower() for name in files}) == len(files)
    assert max(map(len, files)) < 120  # with the folder above, 260 is the most


class Windows:
    """As Windows has it: an open file cannot be deleted, a folder cannot take another's place."""

    def __init__(self, monkeypatch):
        self.open: set[str] = set()
        really = Path.unlink, Path.replace, os.open, os.close
        handles = {}

        def unlink(path, missing_ok=False):
            if str(path) in self.open:
                raise PermissionError(13, "in use", str(path))
            really[0](path, missing_ok)

        def replace(path, target):
            if Path(target).is_dir() or str(target) in self.open or str(path) in self.open:
                raise PermissionError(13, "in use", str(target))
            return really[1](path, target)

        def opened(path, *rest, **named):
            handle = really[2](path, *rest, **named)
            if str(path).endswith("lock"):
                handles[handle] = str(path)
                self.open.add(str(path))
            return handle

        def closed(handle):
            self.open.discard(handles.pop(handle, ""))
            really[3](handle)

        monkeypatch.setattr(Path, "unlink", unlink)
        monkeypatch.setattr(Path, "replace", replace)
        module = ModuleType("msvcrt")
        module.LK_NBLCK, module.locking = 2, lambda *_: None
        monkeypatch.setitem(sys.modules, "fcntl", None)
        monkeypatch.setitem(sys.modules, "msvcrt", module)
        monkeypatch.setattr(atomic_write, "sys", SimpleNamespace(platform="win32"))
        monkeypatch.setattr(atomic_write.os, "open", opened)
        monkeypatch.setattr(atomic_write.os, "close", closed)


def test_a_folder_is_written_anew_where_none_can_be_exchanged(tmp_path, monkeypatch):
    windows = Windows(monkeypatch)
    folder = tmp_path / "blatt"
    atomic_write.write_set(folder, {"a.pdf": b"1", "b.pdf": b"1"}, [])
    (folder / "eigenes").mkdir()
    atomic_write.write_set(folder, {"a.pdf": b"2"}, ["b.pdf"])
    assert {path.name for path in folder.iterdir()} == {"a.pdf", "eigenes"}
    assert (folder / "a.pdf").read_bytes() == b"2"
    windows.open.add(str(folder / "a.pdf"))  # a reader shows it
    with pytest.raises(PermissionError):
        atomic_write.write_set(folder, {"0.pdf": b"3", "a.pdf": b"3"}, [])
    assert {path.name for path in folder.iterdir()} == {"a.pdf", "eigenes"}
    assert (folder / "a.pdf").read_bytes() == b"2"
    assert {path.name for path in tmp_path.iterdir()} == {"blatt"}, "no lock is left"


def test_the_batch_file_is_one_that_windows_reads():
    data = (ROOT / "papierformer.bat").read_bytes()
    lines = data.split(b"\r\n")
    assert b"\n" not in b"".join(lines)
    text = data.decode("utf-8")
    assert not text.startswith("\ufeff")
    wanted = ("chcp 65001", "--require-hashes", "requirements.lock", "-m generator seite")
    assert all(each in text for each in (*wanted, 'if "%~1"=="" goto page'))  # a double click
    labels = set(re.findall(r"^:(\w+)", text, re.MULTILINE))
    assert set(re.findall(r"goto (\w+)", text)) <= labels


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
