# ruff: noqa: E501
"""Stations 8 and 9: what their keys say, each with its check."""

import re
from itertools import pairwise

import numpy as np

from findings.line import SOME, Line, leads, learns, nothing, swap, swaps_in, words_in
from findings.reckoned import EachForItself, says, shares_of, weights_of
from findings.seen import close, number


def _probability(s, word, temperature="1"):
    return float(s.values(f"temperature{temperature}.probability", s.desk.vocabulary.index(word)))


def _is_best(s, word, p):
    return close(_probability(s, word), p) and close(p, s.values("temperature1.probability").max())


def _plane(s, said, words):
    letters = re.search(r"nach rechts die (\d+)\., nach oben die (\d+)\.", said.wording)
    pair = [int(letters[k]) - 1 for k in (1, 2)]
    y = s.values(f"block{s.desk.sizes.n_blocks}.norm2.output", s.last)[pair]
    parts = s.desk.calculation.model.vocabulary_embedding[:, pair] @ y
    least = parts.max() - 0.11  # as near as a drawing tells
    return all(parts[s.desk.vocabulary.index(word)] >= least for word in words_in(words))


def _temperatures(s, said, word, low, p_low, high, only, p_high):
    temperatures = s.desk.options.temperatur
    assert [low, high] == [min(temperatures), max(temperatures)]
    for temperature, p in ((low, p_low), (high, p_high)):
        assert close(_probability(s, word, f"{temperature:g}"), p)
    return (only == "nur ") == (p_low != p_high)


def _exchanged(s):
    """Each exchange of station 8 as its place and the tokens; the mix of them all."""
    (asked,) = (said.wording for said in s.said if said.task == "8 read")
    swaps = [swap(s, instead, word) for instead, word in swaps_in(asked)]
    mix = list(s.tokens)
    for place, tokens in swaps:
        mix[place] = tokens[place]
    return swaps, mix


def _said_each(s):
    """By the exchanged word what the model says of it alone; what it says of the mix."""
    swaps, mix = _exchanged(s)
    return {t[place]: says(s, t) for place, t in swaps}, says(s, mix)


def _tip(s, said, last, heads, word, p):
    assert last == s.words[s.last]
    for named, weight, k in re.findall(r"auf („.+?“) \((\d,\d+)\) in Head (\d+)", heads):
        row = s.values(f"block1.head{k}.weight", s.last)
        leads(row, s.words, number(weight))
        assert all(row[s.words.index(each)] >= number(weight) - 0.06 for each in words_in(named))
    return _is_best(s, word, p)


def _said_of_others(s, said, both, words):
    alone, _ = _said_each(s)
    named = words_in(words) * len(alone) if both else re.findall(r"„([^“]+)“ \(", words)
    assert named == [word for word, _ in alone.values()]
    assert both or re.findall("bei „([^“]+)“", words) == [*alone]
    numbers = map(number, re.findall(r"\d,\d+", words))
    assert all(close(p, each) for (_, p), each in zip(alone.values(), numbers, strict=True))


def _reason(s, said, reasons):
    alone, _ = _said_each(s)
    named = re.findall("„([^“]+)“, weil „([^“]+)“ dasteht", reasons)
    return named == [(word, instead) for instead, (word, _) in alone.items()]


def _mix_says(s, said, word, p):
    _, (found, share) = _said_each(s)
    return found == word and close(share, p)


def _mix_led(s, said, word, again):
    alone, (found, _) = _said_each(s)
    return [instead for instead, (each, _) in alone.items() if each == found] == [word] == [again]


def _behind(s, said, instead, word, p):
    alone, (found, _) = _said_each(s)
    return alone[instead][0] == word != found and close(shares_of(s, _exchanged(s)[1])[word], p)


def _untrained(s, said, word, p, of_right=None):
    shares, right = shares_of(s, s.tokens, untrained=True), s.after()
    assert close(shares[word], p)
    assert close(p, max(shares.values()))
    assert (of_right is None) == (word in right)
    return of_right is None or close(max(shares[each] for each in right), of_right)


def _alone(s):
    """Each beginning, what follows in the texts, and what is said where each word sees itself alone."""
    n, found = len(s.tokens), {}
    for text in s.texts:
        one_other = sum(a != b for a, b in zip(text, s.tokens, strict=False)) <= 1 < len(text) - n
        begun = text[:n] if one_other else text[:-2]
        after = {each[len(begun)] for each in s.texts if each[: len(begun)] == begun}
        found[begun] = after, says(s, begun, kind=EachForItself)[0]
    return found


def _wrong_alone(s, said, words):
    wrong = [" ".join(begun) for begun, (right, word) in _alone(s).items() if word not in right]
    return re.findall("„(.+?) …“", words) == wrong


def _one_word_alone(s, said, word):
    found = _alone(s)
    ends = {(len(begun), begun[-1]) for begun in found}
    return {each for _, each in found.values()} == {word} and len(ends) == 1


def _nearest(s, said, heads):
    """Which of the sentences each head's weights in the mix are nearest to."""
    swaps, mix = _exchanged(s)
    weights = weights_of(s, mix)[:2]
    runs = {"des ersten Satzes": s.tokens} | {f"mit „{tokens[place]}“": tokens for place, tokens in swaps}
    named = re.findall(r"(?:in Head (\d+) )?denen (des ersten Satzes|mit „[^“]+“)", heads)
    assert named
    for k, whose in named:
        for head in [int(k) - 1] if k else range(len(weights)):
            far = {name: np.abs(weights[head] - weights_of(s, t)[head]).sum() for name, t in runs.items()}
            assert far[whose] <= min(far.values()) + 0.06, (head, far)


def _written(kind):
    """Whether a text goes on as read, only with pairs of words that are read, or neither."""

    def check(s, said, endings):
        followed = {pair for text in s.texts for pair in pairwise(text)}
        for ending in re.findall(r"… (.+?)“", endings):
            last, *words = re.findall(r"[\w-]+|[.!?]", ending)
            assert last == s.tokens[s.last]
            text = (*s.tokens, *words)
            read = any(t[: len(text)] == text for t in s.texts)
            assert ("read" if read else "mixed" if {*pairwise(text)} <= followed else "nonsense") == kind

    return check


def _stray(s, said, ending, after, before):
    _written("nonsense")(s, said, ending)
    text = re.findall(r"[\w-]+|[.!?]", ending.strip("„“").removeprefix("… "))
    followed = {pair for text in s.texts for pair in pairwise(text)}
    return (before, after) in {*pairwise(text)} - followed


def _no_text(s, said, first, second):
    signs = {"so gelesen": "hat es so gelesen", "neu gemischt": "ist neu gemischt", "unsinn": "Unsinn"}
    missing = {first.lower(), second.removeprefix(" oder ").lower()} - {""}
    return missing == {name for name, sign in signs.items() if sign not in said.before}


def _open_end(s, said, rounds):
    last, *words = re.findall(r"[\w-]+|[.!?]", re.findall("„…(.+?)“", said.before)[-1])
    assert last == s.tokens[s.last]
    return words[-1] not in ".!?" and len(words) == int(rounds) >= s.desk.options.laenge


def _rounds(s):
    """The rounds that are printed: the last word's probability and rank, the word chosen; the whole text."""
    found, text, vocabulary = [], list(s.tokens), s.desk.vocabulary
    for name in (name for name in s.desk.hand if re.fullmatch(r"greedy\.round\d+\.probability", name)):
        p, exp = s.values(name), s.values(name.replace("probability", "exp"))
        order = sorted(range(len(p)), key=lambda w: (-p[w], -exp[w], w))
        last = vocabulary.index(text[-1])
        found.append((float(p[last]), order.index(last) + 1, vocabulary[order[0]]))
        text.append(vocabulary[order[0]])
    return found[s.desk.options.laenge + 1 :], text


def _again(s, said, which, some, of, low, high=None):
    rounds, _ = _rounds(s)
    own = [p for p, rank, _ in rounds if rank == 1]
    assert (int(some or len(own)), int(of or len(own))) == (len(own), len(rounds))
    return (low, high or low) == (min(own), max(own))


def _ranks(s, said, best, worst=None):
    rounds, _ = _rounds(s)
    others = [rank for _, rank, _ in rounds if rank > 1]
    assert (int(best), int(worst or best)) == (min(others), max(others))
    return ("nie auf Platz 1" in said.text) == (len(others) == len(rounds))


def _most_chosen(s, said, word, times, of):
    chosen = [each[2] for each in _rounds(s)[0]]
    return (times, of) == (chosen.count(word), len(chosen)) and times == max(map(chosen.count, chosen))


def _loop(s, said, run):
    words, (_, text) = run.split(), _rounds(s)
    return text[-len(words) :] == text[-2 * len(words) : -len(words)] == words


def _no_loop(s, said):
    rounds, text = _rounds(s)
    lengths = range(1, min(len(rounds), len(text) // 2) + 1)
    return not any(text[-n:] == text[-2 * n : -n] for n in lengths)


LINES = [
    Line("8 plane", rf"{SOME}: Das Skalarprodukt mit y, .+? gerechnet, ist dort am größten\.", _plane),
    Line("8 learnt", r"Deine Rechnung sagt « mit #; nach diesem Anfang steht in den Sätzen «\.",
         lambda s, said, word, p, text: _is_best(s, word, p) and text in s.after()),
    Line("8 learnt", r"Vor dem Lernen war « mit # am wahrscheinlichsten(?:, und das .+? hatte #)?\.", _untrained),
    Line("8 learnt", r"Das Lernen hat die Zahlen so verändert, dass .+? was in den Sätzen steht\.", learns),
    Line("8 alone", rf"Falsch: {SOME}\.", _wrong_alone),
    Line("8 alone", r"Es sagt jedes Mal «: Die Anfänge enden gleich, und .+? ohne Attention nicht\.", _one_word_alone),
    Line("8 compare", r"« hat bei T = # die Wahrscheinlichkeit #, bei T = # (nur |)#\.", _temperatures),
    Line("8 compare", r"Niedrige Temperatur macht den Vorsprung des besten größer: .+? öfter unsinnig\."),
    Line("8 read", r"Zum Tipp: « achtet am stärksten ((?:(?:, | und )?auf „.+?“ \(\d,\d+\) in Head \d+)+); "
         r"heraus kommt « \(#\)\.", _tip),
    Line("8 read", r"Das Modell sagt (beide Male |)(.+?)\.(?= Zum Tipp|$)", _said_of_others),
    Line("8 tip", r"Jeder Tipp mit einem Grund zählt, zum Beispiel (.+?)\.", _reason),
    Line("8 guess", r"Es sagt « \(#\)\.", _mix_says),
    Line("8 guess", r"Dasselbe sagt es, wenn man nur « einsetzt: .+? hier setzt sich « durch\.", _mix_led),
    Line("8 guess", r"Was es mit « allein sagt, kommt dahinter: « \(#\)\.", _behind),
    Line("8 guess", r"Seine Bänder gleichen am meisten (.+?)\.", _nearest),
    Line("8 worth", r"Nichts: Gelernt wäre erst, wenn Texte .+? nicht aus Texten\.", nothing),
    Line("8 worth", r"Dass hier das letzte Wort noch einmal herauskommt, liegt auch daran, dass .+? erhalten bleibt\.",
         lambda s, said: s.desk.vocabulary[int(np.argmax(s.values("logit")))] == s.tokens[-1]),
    Line("9 judge", r"Geschichte: .+? Andere gut begründete Urteile gelten\."),
    Line("9 repeat", r"(„… [^“]+“) hat es so gelesen\.", _written("read")),
    Line("9 repeat", r"(„… [^“]+“) ist neu gemischt\.", _written("mixed")),
    Line("9 repeat", r"(So gelesen|Neu gemischt|Unsinn)((?: oder (?:neu gemischt|Unsinn))?) ist keiner\.", _no_text),
    Line("9 repeat", r"(„… [^“]+“) ist Unsinn, denn « steht in keinem Satz hinter «\.", _stray),
    Line("9 repeat", r"Was nach einem Satzzeichen kommt, hat das Modell nie gelesen; .+? nicht weiter\."),
    Line("9 repeat", r"Noch fehlt das Satzzeichen, denn verlangt waren nur (\d+) Runden\.", _open_end),
    Line("9 repeat", r"Auch richtig: So legt es Schritt 4 am Anfang der Station fest\. .+? weiß davon nichts\."),
    Line("9 repeat", r"Greedy kennt keinen Zufall: Auf denselben Text folgt immer dasselbe Wort\."),
    Line("9 repeat", r"In (dieser Runde|jeder Runde der Tabelle|(\d+) von (\d+) Runden) ist das letzte Wort selbst auf "
         r"Platz 1 \(p i = #(?: bis #)?\), also wird es noch einmal gewählt\.", _again),
    Line("9 repeat", r"(?:Sonst ist es|Das letzte Wort .+? sondern) auf Platz (\d+)(?: bis (\d+))?\.", _ranks),
    Line("9 repeat", r"« wird in # von # Runden gewählt\.", _most_chosen),
    Line("9 repeat", r"Am Ende wiederholt sich (?:die Folge )?«\.", _loop),
    Line("9 repeat", r"Am Ende ist noch keine Schleife zu sehen\.", _no_loop),
    Line("9 repeat", r"Sieht das Ende des Textes wieder so aus wie schon einmal, .+? ein anderes Wort kommen\."),
]  # fmt: skip
