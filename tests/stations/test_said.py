"""What a sheet says in each case, and what it leaves out there: a line is a sheet, a view and words.

Words are regular expressions; formulas are read as they are spoken. What numbers decide is in tests/findings.
"""

import json
import re
from functools import cache

from findings.seen import plain
from laid_out import KATZE, html_of, laid_out

from generator.options.course import BY_ID
from generator.options.options import Options
from generator.sheet.record import stations_of
from tests.laid_out import page_of

BLAETTER = "Im Herbst sammeln Kinder Blätter"
CAT, WHOLE = {"zielsatz": "The cat sits"}, {"zielsatz": "The cat sits on the mat"}
LEARNT = {"gewichte": "gelernt"}
COPIED, GIVEN = "In die Tabelle gehören", "In der Tabelle stehen"
ROUND_OFF = r"≈ 1,41 geteilt; ein Key hat"
NO_HEADS = "mit mehreren Heads nebeneinander|mehrere Ohren|aller Heads"
TWIN = "„Die“ hat denselben Wortvektor wie „der“"
# Before the guess nothing is told but the texts.
UNTOLD = (
    r"kommt jetzt\?(?=.*Der Hund holt den Ball)(?:(?!\d,\d\d|Query|Value|Key|Gewicht).)*Wem hört „den“ zu"
)
NUMBERS = {"embedding": [[round(0.1 * k - 1, 1) for k in range(n, n + 4)] for n in range(6)]}


def at(stations, view="worksheet", **options):
    return view, {"satz": KATZE, "stationen": stations} | options


def learning(path, view="worksheet", **options):
    return at("11", view, lernen=path, **options)


# A sheet and its view; what it says; what it does not say.
SAID = [
    # 0 to 3
    (at("0", satz="Es ist Nacht. Der Hund bellt.", gewichte="auswahl"), "das Wort nach „bellt.“\\?", None),
    (at("0,1,2,3,4b"), "Dein Tipp: Wem hört „Matte“ zu\\? Zeichne über die gestrichelten Bögen", None),
    (at("0,1,2,3,4b"), "Inhalt", r"^(?:(?!Inhalt).)*\d,\d"),
    (at("1b"), "Jedes Zeichen der Sammlung.*So geht eine Runde.*nach Regel", None),
    (at("2", satz="Ein Hund und eine Katze und ein Pferd"), "bei mehreren genügt eines", None),
    (at("2", "key", numbers=NUMBERS), "Diese Wortvektoren sind vorgegeben", "Handlung"),
    (at("3", "key", positionen=False), "hat keines", "zeichne"),
    # 4a, 4b
    *((at(s, skalierung=False), "Gewicht", "Wurzel(?! aus dem Gewicht)") for s in ("4a", "4b")),
    (at("4a"), "haben d k gleich 2 Komponenten.*geteilt durch Wurzel aus d k.*1,41", None),
    (at("4a", positionen=False), "Score", "Wortvektor plus Position"),
    (at("4b"), f"So rundest du.*{ROUND_OFF}|{ROUND_OFF}.*So rundest du", None),
    (at("4a,4b"), "Zweitbelegung von ln", "Zweitbelegung von ln.*Zweitbelegung von ln"),
    (at("4b", heads=1), "Head", NO_HEADS),
    (at("4b", bild=False), "Head", "Beim Zuhören"),
    (at("4a", **LEARNT), "Deute", None),
    (at("4a", gewichte="auswahl"), "Begründe", None),
    (at("4a", zeit=45, satz="Der Hund holt den Ball", **LEARNT), UNTOLD, None),
    # 5 to 8
    (at("4b,5", satz=BLAETTER), COPIED + ".*Hier rechnest.* a aus Station 4b", None),
    (at("4a,5", satz=BLAETTER, uebung="Blätter"), COPIED + ".*Station 4a[^:]*: Seine ersten", None),
    (at("5", satz=BLAETTER), GIVEN, COPIED),
    (at("6", "key", numbers={"block1.ffn.b_1": [9] * 8}), "ReLU lässt hier alles stehen", None),
    (at("6", gewichte="auswahl"), "ReLU", "je dicker, desto größer"),
    (at("6", gewichte="dezimal"), "je dicker, desto größer", None),
    *((at("7,8", bloecke=n), f"Dein Vektor.*Station {s}", None) for n, s in ((1, 7), (2, "B2"))),
    (at("8", temperatur=(0.02,)), "⁰|· 10", None),
    (at("8", "key", **LEARNT), r"das frühere in der Tabelle\.\s?Matte ", None),
    (at("8", **LEARNT), "siehe Aufgabe", "siehe Aufgabe.*siehe Aufgabe"),
    # 9, 10
    *((at("9", laenge=n), f"Gib {said} an", None) for n, said in
      ((2, "für Runde 2"), (3, "für jede Runde"))),
    (at("9", laenge=3), "Wähle in jeder Runde", "in Runde 2 das Wort"),
    (at("9", "key", laenge=2), "Auf denselben Text folgt immer dasselbe Wort", None),
    (at("10", **CAT), "ist die Temperatur: Jeder Logit wird durch", "denselben Logit"),
    (at("10", **CAT), "Auch e hoch x bekommt 2 Nachkommastellen; x ist der Score", None),
    (at("10", **WHOLE, gewichte="auswahl"), "denselben Logit hat „the“", None),
    (at("10", **CAT, heads=2), "Die Vektoren beider Heads", None),
    # 11, Σ
    (learning("attention", richtig="Die"), TWIN + ".*kann nie größer als 1/2 werden", None),
    (learning("attention", "key"), "Schlange“.*der geteilten Scores und der Scores", None),
    (learning("attention", "key", skalierung=False), "Loss", "Schlange“|der geteilten Scores und der Scores"),
    *((learning("attention", "key", heads=n), f"die {said} beigesteuert", None) for n, said in
      ((1, "Komponenten 1 bis 4"), (4, "Komponente 1"))),
    (learning("ausgabe", "key", richtig="Katze"), "Das falsche Wort wurde", "noch unsicher"),
    (at("11,S", lernen="ausgabe"), r"Softmax \(Jacobi-Matrix\)", "Cross: Query|in den Encoder"),
    (at("S"), "Softmax", "Der Weg zurück"),
    (at("11,S", lernen="attention", **CAT), "in den Encoder", None),
    (at("10,S", lernen="ausgabe", **CAT), "Cross: Query", None),
]  # fmt: skip


@cache
def text(view, options):
    sheet, desk = laid_out(options)
    return plain(html_of(sheet, desk, view, "pdf").rpartition("</style>")[2])


def test_each_sheet_says_what_holds_there_and_nothing_else(tmp_path):
    wrong = []
    for number, ((view, options), says, lacks) in enumerate(SAID):
        if numbers := options.pop("numbers", None):
            path = tmp_path / f"{number}.json"
            path.write_text(json.dumps(numbers), encoding="utf-8")
            options["embeddings" if "embedding" in numbers else "gewichte"] = path
        found = text(view, Options.from_mapping(options))
        rooms = (f"templates/stations/{BY_ID[id_].name}/" for id_ in options["stationen"].split(","))
        here = f"{', '.join(rooms)} ({view}) of {options}"
        wrong += [] if re.search(says, found) else [f"„{says}“ is not there: {here}"]
        there = lacks and re.search(lacks, found)
        wrong += [f"{there[0][-80:]} is there: {here}"] if there else []
    assert wrong == []


def test_ids_that_are_asked_for_add_up_to_what_their_check_says():
    """Of words and of texts; sums of numbers are looked at in tests/mistakes/test_self_checks.py."""
    checked = []
    for (view, options), first in ((at("1", "key"), 0), (at("9", "key"), 0), (at("10", "key", **CAT), 1)):
        sheet, desk = laid_out(Options.from_mapping(options))
        words = list(desk.built.two.calculation.model.vocabulary if first else desk.vocabulary)
        (station,) = stations_of(page_of(sheet, desk, view))
        for exercise in station.exercises:
            checks = plain(" ".join(exercise.checks))
            for said in re.findall(r"(?:IDs|Nummern)[^.]*?zusammen (?:ergeben )?(\d+)", checks):
                text = plain(exercise.solutions[-1][1] if exercise.solutions else KATZE).split()
                checked.append((station.id, sum(words.index(word) + first for word in text) == int(said)))
    assert {station for station, _ in checked} == {"1", "9", "10"}
    assert all(holds for _, holds in checked), checked
