"""Texts like a sentence: every exchanged word agrees with the words around it."""

from generator.words.exchanges import similar_texts
from generator.words.noun_kinds import WordClass
from generator.words.target_vectors import target_vectors

# What may come where the last word stands, by hand: of the right gender, number and case, and sayable there.
ENDS = [
    ("Der Kuckuck legt seine Eier in fremde Nester", "und alte Nester, und neue Nester"),
    ("Die Katze sitzt auf der Matte", "Decke, Bank, Kiste, Couch, Treppe, Kommode"),
    ("Der Bäcker verkauft am Morgen warme Brötchen", "oder kalte Brötchen"),
    ("Wir trinken im Winter heißen Tee", "Kaffee, Kakao, und guten Tee"),
    ("Der Lehrer hilft den Kindern", "kleinen Kindern, lieben Kindern"),
    ("Der Bauer füttert die Kühe", "großen Kühe, kleinen Kühe, schönen Kühe"),
    ("Das Kind öffnet das Geschenk", "Fenster, Paket, große Geschenk"),
    ("Diese Tasche gehört meiner Schwester", "Cousine, netten Schwester, lieben Schwester"),
    ("Dieser Junge ist mein Bruder", "Cousin, netter Bruder, lieber Bruder"),
    ("Viele Vögel fliegen im Herbst nach Süden", "Norden, Westen, Osten"),
    ("Die Katze hat die Maus gefangen", "wieder gefangen, wirklich gefangen, vielleicht gefangen"),
    ("Der Vater räumt die Küche auf", "wieder auf, wirklich auf, vielleicht auf"),
    ("Die Kinder spielen draußen", "hier, dort, drinnen, oben, unten"),
    ("Auf dem Spielplatz schaukelt ein Junge", "kleiner Junge, lieber Junge"),
    ("Die Turnerin springt mit Schwung", "viel Schwung, wenig Schwung, etwas Schwung"),
    ("Die Blumen im Garten blühen rot", "gelb, grün"),
    ("Der Käfer krabbelt über die Hand", "linke Hand, rechte Hand"),
    ("Die Sonne scheint und die Vögel singen", "spielen, warten, schlafen"),
    ("Das Baby lacht", "singt, spielt, liest, lernt, tanzt, träumt"),
    ("Ich möchte später Ärztin werden", "sein, bleiben"),
    ("Wenn ich groß bin werde ich Astronaut", "auch Astronaut"),
    ("Paul trinkt eine Tasse Tee", "Kaffee, Kakao, guten Tee"),
    ("Es regnet seit drei Tagen ohne Pause", "jede Pause, weitere Pause"),
    ("Unser Team trainiert zweimal pro Woche", "Tag, Monat, Jahr, Stunde"),
    ("Unser Verein verlor das letzte Spiel", "oder vorletzte Spiel"),
    ("Im Sommer werden die Tage kürzer", "noch kürzer, wieder kürzer"),
    ("Mein Vater war früher Bäcker", "Lehrer, Arzt, Maler, Pilot, Koch"),
    ("Die Biene fliegt von Blüte zu Blüte", "anderen Blüten, weiteren Blüten"),
    ("Der Wal ist ein Säugetier", "echtes Säugetier, wichtiges Säugetier"),
    ("Laura kann sehr gut schwimmen", "und schnell schwimmen"),
]
# What may stand at another place.
INNER = [
    ("Der Gärtner mäht den Rasen", 0, "Ein Dieser Unser"),
    ("Die Schüler lösen eine Gleichung", 0, "Viele Diese Unsere"),
    ("Der kleine Hund frisst den Knochen", 0, "Dieser"),
    ("Im Winter füttert mein Opa die Vögel im Park", 4, "Großvater"),
    ("Der Vogel schläft auf einem Ast im Wald", 4, "diesem unserem dem"),
    ("Der Lehrer dankt den Kindern in der Klasse", 3, "diesen unseren vielen"),
    ("Die Feuerwehr löscht den Brand in der Fabrik", 1, ""),
    ("Anna spielt mit den Hunden", 0, "Lisa Mia Emma Lena Sofia"),
    ("Die roten Rosen blühen im Garten", 2, "Tulpen Nelken Lilien"),
    ("Der Zug fährt um acht Uhr ab", 5, ""),
    ("Goethe schrieb viele berühmte Gedichte", 0, ""),
    ("Der Elefant ist größer als die Maus", 3, ""),
]


def test_the_end_agrees_and_the_word_before_it_stays():
    for sentence, right in ENDS:
        own = sentence.split()
        texts = similar_texts(tuple(own), 8)
        assert texts, sentence
        assert {" ".join(text[len(own) - 1 :]) for text in texts} <= set(right.split(", ")), sentence
        for text in texts:
            assert text[len(own) - 2] == own[-2]
            assert sum(a != b for a, b in zip(own[:-1], text, strict=False)) == 1


def test_a_word_before_agrees():
    for sentence, place, right in INNER:
        own = tuple(sentence.split())
        exchanged = {text[place] for text in similar_texts(own, 8)} - {own[place]}
        assert exchanged <= set(right.split()), sentence
        assert bool(exchanged) == bool(right), sentence


def test_where_nothing_is_sure_there_are_no_texts():
    assert similar_texts(("Das", "Gummi", "dehnt", "sich"), 2) == []


def test_words_of_a_german_target_are_classed_as_german():
    found = target_vectors(["Mit", "Geduld", "backt", "man", "gutes", "Brot"], 4, 0, {})
    assert [each.word_class for each in found] == [
        WordClass.PREPOSITION, WordClass.NOUN, WordClass.VERB, WordClass.PRONOUN, WordClass.ADJECTIVE,
        WordClass.NOUN,
    ]  # fmt: skip
    english = target_vectors(["The", "cat", "sits"], 4, 0, {})
    assert [each.word_class for each in english] == [WordClass.ARTICLE, WordClass.NOUN, WordClass.VERB]
