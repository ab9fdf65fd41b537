"""In: ordinary, odd and hostile token lists. Out: a sensible class for every token, never an error."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starting import started

from generator.words import hanta
from generator.words.noun_kinds import Origin, WordClass
from generator.words.tagger import tag

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
        patch.setattr(hanta, "loaded", lambda: None)  # whatever fails in there is caught
        found = tag(tokens)
    assert [word.token for word in found] == tokens
    assert all(isinstance(word.origin, Origin) for word in found)


def test_endless_words():
    assert len(tag(["a" * 20_000, "Ä" * 20_000, "haus" * 5_000, "1" * 20_000])) == 4


# In: good, changed and missing models. Out: only the known one is read, and its absence is survived.


def test_changed_model_is_refused_before_it_is_unpickled(tmp_path, monkeypatch):
    changed = tmp_path / hanta.MODEL_FILE
    content = bytearray(hanta.model_path().read_bytes())
    content[-1] ^= 1
    changed.write_bytes(content)
    monkeypatch.setattr(hanta.pickle, "loads", lambda _: pytest.fail("unpickled"))
    with pytest.raises(hanta.TaggerUnavailableError, match="not the known model"):
        hanta.read_model(changed)


def test_missing_model_is_reported(tmp_path):
    with pytest.raises(hanta.TaggerUnavailableError):
        hanta.read_model(tmp_path / "none")


@pytest.fixture
def fresh_loader():
    hanta.loaded.cache_clear()
    yield
    hanta.loaded.cache_clear()


@pytest.mark.usefixtures("fresh_loader")
def test_without_a_good_model_the_lists_take_over(tmp_path, monkeypatch):
    (tmp_path / "model").write_bytes(b"not a model")
    monkeypatch.setattr(hanta, "model_path", lambda: tmp_path / "model")
    with pytest.raises(hanta.TaggerUnavailableError):
        hanta.tag_sentence(["Die", "Katze"])
    assert [word.word_class for word in tag(["Die", "Katze"])] == [WordClass.ARTICLE, WordClass.NOUN]


def test_model_of_the_working_folder_is_not_read(tmp_path, monkeypatch):
    (tmp_path / hanta.MODEL_FILE).write_bytes(b"planted")
    monkeypatch.chdir(tmp_path)
    assert hanta.model_path().is_absolute()
    assert hanta.model_path().parent != tmp_path


def test_hanta_is_imported_only_when_a_sentence_is_tagged_and_stays_silent():
    program = (
        "import sys\n"
        "from generator.words.word_vectors import dimension_meanings, word_vectors\n"
        "dimension_meanings(4)\n"
        "assert 'HanTa.HanoverTagger' not in sys.modules\n"
        "word_vectors(['Die', 'Katze', '😀', 'ßß', '`'], 4)\n"
        "assert 'HanTa.HanoverTagger' in sys.modules\n"
    )
    done = started(code=program, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
