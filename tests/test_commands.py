"""The program as a user meets it: real processes, real files, the same bytes, and hostile words as text."""

import json
import os
import re
import shutil
import subprocess

import pytest
from starting import ROOT, started

from generator.commands.cli import main
from generator.output.screen import SCRIPT
from tests.laid_out import KATZE

SHORT = ("--stationen", "4b", "--gewichte", "auswahl")  # one station is enough where the pages do not matter
TEACHERS = ("lehrkraft", "stundenkarte")
SHEET, TEACHER = (
    {f"{name}.{kind}" for name in names for kind in ("pdf", "html")}
    for names in (("arbeitsblatt", "loesung"), TEACHERS)
)
SHEET |= {"rechnung.json", "felder.json"}


def files(folder):
    """Every file and folder below, with its content."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


@pytest.fixture
def here(tmp_path, monkeypatch, capfdbinary):
    """The same in this process, where starting another would show nothing more."""

    def run(*words):
        monkeypatch.chdir(tmp_path)
        capfdbinary.readouterr()
        status = main([*map(str, words)])
        return subprocess.CompletedProcess(words, status, *capfdbinary.readouterr())

    return run


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Where `blatt` ran, and what it said."""
    where = tmp_path_factory.mktemp("made")
    return where, started("blatt", KATZE, *SHORT, cwd=where)


def test_blatt_writes_the_files_of_the_contract(made, here):
    where, done = made
    assert (done.returncode, done.stderr) == (0, b"")
    folder = where / "output" / "die-katze-sitzt-auf-der-matte"
    written = {path.name for path in folder.iterdir()}
    assert SHEET <= written <= SHEET | TEACHER
    said = done.stdout.decode("utf-8")
    for name in written:
        content = (folder / name).read_bytes()
        if name.endswith(".pdf"):
            assert content.startswith(b"%PDF-")
            assert b"%%EOF" in content[-64:]
        elif name.endswith(".html"):
            text = content.decode("utf-8")
            assert '<html lang="de"' in text
            assert text.rstrip().endswith("</html>")
            assert "http://" not in text.replace("http://www.w3.org/", "")
        assert str(where).encode() not in content
        assert str(ROOT).encode() not in content
        assert name in said
    assert "die-katze-sitzt-auf-der-matte" in said
    calculation = json.loads((folder / "rechnung.json").read_text(encoding="utf-8"))
    assert calculation["satz"] == KATZE
    quantities = json.loads(here("rechne", KATZE, *SHORT).stdout)["quantities"]
    assert quantities.keys() == calculation["quantities"].keys()
    for name, quantity in quantities.items():  # a sheet knows what it prints: its ranges are its own
        on_sheet = calculation["quantities"][name]
        assert {**quantity, "accepted": None} == {**on_sheet, "accepted": None}


def test_the_same_command_writes_the_same_bytes_beside_a_key_of_these_numbers(made, tmp_path, here):
    """With helpers or without; a key with own numbers stays, until the numbers of the sheet are others."""
    key = tmp_path / "output/die-katze-sitzt-auf-der-matte/loesung-mit.html"
    key.parent.mkdir(parents=True)
    shutil.copy(made[0] / "output" / key.parent.name / "rechnung.json", key.parent)
    key.write_text("mit eigenen Zahlen")
    assert here("blatt", KATZE, *SHORT).returncode == 0
    assert files(tmp_path).keys() - files(made[0]).keys() == {str(key.relative_to(tmp_path))}
    assert files(made[0]).items() <= files(tmp_path).items()
    done = here("blatt", KATZE, "--gewichte", "dezimal", "--zeit", "10", "--stationen", "S")
    assert (done.returncode, key.exists()) == (0, False)
    assert b"sitzt" not in done.stdout.split(b"gew\xc3\xa4hlt")[1], "no station there has words"


@pytest.mark.skipif(os.name == "nt", reason="no such limit there")
def test_a_file_that_may_not_grow_leaves_the_earlier_files_whole(made, tmp_path):
    """As with a full disk: the fourth file cannot be written any more."""
    shutil.copytree(made[0] / "output", tmp_path / "da")
    before = files(tmp_path)

    def limit():
        import resource
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

    words = ("blatt", KATZE, "--stationen", "S", "--gewichte", "auswahl", "--ausgabe", "da")
    done = started(*words, cwd=tmp_path, preexec_fn=limit)
    assert (done.returncode, done.stdout, b"zu gro\xc3\x9f" in done.stderr) == (2, b"", True)
    assert files(tmp_path) == before


WATCHED = """
import sys
seen = []
def hook(event, arguments):
    local = event == "socket.connect" and isinstance(arguments[1], str | bytes)  # the helper processes' own
    if event in ("socket.connect", "socket.getaddrinfo", "urllib.Request") and not local:
        seen.append((event, arguments))
    if event == "open" and str(arguments[0]) in ("/etc/hostname", "file:///etc/hostname"):
        seen.append((event, arguments))
sys.addaudithook(hook)
from generator.commands.cli import main
status = main(["blatt", sys.argv[1], "--stationen", "S", "--gewichte", "auswahl", "--ausgabe", "da"])
print(status, seen, file=sys.stderr)
"""
FURTHER = (
    "http://example.invalid/x.png <styles/>",
    "{% raw %} $\\LaTeX$ \\input{x} &lt;",
    '"><img src=x onerror=alert(1)> C:\\n',
    "/ . ../../etc/passwd ~",
)


@pytest.mark.parametrize(
    "sentence",
    [
        "<script>x</script> {{7*7}} file:///etc/hostname",  # a few attacks in one sentence
        *(pytest.param(each, marks=pytest.mark.thorough) for each in FURTHER),
    ],
    ids=ascii,
)
def test_hostile_sentences_are_only_text_and_nothing_is_fetched(sentence, tmp_path):
    """No connection is opened, no address looked up, and no file that the sentence names is read."""
    assert started(sentence, code=WATCHED, cwd=tmp_path).stderr == b"0 []\n"
    (folder,) = (tmp_path / "da").iterdir()
    assert list(tmp_path.iterdir()) == [tmp_path / "da"]
    assert {path.name for path in folder.iterdir()} >= SHEET
    assert json.loads((folder / "rechnung.json").read_text(encoding="utf-8"))["satz"] == sentence
    for path in folder.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        before, ours, after = text.partition(SCRIPT)
        assert ours == SCRIPT or path.stem in TEACHERS  # the page's own, once and unchanged
        assert "<script" not in before + after
        assert not re.search("<img|onerror=alert\\(1\\)>|root:", text)
        assert ">49<" not in text or path.stem in TEACHERS  # minutes
