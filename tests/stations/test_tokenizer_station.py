"""Stations 1 and 1b: IDs as in the document; counts, rules, cut words as counted on paper, cell by cell."""

import re
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest
from laid_out import KATZE, LONGEST, sheet_of

from engine.texts.byte_pairs import encode, pieces_of
from generator.calculation.document import document_of
from generator.sheet.sheet import Solution
from generator.words.byte_pair_corpus import corpus_for

FLIEGEN = "Wenn Fliegen hinter Fliegen fliegen, fliegen Fliegen 3 Fliegen nach."
SENTENCES = [KATZE, FLIEGEN, LONGEST, "Ja nein", "2 3", "a a", "Wer hat den Ball ?"]


@cache
def parts_of(sentence, station):
    """With its desk and, of station 1b, the words that are counted."""
    sheet, desk = sheet_of(sentence, stationen=station)
    corpus = corpus_for(desk.calculation.model.tokens)
    return (
        sheet.stations[0].parts,
        desk,
        corpus,
        [(pieces_of(word), count) for word, count in corpus.counts.items()],
    )


def merged(words, pair):
    """The corpus after one rule, with the help of text replacement alone."""
    out = []
    for pieces, count in words:
        text = "\0" + "\0".join(pieces) + "\0"
        while (found := f"\0{pair[0]}\0{pair[1]}\0") in text:
            text = text.replace(found, f"\0{pair[0]}{pair[1]}\0", 1)
        out.append((tuple(text.strip("\0").split("\0")), count))
    return out


def counted(words):
    counts = Counter()
    for pieces, count in words:
        for pair in pairwise(pieces):
            counts[pair] += count
    return counts


@pytest.mark.parametrize("sentence", SENTENCES)
def test_ids_are_those_of_the_document(sentence):
    parts, desk, *_ = parts_of(sentence, "1")
    numbers = [number for table in parts.sentence.ids for number in table.rows[0].cells]
    document = document_of(desk.built, {})
    assert [int(number.text) for number in numbers] == document["token_ids"]
    assert [number.blank for number in numbers] == [k > 0 for k in range(desk.n)]
    assert int(parts.sentence.count.text) == len(document["vocabulary"])
    assert int(parts.sentence.id_sum) == sum(document["token_ids"])


@pytest.mark.parametrize("sentence", SENTENCES)
def test_counts_and_rules_agree_with_counting_again(sentence):
    parts, _, corpus, words = parts_of(sentence, "1b")
    tables = [(parts.bpe.first.table, parts.bpe.first)] + [(x.table, x) for x in parts.bpe.rounds]
    for round_, (table, x) in zip(corpus.training.rounds, tables, strict=False):
        counts = counted(words)
        by_text = {f"{a}\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}{b}": (a, b) for a, b in counts}
        listed = {by_text[row.cells[0].text]: row.cells[2] for row in table.rows}
        for pair, number in listed.items():
            assert number.name == f"bpe.round{round_.number}.count"
            assert int(number.text) == counts[pair]
            assert list(round_.counts)[number.index[0]] == pair
            line = table.rows[list(listed).index(pair)].cells[1].text
            products = re.sub(r"\s\([^)]*\)", "", line).replace("·", "*").replace("\N{NO-BREAK SPACE}", " ")
            assert eval(products) == counts[pair]  # digits, + and * alone
        others = [count for pair, count in counts.items() if pair not in listed]
        assert x.rest == (str(max(others)) if others else "")
        best = max(counts.values())
        assert round_.merge.pair in listed
        assert counts[round_.merge.pair] == best
        assert all(pair in listed for pair in counts if counts[pair] == best) or len(listed) == 8
        words = merged(words, round_.merge.pair)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_words_after_each_rule_stand_in_the_corpus_table(sentence):
    parts, _, corpus, words = parts_of(sentence, "1b")
    states = [words]
    for round_ in corpus.training.rounds:
        states.append(merged(states[-1], round_.merge.pair))
    rows = [row for table in parts.bpe.corpus for row in table.rows]
    for k, row in enumerate(rows):
        assert int(row.cells[0].text) == words[k][1]
        for step, cell in enumerate(row.cells[1:]):
            expected = "\N{NO-BREAK SPACE}| ".join(states[step][k][0])
            unchanged = step == 2 and states[2][k] == states[1][k]
            assert cell.text == ("–" if unchanged else expected)
            assert isinstance(cell, Solution) == (step == 2)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_cut_word_follows_the_rules(sentence):
    parts, _, corpus, _ = parts_of(sentence, "1b")
    word = parts.bpe.word
    assert word.new == (word.word not in corpus.counts)
    cut = encode(word.word, corpus.training)
    rows = word.steps.rows
    for step, row in zip(cut.steps, rows, strict=False):
        assert row.cells[0].text == str(step.rule)
    assert {cell.text for row in rows[len(cut.steps) :] for cell in row.cells} <= {"–"}
    assert len(rows) >= 3
    pieces = [cell.text for table in word.pieces for cell in table.rows[0].cells]
    ids = [int(cell.text) for table in word.pieces for cell in table.rows[1].cells]
    assert "".join(pieces) == "␣" + word.word
    assert [corpus.training.vocabulary[i] for i in ids] == list(cut.pieces)
    assert int(word.id_sum) == sum(ids)
