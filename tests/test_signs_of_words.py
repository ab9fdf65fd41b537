"""Signs that nobody sees and letters in two spellings: a word stays the same word."""

import unicodedata

from generator.commands.cli import main
from generator.options.numbers_file import read_given, unused_words
from generator.options.options import Options
from generator.options.sentence import one_spelling, taken_out

INVISIBLE = (
    "\u00ad\u200b\u200d\u200e\u061c\u2060\u2064\u180e\ufeff\ufff9\U000e0041\ufe0f\u034f\u115f\u3164\u2800"
)


def test_invisible_characters_are_taken_out_and_named():
    for sign in INVISIBLE:
        options = Options(satz=f"Die Ka{sign}tze {sign} sitzt{sign}")
        assert options.tokens == ("Die", "Katze", "sitzt"), ascii(sign)
        assert "unsichtbare" in options.notes[0]
        assert f"U+{ord(sign):04X}" in options.notes[0]


def test_joiners_that_show_something_stay():
    for text in ("👩🏽‍🚀", "❤️", "🐈‍⬛", "1️⃣", "می‌خواهم", "Müller"):
        assert one_spelling(text) == unicodedata.normalize("NFC", text)
        assert taken_out(text) == ""


def test_decomposed_letters_are_the_same_word_everywhere(tmp_path):
    def nfd(text):
        return unicodedata.normalize("NFD", text)

    file = tmp_path / "v.toml"
    file.write_text(f'[wortvektoren]\n"{nfd("grüßt")}" = [0, 1, 0, 1]\n', encoding="utf-8")
    options = Options(
        satz=nfd("Die Müllerin grüßt"),
        uebung=(nfd("grüßt"),),
        richtig=nfd("Müllerin"),
        endezeichen=nfd("schön"),
        embeddings=str(file),
    )
    assert options.uebung == (3,)
    assert (options.richtig, options.endezeichen) == ("Müllerin", "schön")
    given = read_given(options)
    assert given.word_vectors == {"grüßt": (0, 1, 0, 1)}
    assert unused_words(options, given) == ""


def test_vectors_of_words_that_the_sentence_lacks_are_named(tmp_path, capsys):
    file = tmp_path / "v.toml"
    file.write_text("[wortvektoren]\nkatze = [0, 1, 0, 1]\nHund = [1, 1, 0, 1]\n", encoding="utf-8")
    assert main(["rechne", "Die Ka\u00adtze sitzt", "--embeddings", str(file)]) == 0
    said = capsys.readouterr().err
    assert "ein unsichtbares Zeichen" in said
    assert "„katze“ und „Hund“ kommen im Satz nicht vor; gemeint ist vielleicht „Katze“." in said
