"""Ordinary, odd and hostile words go in; a sensible class for every one comes out, as often as measured."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starting import started

from generator.words import hanta
from generator.words.noun_kinds import Origin, WordClass
from generator.words.tagger import tag
from generator.words.word_vectors import word_vectors

CLASSES = {
    "ART": WordClass.ARTICLE,
    "PRO": WordClass.PRONOUN,
    "QUE": WordClass.QUESTION,
    "PRE": WordClass.PREPOSITION,
    "CON": WordClass.CONJUNCTION,
    "PAR": WordClass.PARTICLE,
    "VER": WordClass.VERB,
    "ADJ": WordClass.ADJECTIVE,
    "ADV": WordClass.ADVERB,
    "NUM": WordClass.NUMERAL,
    "PUN": WordClass.PUNCTUATION,
    "SYM": WordClass.SYMBOL,
    "N": WordClass.NOUN,
    "E": WordClass.NAME,
}
KINDS = {"l": "living", "d": "thing", "p": "place", "t": "time", "a": "abstract"}
KATZE = "Die Katze sitzt auf der Matte"


def measure(name, spelling=str):
    """Of hand-labelled sentences: shares of right classes and kinds, the misses, origins of wrong kinds."""
    right, misses, origins = {"classes": [], "kinds": []}, [], Counter()
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        words = [
            (word, *label.partition("-")[::2]) for word, _, label in (w.rpartition("/") for w in line.split())
        ]
        found = word_vectors([spelling(word) for word, _, _ in words], 4)
        for vector, (word, label, kind) in zip(found, words, strict=True):
            right["classes"].append(vector.word_class == CLASSES[label])
            if kind:
                right["kinds"].append(vector.kind == KINDS[kind])
                origins[vector.origin] += vector.kind != KINDS[kind]
            if vector.word_class != CLASSES[label] or (kind and vector.kind != KINDS[kind]):
                misses.append(f"{word}: {vector.word_class} {vector.kind}, not {label} {kind}")
    return *(sum(each) / len(each) for each in right.values()), misses, origins


# Measured with the tagger: on the 60 sentences it was developed on 1.000 and 1.000, small letters 0.996 and
# 0.992, capitals 0.992 and 0.992. On 30 sentences written afterwards: 0.996 and 0.875 when first measured.
# Without it: 0.988 and 0.985; small letters 0.934 and 0.894; afterwards 0.970 and 0.844.
@pytest.mark.parametrize(
    ("tagger", "name", "spelling", "classes_floor", "kinds_floor"),
    [
        (True, "labelled_sentences.txt", str, 0.99, 0.98),
        (True, "labelled_sentences.txt", str.upper, 0.98, 0.97),
        (True, "held_out_sentences.txt", str, 0.99, 0.87),
        (True, "held_out_sentences.txt", str.lower, 0.98, 0.86),
        (False, "labelled_sentences.txt", str.lower, 0.92, 0.88),
        (False, "held_out_sentences.txt", str, 0.96, 0.83),
    ],
)
def test_classes_and_kinds(monkeypatch, tagger, name, spelling, classes_floor, kinds_floor):
    """Listed kinds are reliable, wrong ones mostly marked as guessed."""

    def missing(*_):
        raise hanta.TaggerUnavailableError("switched off")

    if not tagger:
        monkeypatch.setattr(hanta, "tag_sentence", missing)
    classes, kinds, misses, wrong = measure(name, spelling)
    assert classes >= classes_floor, misses
    assert kinds >= kinds_floor, misses
    if tagger and name.startswith("held") and spelling is str:
        assert wrong[Origin.LISTED] <= 1
        assert wrong[Origin.GUESSED] >= wrong[Origin.RULE]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((spelling(KATZE), "ART N VER PRE ART N") for spelling in (str, str.lower, str.upper)),
        ("Frau Müller lacht", "N E VER"),
        ("Das Schreiben hilft", "ART N VER"),
        ("Anna lacht . Schnell rennt Paul .", "E VER PUN ADJ VER E PUN"),
        ("The cat is on the mat", "ART N VER PRE ART N"),
        ("3 Hunde und 12,5 Katzen", "NUM N CON NUM N"),
        ("Ich bin froh 😀 !", "PRO VER ADJ SYM PUN"),
        ("Die Donaudampfschifffahrtsgesellschaftskapitänsmütze fliegt", "ART N VER"),
        ("„ Katze “", "PUN N PUN"),
        ("", ""),
    ],
)
def test_classes(text, expected):
    assert [word.word_class for word in tag(text.split())] == [CLASSES[each] for each in expected.split()]


odd_tokens = st.lists(
    st.text(max_size=12) | st.sampled_from(["Die", "katze", "SITZT", "", " ", "`", "😀", "3."]), max_size=8
)


@pytest.mark.parametrize("lists_alone", [False, True])
@given(tokens=odd_tokens)
@settings(max_examples=60, deadline=None)
def test_any_text_gets_a_class(lists_alone, tokens):
    with pytest.MonkeyPatch.context() as patch:
        if lists_alone:
            patch.setattr(hanta, "loaded", lambda: None)  # whatever fails in there is caught
        found = tag(tokens)
    assert [word.token for word in found] == tokens
    assert all(isinstance(word.origin, Origin) for word in found)


def test_marks_on_a_word_do_not_hide_it_and_endless_words_end():
    word = tag(["Die", "Matte."])[1]
    assert (word.token, word.word, word.word_class) == ("Matte.", "Matte", WordClass.NOUN)
    assert len(tag(["a" * 20_000, "Ä" * 20_000, "haus" * 5_000, "1" * 20_000])) == 4


# Good, changed and missing models: only the known one is read, and its absence is survived.


def test_a_changed_or_planted_model_is_refused_before_it_is_unpickled(tmp_path, monkeypatch):
    changed = tmp_path / hanta.MODEL_FILE
    content = bytearray(hanta.model_path().read_bytes())
    content[-1] ^= 1
    changed.write_bytes(content)
    monkeypatch.setattr(hanta.pickle, "loads", lambda _: pytest.fail("unpickled"))
    with pytest.raises(hanta.TaggerUnavailableError, match="not the known model"):
        hanta.read_model(changed)
    monkeypatch.chdir(tmp_path)
    assert hanta.model_path().is_absolute()
    assert hanta.model_path().parent != tmp_path


def test_without_a_good_model_the_lists_take_over(tmp_path, monkeypatch):
    (tmp_path / "model").write_bytes(b"not a model")
    hanta.loaded.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(hanta, "model_path", lambda: tmp_path / "model")
        with pytest.raises(hanta.TaggerUnavailableError):
            hanta.tag_sentence(["Die", "Katze"])
        assert [word.word_class for word in tag(["Die", "Katze"])] == [WordClass.ARTICLE, WordClass.NOUN]
    hanta.loaded.cache_clear()


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
