"""Options: what is taken, what is refused in a sentence, and where a file of them stands."""

import dataclasses
import json

import pytest

from generator.basics.errors import UserError
from generator.options import limits
from generator.options.course import STATIONS
from generator.options.options import TABLE, Options
from tests.laid_out import KATZE


def refusal(**given):
    with pytest.raises(UserError) as caught:
        Options.from_mapping({"satz": KATZE} | given)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    return sentence


def test_every_option_has_german_help_and_a_default_text():
    for option in TABLE:
        assert len(option.help) > 10
        assert option.default_text
        assert (option.default is not None) or option.example is not None or option.name == "vorlage"


def test_resolved_options_give_the_same_options_again():
    options = Options.from_mapping(
        {"satz": KATZE, "dimension": "6", "heads": "3", "temperatur": ["0,7", "2"], "stationen": "S,4a"}
        | {"uebung": "auf,1", "maske": False, "topp": "0,75", "endezeichen": " <Ende> "}
    )
    again = Options.from_mapping({"satz": KATZE} | json.loads(json.dumps(options.resolved())))
    assert again == dataclasses.replace(options, ffn=12)
    assert (options.stationen, options.uebung) == (("4a", "S"), (1, 4))
    assert (options.temperatur, options.topp, options.endezeichen) == ((0.7, 2.0), 0.75, "<Ende>")


NAN, HUGE = float("nan"), "9" * 5000
IMPOSSIBLE = {
    "dimension": (0, -1, "0", "-1", "−1", "1.5", 1.5, "vier", "", True, [4], 10**9, HUGE),
    "heads": ("0",), "bloecke": ("0",), "ffn": ("0",), "startwert": ("-1", "x"), "bild": (1,),
    "zeit": ("0", "9", "-45", "601", "45,5", "lang", "", "1e9", "٤٥", True),
    "gruppen": ("1", "köpfe", True), "stufe": ("0", "4"), "nachkommastellen": ("0", "7"),
    "dezimalzeichen": (",",), "maske": ("ja", 1), "skalierung": ("false",),
    "temperatur": ("0", "-1", "NaN", "inf", "1e400", "heiß", "0,5,1", [], True, [0.5, "0,50"], 1e-5, NAN,
                   float("inf"), [str(n) for n in range(1, 10)]),
    "stationen": ("4z", "99"), "gewichte": ("", 3), "embeddings": ([[1]],),
    "beispiel": ("Hund", "0", "7", 0, 7, -1, True, "", 1.5, ["Die", "Katze"], HUGE),
    "uebung": ("Hund", "3,9", "Katze", 2, "", [True]),
    "laenge": ("0", "7"), "topk": ("0",), "topp": ("0", "1,01", "0,005", "viel", NAN, True, [0.5]),
    "endezeichen": ("", "a b", "a\x1bb", "x" * 21, 5, "Katze"),
    "ausgabe": ("", "a\0b"), "vorlage": (5,),
}  # fmt: skip


def test_impossible_values_are_refused_by_name():
    for name, values in IMPOSSIBLE.items():
        for value in values:
            assert refusal(**{name: value}).startswith("--" + name), value
    for sentence in ("", "   ", "\n", "\u200b", "a\x00b", "a\x1bb", "a\u202eb", "\ud800", "a\ufffeb"):
        assert refusal(satz=sentence).startswith("Der Satz")
    with pytest.raises(UserError, match="Der Satz fehlt"):
        Options.from_mapping({"dimension": 4})
    assert refusal(heads="3") == "--heads 3 teilt --dimension 4 nicht; möglich sind 1, 2 und 4."
    assert refusal(stufe="4") == "--stufe 4 passt nicht: Möglich ist eine ganze Zahl von 1 bis 3."
    assert "gemeint ist vielleicht „heads“" in refusal(hats=3)
    assert "„\ufffd[31m“" in refusal(stationen="\x1b[31m")


def test_a_word_that_stands_twice_needs_its_place():
    sentence = "Die Katze sieht die Katze im Haus"
    assert "an den Stellen 2 und 5" in refusal(satz=sentence, beispiel="Katze")
    options = Options(satz=sentence, beispiel="die", uebung=("haus", "5"))
    assert (options.beispiel, options.uebung) == (4, (5, 7))


@pytest.mark.parametrize(
    ("sentence", "beispiel", "expected"),
    [
        ("Katze sitzt", None, (2, (1,))),
        ("Katze sitzt", 1, (1, (2,))),
        ("Katze sitzt da", None, (2, (3,))),
        (KATZE, 3, (3, (6,))),
        (KATZE, 6, (6, (3,))),
        ("Katze", None, (1, ())),
    ],
)
def test_default_exercises_avoid_the_example(sentence, beispiel, expected):
    options = Options(satz=sentence, beispiel=beispiel)
    assert (options.beispiel, options.uebung) == expected
    assert dataclasses.replace(options) == options


def test_a_sentence_is_normalised_and_strange_text_stays_as_it_is():
    assert Options(satz="  Die\tMu\u0308ller\u00a0 sit\u00adzen\n").satz == "Die Müller sitzen"
    for sentence in ("<script>alert(1)</script>", "{{ 7*7 }}", r"$\LaTeX$ \\ \input{x}", "القط يجلس على"):
        assert Options(satz=sentence).satz == sentence
    assert Options(satz=KATZE, stationen=",".join(STATIONS)).stationen == STATIONS


def template(tmp_path, text, **given):
    path = tmp_path / "vorlage.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return {"vorlage": str(path)} | given


def test_command_line_beats_file_beats_default(tmp_path):
    given = template(tmp_path, 'satz = "Aus der Datei"\nheads = 4\nstufe = 3\n', heads="1")
    options = Options.from_mapping(given)
    assert (options.satz, options.heads, options.stufe, options.dimension) == ("Aus der Datei", 1, 3, 4)
    assert Options.from_mapping({"satz": KATZE} | given).satz == KATZE
    marked = template(tmp_path, b"\xef\xbb\xbfheads = 1\r\nstufe = 3\r\n")  # as from Windows
    assert Options.from_mapping({"satz": KATZE} | marked).heads == 1


def test_files_named_in_a_template_are_found_beside_it_and_no_path_of_the_machine_is_kept(tmp_path):
    (tmp_path / "w.json").write_text("{}")
    given = template(tmp_path, 'gewichte = "w.json"', embeddings=str(tmp_path / "e.json"))
    options = Options.from_mapping({"satz": KATZE, "ausgabe": str(tmp_path)} | given)
    assert str(tmp_path) not in json.dumps(options.resolved())
    assert (options.resolved()["vorlage"], options.resolved()["gewichte"]) == ("vorlage.toml", "w.json")
    assert (options.weight_style, options.gewichte) == ("auswahl", tmp_path / "w.json")


BROKEN = {
    "heads = 2\nstufe : 3\n": "Zeile 2, Spalte 7",
    "heads = ": "das Ende fehlt",
    "heads = 2\nheads = 2\n": "kein gültiges TOML",
    "hats = 2": "gemeint ist vielleicht „heads“",
    "dimension = true": "--dimension true",
    "dimension = 4.0": "--dimension 4.0",
    "temperatur = [nan]": "--temperatur",
    "maske = 1": "--maske 1",
    'vorlage = "x.toml"': "vorlage",
    b"\xff\xfe\x00\x01": "UTF-8",
    b"# " + b"x" * 2_000_000: "zu groß",
}


def test_broken_and_hostile_templates(tmp_path):
    for text, expected in BROKEN.items():
        assert expected in refusal(**template(tmp_path, text))
    assert "nichts zu finden" in refusal(vorlage=str(tmp_path / "nichts.toml"))
    assert "das ist ein Ordner" in refusal(vorlage=str(tmp_path))


def test_limits_of_paper_and_memory():
    """Long vectors and 128 words are calculated; what is printed has to be smaller."""
    limits.for_paper(Options(satz="Zwei Wörter", dimension=16, heads=4))
    limits.for_paper(Options(satz=" ".join(["Wort"] * 24)))
    limits.for_memory(Options(satz=KATZE, dimension=512))
    limits.for_memory(Options(satz=" ".join(f"w{n}" for n in range(128))))
    half_gpt2_small = {"satz": KATZE, "dimension": 384, "heads": 12, "bloecke": 12, "ffn": 1536}
    for limit, wanted, expected in [
        (limits.for_paper, {"satz": "Katze"}, "Der Satz hat 1 Token"),
        (limits.for_paper, {"satz": " ".join(["Wort"] * 25)}, "Der Satz hat 25 Token"),
        (limits.for_paper, {"satz": KATZE, "dimension": 1, "heads": 1}, "--dimension 1 passt nicht"),
        (limits.for_paper, {"satz": KATZE, "dimension": 500}, "--dimension 500 passt nicht"),
        (limits.for_paper, {"satz": KATZE, "ffn": 1000}, "--ffn 1000 passt nicht"),
        (limits.for_memory, {"satz": "Wort " * 129}, "Die Rechnung wäre zu groß"),
        (limits.for_memory, half_gpt2_small, "Die Rechnung wäre zu groß"),
    ]:
        with pytest.raises(UserError, match=expected):
            limit(Options(**wanted))
