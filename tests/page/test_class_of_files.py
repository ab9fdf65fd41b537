"""Files of a whole class on the page: the result that `pruefe` gives for the same folder."""

import json

import pytest
from playwright.sync_api import expect

from generator.commands import check_command
from tests.page.asking import ask, client_of
from tests.page.papers import CODE, right

NAMES = ("Ali", "Mia", "Ömer")
NO_CLASSES = (
    b"", b"{", b"[]", b"7", b"[1]", b'[["x"]]', b'[["x.csv", 5]]', b'[["x.csv", -1]]', b"[[" * 9999,
    b"[" + b", ".join([b'["x.csv", 0]'] * 201) + b"]",
)  # fmt: skip


def as_csv(slips=0):
    """The first numbers are wrong."""
    texts = dict(right()) | dict.fromkeys(list(right())[:slips], "77")
    return "\n".join(
        ["name;index;wert", *(f"{name};{place};{text}" for (name, place), text in texts.items())]
    )


@pytest.fixture
def papers(tmp_path):
    """A folder with a file for each of three pupils."""
    folder = tmp_path / "klasse"
    folder.mkdir()
    for slips, name in enumerate(NAMES):
        (folder / f"{name}.csv").write_text(as_csv(slips), encoding="utf-8")
    return folder


def by_command(papers):
    """What `pruefe` prints, and its table."""
    report = papers.parent / "bericht.html"
    printed = check_command.run(CODE, str(papers), bericht=str(report))
    return printed, report.with_suffix(".csv").read_bytes()


def test_a_class_in_the_browser(open_page, running, papers):
    page = open_page(f"/pruefen?code={CODE.replace(' ', '')}")
    expect(page.frame_locator("#rahmen iframe").locator("input.entry").first).to_be_visible()
    (papers / "Leer.csv").write_bytes(b"name;index;wert\n")
    first = (papers / "Mia.csv").read_text(encoding="utf-8")
    (papers / "Teil.csv").write_text(first + "\ngibtesnicht;0;1\n", encoding="utf-8")
    (papers / "Bild.png").write_bytes(b"PNG")
    page.set_input_files("#klasse", sorted(papers.iterdir()))
    expect(page.locator("#klasse-stand")).to_contain_text("Arbeiten geprüft")
    expect(page.locator("#klasse-titel")).to_be_focused()
    table = page.request.get(running.base + page.locator("#klasse-tabelle").get_attribute("href"))
    printed, same = by_command(papers)
    assert table.body() == same
    for said in (page.locator("#klasse-ungelesen").inner_text(), printed):
        assert f"„Teil.csv“: Zeile {len(first.splitlines()) + 1}: „gibtesnicht“ gibt es" in said
    report = page.request.get(running.base + page.locator("#klasse-bericht").get_attribute("href")).text()
    assert all(name in report for name in NAMES)
    one = {"name": "x.exe", "mimeType": "text/csv", "buffer": b"MZ"}
    page.set_input_files("#klasse", one)
    expect(page.locator("#fehler-blatt")).to_contain_text("In diesen Dateien ließ sich keine Arbeit prüfen")
    expect(page.locator("#klasse-ergebnis")).to_be_hidden()


def test_files_that_are_chosen_before_the_sheet_stands_wait_for_it(open_page, running, papers):
    page, held = open_page("/pruefen"), []
    page.route("**/api/oeffnen", lambda route: held.append(route))
    page.goto(f"{running.base}/pruefen?code={CODE.replace(' ', '')}")
    page.set_input_files("#klasse", sorted(papers.iterdir()))
    expect(page.locator("#klasse-laedt")).to_contain_text("3 Dateien")
    held.pop().continue_()
    expect(page.locator("#klasse-stand")).to_have_text("3 Arbeiten geprüft.")


@pytest.fixture
def send(app, session):
    """A function: files of a class for a sheet that is open for checking."""
    source = app.app.state.services.sources.put(client_of(session["cookie"]), json.dumps({"code": CODE}))

    def send(head, content=b""):
        head = head if isinstance(head, bytes) else json.dumps(head).encode()
        return ask(app, "POST", f"/api/datei/klasse/{source}", session, head + b"\n" + content)

    return send


def test_files_in_one_request_are_told_apart_and_a_table_may_have_the_whole_class(app, session, send, papers):
    files = [(path.stem, path.read_bytes()) for path in sorted(papers.iterdir(), reverse=True)]
    head = [[f"{name}.csv", len(content)] for name, content in files]
    answer = send(head, b"".join(content for _, content in files))
    assert (answer.status, answer.json["arbeiten"], answer.json["ungelesen"]) == (200, 3, [])
    table = ask(app, "GET", f"/bericht/{answer.json['tabelle']}/klasse.csv", session)
    assert table.body == by_command(papers)[1]
    lines = [f"{name};{line}" for name, content in files for line in content.decode().splitlines()[1:]]
    content = "\n".join(["Nummer;name;index;wert", *lines]).encode()
    answer = send([["Klasse.csv", len(content)]], content)
    assert (answer.status, answer.json["arbeiten"]) == (200, 3)


def test_what_is_no_class_is_refused_in_one_sentence(send):
    for head in NO_CLASSES:
        answer = send(head)
        assert (answer.status, answer.json["fehler"][-1]) == (422, "."), head[:20]


def test_names_of_files_are_only_shown(app, session, send, tmp_path):
    content = as_csv().encode()
    answer = send([["../../<b>Mia</b>.csv", len(content)]], content)
    assert b"<b>" not in ask(app, "GET", f"/bericht/{answer.json['bericht']}", session).body
    assert not [path for path in tmp_path.rglob("*") if "Mia" in path.name]
