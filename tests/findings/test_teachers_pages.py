"""What cards and teacher's pages say of the numbers holds; what says nothing of them stands in a template."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from laid_out import documents_of
from lxml import html

from findings.line import WORD
from findings.reckoned import says
from findings.seen import close, number, plain, seen
from findings.test_findings import SHEETS
from generator.output.formulas.typeset import Typesetter
from generator.stations.make_sheet import make_sheet

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


def letters(text):
    return re.sub(r"[\W_]+", "", text)


@cache
def written():
    """All that stands in a teacher's template, as letters."""
    kinds = ("stations/*/teachers.html.j2", "stations/norms/*.j2", "teacher/*.j2")
    files = [file for kind in kinds for file in TEMPLATES.glob(kind)]
    return letters(
        " ".join(re.sub(r"^\s+", "", file.read_text("utf-8"), flags=re.MULTILINE) for file in files)
    )


def learnt(s):
    return s.desk.built.learnt is not None


def own_row(s):
    """The head and the word that a class asks about first: the pupil's own."""
    lesson = s.desk.stations == ("4a",) and s.desk.short
    if lesson and s.desk.sizes.n_heads > 1:
        return "block1.head2.", s.last
    return ("unmasked.head1." if s.desk.has("unmasked.head1.weight") else "block1.head1."), None


def key_fits(s, word, value):
    at, token = own_row(s)
    token = s.words.index(word)
    row = s.values(at + "score", token)
    assert close(number(value), np.nanmax(row))


def listens_ahead(s, token):
    """Whether a word listens most to one behind it, which a training with the mask never let it hear."""
    return s.desk.options.maske and np.nanargmax(s.values(own_row(s)[0] + "weight", token)) > token


def not_learnt(s, word, own):
    token = s.words.index(own)
    assert learnt(s)
    assert listens_ahead(s, token)
    assert s.words[np.nanargmax(s.values(own_row(s)[0] + "weight", token))] == word


def one_ahead(s):
    assert learnt(s)
    assert any(listens_ahead(s, each - 1) for each in s.desk.options.uebung)


def came_out(s, asked, *of_last):
    own = s.words.index(re.search(f"zur Query von {WORD}", asked)[1])
    assert learnt(s)
    assert own != s.last
    assert not listens_ahead(s, own)
    assert list(of_last) == [s.words[-1]] * (s.desk.sizes.n_blocks == 1)


def texts_differ(s, asked):
    assert learnt(s)
    assert s.words.index(re.search(WORD, asked)[1]) in s.differing


SENTENCES = [
    (rf"Sein Key passt am besten zur Query von {WORD}: (−?[\d,]+) ist der größte Score\.",
     lambda s, asked, word, value: key_fits(s, word, value)),
    (r"Den Zusammenhang im Satz kennt das Modell nicht; die Matrizen geben es so\.",
     lambda s, asked: learnt(s) and pytest.fail("it has learnt")),
    (rf"Das kam beim Lernen so heraus; in die Vorhersage geht nur ein, worauf {WORD} achtet\.",
     came_out),
    (r"Das kam beim Lernen so heraus\.", came_out),
    (rf"Gelernt ist das nicht: {WORD} steht hinter {WORD}, und was hinter einem Wort steht, verdeckte beim "
     r"Lernen die Maske\.", lambda s, asked, word, own: not_learnt(s, word, own)),
    (r"Wie stark es auf spätere Wörter achtet, ist gar nicht gelernt: Sie verdeckte beim Lernen die Maske\.",
     lambda s, asked: one_ahead(s)),
    (r"Dass er so groß ist, hat der Head gelernt: An dieser Stelle unterscheiden sich die gelesenen Texte\.",
     lambda s, asked: texts_differ(s, asked)),
]  # fmt: skip


def next_word(s, said):
    """The paragraph at the end of each card."""
    if decoded := re.search(rf"Nach {WORD} sagt der Decoder (.+)\.", said):
        logits, words = s.values("decoder.logit"), s.desk.built.two_model.vocabulary
        best = {words[i] for i in np.flatnonzero(logits == logits.max())}
        assert decoded[1] == s.target[-1]
        assert best <= set(re.findall(WORD, decoded[2]))
    word = re.match(WORD, said)
    if word is None:
        return
    following = {t[len(s.tokens)] for t in s.texts if t[: len(s.tokens)] == s.tokens} if learnt(s) else set()
    if learnt(s):
        assert says(s, s.tokens)[0] == word[1]
    reason = re.match(rf"{WORD}(\.(?: Gelernt [^.]+\.)?|, denn [^.]+\.)", said)[2]
    assert (reason == ". Gelernt ist hier nichts: Sein Vektor passt am besten.") == (not learnt(s))
    if reason == ", denn so geht ein gelesener Text weiter; andere gehen nach diesem Anfang anders weiter.":
        assert word[1] in following
        assert len(following) > 1
    elif learnt(s) and reason != ".":
        named = re.fullmatch(
            r", denn so geht der gelesene Text weiter(?:, in dem (.+) (steht|stehen))?\.", reason
        )
        assert following == {word[1]}
        assert re.findall(WORD, named[1] or "") == [s.words[i] for i in s.differing]
        assert named[1] is None or (named[2] == "stehen") == (len(s.differing) > 1)
    elif learnt(s):
        assert word[1] not in following
    assert ("Das rechnet Station 8" in said) <= s.desk.printed("8")


# Learnt and not, with two sentences and with two blocks, lessons of either kind; a page takes two seconds.
USUAL = (0, 4, 5, 8, 11)
EVERY = [
    pytest.param(each, marks=() if n in USUAL else pytest.mark.thorough) for n, each in enumerate(SHEETS)
]


@pytest.mark.parametrize("options", EVERY, ids=lambda options: options["satz"][:12])
def test_what_teachers_read_holds(options):
    s = seen(options)
    made = documents_of(make_sheet(s.desk.built), Typesetter("pdf"))
    pages = [html.fromstring(made[name].html) for name in ("lehrkraft", "stundenkarte")]
    asked = 0
    items = [each for page in pages for each in page.xpath("//li[b] | //*[@class='station-texts']/p[i]")]
    for item in (each for each in items if "?" in each[0].text_content()):
        question = plain(item.text_content())
        for sentence in map(str.strip, re.findall(r".+?[.!?](?= [A-ZÄÖÜ„√]|$)", plain(item[0].tail or ""))):
            asked += 1
            found = [(m, check) for form, check in SENTENCES if (m := re.fullmatch(form, sentence))]
            if found:
                found[0][1](s, question, *found[0][0].groups())
            elif re.search(r"[\d„]", sentence):
                assert letters(sentence) in written(), (question, sentence)
    ends = [e for page in pages for e in page.xpath("//p[@class='last']") if "jetzt?" in e[0].text_content()]
    (origin,) = re.findall(
        r"Die gelesenen Anfänge [^.]+ nur an .+? von (.+?)\.", plain(pages[0].text_content())
    ) or [None]
    if origin:
        assert re.findall(WORD, origin) == [s.words[i] for i in s.differing]
    for end in ends:
        next_word(s, plain(end[0].tail))
    assert asked
    assert ends
