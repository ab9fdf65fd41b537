"""Numbers of one's own: files of matrices and vectors are read as written, or refused in a sentence."""

import json

import pytest

from generator.basics.errors import UserError
from generator.options import limits
from generator.options.numbers_file import read_given
from generator.options.options import Options

KATZE = "Die Katze sieht die Katze"
IDENTITY = [[1, 0], [0, 1]]
ROWS = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [0.7, 0.8], [0.3, 0.4]]


def options(path=None, flag="gewichte", **given):
    named = {} if path is None else {flag: str(path)}
    return Options.from_mapping({"satz": KATZE, "dimension": 2, "heads": 1} | named | given)


def written(tmp_path, content, name="zahlen.json"):
    path = tmp_path / name
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("flag", ["gewichte", "embeddings"])
def test_either_option_reads_everything(tmp_path, flag):
    content = {"satz": "egal", "quelle": "Buch", "embedding": ROWS, "wortvektoren": {"Hund": [1, 2]}}
    path = written(tmp_path, content | {"block1.W_O": IDENTITY, "block1.ffn.b_1": [0, 0.5, 0, -1]})
    given = read_given(options(path, flag))
    assert given.embedding.tolist() == ROWS
    assert given.word_vectors == {"Hund": (1.0, 2.0)}
    assert given.weights["block1.W_O"].tolist() == IDENTITY
    assert given.weights["block1.ffn.b_1"].tolist() == [0, 0.5, 0, -1]


def test_weights_of_a_calculation_and_tables_of_toml(tmp_path):
    content = {"papierformer": "1", "optionen": {}, "quantities": {}}
    content |= {name: [] for name in ("tokens", "vocabulary", "token_ids")}
    content |= {"weights": {"block1.W_O": IDENTITY, "vocabulary_embedding": ROWS[:4]}}
    assert read_given(options(written(tmp_path, content))).embedding.tolist() == ROWS
    toml = "block1.W_O = [[1, 0], [0, 1]]\n[block1.head1]\nW_Q = [[1.5, 0], [0, 1]]\n"
    toml += "[wortvektoren]\nKatze = [1, 0.25]\n"
    given = read_given(options(written(tmp_path, toml, "zahlen.toml")))
    assert list(given.weights) == ["block1.W_O", "block1.head1.W_Q"]
    assert given.word_vectors == {"Katze": (1.0, 0.25)}


def test_the_option_named_for_it_wins(tmp_path):
    def content(number):
        return {"block1.W_O": [[number, 0], [0, 1]], "wortvektoren": {"Katze": [number, 0]}}

    toml = "heads = 1\nblock1.W_O = [[1, 0], [0, 1]]\nwortvektoren.die = [1, 0]\n"
    template = str(written(tmp_path, toml, "v.toml"))
    weights = written(tmp_path, content(2), "w.json")
    embeddings = written(tmp_path, content(3), "e.json")
    given = read_given(options(weights, embeddings=str(embeddings), vorlage=template))
    assert given.weights["block1.W_O"][0, 0] == 2
    assert given.word_vectors == {"Katze": (3.0, 0.0), "die": (1.0, 0.0)}
    assert read_given(options(vorlage=template)).weights["block1.W_O"][0, 0] == 1
    assert not read_given(options()).weights


def test_numbers_are_kept_as_written(tmp_path):
    for number in ("0.1", "1.926915", "1000000", "-0.000000000001", "1e-7", "0.30000000000000000000", "-0.0"):
        path = written(tmp_path, f'{{"block1.W_O": [[{number}, 0], [0, 1]]}}')
        value = read_given(options(path)).weights["block1.W_O"][0, 0]
        assert repr(float(value)) == repr(float(number) + 0.0)


def first(number):
    """A table that begins with it."""
    return '{"block1.W_O": [[' + number + ", 0], [0, 1]]}"


NO_LIST, NO_TABLE, TOO_LARGE = "keine Liste dieser Form", "weights ist keine Tabelle", "−1000000 bis 1000000"
TOO_FINE = "höchstens 12 Nachkommastellen"
REFUSED = [
    ({"block1.W_O": [[1, 0]]}, "block1.W_O hat 1 Zeile; nötig sind 2 Zeilen mit je 2 Zahlen."),
    ({"block1.W_O": [[1, 0], [1]]}, "block1.W_O hat eine Zeile mit 1 Zahl; nötig sind 2 Zeilen"),
    *(({"block1.W_O": each}, NO_LIST) for each in ([1, 0], 5, None, "x")),
    ({"block1.W_O": {"a": 1}}, "block1.W_O.a"),
    ({"block1.W_O": [[[1], 0], [0, 1]]}, "eine Liste, wo eine Zahl stehen muss"),
    ({"block1.W_O": [["1", 0], [0, 1]]}, "den Text „1“"),
    ({"block1.W_O": [[True, 0], [0, 1]]}, "enthält true"),
    ({"block1.W_O": [[None, 0], [0, 1]]}, "null"),
    ({"block1.ffn.b_1": [1, 2]}, "block1.ffn.b_1 hat 2 Zahlen; nötig sind 4 Zahlen."),
    ({"embedding": ROWS[:4]}, "embedding hat 4 Zeilen; nötig sind 5 Zeilen (eine je Token)"),
    ({"embedding": [*ROWS[:4], [9, 9]]}, "dem Wort „Katze“ an den Stellen 2 und 5 verschiedene Vektoren"),
    ({"wortvektoren": {"Katze": [1]}}, "wortvektoren.Katze hat 1 Zahl; nötig sind 2 Zahlen."),
    ({"wortvektoren": [[1, 2]]}, "wortvektoren ist keine Tabelle"),
    ({"block1.head1.W_X": IDENTITY}, "gemeint ist vielleicht „block1.head1.W_"),
    ({"block2.W_O": IDENTITY}, "Den Namen „block2.W_O“ gibt es hier nicht; gemeint ist vielleicht"),
    ({"weights": {"W": IDENTITY}}, "Den Namen „W“ gibt es hier nicht"),
    *((first(number), "endliche Zahlen") for number in ("NaN", "-Infinity")),
    *((first(number), TOO_LARGE) for number in ("1e400", "1000001", "9" * 100_000)),
    *((first(number), TOO_FINE) for number in ("1e-999999", "0.1234567890123")),
    (first("1e999999999999999999999"), "zahlen.json"),
    (first("99999.123456789012"), "15 Ziffern"),
    (first("1")[:-1] + ', "block1.W_O": [[1, 0], [0, 1]]}', "„block1.W_O“ zweimal"),
    ('{"block1.W_O": [[1, 0], [0, 1]', "kein gültiges JSON (Zeile 1, Spalte"),
    ('{"a": ' + "[" * 200_000, "kein gültiges JSON"),
    ('{"weights": ' * 50 + "1" + "}" * 50, NO_TABLE),
    *((text, "kein gültiges JSON dieser Art") for text in ("[[1, 0]]", "block1 = 1")),
    ({"weights": 3}, NO_TABLE),
    (b"\x00\xff\xfe", "UTF-8"),
    (b'{"a": "' + b"x" * 20_000_001, "zu groß"),
]


@pytest.mark.parametrize(("content", "expected"), REFUSED, ids=range(len(REFUSED)))
def test_numbers_that_cannot_be_used(tmp_path, content, expected):
    with pytest.raises(UserError) as caught:
        read_given(options(written(tmp_path, content)))
    sentence = str(caught.value)
    assert expected in sentence
    assert "--gewichte" in sentence
    assert sentence.isprintable()
    assert sentence.endswith(".")
    assert len(sentence) < 2000


def test_unknown_keys_of_a_template_are_no_numbers_and_an_empty_file_has_none(tmp_path):
    path = written(tmp_path, "dimension = 2\nblock1.W_0 = [[1, 0], [0, 1]]\n", "v.toml")
    with pytest.raises(UserError, match=r"--vorlage „v.toml“: Den Namen „block1.W_0“"):
        read_given(options(vorlage=str(path)))
    with pytest.raises(UserError, match="möglich ist auch auswahl, ganzzahlig, dezimal oder gelernt"):
        read_given(options(gewichte="dezimall"))
    assert read_given(options(written(tmp_path, ""))).weights == {}


@pytest.mark.parametrize(("number", "fits"), [(999.123456, True), (1000, False), (0.1234567, False)])
def test_numbers_too_wide_for_a_cell_are_not_for_paper(tmp_path, number, fits):
    for content in ({"block1.W_O": [[number, 0], [0, 1]]}, {"wortvektoren": {"Katze": [0, -number]}}):
        given = read_given(options(written(tmp_path, content)))
        if fits:
            limits.numbers_for_paper(given)
            continue
        with pytest.raises(UserError, match="auf ein Arbeitsblatt passen Zahlen unter 1000"):
            limits.numbers_for_paper(given)
