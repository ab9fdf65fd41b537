"""Byte pairs by hand against the library `tokenizers`, and against rounds counted on paper."""

import json
import random

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from engine.texts.byte_pairs import SPACE, encode, letters, pieces_of, train

TEXT = (
    "Die Katze sitzt auf der Matte und ein Hund schläft im Garten Straße Äpfel Bär alle Tage sagt laut aus "
    "Haus Maus raus baut Rose rote Not Brot groß los Otto Anna Popo Banane aaa aaaa aabaa abab Mississippi"
)
WORDS = TEXT.split()


def established(corpus, merges):
    """The merges and vocabulary of `tokenizers` for words that carry the mark already."""
    alphabet = {piece for word in corpus for piece in pieces_of(word)}
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.BpeTrainer(
        vocab_size=len(alphabet) + merges, min_frequency=0, show_progress=False, special_tokens=[]
    )
    text = [" ".join([SPACE + word] * count) for word, count in corpus.items()]
    tokenizer.train_from_iterator(text, trainer)
    return tokenizer


def random_corpus(rng):
    if rng.random() < 0.3:
        signs = "abcäß€😀"[: rng.randint(2, 7)]
        words = {"".join(rng.choice(signs) for _ in range(rng.randint(1, 6))) for _ in range(8)}
    else:
        words = set(rng.sample(WORDS, rng.randint(1, 10)))
    return {word: rng.randint(1, 5) for word in sorted(words)}


def test_learns_and_encodes_as_the_established_tokenizer_does():
    rng = random.Random(0)
    for _ in range(150):
        corpus, merges = random_corpus(rng), rng.randint(1, 30)
        ours = train(corpus, merges)
        theirs = established(corpus, len(set(ours.vocabulary)) - len(ours.alphabet))
        learned = [tuple(pair) for pair in json.loads(theirs.to_str())["model"]["merges"]]
        own, vocabulary = [merge.pair for merge in ours.merges], theirs.get_vocab()
        assert own[: len(learned)] == learned, corpus
        assert ours.vocabulary == tuple(sorted(vocabulary, key=vocabulary.__getitem__)), corpus
        if own != learned:
            continue  # one token learned in two ways: the number of rounds cannot be set there
        signs = [piece for piece in ours.alphabet if piece != SPACE]
        for word in ("".join(rng.choice(signs) for _ in range(rng.randint(1, 8))), *corpus):
            found, expected = encode(word, ours), theirs.encode(SPACE + word)
            assert (list(found.pieces), list(found.ids)) == (expected.tokens, expected.ids)


def test_the_first_rounds_as_counted_on_paper():
    training = train({"Hut": 2, "gut": 3, "tut": 1}, 3)
    first, second, third = training.rounds
    assert first.counts == {
        ("u", "t"): 6, ("g", "u"): 3, ("␣", "g"): 3, ("H", "u"): 2, ("␣", "H"): 2,
        ("t", "u"): 1, ("␣", "t"): 1,
    }  # fmt: skip
    assert (first.merge.pair, first.count, first.decided_by) == (("u", "t"), 6, "count")
    assert first.tied == (("u", "t"),)
    assert training.alphabet == ("H", "g", "t", "u", "␣")
    # g has ID 1, ␣ has ID 4: the older left part decides between g·ut and ␣·g, both counted three times.
    assert (second.merge.pair, second.decided_by) == (("g", "ut"), "left")
    assert second.tied == (("g", "ut"), ("␣", "g"))
    assert (third.merge.token, third.decided_by, third.merge.token_id) == ("␣gut", "count", 7)
    assert training.words == ((("␣", "H", "ut"), 2), (("␣gut",), 3), (("␣", "t", "ut"), 1))
    encoding = encode("Glutgut", training)  # step by step; unknown letters stay
    assert encoding.start == ("␣", "G", "l", "u", "t", "g", "u", "t")
    assert [step.rule for step in encoding.steps] == [1, 1, 2]
    assert encoding.pieces == ("␣", "G", "l", "ut", "gut")
    assert encoding.ids == (4, None, None, 5, 6)


def test_the_right_part_decides_when_the_left_parts_are_the_same():
    rounds = train({"ab": 1, "ac": 1}, 5, least_count=1).rounds
    assert rounds[0].merge.pair == ("␣", "a")
    assert (rounds[1].merge.pair, rounds[1].decided_by) == (("␣a", "b"), "right")


def test_it_ends_when_nothing_is_left_to_merge():
    training = train({"ab": 2}, 50)
    assert len(training.rounds) == 2
    assert training.words == ((("␣ab",), 2),)
    assert train({"ab": 1}, 5, least_count=2).rounds == ()
    assert train({}, 5).rounds == ()
    with pytest.raises(ValueError, match="count"):
        train({"a": 0}, 1)


def test_signs_of_several_characters_are_one_letter():
    assert letters("e\u0301a👩\u200d🏫x👍🏽🇩🇪🇫🇷") == ("e\u0301", "a", "👩\u200d🏫", "x", "👍🏽", "🇩🇪", "🇫🇷")
    training = train({"👍🏽a": 2, "🇩🇪a": 1}, 4)
    assert "".join(training.words[0][0]) == "␣👍🏽a"
