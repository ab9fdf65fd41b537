"""Stations 1 and 1b: IDs as in the document; counts, rules, cut words as counted on paper, cell by cell."""

import re
from collections import Counter
from itertools import pairwise

import pytest
from laid_out import KATZE, LONGEST, sheet_of

from engine.texts.byte_pairs import encode, pieces_of
from generator.calculation.document import document_of
from generator.sheet.sheet import Solution
from generator.words.byte_pair_corpus import corpus_for

FLIEGEN = "Wenn Fliegen hinter Fliegen fliegen, fliegen Fliegen 3 Fliegen nach."
NEXT = "\N{NO-BREAK SPACE}| "
every_sentence = pytest.mark.parametrize("sentence", [KATZE, FLIEGEN, LONGEST, "a a"])


def parts_of(sentence, station):
    sheet, desk = sheet_of(sentence, stationen=station)
    return sheet.stations[0].parts, desk


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


@every_sentence
def test_ids_are_those_of_the_document(sentence):
    parts, desk = parts_of(sentence, "1")
    numbers = [number for table in parts.sentence.ids for number in table.rows[0].cells]
    document = document_of(desk.built, {})
    assert [int(number.text) for number in numbers] == document["token_ids"]
    assert [number.blank for number in numbers] == [k > 0 for k in range(desk.n)]
    assert int(parts.sentence.count.text) == len(document["vocabulary"])
    assert int(parts.sentence.id_sum) == sum(document["token_ids"])


@every_sentence
def test_counts_rules_and_cut_words_agree_with_counting_again(sentence):
    parts, desk = parts_of(sentence, "1b")
    corpus = corpus_for(desk.calculation.model.tokens)
    states = [[(pieces_of(word), count) for word, count in corpus.counts.items()]]
    for round_, shown in zip(corpus.training.rounds, [parts.bpe.first, *parts.bpe.rounds], strict=False):
        counts = counted(states[-1])
        by_text = {f"{a}\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}{b}": (a, b) for a, b in counts}
        listed = set()
        for written, line, number in (row.cells for row in shown.table.rows):
            pair = by_text[written.text]
            listed.add(pair)
            assert int(number.text) == counts[pair]
            assert (number.name, list(round_.counts)[number.index[0]]) == (
                f"bpe.round{round_.number}.count",
                pair,
            )
            products = re.sub(r"\s\([^)]*\)", "", line.text).replace("·", "*").replace("\xa0", " ")
            assert eval(products) == counts[pair]  # digits, + and * alone
        others = [count for pair, count in counts.items() if pair not in listed]
        assert shown.rest == (str(max(others)) if others else "")
        best = {pair for pair in counts if counts[pair] == max(counts.values())}
        assert round_.merge.pair in best & listed
        assert best <= listed or len(listed) == 8
        states.append(merged(states[-1], round_.merge.pair))

    rows = [row.cells for table in parts.bpe.corpus for row in table.rows]
    for k, (count, *cells) in enumerate(rows):
        assert int(count.text) == states[0][k][1]
        for step, cell in enumerate(cells):
            unchanged = step == 2 and states[2][k] == states[1][k]
            assert cell.text == ("–" if unchanged else NEXT.join(states[step][k][0]))
            assert isinstance(cell, Solution) == (step == 2)

    word = parts.bpe.word
    assert word.new == (word.word not in corpus.counts)
    cut, rows = encode(word.word, corpus.training), word.steps.rows
    rules = [row.cells[0].text for row in rows if row.cells[0].text != "–"]
    assert rules == [str(step.rule) for step in cut.steps][: len(rows)]
    assert len(rows) >= 3
    pieces, ids = ([c.text for t in word.pieces for c in t.rows[place].cells] for place in (0, 1))
    assert "".join(pieces) == "␣" + word.word
    assert [corpus.training.vocabulary[int(i)] for i in ids] == list(cut.pieces)
    assert int(word.id_sum) == sum(map(int, ids))
