"""Every sentence of an answer is in the table of findings, and its finding holds."""

import re
import traceback
from dataclasses import replace
from pathlib import Path

import pytest
from laid_out import KATZE

from findings.line import ROOT
from findings.seen import seen
from findings.table import TABLE, nearest

TOLD = set()  # places that another sheet has named
LEARNT = {"gewichte": "gelernt"}
BAECKER = "Der Bäcker backt jeden Morgen frisches Brot"
SHEETS = [
    {"satz": KATZE, **LEARNT},
    {"satz": "Im Zoo füttert der Wärter die hungrigen Affen", **LEARNT, "startwert": 2},
    {"satz": "Der Bauer melkt die Kuh", **LEARNT, "lernen": "attention"},
    {"satz": "Am Abend liest die Oma ein Buch", **LEARNT, "dimension": 6, "heads": 3, "startwert": 9},
    {"satz": "Der Hund jagt den Ball", **LEARNT, "stationen": "4a", "zeit": 45},
    {"satz": BAECKER, **LEARNT, "zielsatz": "Mit Geduld backt man gutes Brot"},
    {"satz": "Die Lehrerin schreibt einen Satz an die Tafel", "lernen": "alles"},
    {"satz": KATZE, "gewichte": "dezimal", "zielsatz": "The cat sits on the mat", "lernen": "alles"},
    {"satz": "Mein kleiner Bruder spielt Fußball", "gewichte": "ganzzahlig", "bloecke": 2},
    {"satz": KATZE, "maske": False, "gewichte": "dezimal", "positionen": False},
    {"satz": "Wo schläft der müde Hund?", "stufe": 3},
    {"satz": "Der Torwart hält den Ball", "gewichte": "auswahl", "heads": 1, "stationen": "4a", "zeit": 45},
    {"satz": "Die Biene fliegt von Blüte zu Blüte", "gewichte": "auswahl", "dimension": 8, "heads": 1},
    {"satz": "Der Lehrer erklärt der Klasse die Aufgabe", "gewichte": "auswahl", "dimension": 8, "heads": 4},
    {"satz": KATZE, **LEARNT, "zielsatz": "The cat sits on the mat", "maske": False, "stationen": "6,7,10"},
]
# What ties, is small, alone or near, on the stations that it concerns.
FURTHER = [
    {"satz": "Die Bahn fährt pünktlich durch den Tunnel", "stationen": "4b,5,6,7"},
    {"satz": KATZE, "dimension": 6, "heads": 3, "gewichte": "dezimal", "stationen": "4b,5,6,7"},
    {"satz": "Der alte Hund jagt heute den roten Ball", "uebung": "jagt", "nachkommastellen": 1,
     "stationen": "5,6,7"},
    {"satz": "Meine Oma backt sonntags einen Kuchen", **LEARNT, "stationen": "4a", "zeit": 45},
    {"satz": "Der Hund holt den Ball", **LEARNT, "dimension": 8, "heads": 4, "stationen": "4a",
     "zeit": 45},
    {"satz": "Der alte Kapitän segelt nach Hause", "stationen": "4a"},
    {"satz": "Wir lernen schnell", "stationen": "4a,4b"},
    {"satz": "Oma liest ein Buch", "startwert": 3, "stationen": "4a,4b"},
    {"satz": "Die Schnecke zittert gern", **LEARNT, "startwert": 45, "stationen": "4a"},
    *({"satz": KATZE, "zielsatz": "The cat sits on the mat", "stationen": "10", "gewichte": "auswahl",
       "startwert": seed} for seed in range(4)),
    *({"satz": satz, "stationen": "9", "laenge": 2, "gewichte": weights}
      for satz, weights in ((KATZE, "auswahl"), ("Ja nein", "dezimal"),
                            ("Der Hund sieht den Ball und der Ball rollt weg", "ganzzahlig"))),
    {"satz": KATZE, "lernen": "attention", "gewichte": "auswahl", "stationen": "11"},
    {"satz": KATZE, "lernen": "attention", "gewichte": "auswahl", "stationen": "11", "richtig": "Die"},
    {"satz": "Vögel singen", "lernen": "attention", "stationen": "11", "dimension": 2, "heads": 1},
    {"satz": "Die Kinder spielen im Garten", **LEARNT, "stationen": "2,4a,8", "startwert": 3},
    {"satz": "Der Vogel singt ein Lied", **LEARNT, "stationen": "4a,4b", "zeit": 45},
    {"satz": "Die Frau sieht die Frau", **LEARNT, "stationen": "9"},
    {"satz": "Das Kind malt ein Haus", "gewichte": "dezimal", "stationen": "2,3,4b,5,6,7", "startwert": 5},
    {"satz": "Der Hund schläft", "zielsatz": "The dog sleeps", "gewichte": "dezimal", "stationen": "10",
     "startwert": 3},
    {"satz": "Der Hund schläft fest", "zielsatz": "The dog sleeps", "gewichte": "ganzzahlig",
     "stationen": "10", "startwert": 1},
]  # fmt: skip


def read(said):
    """The lines that an answer is made of, each with its match; a rest that none has comes with None."""
    lines, start = [line for line in TABLE if line.of(said.task)], 0
    while rest := said.text[start:]:
        matches = [(m.end(), line, m) for line in lines if (m := line.pattern.match(rest)) and m.end()]
        if not matches:
            yield None, rest, said
            return
        end, line, match = max(matches, key=lambda each: each[0])
        yield line, match, replace(said, before=said.text[:start])
        start += end


def faults_of(sheet):
    """Sentences that no line has, and those that do not hold, by where they stand once more."""
    found = {}
    for said in sheet.said:
        for line, match, asked in read(said):
            if line is None:
                place, told = unknown(said.task, match)
            else:
                try:
                    if line.check:
                        line.check(sheet, asked, *match.groups())
                    continue
                except (AssertionError, ValueError, KeyError, IndexError, TypeError) as error:
                    place, told = wrong(said, match[0], error)
            found.setdefault(place, told)
    return found


def unknown(task, sentence):
    """For whoever has changed a sentence: where it stands once more."""
    place, written = nearest(task, sentence)
    first = re.split(r"(?<=[.?!;])\s", sentence)[0]
    return place, (
        f"Aufgabe „{task}“: Diesen Satz kennt die Prüfung nicht: {first}\n"
        f"  Am ähnlichsten ist in {place}: {written}\n"
        "  Ist nur der Wortlaut neu, schreiben Sie ihn dort hin; ein neuer braucht eine Zeile mit Prüfung."
    )


def wrong(said, sentence, error):
    """A sentence whose check fails; a check may know words of it too."""
    steps = traceback.extract_tb(error.__traceback__)
    step = [step for step in steps if Path(step.filename).is_relative_to(ROOT / "tests/findings")][-1]
    place = f"{Path(step.filename).relative_to(ROOT).as_posix()}, Zeile {step.lineno}"
    return place, (
        f"Aufgabe „{said.task}“: {sentence}\n"
        f"  Das prüft {place}, und es stimmt nicht: {step.line} ({type(error).__name__} {error})\n"
        "  Stimmen die Zahlen und Wörter des Satzes doch, so kennt diese Zeile noch einen alten Wortlaut.\n"
        f"  Die ganze Antwort: {said.text}"
    )


@pytest.mark.parametrize("options", [*SHEETS, *FURTHER], ids=lambda options: options["satz"][:12])
def test_every_sentence_that_judges_is_in_the_table_and_holds(options):
    sheet = seen(options)
    assert len(sheet.said) > (3 if options in SHEETS else 0)
    if faults := faults_of(sheet):
        new = [told for place, told in faults.items() if place not in TOLD]
        TOLD.update(faults)
        pytest.fail("\n".join(new) or f"Wie oben: {'; '.join(faults)}", pytrace=False)


def threes(*texts):
    """The words of each, three in a row at a time."""
    rows = [re.findall(r"[^\W_]+", text) for text in texts]
    return {three for words in rows for three in zip(words, words[1:], words[2:], strict=False)}


def test_the_wording_of_what_no_sheet_here_says_is_still_that_of_the_templates():
    """A sheet would notice another wording; where none says a sentence, its words are looked for."""
    templates = [file.read_text(encoding="utf-8") for file in (ROOT / "templates").rglob("*.j2")]
    written = threes(re.sub("&nbsp;|</?[a-z][^<>{}]*>", " ", " ".join(templates)))
    for line in (line for line in TABLE if line.unseen):
        written_out = re.split(r"[«#|()\[\]]|\.[*+]|\\.", re.sub(r"\\[.?!()]", " ", line.sentence))
        told = threes(*written_out)
        assert told <= written, (
            f"{line.place}: So steht es nicht mehr in templates/. Schreiben Sie dort den neuen Wortlaut hin."
        )


@pytest.mark.thorough
def test_what_no_sheet_here_says_is_marked_and_becomes_no_more():
    """For it no number was ever compared: a sheet that says it, in SHEETS or FURTHER, takes the mark away."""
    shown = {id(line) for each in (*SHEETS, *FURTHER) for said in seen(each).said for line, *_ in read(said)}
    lost = [line.sentence for line in TABLE if id(line) not in shown and not line.unseen]
    found = [line.sentence for line in TABLE if id(line) in shown and line.unseen]
    assert not lost, "Diese Sätze stehen auf keinem Blatt hier; fehlt eines, das sie zeigt?"
    assert not found, "Diese Sätze kommen jetzt vor: Streichen Sie dort unseen=True."


def test_most_wrong_numbers_and_words_are_noticed():
    sheet = seen(SHEETS[0])
    noticed = []
    for said in sheet.said:
        for found in re.finditer(r"(?<![\d₁-₉])(\d)((?:,\d+)?)|„([^„“]+)“", said.text):
            if found[3]:
                other = next(word for word in sheet.words if word != found[3])
                wrong = f"„{other}“"
                if found[3] not in sheet.words:
                    continue
            else:
                wrong = f"{(int(found[1]) + 3) % 10}{found[2]}"
            text = said.text[: found.start()] + wrong + said.text[found.end() :]
            noticed.append(bool(faults_of(replace(sheet, said=(replace(said, text=text),)))))
    assert len(noticed) > 100
    assert sum(noticed) > 0.85 * len(noticed)
