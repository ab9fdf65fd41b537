"""Texts like a sentence: every exchanged word agrees with the words around it."""

import pytest

from generator.words.exchanges import similar_texts
from generator.words.noun_kinds import WordClass
from generator.words.target_vectors import target_vectors

# What may stand at the end, by hand: of the right gender, number and case, and of the right kind.
ENDS = [
    ("Der Kuckuck legt seine Eier in fremde Nester", "Körbe Kisten Taschen Betten Schränke"),
    ("Ein Delfin springt durch den Reifen", "Ring Tunnel Spalt"),
    ("Der Sturm zerstört viele Häuser", "Hütten Dörfer Brücken"),
    ("Die Katze sitzt auf der Matte", "Decke Bank Kiste Couch Treppe Kommode"),
    ("Der Bäcker verkauft am Morgen warme Brötchen", "Brezeln Kekse Waffeln Plätzchen"),
    ("Die Möwe klaut am Strand ein Eis", "Ei Müsli Würstchen"),
    ("Unsere Lehrerin schreibt die Lösung an die Tafel", "Wand Tür Mauer"),
    ("Der kleine Hund jagt einen roten Ball", "Kreisel Roller Würfel"),
    ("Wir trinken im Winter heißen Tee", "Saft Kaffee Kakao"),
    ("Ich esse gern frisches Brot", "Gebäck Knäckebrot"),
    ("Der Lehrer hilft den Kindern", "Eltern Geschwistern Großeltern"),
    ("Die Schüler rechnen mit großen Zahlen", "Ideen Träumen Fragen Liedern Spielen Aufgaben"),
    ("Der Computer lernt aus vielen Texten", "Büchern Geschichten Märchen Gedichten Briefen"),
    ("Der Bauer füttert die Kühe", "Tauben Möwen Schwäne Hühner Katzen"),
    ("Der Forscher entdeckt einen neuen Stern", "Mond Kometen"),
    ("Diese Tasche gehört meiner Schwester", "Mutter Tante Oma Cousine"),
    ("Dieser Junge ist mein Bruder", "Vater Onkel Opa Cousin"),
    ("Die Lehrerin sieht die Frau des Bäckers", "Vaters Bruders Onkels Mannes Opas Freundes"),
    ("Viele Vögel fliegen im Herbst nach Süden", "Norden Westen Osten"),
    ("Die Katze hat die Maus gefangen", "gesehen gesucht gefunden geholt gemalt gekauft"),
    ("Der Vater räumt die Küche auf", "ein aus ab"),
    ("Die Kinder spielen draußen", "hier dort drinnen oben unten"),
    ("Die Kinder spielen im Sommer", "Winter Herbst Frühling"),
    ("Die Kinder spielen am Montag", "Morgen Abend Sonntag Mittag Wochenende"),
    ("Der kleine Vogel singt ein Lied", "Volkslied Schlaflied"),
    (
        "Der Koch würzt die Suppe mit Salz",
        "Pfeffer Zucker Essig Zimt Petersilie Vanille Sahne Butter Öl Basilikum Mehl",
    ),
    ("Der Mond scheint hell in der Nacht", "Dämmerung Dunkelheit Finsternis"),
    ("Die Blumen im Garten blühen rot", "blau grün gelb schwarz weiß braun grau"),
    ("Im Winter trage ich eine warme Mütze", "Jacke Hose Brille Kette"),
    ("Der Frosch sitzt im Gras", "Laub Moos Heu Stroh"),
    ("Der Igel schläft in der Höhle", "Hütte Scheune Stadt"),
    ("Die Astronautin fliegt zum Mond", "Mars Himmel Stern"),
    ("Die Ärztin untersucht den Patienten", "Vater Bruder Onkel Mann Opa Freund"),
    ("Die Uhr hängt an der Wand", "Tafel Tür Mauer"),
    ("Der alte Kapitän segelt am Abend nach Hause", "Norden Süden Westen Osten"),
    ("Ein kleiner Roboter lernt heute sprechen", "arbeiten warten helfen rechnen"),
    ("Der Fahrer hat die Ampel übersehen", "gesehen gesucht gefunden gemalt"),
    ("Die Sonne scheint und die Vögel singen", "lachen spielen lesen lernen tanzen träumen"),
    ("Ich möchte später Ärztin werden", "sein bleiben"),
    ("Hunger ist der beste Koch", "Vater Bruder Onkel Mann Opa Freund"),
    ("Mein Bruder hat Angst vor Spinnen", "Hunden Katzen Mäusen Vögeln Füchsen Enten Pferden"),
    ("Wenn ich groß bin werde ich Astronaut", "Lehrer Arzt Bäcker Maler Pilot Koch"),
    ("Wer zuletzt lacht lacht am besten", "liebsten schnellsten lautesten meisten"),
    (
        "Die Biene fliegt von Blume zu Blume",
        "Rose Tulpe Pflanze Krokus Farn Löwenzahn Gänseblümchen Schneeglöckchen Veilchen Nelke Lilie",
    ),
    (
        "Der Zug raucht neben dem Schornstein",
        "Brief Schatz Schlüssel Zettel Geschenk Paket Bild Rätsel",
    ),
]
# What may stand at another place.
INNER = [
    ("Der Gärtner mäht den Rasen", 0, "Ein Dieser Unser"),
    ("Die Schüler lösen eine Gleichung", 0, "Viele Diese Unsere"),
    ("Der kleine Hund frisst den Knochen", 0, ""),
    ("Im Winter füttert mein Opa die Vögel im Park", 4, "Vater Bruder Onkel Cousin"),
    ("Die Feuerwehr löscht den Brand in der Fabrik", 1, "Polizei Mannschaft Nachbarschaft"),
    ("Die Feuerwehr löscht den Brand in der Fabrik", 4, "Waldbrand Kaminbrand"),
    ("Wenn ich groß bin werde ich Astronaut", 3, ""),
    ("Am Sonntag fragen wir Frau Meier", 4, "Tante Onkel"),
    ("Der Torwart hält den Elfmeter in der Halle", 4, "Schirm Koffer Stab Pokal"),
    ("Anna spielt mit den Hunden", 0, "Lisa Mia Emma Lena Sofia"),
    ("Jeder Schüler braucht einen Bleistift", 1, "Vater Bruder Onkel Mann Opa Freund"),
    ("Meine Eltern arbeiten in einer Fabrik", 1, "Kinder Geschwister Großeltern"),
    ("Mein Bruder fährt mit dem Bus zur Schule", 1, "Vater Onkel Opa Cousin"),
    ("Wegen des Regens bleiben wir im Haus", 2, "Schnees Hagels Nebels"),
    ("Die roten Rosen blühen im Garten", 2, "Blumen Tulpen Pflanzen Nelken"),
    ("Der Koffer verschwindet neben der Schule", 2, "erscheint landet wartet"),
    ("Ein Auto wartet unter dem Feld", 2, "sitzt liegt steht schläft"),
    ("Der Zug steht über dem Berg", 2, "liegt bleibt"),
    ("Am Sonntag besuchen wir Oma", 2, "suchen sehen finden holen mögen bringen"),
    ("Paul trinkt eine Tasse Tee", 3, "Kanne Flasche Karaffe"),
    ("Mein Bruder spielt gern Fußball", 2, "übt lernt liebt"),
    ("Im Winter trage ich eine warme Mütze", 5, "bunte neue alte dünne dicke"),
    ("Der Computer rechnet sehr schnell im Haus", 4, "langsam genau gut"),
    ("Der Zug fährt um acht Uhr ab", 5, ""),
    ("Du liest heute ein langes Buch", 1, ""),
    ("Die Kinder freuen sich auf die Ferien", 2, ""),
    ("Der Wind weht und der Regen fällt", 5, "Schnee Hagel Nebel"),
    ("Der Elefant ist größer als die Maus", 3, "kleiner älter jünger schwerer leichter"),
]


@pytest.mark.parametrize(("sentence", "right"), ENDS)
def test_the_end_agrees(sentence, right):
    texts = similar_texts(tuple(sentence.split()), 8)
    assert texts
    assert {text[-1] for text in texts} <= set(right.split())


@pytest.mark.parametrize(("sentence", "place", "right"), INNER)
def test_a_word_before_agrees(sentence, place, right):
    own = tuple(sentence.split())
    exchanged = {text[place] for text in similar_texts(own, 8)} - {own[place]}
    assert exchanged <= set(right.split())
    assert bool(exchanged) == bool(right)


def test_where_no_end_is_sure_there_are_no_texts():
    assert similar_texts(("Er", "sieht", "Anna", "zum", "ersten", "Mal"), 2) == []


def test_words_of_a_german_target_are_classed_as_german():
    found = target_vectors(["Mit", "Geduld", "backt", "man", "gutes", "Brot"], 4, 0, {})
    assert [each.word_class for each in found] == [
        WordClass.PREPOSITION, WordClass.NOUN, WordClass.VERB, WordClass.PRONOUN, WordClass.ADJECTIVE,
        WordClass.NOUN,
    ]  # fmt: skip
    english = target_vectors(["The", "cat", "sits"], 4, 0, {})
    assert [each.word_class for each in english] == [WordClass.ARTICLE, WordClass.NOUN, WordClass.VERB]
