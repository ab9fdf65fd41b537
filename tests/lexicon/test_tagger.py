"""In: ordinary, odd and hostile token lists. Out: a sensible class for every token, never an error."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.words import hanta
from generator.words.tagger import tag
from generator.words.word_classes import Origin, WordClass

C = WordClass


def classes(text: str) -> list[WordClass]:
    return [word.word_class for word in tag(text.split())]


@pytest.mark.parametrize("spelling", [str, str.lower, str.upper])
def test_the_example_in_any_spelling(spelling):
    expected = [C.ARTICLE, C.NOUN, C.VERB, C.PREPOSITION, C.ARTICLE, C.NOUN]
    assert classes(spelling("Die Katze sitzt auf der Matte")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna isst leckeren Kuchen", [C.NAME, C.VERB, C.ADJECTIVE, C.NOUN]),
        ("Frau Müller lacht", [C.NOUN, C.NAME, C.VERB]),
        ("Das Schreiben hilft", [C.ARTICLE, C.NOUN, C.VERB]),
        ("The cat is on the mat", [C.ARTICLE, C.NOUN, C.VERB, C.PREPOSITION, C.ARTICLE, C.NOUN]),
        ("3 Hunde und 12,5 Katzen", [C.NUMERAL, C.NOUN, C.CONJUNCTION, C.NUMERAL, C.NOUN]),
        ("Ich bin froh 😀 !", [C.PRONOUN, C.VERB, C.ADJECTIVE, C.SYMBOL, C.PUNCTUATION]),
        ("Hund", [C.NOUN]),
        ("Die Donaudampfschifffahrtsgesellschaftskapitänsmütze fliegt", [C.ARTICLE, C.NOUN, C.VERB]),
        ("„ Katze “", [C.PUNCTUATION, C.NOUN, C.PUNCTUATION]),
    ],
)
def test_weak_spots(text, expected):
    assert classes(text) == expected


def test_second_sentence_begins_anew():
    assert classes("Anna lacht . Schnell rennt Paul .")[3] is not C.NOUN


def test_marks_on_a_word_do_not_hide_it():
    word = tag(["Die", "Matte."])[1]
    assert (word.token, word.word, word.word_class) == ("Matte.", "Matte", C.NOUN)


def test_no_tokens():
    assert tag([]) == []


odd_tokens = st.lists(
    st.text(max_size=12) | st.sampled_from(["Die", "katze", "SITZT", "", " ", "`", "😀", "3."]), max_size=8
)


@given(odd_tokens)
@settings(max_examples=150, deadline=None)
def test_any_text_gets_a_class(tokens):
    assert [word.token for word in tag(tokens)] == tokens


@given(tokens=odd_tokens)
@settings(max_examples=100, deadline=None)
def test_any_text_gets_a_class_from_the_lists_too(tokens):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hanta, "_load", lambda: None)  # whatever fails in there is caught
        found = tag(tokens)
    assert [word.token for word in found] == tokens
    assert all(isinstance(word.origin, Origin) for word in found)


def test_endless_words():
    assert len(tag(["a" * 20_000, "Ä" * 20_000, "haus" * 5_000, "1" * 20_000])) == 4
