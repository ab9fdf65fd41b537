"""What teacher's pages and a lesson say of the numbers holds; all else stands in a template."""

import re

import numpy as np
import pytest
from laid_out import documents_of, html_of, sheet_of
from lxml import html

from findings.line import ROOT, WORD, swap, words_in
from findings.reckoned import says
from findings.seen import close, number, plain, seen
from findings.test_findings import SHEETS
from generator.output.formulas.typeset import Typesetter
from generator.stations.make_sheet import make_sheet

LESSON = {"satz": "Der Hund jagt den Ball", "gewichte": "gelernt", "stationen": "4a", "zeit": 45}


def letters(text):
    return re.sub(r"[\W_]+", "", text)


def written():
    """All that stands in a teacher's template, as letters."""
    kinds = ("stations/*/teachers.html.j2", "stations/norms/*.j2", "teacher/*.j2")
    files = [file for kind in kinds for file in (ROOT / "templates").glob(kind)]
    return letters(" ".join(re.sub(r"^\s+", "", f.read_text("utf-8"), flags=re.MULTILINE) for f in files))


def learnt(s):
    return s.desk.built.learnt is not None


def own_head(s):
    """The head that a class asks about first: the pupil's own."""
    if s.desk.stations == ("4a",) and s.desk.short and s.desk.sizes.n_heads > 1:
        return "block1.head2."
    return "unmasked.head1." if s.desk.has("unmasked.head1.weight") else "block1.head1."


def came_out(s, asked, of_last):
    own = s.words.index(re.search(f"zur Query von {WORD}", asked)[1])
    most = np.nanargmax(s.values(own_head(s) + "weight", own))
    assert not s.desk.options.maske or most <= own != s.last  # a word behind it was never heard in training
    return learnt(s) and of_last == s.words[-1]


SENTENCES = [
    (rf"Sein Key passt am besten zur Query von {WORD}: (−?[\d,]+) ist der größte Score\.",
     lambda s, _, word, value: close(
         number(value), np.nanmax(s.values(own_head(s) + "score", s.words.index(word))))),
    (r"Den Zusammenhang im Satz kennt das Modell nicht; die Matrizen geben es so\.",
     lambda s, _: not learnt(s)),
    (rf"Das kam beim Lernen so heraus; in die Vorhersage geht nur ein, worauf {WORD} achtet\.", came_out),
    (r"Dass er so groß ist, hat der Head gelernt: An dieser Stelle unterscheiden sich die gelesenen Texte\.",
     lambda s, asked: learnt(s) and s.words.index(re.search(WORD, asked)[1]) in s.differing),
]  # fmt: skip


def next_word(s, said):
    """The paragraph at the end of each card."""
    if decoded := re.search(rf"Nach {WORD} sagt der Decoder (.+)\.", said):
        logits, words = s.values("decoder.logit"), s.desk.built.two_model.vocabulary
        assert decoded[1] == s.target[-1]
        assert {words[i] for i in np.flatnonzero(logits == logits.max())} <= {*words_in(decoded[2])}
    assert ("Das rechnet Station 8" in said) <= s.desk.printed("8")
    if not (word := re.match(WORD, said)):
        return
    reason = re.match(rf"{WORD}(\.(?: Gelernt [^.]+\.)?|, denn [^.]+\.)", said)[2]
    assert (reason == ". Gelernt ist hier nichts: Sein Vektor passt am besten.") == (not learnt(s))
    if not learnt(s):
        return
    assert says(s, s.tokens)[0] == word[1]
    form = r", denn so geht der gelesene Text weiter, in dem (.+) (steht|stehen)\."
    where, verb = re.fullmatch(form, reason).groups()
    assert s.after() == {word[1]}
    assert words_in(where) == [s.words[i] for i in s.differing]
    assert (verb == "stehen") == (len(s.differing) > 1)


# Learnt and not, with two sentences and with two blocks, lessons of either kind.
@pytest.mark.parametrize(
    "options", [LESSON, *(SHEETS[n] for n in (0, 3, 5, 8))], ids=lambda each: each["satz"][:12]
)
def test_what_teachers_read_holds(options):
    s, templates = seen(options), written()
    made = documents_of(make_sheet(s.desk.built), Typesetter("pdf"))
    pages = [html.fromstring(made[name].html) for name in ("lehrkraft", "stundenkarte")]
    items = [each for page in pages for each in page.xpath("//li[b] | //*[@class='station-texts']/p[i]")]
    questions = [each for each in items if "?" in each[0].text_content()]
    for item in questions:
        answer = plain(item[0].tail or "")
        for sentence in map(str.strip, re.findall(r".+?[.!?](?= [A-ZÄÖÜ„√]|$)", answer)):
            found = [(m, check) for form, check in SENTENCES if (m := re.fullmatch(form, sentence))]
            if found:
                match, check = found[0]
                assert check(s, plain(item.text_content()), *match.groups()), sentence
            else:
                assert not re.search(r"[\d„]", sentence) or letters(sentence) in templates, sentence
    for origin in re.findall(
        r"Die gelesenen Anfänge [^.]+ nur an .+? von (.+?)\.", plain(pages[0].text_content())
    ):
        assert words_in(origin) == [s.words[i] for i in s.differing]
    ends = [e for page in pages for e in page.xpath("//p[@class='last']") if "jetzt?" in e[0].text_content()]
    for end in ends:
        next_word(s, plain(end[0].tail))
    assert questions
    assert ends


def test_a_lesson_tells_the_exchange_that_is_not_drawn_and_optional_tasks_bear_no_points():
    s, (sheet, desk) = seen(LESSON), sheet_of(**LESSON)
    page = plain(html_of(sheet, desk, "worksheet", "pdf").rpartition("</style>")[2])
    told = re.findall(r"\(„(.+?)“ gegen „(.+?)“: dann sagt das Modell „(.+?)“, (\d,\d+)\)", page)
    assert told
    for word, instead, next_word, share in told:
        found, p = says(s, swap(s, instead, word)[1])
        assert (found, True) == (next_word, close(p, number(share)))
    optional = [task for station in sheet.stations for task in station.tasks.values() if not task.points]
    assert len(optional) == page.count("freiwillig") == page.count("Wenn noch Zeit ist") == 1
    assert sum(map(int, re.findall(r"/\s(\d+)\sBE", page))) == sheet.points
