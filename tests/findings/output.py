# ruff: noqa: E501
"""Stations 8 and 9: what their keys say, each with its check."""

import itertools
import re

import numpy as np

from findings.line import SOME, WORD, Line, best, learns, nothing, swap
from findings.reckoned import EachForItself, says, shares_of, weights_of
from findings.seen import close, number


def _probability(s, word, temperature="1"):
    names = list(s.desk.vocabulary)
    return float(s.values(f"temperature{temperature}.probability", names.index(word)))


def _plane(s, said, words):
    letters = re.search(r"nach rechts die (\d+)\., nach oben die (\d+)\.", said.wording)
    pair = [int(letters[k]) - 1 for k in (1, 2)]
    vectors = s.desk.calculation.model.vocabulary_embedding[:, pair]
    y = s.values(f"block{s.desk.sizes.n_blocks}.norm2.output", s.last)[pair]
    parts = vectors @ y
    for word in re.findall("„(.+?)“", words):
        assert parts[list(s.desk.vocabulary).index(word)] >= parts.max() - 0.11  # as near as a drawing tells


def _temperatures(s, said, word, low, p_low, high, only, p_high):
    for temperature, p in ((low, p_low), (high, p_high)):
        name = temperature.replace(",", ".")
        assert close(_probability(s, word, name), number(p))
    assert (only == "nur ") == (p_low != p_high)
    written = [number(low), number(high)]
    assert written == [min(s.desk.options.temperatur), max(s.desk.options.temperatur)]


def _continued(s, said, word, p, text):
    assert close(_probability(s, word), number(p))
    assert text in s.after()
    assert close(number(p), s.values("temperature1.probability").max())


def _exchanged(s):
    """Each exchange of station 8 as its place and the tokens; the mix of them all."""
    (asked,) = (said.wording for said in s.said if said.task == "8 read")
    swaps = [swap(s, instead, word) for instead, word in re.findall(rf"{WORD} statt {WORD}", asked)]
    mix = list(s.tokens)
    for place, tokens in swaps:
        mix[place] = tokens[place]
    return swaps, mix


def _tip(s, said, last, heads, _, word, p):
    assert last == s.words[s.last]
    for named, weight, k in re.findall(r"auf („.+?“) \((\d,\d+)\) in Head (\d+)", heads):
        row = s.values(f"block1.head{k}.weight", s.last)
        assert close(number(weight), best(row))
        for each in re.findall(WORD, named):
            assert row[s.words.index(each)] >= best(row) - 0.06
    assert close(_probability(s, word), number(p))
    assert close(number(p), s.values("temperature1.probability").max())


def _said_of_others(s, said, both, words):
    swaps, _ = _exchanged(s)
    found = [says(s, tokens) for _, tokens in swaps]
    if both:
        named = re.findall("„(.+?)“", words) * len(swaps)
    else:
        named = re.findall(rf"{WORD} \(", words)
        assert re.findall(rf"bei {WORD}", words) == [tokens[place] for place, tokens in swaps]
    assert [word for word, _ in found] == named
    numbers = [number(each) for each in re.findall(r"\d,\d+", words)]
    assert all(close(p, each) for (_, p), each in zip(found, numbers, strict=True))


def _reason(s, said, reasons):
    swaps, _ = _exchanged(s)
    named = re.findall(f"{WORD}, weil {WORD} dasteht", reasons)
    assert named == [(says(s, tokens)[0], tokens[place]) for place, tokens in swaps]


def _mix_like(s, said, *named):
    swaps, mix = _exchanged(s)
    same = [tokens[place] for place, tokens in swaps if says(s, tokens)[0] == says(s, mix)[0]]
    assert same == [*named]


def _mix_led(s, said, word, again):
    assert word == again
    _mix_like(s, said, word)


def _behind(s, said, instead, word, p):
    swaps, mix = _exchanged(s)
    (alone,) = (tokens for place, tokens in swaps if tokens[place] == instead)
    assert says(s, alone)[0] == word != says(s, mix)[0]
    assert close(shares_of(s, mix)[word], number(p))


def _mix_like_first(s, said):
    swaps, mix = _exchanged(s)
    assert says(s, mix)[0] == says(s, s.tokens)[0] not in {says(s, tokens)[0] for _, tokens in swaps}


def _mix_like_none(s, said):
    swaps, mix = _exchanged(s)
    assert says(s, mix)[0] not in {says(s, tokens)[0] for tokens in (s.tokens, *(each for _, each in swaps))}


def _untrained(s, said, word, p, of_right=None):
    shares = shares_of(s, s.tokens, untrained=True)
    assert close(shares[word], number(p))
    assert close(shares[word], max(shares.values()))
    assert (of_right is None) == (word in s.after())
    assert of_right is None or close(max(shares[each] for each in s.after()), number(of_right))


def _alone(s):
    """Each beginning, what follows in the texts, and what is said where each word sees itself alone."""
    n = len(s.tokens)
    one_other = [
        sum(a != b for a, b in zip(text, s.tokens, strict=False)) <= 1 < len(text) - n for text in s.texts
    ]
    beginnings = dict.fromkeys(
        text[:n] if one else text[:-2] for text, one in zip(s.texts, one_other, strict=True)
    )
    return {
        begun: ({text[len(begun)] for text in s.texts if text[: len(begun)] == begun},
                says(s, begun, kind=EachForItself)[0])
        for begun in beginnings
    }  # fmt: skip


def _wrong_alone(s, said, words):
    wrong = [" ".join(begun) for begun, (right, word) in _alone(s).items() if word not in right]
    assert re.findall("„(.+?) …“", words) == wrong


def _one_word_alone(s, said, word):
    assert {each for _, each in _alone(s).values()} == {word}
    assert len({(len(begun), begun[-1]) for begun in _alone(s)}) == 1


def _same_ends_same_word(s, said):
    found = {}
    for begun, (_, word) in _alone(s).items():
        assert found.setdefault((len(begun), begun[-1]), word) == word


def _last_word_tells(s, said):
    found = {}
    for text in s.texts:
        for k in range(1, len(text)):
            found.setdefault((k, text[k - 1]), {}).setdefault(text[:k], set()).add(text[k])
    for after in found.values():
        sure = {next(iter(words)) for words in after.values() if len(words) == 1}
        assert len(sure) <= 1


def _nearest(s, said, heads):
    """Which of the sentences each head's weights in the mix are nearest to."""
    swaps, mix = _exchanged(s)
    weights = weights_of(s, mix)[:2]
    named = re.findall(r"(?:in Head (\d+) )?denen (des ersten Satzes|mit „[^“]+“)", heads)
    assert named
    for k, whose in named:
        runs = {"des ersten Satzes": s.tokens} | {f"mit „{tokens[place]}“": tokens for place, tokens in swaps}
        for head in [int(k) - 1] if k else range(len(weights)):
            far = {name: np.abs(weights[head] - weights_of(s, t)[head]).sum() for name, t in runs.items()}
            assert far[whose] <= min(far.values()) + 0.06, (head, far)


def _mixed(s, said, word, p):
    found = says(s, _exchanged(s)[1])
    assert found[0] == word
    assert close(found[1], number(p))


def _followed(s):
    """Words, each with one that stands before it in a text."""
    return {pair for text in s.texts for pair in itertools.pairwise(text)}


def _written(kind):
    def check(s, said, endings):
        for ending in re.findall(r"… (.+?)“", endings):
            last, *words = re.findall(r"[\w-]+|[.!?]", ending)
            assert last == s.tokens[s.last]
            text = (*s.tokens, *words)
            read = any(t[: len(text)] == text for t in s.texts)
            follow = set(itertools.pairwise(text)) <= _followed(s)
            assert ("read" if read else "mixed" if follow else "nonsense") == kind

    return check


def _no_text(s, said, first, second):
    found = {
        "so gelesen": "hat es so gelesen" in said.before,
        "neu gemischt": "ist neu gemischt" in said.before,
        "unsinn": "Unsinn" in said.before,
    }
    missing = {first.lower(), second.removeprefix(" oder ").lower()} - {""}
    assert missing == {name for name, there in found.items() if not there}


def _open_end(s, said, rounds):
    last, *words = re.findall(r"[\w-]+|[.!?]", re.findall("„…(.+?)“", said.before)[-1])
    assert last == s.tokens[s.last]
    assert words[-1] not in ".!?"
    assert len(words) == int(rounds) >= s.desk.options.laenge


def _stray(s, said, ending, after, before):
    _written("nonsense")(s, said, ending)
    text = re.findall(r"[\w-]+|[.!?]", ending.strip("„“").removeprefix("… "))
    assert any((a, b) == (before, after) for a, b in itertools.pairwise(text))
    assert (before, after) not in _followed(s)


def _rounds(s):
    """The rounds that are printed: the text's last word, its probability and rank, the word chosen."""
    names = [name for name in s.desk.hand if re.fullmatch(r"greedy\.round\d+\.probability", name)]
    found, text = [], list(s.tokens)
    for name in names:
        p = s.values(name)
        exp = s.values(name.replace("probability", "exp"))
        order = sorted(range(len(p)), key=lambda w: (-p[w], -exp[w], w))
        last = s.desk.vocabulary.index(text[-1])
        found.append((text[-1], float(p[last]), order.index(last) + 1, s.desk.vocabulary[order[0]]))
        text.append(s.desk.vocabulary[order[0]])
    return found[s.desk.options.laenge + 1 :], text


def _again(s, said, which, some, of, low, high=None):
    rounds, _ = _rounds(s)
    own = [p for _, p, rank, _ in rounds if rank == 1]
    assert (int(some or len(own)), int(of or len(own))) == (len(own), len(rounds))
    assert (number(low), number(high or low)) == (min(own), max(own))


def _ranks(s, said, best, worst=None):
    others = [rank for _, _, rank, _ in _rounds(s)[0] if rank > 1]
    assert (int(best), int(worst or best)) == (min(others), max(others))
    assert ("nie auf Platz 1" in said.text) == (len(others) == len(_rounds(s)[0]))


def _most_chosen(s, said, word, times, of):
    chosen = [each[3] for each in _rounds(s)[0]]
    assert (int(times), int(of)) == (chosen.count(word), len(chosen))
    assert all(chosen.count(each) <= chosen.count(word) for each in chosen)


def _loop(s, said, run):
    words, (_, text) = run.split(), _rounds(s)
    assert text[-len(words) :] == text[-2 * len(words) : -len(words)] == words


def _no_loop(s, said):
    rounds, text = _rounds(s)
    assert not any(text[-n:] == text[-2 * n : -n] for n in range(1, min(len(rounds), len(text) // 2) + 1))


def _last_again(s):
    assert s.desk.vocabulary[int(np.argmax(s.values("logit")))] == s.tokens[-1]


LINES = [
    Line("8 plane", rf"{SOME}: Das Skalarprodukt mit y, nur mit diesen beiden Komponenten gerechnet, ist dort am "
         r"größten\.", _plane),
    Line("8 learnt", r"Deine Rechnung sagt « mit #; nach diesem Anfang steht in den Sätzen «\.", _continued),
    Line("8 learnt", r"Vor dem Lernen war « mit # am wahrscheinlichsten(?:, und das (?:richtige Wort|wahrscheinlichere der "
         r"richtigen Wörter) hatte #)?\.", _untrained),
    Line("8 learnt", r"Das Lernen hat die Zahlen so verändert, dass am wahrscheinlichsten ist, was in den Sätzen "
         r"steht\.", learns),
    Line("8 alone", rf"Falsch: {SOME}\.", _wrong_alone),
    Line("8 alone", r"In diesen Sätzen verrät schon das letzte Wort .+? nötig\.", _last_word_tells, unseen=True),
    Line("8 alone", r"Es sagt jedes Mal «: Die Anfänge enden gleich, und mehr als sich selbst und seinen Platz kennt das "
         r"letzte Wort ohne Attention nicht\.", _one_word_alone),
    Line("8 alone", r"Ohne Attention kennt das letzte Wort nur sich selbst und seinen Platz: Wo Anfänge darin gleich "
         r"sind, kommt dasselbe heraus\.", _same_ends_same_word, unseen=True),
    Line("8 compare", r"« hat bei T = # die Wahrscheinlichkeit #, bei T = # (nur |)#\.", _temperatures),
    Line("8 compare", r"Niedrige Temperatur macht den Vorsprung des besten größer: Der Text wird vorhersehbar\. Hohe "
         r"Temperatur gleicht die Wahrscheinlichkeiten an: Der Text wird abwechslungsreicher und öfter unsinnig\."),
    Line("8 read", r"Zum Tipp: « achtet am stärksten ((?:(?:, | und )?auf „.+?“ \(#\) in Head \d+)+); heraus kommt « \(#\)\.",
         _tip),
    Line("8 read", r"Das Modell sagt (beide Male |)(.+?)\.(?= Zum Tipp|$)", _said_of_others),
    Line("8 tip", r"Jeder Tipp mit einem Grund zählt, zum Beispiel (.+?)\.", _reason),
    Line("8 guess", r"Es sagt « \(#\)\.", _mixed),
    Line("8 guess", r"Dasselbe sagt es, wenn man nur « oder nur « einsetzt: Gelesen hat es diesen Anfang nie; beide Wörter "
         r"führen zum selben\.", _mix_like, unseen=True),
    Line("8 guess", r"Dasselbe sagt es, wenn man nur « einsetzt: Beide Wörter wirken zugleich, hier setzt sich « durch\.",
         _mix_led),
    Line("8 guess", r"Was es mit « allein sagt, kommt dahinter: « \(#\)\.", _behind),
    Line("8 guess", r"Dasselbe sagt es zum ersten Satz: Beide Wörter zusammen haben daran nichts geändert\.",
         _mix_like_first, unseen=True),
    Line("8 guess", r"Das sagt es zu keinem der drei Sätze: Diese Mischung hat es nie gelesen, es rät\.",
         _mix_like_none, unseen=True),
    Line("8 guess", r"Seine Bänder gleichen am meisten (.+?)\.", _nearest),
    Line("8 worth", r"Nichts: Gelernt wäre erst, wenn Texte die Zahlen so verändert hätten, dass passende Wörter "
         r"wahrscheinlich werden\. Die Rechnung ist dieselbe wie in einem großen Modell, nur die Zahlen sind nicht aus "
         r"Texten\.", nothing),
    Line("8 worth", r"Dass hier das letzte Wort noch einmal herauskommt, liegt auch daran, dass sein alter Vektor durch "
         r"das Addieren erhalten bleibt\.",
         lambda s, said: _last_again(s)),
    Line("9 judge", r"Geschichte: .+? Andere gut begründete Urteile gelten\."),
    Line("9 repeat", r"(„… [^“]+“) hat es so gelesen\.", _written("read")),
    Line("9 repeat", r"(„… [^“]+“) ist neu gemischt\.", _written("mixed")),
    Line("9 repeat", r"(So gelesen|Neu gemischt|Unsinn)((?: oder (?:neu gemischt|Unsinn))?) ist keiner\.", _no_text),
    Line("9 repeat", r"(„… [^“]+“) ist Unsinn, denn « steht in keinem Satz hinter «\.", _stray),
    Line("9 repeat", r"Was nach einem Satzzeichen kommt, hat das Modell nie gelesen; es könnte dort nur raten\. Darum "
         r"rechnet man nach dem Satzzeichen nicht weiter\."),
    Line("9 repeat", r"Noch fehlt das Satzzeichen, denn verlangt war nur eine Runde\.", lambda s, said: _open_end(s, said, 1), unseen=True),
    Line("9 repeat", r"Noch fehlt das Satzzeichen, denn verlangt waren nur (\d+) Runden\.", _open_end),
    Line("9 repeat", r"Auch richtig: So legt es Schritt 4 am Anfang der Station fest\. „Weil der Satz zu Ende ist“ "
         r"genügt nicht: Das Modell selbst weiß davon nichts\."),
    Line("9 repeat", r"Greedy kennt keinen Zufall: Auf denselben Text folgt immer dasselbe Wort\."),
    Line("9 repeat", r"In (dieser Runde|jeder Runde der Tabelle|(\d+) von (\d+) Runden) ist das letzte Wort selbst auf "
         r"Platz 1 \(p i = #(?: bis #)?\), also wird es noch einmal gewählt\.", _again),
    Line("9 repeat", r"(?:Sonst ist es|Das letzte Wort selbst ist nie auf Platz 1, sondern) auf Platz (\d+)(?: bis (\d+))?\.",
         _ranks),
    Line("9 repeat", r"« wird in # von # Runden gewählt\.", _most_chosen),
    Line("9 repeat", r"Am Ende wiederholt sich (?:die Folge )?«\.", _loop),
    Line("9 repeat", r"Am Ende ist noch keine Schleife zu sehen\.", _no_loop),
    Line("9 repeat", r"Sieht das Ende des Textes wieder so aus wie schon einmal, dann gewinnt leicht dasselbe Wort wie "
         r"damals\. Mit Zufallszahlen kann auch ein anderes Wort kommen\."),
]  # fmt: skip
