"""Where Pango is missing a browser prints: the same numbers, the same pages, nothing beyond the margins."""

from __future__ import annotations

import http.server
import io
import os
import subprocess
import sys
import threading

import pdfplumber
import pytest
from pypdf import PdfReader

from generator.basics.fonts import font_css
from generator.output.browser_pdf import Browser, browsers, print_by_browser
from generator.output.formulas.typeset import FormulaImage
from generator.output.machine import PdfUnavailable
from generator.output.pdf import write_pdf
from generator.output.screen import margin_text, page_for_browser, svg_of
from tests.pdf.browser_configurations import (
    CASES,
    SHORT,
    beyond_the_margins,
    compared,
    contents_of,
    documents,
)

HIDDEN = """
import cffi
def dlopen(self, name, *flags):
    raise OSError(f"cannot load library {name}")
cffi.FFI.dlopen = dlopen
"""


@pytest.mark.parametrize(
    "case",
    [
        {"satz": SHORT, "stationen": "4b", "maske": False},
        *(pytest.param(case, marks=pytest.mark.thorough) for case in CASES[2::6]),
    ],
    ids=str,
)
def test_the_browser_prints_the_same(case):
    assert compared(case) == []


def test_a_booklet_names_its_pages_and_keeps_its_margins():
    for job in documents(satz=SHORT, stationen="1,2,S")[:1]:
        mine = write_pdf(job.html, title=job.title, images=job.images)
        result = print_by_browser(job.html, job.images, title=job.title)
        assert result.printed_by == browsers()[0].name
        assert result.pages == mine.pages
        assert contents_of(result.data) == contents_of(mine.data) != []
        assert beyond_the_margins(result.data) == []
        metadata = PdfReader(io.BytesIO(result.data)).metadata
        assert metadata.title == job.title
        assert metadata.creator.strip() == "Papierformer"


def test_the_same_input_gives_the_same_bytes():
    job, _ = documents(satz=SHORT, stationen="2")
    first, again = (print_by_browser(job.html, job.images, title=job.title) for _ in range(2))
    assert again.data == first.data


def page(body: str, foot: str = "Fuß") -> str:
    style = f".foot-left {{ position: running(foot); font-size: 7pt; }}{font_css('pdf')}@page{{size:A4}}"
    head = f'<head><meta charset="utf-8"><title>t</title><style>{style}</style></head>'
    return (
        f'<!doctype html><html lang="de">{head}<body><footer class="foot-left">{foot}</footer>'
        f"{body}</body></html>"
    )


def text_of(data: bytes) -> str:
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        return "\n".join(each.extract_text() for each in pdf.pages)


def test_nothing_is_fetched_and_no_script_runs(tmp_path):
    asked = []

    class Listening(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listening)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    secret = tmp_path / "geheim.html"
    secret.write_text("<p>geheim</p>", encoding="utf-8")
    address = f"http://127.0.0.1:{server.server_port}"
    hostile = (
        f'<p>vorher</p><img src="{address}/bild.png"><iframe src="{secret.as_uri()}"></iframe>'
        f'<link rel="stylesheet" href="{address}/stil.css"><script>document.body.append("Skript")</script>'
        f'<p style="background:url({address}/grund.png)">nachher</p>'
    )
    said = text_of(print_by_browser(page(hostile), {}, title="t").data)
    server.shutdown()
    server.server_close()
    assert "vorher" in said
    assert "nachher" in said
    assert "Skript" not in said
    assert "geheim" not in said
    assert asked == []


def test_a_hostile_sentence_stays_text_in_the_foot():
    foot = "„&quot;; } body { display: none } @page { margin: 0 } \\“<br>&lt;b&gt;Zeile&lt;/b&gt; 2"
    said = text_of(print_by_browser(page("<p>Blatt</p>", foot), {}, title="t").data)
    assert "Blatt" in said
    assert '„"; } body { display: none } @page { margin: 0 } \\“' in said
    assert "<b>Zeile</b> 2" in said
    assert margin_text("a &amp; b<br>\n c") == '"a \\26  b\\a c"'


def test_the_title_of_the_job_counts_and_is_escaped():
    result = print_by_browser(page("<p>x</p>"), {}, title="a < b & c")
    assert PdfReader(io.BytesIO(result.data)).metadata.title == "a < b & c"
    assert "<title>a &lt; b &amp; c</title>" in page_for_browser(page(""), {}, "a < b & c")


def test_formulas_are_the_same_pictures():
    image = FormulaImage(900, 500, b"q 0.7 0 0 -0.7 10.0 400.5 cm 0 0 m 10 20 l 1 2 3 4 5 6 c h f Q\n")
    assert '<path transform="matrix(0.7 0 0 -0.7 10.0 400.5)" d="M0 0L10 20C1 2 3 4 5 6Z"/>' in svg_of(image)
    copied = FormulaImage(
        9, 9, b"q 1 1 5 2 re f Q\nq BT 3 Tr /Formel 900 Tf 1 0 0 -1 0 7 Tm <6471> Tj ET Q\n"
    )
    assert svg_of(copied).count("<path") == 1
    framed = FormulaImage(9, 9, b"q 40 w 1 2 3 4 re S Q\nq 1 1 5 2 re f Q\n")
    assert svg_of(framed).count("<path") == 2
    assert 'fill="none" stroke="#000" stroke-width="40" d="M1 2h3v4H1Z"' in svg_of(framed)
    with pytest.raises(ValueError, match="G3"):
        svg_of(FormulaImage(9, 9, b"/G3 gs"))


def test_where_browsers_are_looked_for(tmp_path):
    edge = tmp_path / "x86" / "Microsoft" / "Edge" / "Application" / "msedge.exe"
    chrome = tmp_path / "own" / "Google" / "Chrome" / "Application" / "chrome.exe"
    for program in (edge, chrome):
        program.parent.mkdir(parents=True)
        program.touch()
    windows = {"ProgramFiles(x86)": str(tmp_path / "x86"), "LOCALAPPDATA": str(tmp_path / "own")}
    assert browsers(windows, "win32") == (Browser("Microsoft Edge", edge), Browser("Google Chrome", chrome))
    assert browsers({"PATH": str(tmp_path)}, "linux") == ()
    command = tmp_path / "google-chrome"
    command.write_text("#!/bin/sh\n", encoding="utf-8")
    command.chmod(0o755)
    assert browsers({"PATH": str(tmp_path)}, "linux") == (Browser("Google Chrome", command),)
    assert browsers({"PAPIERFORMER_BROWSER": "", "PATH": str(tmp_path)}, "linux") == ()
    assert browsers({"PAPIERFORMER_BROWSER": str(command)}, "linux")[0].path == command


@pytest.mark.parametrize(
    "does",
    [
        "exit 1",
        "printf '%%PDF-1.4 (Skia/PDF m120)\n%%%%EOF' > \"$out\"",
        "printf '%%PDF-1.4 (Skia/PDF m140)' > \"$out\"; exit 1",
    ],
    ids=["fails", "too old", "half a file"],
)
def test_a_browser_that_cannot_print_is_none(tmp_path, monkeypatch, does):
    program = tmp_path / "browser"
    find = "for word; do case $word in --print-to-pdf=*) out=${word#*=} ;; esac; done"
    program.write_text(f"#!/bin/sh\n{find}\n{does}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PAPIERFORMER_BROWSER", str(program))
    with pytest.raises(PdfUnavailable, match=r"Pango.*Edge, Chrome oder Chromium ab Version 131"):
        print_by_browser(page("<p>x</p>"), {}, title="t")


def test_the_profile_is_deleted_and_so_is_what_a_killed_run_left(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    old, new = tmp_path / "papierformer-browser-alt", tmp_path / "papierformer-browser-neu"
    for folder in (old, new):
        (folder / "profil").mkdir(parents=True)
    os.utime(old, (0, 0))
    print_by_browser(page("<p>x</p>"), {}, title="t")
    assert [left.name for left in tmp_path.iterdir() if left.name.startswith("papierformer-")] == [new.name]


@pytest.fixture
def without_pango(tmp_path):
    """An environment for programs that cannot load Pango."""
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "sitecustomize.py").write_text(HIDDEN, encoding="utf-8")
    paths = os.pathsep.join([str(tmp_path / "hidden"), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": paths, "PAPIERFORMER_CACHE": ""}
    environment.pop("PAPIERFORMER_BROWSER", None)  # the browser that a teacher has
    return environment


def run(environment, *words):
    command = [sys.executable, "-m", "generator", *words]
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)


def test_blatt_without_pango_prints_by_the_browser_and_says_so(tmp_path, without_pango):
    done = run(without_pango, "blatt", SHORT, "--stationen", "2", "--ausgabe", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    (folder,) = (tmp_path / "out").iterdir()
    assert {file.name for file in folder.iterdir()} == {
        *(
            f"{name}.{ending}"
            for name in ("arbeitsblatt", "loesung", "lehrkraft", "stundenkarte")
            for ending in ("pdf", "html")
        ),
        "rechnung.json",
    }
    sentence = f"Die PDF-Dateien hat der Browser {browsers(without_pango)[0].name} gedruckt"
    assert done.stdout.count(sentence) == 1
    assert beyond_the_margins((folder / "lehrkraft.pdf").read_bytes()) == []


def test_without_pango_and_browser_there_are_html_and_json_and_one_sentence(tmp_path, without_pango):
    without = without_pango | {"PAPIERFORMER_BROWSER": ""}
    done = run(without, "blatt", SHORT, "--stationen", "2", "--ausgabe", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    (folder,) = (tmp_path / "out").iterdir()
    assert {file.suffix for file in folder.iterdir()} == {".html", ".json"}
    assert done.stdout.count("Pango") == 1
    done = run(without, "klassensatz", SHORT, "--anzahl", "2", "--ausgabe", str(tmp_path / "set"))
    assert done.returncode == 2
    assert "Pango" in done.stderr
    assert not (tmp_path / "set").exists() or not list((tmp_path / "set").iterdir())


@pytest.mark.thorough
def test_class_sets_and_keys_take_the_same_way(tmp_path, without_pango):
    out = ["--stationen", "2", "--ausgabe", str(tmp_path / "out")]
    done = run(without_pango, "klassensatz", SHORT, "--anzahl", "2", *out)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("hat der Browser") == 1
    assert (next((tmp_path / "out").glob("*-klasse")) / "arbeitsblaetter.pdf").read_bytes()[:5] == b"%PDF-"
    done = run(without_pango, "loesung", SHORT, "--mit", "embedding[0,1]=0,3", *out)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("hat der Browser") == 1
