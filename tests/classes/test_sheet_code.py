"""A code says everything that its sheet needs, nothing else, and no slip passes for another sheet."""

import json
import random
import string

import pypdfium2
import pytest
import zxingcpp

from generator.basics.errors import UserError
from generator.commands import cli
from generator.options.options import Options
from generator.options.sheet_code import ALPHABET, in_groups, read_code, sheet_code
from generator.output.formulas.typeset import Typesetter
from generator.stations.make_sheet import make_sheet
from tests.laid_out import pair_of

SENTENCE = "Die Katze sitzt auf der Matte"
CHOICES = [
    {},
    {"startwert": 4_000_000_000},
    {"stationen": "4a,4b", "stufe": 1, "dezimalzeichen": "punkt", "temperatur": ["0,5", "1,25"]},
    {"dimension": 6, "heads": 3, "ffn": 5, "gewichte": "dezimal", "maske": False, "uebung": "auf,Matte"},
    {"zielsatz": "The cat sits", "lernen": "ausgabe", "richtig": "Katze", "lernrate": "0,3"},
    {"zeit": 45, "satz": "Ümläute & „Zeichen“ <b>fett</b> 😀"},
]


@pytest.mark.parametrize("given", CHOICES)
def test_a_code_gives_its_options_back(given):
    options = Options.from_mapping({"satz": SENTENCE} | given)
    code = sheet_code(options)
    assert set(code) <= set(ALPHABET) - set("01IO")
    decoded = read_code(in_groups(code).lower().replace(" ", "-"))
    assert (decoded.options, decoded.same_version) == (options, True)


def test_slips_of_the_pen_and_any_other_text_are_noticed():
    rng = random.Random(1)
    code = sheet_code(Options(satz=SENTENCE, startwert=17, stationen=("4a", "4b")))
    assert len(code) <= 50, "the code of a usual sheet can be typed"
    for _ in range(200):
        letters = list(code)
        place = rng.randrange(len(letters) - 1)
        if rng.random() < 0.5:
            letters[place] = rng.choice([sign for sign in ALPHABET if sign != letters[place]])
        else:
            letters[place : place + 2] = reversed(letters[place : place + 2])
        if "".join(letters) != code:
            with pytest.raises(UserError, match="stimmt so nicht"):
                read_code("".join(letters))
    with pytest.raises(UserError, match="„0“"):
        read_code("0" + code[1:])
    for length in (0, 1, 9, 10, 11, 40, 5000):
        with pytest.raises(UserError):
            read_code("".join(rng.choice(string.ascii_letters + string.digits) for _ in range(length)))


def test_numbers_of_a_file_are_asked_for_and_compared(tmp_path):
    file, other = tmp_path / "Müllers.toml", tmp_path / "andere.toml"
    file.write_text("[wortvektoren]\nKatze = [0.0, 0.9, 0.1, 0.2]\n", encoding="utf-8")
    other.write_text("[wortvektoren]\nKatze = [0.0, 0.9, 0.1, 0.3]\n", encoding="utf-8")
    options = Options(satz=SENTENCE, embeddings=file)
    code = sheet_code(options)
    with pytest.raises(UserError, match="aus einer Datei"):
        read_code(code)
    with pytest.raises(UserError, match="nicht die des Blatts"):
        read_code(code, {"embeddings": other})
    assert read_code(code, {"embeddings": str(file)}).options == options
    assert sheet_code(Options(satz=SENTENCE, embeddings=file.rename(tmp_path / "x.toml"))) == code


def test_a_code_that_can_be_typed_stands_on_the_sheet():
    options = Options(satz="Die Katze", stationen=("7",), gewichte="ganzzahlig")
    (paper, _) = pair_of(make_sheet(options), Typesetter("screen"))
    assert in_groups(sheet_code(options)) in paper.html


def test_the_picture_of_a_page_gives_the_key_byte_for_byte(tmp_path, capsys):
    """Of a long code, too: no line runs across it, and the same numbers are judged by it as by the file."""
    long = "--fortlaufend --dimension 7 --heads 1 --gewichte auswahl --dezimalzeichen punkt --zielsatz"
    call = ["blatt", SENTENCE, "--stationen", "3", *long.split(), "The cat sits"]
    assert cli.main([*call, "--ausgabe", str(tmp_path)]) == 0
    folder = next(tmp_path.iterdir())
    read = []
    for name in ("arbeitsblatt.pdf", "loesung.pdf"):
        document = pypdfium2.PdfDocument(folder / name)
        picture = document[0].render(scale=150 / 72, grayscale=True).to_pil()
        (found,) = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode)
        corners = found.position
        read.append((found.text, corners.top_left.x, corners.top_left.y, corners.bottom_right.x))
    assert read[0] == read[1]
    assert cli.main(["schluessel", read[0][0], "--ausgabe", str(tmp_path)]) == 0
    for ending in ("pdf", "html"):
        (again,) = folder.glob(f"loesung-*.{ending}")
        assert again.read_bytes() == (folder / f"loesung.{ending}").read_bytes()

    rechnung = json.loads((folder / "rechnung.json").read_text(encoding="utf-8"))
    name = next(iter(rechnung["aufgaben"][0]["luecken"]))
    values = rechnung["quantities"][name]["hand"]
    (row, column), *_ = rechnung["aufgaben"][0]["luecken"][name]
    values[row][column] += 5
    answers = tmp_path / "antworten.json"
    answers.write_text(json.dumps({name: values}), encoding="utf-8")
    capsys.readouterr()
    said = []
    for first in (str(folder / "rechnung.json"), in_groups(read[0][0])):
        assert cli.main(["pruefe", first, str(answers), "--json"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert '"falsch": 1' in said[0]
