"""Every sentence of an answer is in the table of findings, and its finding holds."""

import re
import traceback
from dataclasses import replace
from difflib import SequenceMatcher

import pytest
from laid_out import KATZE

from findings import first_stations, heads, layers, learning, lesson, line, output, two_sentences
from findings.seen import seen

PARTS = [first_stations, heads, lesson, layers, output, two_sentences, learning]
TABLE = [each for part in PARTS for each in part.LINES]
LEARNT, DRAWN, CHOSEN, CAT = (
    {"gewichte": "gelernt"}, {"gewichte": "dezimal"}, {"gewichte": "auswahl"}, "The cat sits on the mat"
)  # fmt: skip
LESSON = {"stationen": "4a", "zeit": 45}
# Whole sheets of every kind, and what ties, is small, alone or near, on the stations that it concerns.
SHEETS = [
    {"satz": KATZE, **LEARNT},
    {"satz": "Im Zoo füttert der Wärter die hungrigen Affen", **LEARNT, "startwert": 2, "stationen": "4a,8"},
    {"satz": "Der Bauer melkt die Kuh", **LEARNT, "lernen": "attention"},
    {"satz": "Der Bäcker backt jeden Morgen frisches Brot", **LEARNT,
     "zielsatz": "Mit Geduld backt man gutes Brot"},
    {"satz": KATZE, **DRAWN, "zielsatz": CAT, "lernen": "alles"},
    {"satz": "Mein kleiner Bruder spielt Fußball", "gewichte": "ganzzahlig", "bloecke": 2},
    {"satz": KATZE, "maske": False, **DRAWN, "positionen": False, "stationen": "2,3,4a,4b,5,6,7,8"},
    {"satz": KATZE, "maske": False, "zielsatz": CAT, "stationen": "6,7,10"},
    {"satz": "Der Torwart hält den Ball", **CHOSEN, "heads": 1, **LESSON},
    {"satz": "Die Biene fliegt von Blüte zu Blüte", **CHOSEN, "dimension": 8, "heads": 1,
     "stationen": "1,4a,4b,5,8"},
    {"satz": "Der alte Hund jagt heute den roten Ball", "uebung": "jagt",
     "nachkommastellen": 1, "stationen": "5,6,7"},
    {"satz": "Wir lernen schnell", "stationen": "4a,4b"},
    {"satz": "Der alte Kapitän segelt nach Hause", "stationen": "4a"},
    {"satz": "Ja nein", "stationen": "9", "laenge": 2, **DRAWN},
    {"satz": "Vögel singen", "lernen": "attention", "stationen": "11", "dimension": 2, "heads": 1},
    {"satz": "Die Kinder spielen im Garten", **LEARNT, "stationen": "2,4a,8", "startwert": 3},
    {"satz": "Der Vogel singt ein Lied", **LEARNT, "stationen": "4a,4b", "zeit": 45},
    {"satz": "Das Kind malt ein Haus", **DRAWN, "stationen": "2,3,4b,5,6,7", "startwert": 5},
    {"satz": KATZE, "zielsatz": CAT, **CHOSEN, "stationen": "10"},
    {"satz": "Der Hund schläft", "zielsatz": "The dog sleeps", **DRAWN, "stationen": "10", "startwert": 3},
    {"satz": "Der Hund schläft fest", "zielsatz": "The dog sleeps", "gewichte": "ganzzahlig",
     "stationen": "10", "startwert": 1},
]  # fmt: skip


def read(said):
    """The lines that an answer is made of, each with its match; a rest that none has comes with None."""
    lines, start = [each for each in TABLE if each.of(said.task)], 0
    while rest := said.text[start:]:
        matches = [(m.end(), each, m) for each in lines if (m := each.pattern.match(rest)) and m.end()]
        if not matches:
            yield None, rest, said
            return
        end, found, match = max(matches, key=lambda each: each[0])
        yield found, match, replace(said, before=said.text[:start])
        start += end


def faults_of(sheet):
    """Sentences that no line has, and those that do not hold, by where they stand once more."""
    found = {}
    for said in sheet.said:
        for known, match, asked in read(said):
            if known is None:
                place, told = unknown(said.task, match)
            elif why := disproved(sheet, asked, known, match):
                place = known.place
                told = (
                    f"Aufgabe „{said.task}“: {match[0]}\n  Das steht in {place}, und es stimmt nicht: {why}"
                )
                told += f"\n  Die ganze Antwort: {said.text}"
            else:
                continue
            found.setdefault(place, told)
    return found


def disproved(sheet, said, known, match):
    """Why a sentence does not hold; nothing where it does."""
    try:
        return "" if known.holds(sheet, said, match) else "Die Prüfung sagt nein."
    except (AssertionError, ValueError, KeyError, IndexError, TypeError) as error:
        step = traceback.extract_tb(error.__traceback__)[-1]
        return f"{step.line} ({type(error).__name__} {error})"


def unknown(task, sentence):
    """For whoever has changed a sentence: where the line most like it stands."""
    asked = first_words(re.sub("„[^“]*“", "", sentence))

    def likeness(each):
        """Of a line's words and as many of those that are asked, for an answer goes on with another line."""
        words = first_words(each.sentence)
        return SequenceMatcher(None, words, asked[: len(words) + 2]).ratio()

    nearest = max((each for each in TABLE if each.of(task)), key=likeness, default=None)
    place = nearest.place if nearest else "tests/findings"
    shared = [n for n in ("LOOK", "EVEN", "SOME") if nearest and getattr(line, n) in nearest.sentence]
    first = re.split(r"(?<=[.?!;])\s", sentence)[0]
    return place, (
        f"Aufgabe „{task}“: Diesen Satz kennt die Prüfung nicht: {first}\n"
        f"  Am ähnlichsten ist in {place}: {nearest and nearest.sentence}"
        + "".join(f" ({name}: tests/findings/line.py)" for name in shared)
        + "\n  Ist nur der Wortlaut neu, schreiben Sie ihn dort hin; ein neuer braucht eine Prüfung."
    )


def first_words(sentence):
    """Up to the first . ? ! or ; of what was said or of a line."""
    parts = re.split(r"\\[.?!]|[!;.?](?=\s)|;", sentence)
    return re.findall(r"[^\W\d_]{2,}", next((part for part in parts if re.search(r"\w\w", part)), ""))


def test_every_sentence_that_judges_is_in_the_table_and_holds():
    """What many sheets say wrongly is told once; a line that no sheet shows has never been compared."""
    found, shown = {}, set()
    for sheet in map(seen, SHEETS):
        assert sheet.said
        found = faults_of(sheet) | found
        shown |= {known for said in sheet.said for known, *_ in read(said)}
    if found:
        pytest.fail("\n".join(found.values()), pytrace=False)
    assert [each.place for each in TABLE if each not in shown] == []


def test_most_wrong_numbers_and_words_are_noticed():
    sheet = seen(SHEETS[0])
    noticed = []
    for said in sheet.said:
        for found in re.finditer(r"(?<![\d₁-₉])(\d)((?:,\d+)?)|„([^„“]+)“", said.text):
            wrong = f"{(int(found[1] or 0) + 3) % 10}{found[2]}"
            if found[3]:
                wrong = f"„{next(word for word in sheet.words if word != found[3])}“"
            if not found[3] or found[3] in sheet.words:
                text = said.text[: found.start()] + wrong + said.text[found.end() :]
                noticed.append(bool(faults_of(replace(sheet, said=(replace(said, text=text),)))))
    assert len(noticed) > 100
    assert sum(noticed) > 0.85 * len(noticed)
