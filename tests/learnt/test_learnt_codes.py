"""--gewichte gelernt: what a code promises, and texts and options that are refused."""

import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest

from generator.basics.errors import UserError
from generator.calculation.build import build
from generator.options import sheet_code as codes
from generator.options.declaration import LEARNT_IN_CODES
from generator.options.options import Options
from generator.options.sheet_code import read_code, sheet_code
from tests.learnt.test_learnt import KATZE, options, texts_file


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["Die Katze sitzt auf der Matte"], "nur einen Text"),
        ([], "keinen Text"),
        (["Die Katze sitzt auf der Matte"] * 200, "200 Texte"),
        (["Der Hund bellt", "Die Maus piept"], "enthält den Satz"),
        ([KATZE, "a b c d e f g h i j k l m n o p q r s t u v w"], "verschiedene Wörter"),
        ([KATZE, "Wort"], "Zeile 2, hat nur ein Wort"),
        ([KATZE, "... !"], "Zeile 2, enthält kein Wort"),
    ],
)
def test_bad_texts(tmp_path, lines, said):
    with pytest.raises(UserError, match=said) as error:
        build(options(texte=texts_file(tmp_path, *lines)))
    assert "--texte" in str(error.value)


@pytest.mark.parametrize(
    ("content", "said"), [(b"\x89PNG\r\n\x1a\n\xff\xfe\x00", "UTF-8"), (None, "--texte")]
)
def test_a_file_that_is_no_text(tmp_path, content, said):
    path = tmp_path / "bild.png"
    if content:
        path.write_bytes(content)
    with pytest.raises(UserError, match=said):
        build(options(texte=path))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"satz": "Hallo Welt", "gewichte": "gelernt"}, "zu kurz"),
        ({"satz": KATZE, "weiter": "Bank"}, "--gewichte gelernt"),
        ({"satz": KATZE, "texte": "texte.txt"}, "--gewichte gelernt"),
    ],
)
def test_options_that_do_not_fit(given, said):
    with pytest.raises(UserError, match=said):
        Options(**given)


def test_the_code_of_an_earlier_training_is_refused(monkeypatch):
    monkeypatch.setattr(codes, "LEARNT_IN_CODES", "gelernt")
    code = sheet_code(options())
    monkeypatch.undo()
    with pytest.raises(UserError, match=r"anderen Fassung.*rechnung\.json"):
        read_code(code)


def test_training_gives_what_its_codes_promise():
    """If this fails because training has changed, LEARNT_IN_CODES has to become another one."""
    tables = build(options()).learnt.model.weights.items()
    tenths = {name: np.rint(table * 10).astype(int).tolist() for name, table in sorted(tables)}
    mark = hashlib.sha256(json.dumps(tenths).encode()).hexdigest()[:8]
    assert (LEARNT_IN_CODES, mark) == ("gelernt12", "0cc4ee9c")


def test_a_code_means_the_same_whatever_the_default_is(monkeypatch):
    code = sheet_code(Options(satz=KATZE, gewichte="auswahl"))
    with_another = replace(Options(satz=KATZE), gewichte="dezimal")
    monkeypatch.setattr(codes, "Options", lambda **given: replace(with_another, **given))
    assert read_code(code).options.gewichte == "auswahl"


def test_the_code_of_a_sheet(tmp_path):
    own = options(weiter="Bank", startwert=3)
    assert read_code(sheet_code(own)).options == own
    path = texts_file(tmp_path, KATZE, "Der Hund sitzt auf dem Sofa")
    code = sheet_code(options(texte=path))
    assert read_code(code, {"texte": path}).options.texte == path
    with pytest.raises(UserError, match="--texte"):
        read_code(code)
    path.write_text(KATZE + "\nDer Hund liegt auf dem Sofa", encoding="utf-8")
    with pytest.raises(UserError, match="nicht die des Blatts"):
        read_code(code, {"texte": path})
