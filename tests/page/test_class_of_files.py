"""Files of a whole class in one request: the result that `pruefe` gives for the same folder."""

import json

from tests.page.asking import ask, client_of
from tests.page.papers import CODE, as_csv, by_command

NO_CLASSES = (
    b"", b"{", b"[]", b"7", b"[1]", b'[["x"]]', b'[["x.csv", 5]]', b'[["x.csv", -1]]', b"[[" * 9999,
    b"[" + b", ".join([b'["x.csv", 0]'] * 201) + b"]",
)  # fmt: skip


def test_files_are_told_apart_a_table_may_have_the_whole_class_and_names_are_only_shown(
    app, session, papers, tmp_path
):
    source = app.app.state.services.sources.put(client_of(session["cookie"]), json.dumps({"code": CODE}))

    def send(head, content=b""):
        head = head if isinstance(head, bytes) else json.dumps(head).encode()
        return ask(app, "POST", f"/api/datei/klasse/{source}", session, head + b"\n" + content)

    files = [(path.stem, path.read_bytes()) for path in sorted(papers.iterdir(), reverse=True)]
    answer = send([[f"{name}.csv", len(content)] for name, content in files], b"".join(dict(files).values()))
    assert (answer.status, answer.json["arbeiten"], answer.json["ungelesen"]) == (200, 3, [])
    table = ask(app, "GET", f"/bericht/{answer.json['tabelle']}/klasse.csv", session)
    assert table.body == by_command(papers)[1]
    lines = [f"{name};{line}" for name, content in files for line in content.decode().splitlines()[1:]]
    content = "\n".join(["Nummer;name;index;wert", *lines]).encode()
    answer = send([["Klasse.csv", len(content)]], content)
    assert (answer.status, answer.json["arbeiten"]) == (200, 3)
    content = as_csv().encode()
    report = send([["../../<b>Ida.csv", len(content)]], content).json["bericht"]
    shown = ask(app, "GET", f"/bericht/{report}", session).body
    assert (b"&lt;b&gt;Ida" in shown, b"<b>" in shown) == (True, False)
    assert not [path for path in tmp_path.rglob("*") if "Ida" in path.name]
    for head in NO_CLASSES:
        answer = send(head)
        assert (answer.status, answer.json["fehler"][-1]) == (422, "."), head[:20]
