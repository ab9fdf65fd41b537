"""The plan of lessons and the closing words: what the teacher's pages and the terminal say is the same."""

import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from engine.judging.teaching import Operations
from generator.basics.numbers import about
from generator.commands.command_table import COMMANDS
from generator.options.command_line import read
from generator.options.options import Options
from generator.options.sheet_code import command_again
from generator.production.summary import closing_words
from generator.production.worksheet import SheetFiles
from generator.teacher.lesson import phases
from generator.teacher.plan import Workload, chosen_of, pace, total, workloads
from teacher.sheets import KATZE, fitted, taught, text_of


def said_of(**options):
    """The closing words of a run with --zeit."""
    own, (built, choice) = taught(**options), fitted(**options)
    return SheetFiles(built, own.sheet, {}, 0, choice).said(Path("aus")).replace("\xa0", " ")


@pytest.mark.parametrize("length", [45, *(pytest.param(n, marks=pytest.mark.thorough) for n in (20, 90))])
def test_page_and_terminal_name_the_same_minutes_and_stations(length):
    own, said = taught(zeit=length), said_of(zeit=length)
    page, choice = text_of(own.html["lehrkraft"]), own.choice
    minutes, around = about(choice.lesson.minutes).replace("\xa0", " "), choice.phases.around
    assert choice.lesson.minutes + around <= length
    assert abs(int(re.findall(r"\d+", minutes)[-1]) - choice.lesson.minutes) <= 2.5
    assert f"{length} Minuten, davon {minutes} Arbeit und {around} für Einstieg und Vergleich" in page
    assert f"Das sind {minutes} Arbeit" in said
    assert f"geschätzt {minutes} für die Lernenden" in said
    for later in chosen_of(choice, own.desk).later:
        assert f"{later.words} ({later.about}".replace("\xa0", " ") in page
    assert "Formelsammlung" in said
    assert "Station S" not in said + page


def test_a_lesson_begins_and_ends_as_it_is_said():
    """A single lesson needs more around its work, most where it guesses and resolves."""
    assert [phases(length, guesses).around for length, guesses in ((20, False), (45, True), (90, True))] == [
        7, 22, 20
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"zeit": 10, "stationen": "1b"},
            ["Zum Arbeiten bleiben 6 Minuten; schon das dauert nach der Schätzung länger."],
        ),
        (
            {"zeit": 45, "stationen": "4a,4b,S"},
            [
                "Für 45 Minuten gewählt: Station 4a; selbst gerechnet „Matte“",
                "Weggelassen: 4b Multi-Head Attention und Σ Formelsammlung.",
            ],
        ),
    ],
)
def test_the_summary_says_what_was_chosen_and_left_out(options, said):
    assert all(each in said_of(**options) for each in said)


def test_an_estimate_is_told_no_finer_than_it_is():
    for minutes, said in {1: "1", 8: "7 bis 8", 33: "27 bis 33", 89: "75 bis 90", 366: "295 bis 370"}.items():
        assert about(minutes).replace("\xa0", " ") == f"etwa {said} Minuten"


def test_the_page_says_how_minutes_are_estimated_and_double_lessons_are_called_so():
    own = taught()
    page = text_of(own.html["lehrkraft"])
    for number in pace(own.desk).values():
        assert f" {number} " in page[page.index("geschätzt , am oberen Ende") :][:400]
    assert re.search(
        r"etwa \d+ bis \d+ Minuten Arbeit, also \d+ Stunden zu 45 Minuten oder \d+ Doppelstunden mit", page
    )
    minutes = total(workloads(own.sheet.stations, own.desk.built.effort)).minutes
    assert about(minutes).replace("\xa0", " ") in page


def test_the_closing_words():
    work = Workload(12, 30, Operations(multiplications=1, divisions=8, exponentials=6), 21.6)
    text = closing_words(Path("aus"), ("b.pdf", "a.pdf"), 1, work, ("Es fehlt etwas.",))
    assert text.splitlines() == [
        "Fertig: aus",
        "  a.pdf, b.pdf",
        "  1 Seite, 30 Lücken, 12 BE",
        "  1 Multiplikation, 8 Divisionen, 6 Exponentialwerte; "
        "geschätzt etwa 18 bis 22\N{NO-BREAK SPACE}Minuten für die Lernenden",
        "Es fehlt etwas.",
    ]


# The command that the last page names makes this sheet again.


def options_of(command):
    """The options that the command line gives when a shell has split it."""
    words = shlex.split(command)
    assert words[:2] == ["papierformer", "blatt"]
    call = read(next(c for c in COMMANDS if c.name == "blatt"), words[2:])
    return Options.asked({"satz": call.arguments["SATZ"]} | call.options).settled("gelernt")


GIVEN = [
    {},
    {"dimension": 6, "heads": 3, "ffn": 5, "maske": False, "positionen": False, "skalierung": False},
    {"temperatur": (0.7, 1.0), "stationen": "4b,4a,S", "gewichte": "dezimal", "startwert": 12},
    {"beispiel": "Matte", "uebung": ("Katze", 3), "stufe": 1, "gewichte": "auswahl"},
    {"beispiel": "der", "nachkommastellen": 3, "dezimalzeichen": "punkt", "bloecke": 2},
    *({"satz": each} for each in ('Er sagt "ja" zu $HOME', "Wie teuer? 5 %!", "`id` \\ 'x' y")),
]


@pytest.mark.parametrize("given", GIVEN)
def test_the_command_gives_the_same_options_whatever_a_sign_means_to_the_shell(given):
    options = Options(**{"satz": KATZE, "gewichte": "gelernt"} | given)
    assert options_of(command_again(options)) == options


def test_defaults_are_not_said_and_of_a_file_only_its_name(tmp_path):
    assert command_again(Options(satz=KATZE, gewichte="gelernt")) == f'papierformer blatt "{KATZE}"'
    template = tmp_path / "meine vorlage.toml"
    template.write_text("stufe = 3\n")
    said = command_again(Options.asked({"satz": KATZE, "vorlage": template}).settled("gelernt"))
    assert said == f'papierformer blatt "{KATZE}" --vorlage "meine vorlage.toml" --stufe 3'


def test_hard_numbers_a_jigsaws_sheets_and_many_files_are_named():
    own, jigsaw = taught(), taught(stationen="4b", gruppen="heads", gewichte="auswahl")
    told = replace(own.review.certificate, unfriendly=("Schwer.",), confused=("Gleich.",))
    noted = SheetFiles(own.desk.built, own.sheet, {}, 0, certificate=told).notes()
    assert list(noted) == ["Schwer.", "Gleich."]
    groups = jigsaw.found["groups"]
    (said,) = SheetFiles(jigsaw.desk.built, jigsaw.sheet, {}, 0, groups=groups).notes()
    assert all(f"{each.file}.pdf {each.about}" in said for each in groups)
    names = ["arbeitsblatt", "gruppe-1", "gruppe-1-loesung", "lehrkraft", "loesung"]
    files = (*(f"{name}.{kind}" for name in names for kind in ("html", "pdf")), "rechnung.json")
    line = closing_words(Path("aus"), files, 0, Workload()).splitlines()[1]
    assert line == f"  je .html und .pdf: {', '.join(names)}; rechnung.json"
