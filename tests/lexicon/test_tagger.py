"""In: ordinary, odd and hostile token lists. Out: a sensible class for every token, never an error."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starting import started
from test_lexicon_accuracy import CLASSES as LABELS

from generator.words import hanta
from generator.words.noun_kinds import Origin, WordClass
from generator.words.tagger import tag

CLASSES = LABELS | {"SYM": WordClass.SYMBOL}
KATZE = "Die Katze sitzt auf der Matte"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((spelling(KATZE), "ART N VER PRE ART N") for spelling in (str, str.lower, str.upper)),
        ("Anna isst leckeren Kuchen", "E VER ADJ N"),
        ("Frau Müller lacht", "N E VER"),
        ("Das Schreiben hilft", "ART N VER"),
        ("The cat is on the mat", "ART N VER PRE ART N"),
        ("3 Hunde und 12,5 Katzen", "NUM N CON NUM N"),
        ("Ich bin froh 😀 !", "PRO VER ADJ SYM PUN"),
        ("Hund", "N"),
        ("Die Donaudampfschifffahrtsgesellschaftskapitänsmütze fliegt", "ART N VER"),
        ("„ Katze “", "PUN N PUN"),
        ("", ""),
    ],
)
def test_classes(text, expected):
    assert [word.word_class for word in tag(text.split())] == [CLASSES[each] for each in expected.split()]


def test_second_sentence_begins_anew():
    assert tag(["Anna", "lacht", ".", "Schnell", "rennt", "Paul", "."])[3].word_class is not WordClass.NOUN


def test_marks_on_a_word_do_not_hide_it():
    word = tag(["Die", "Matte."])[1]
    assert (word.token, word.word, word.word_class) == ("Matte.", "Matte", WordClass.NOUN)


odd_tokens = st.lists(
    st.text(max_size=12) | st.sampled_from(["Die", "katze", "SITZT", "", " ", "`", "😀", "3."]), max_size=8
)


@pytest.mark.parametrize("lists_alone", [False, True])
@given(tokens=odd_tokens)
@settings(max_examples=120, deadline=None)
def test_any_text_gets_a_class(lists_alone, tokens):
    with pytest.MonkeyPatch.context() as patch:
        if lists_alone:
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
