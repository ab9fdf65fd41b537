"""In: a seed. Out: one set of options as a mapping (the keys of `optionen` plus "satz"), varied but legal."""

from __future__ import annotations

import random

SENTENCES = (
    "Die Katze sitzt auf der Matte",
    "Der Hund schläft",
    "Vögel singen",
    "Guten Morgen",
    "Die Sonne scheint heute hell",
    "Der Ball rollt und rollt und rollt",
    "Wer nicht fragt bleibt dumm",
    "Warum ist der Himmel blau?",
    "Wo liegt mein Schlüssel?",
    "Hast du 3 Äpfel oder 4 Birnen?",
    "In 7 Tagen beginnen die Ferien",
    "Übung macht den Meister",
    "Das Mädchen liest ein dickes Buch",
    "Ein kleiner Bär tanzt im Wald",
    "Die Lehrerin erklärt die schwere Aufgabe",
    "Größe ist nicht alles",
    "Der Zug fährt um 12 Uhr nach Köln",
    "Wenn Fliegen hinter Fliegen fliegen fliegen Fliegen Fliegen nach",
    "Die Bank steht neben der Bank",
    "Der Mann sieht die Frau mit dem Fernrohr",
    "Anna gibt Ben das Heft weil er es braucht",
    "Es regnet",
    "Meine Oma backt jeden Sonntag Kuchen",
    "Das Fahrrad ist rot und das Auto ist blau",
    "Die Maus frisst den Käse und die Katze frisst die Maus",
    "Kannst du mir bitte helfen?",
    "Zwei plus zwei ist vier",
    "Am Abend geht die müde Familie langsam nach Hause",
    "Ein Roboter lernt sprechen",
    "Im Garten wachsen Tomaten, Gurken und Kürbisse",
    "Heute ist ein schöner Tag!",
    "Der Wolf und die sieben Geißlein wohnen nicht in Berlin",
    "Ich denke also bin ich",
    "Die Schülerinnen rechnen und die Schüler schreiben",
    "Computer verstehen keine Wörter sie rechnen nur mit Zahlen",
    "Rosen sind rot Veilchen sind blau",
    "Der alte Kapitän steuert sein Schiff durch den dichten Nebel über das weite Meer",
    "Am ersten Tag nach den langen Ferien treffen sich alle Kinder der fünften Klasse "
    "auf dem großen Hof und erzählen einander lachend viele Geschichten",
)

TEXTS_EVERY = 10
TEMPERATURES = ([0.5, 1, 2], [1], [0.5, 1.0, 2.0], [0.7], [0.25, 1.5], [2, 0.8], [1.25, 3, 0.6])


def random_options(seed: int) -> dict:
    """Options of one configuration; the same seed gives the same mapping."""
    draw = random.Random(f"papierformer {seed}")
    dimension = draw.randint(2, 8)
    options = {
        "satz": draw.choice(SENTENCES),
        "dimension": dimension,
        "heads": draw.choice([h for h in range(1, dimension + 1) if dimension % h == 0]),
        "bloecke": draw.choice([1, 1, 1, 1, 2, 2, 2, 3]),
        "maske": draw.random() < 0.7,
        "skalierung": draw.random() < 0.75,
        "positionen": draw.random() < 0.75,
        "gewichte": draw.choice(["auswahl", "ganzzahlig", "dezimal"]),
        "startwert": draw.randint(0, 10_000),
        "nachkommastellen": draw.choice([1, 2, 2, 3, 4]),
        "temperatur": list(draw.choice(TEMPERATURES)),
    }
    if draw.random() < 0.6:
        options["ffn"] = draw.choice([1, dimension, 2 * dimension, 4 * dimension, draw.randint(2, 20)])
    if seed % TEXTS_EVERY:  # the texts of station 9 are as long to recompute as all the rest
        options["stationen"] = "8"
    elif seed % (2 * TEXTS_EVERY):
        options |= {"endezeichen": "<Ende>", "topk": draw.randint(1, 6), "topp": 0.7}
        options["laenge"] = draw.randint(1, 4)
    return options
