"""What is said before a noun, and what comes instead of its article, has its gender, case and number."""

import pytest

from generator.words.exchanges import similar_texts
from generator.words.noun_kinds import exchange_lists
from generator.words.noun_slots import adjective_ending
from generator.words.tagger import tag

_AT_THE_END = {
    "nominative": "Im Park wartet heute {} {}",
    "accusative": "Anna sieht {} {}",
    "dative": "Anna hilft {} {}",
}
_EARLY = {
    "nominative": "{} {} wartet heute im Park",
    "accusative": "Anna sieht {} {} im Park",
    "dative": "Anna geht mit {} {} in den Park",
}
# Whose gender a form shows, by case; „ein“ is that of two.
_SHOWN = {
    "nominative": {
        "der dieser jeder": "masculine",
        "die diese meine deine unsere keine eine": "feminine",
        "das dieses jedes": "neuter",
        "mein dein sein unser kein ein": "masculine neuter",
    },
    "accusative": {
        "den diesen jeden meinen unseren keinen einen": "masculine",
        "eine jede seine keine": "feminine",
        "das dieses jedes mein unser kein ein": "neuter",
        "viele einige": "plural",
        "meine die": "feminine plural",
    },
    "dative": {
        "dem diesem jedem meinem unserem keinem einem": "masculine neuter",
        "der dieser jeder meiner unserer einer": "feminine",
        "den vielen meinen": "plural",
    },
}
_FORMS = ("masculine", "feminine", "neuter", "plural")
_SHARE = 10  # every which determiner of a noun is tried, another one for each
_thorough = [pytest.param(third, marks=pytest.mark.thorough) for third in (1, 2)]
THIRDS = pytest.mark.parametrize("third", [0, *_thorough])  # of the nouns


def ending(case, form, determiner):
    """Of an adjective between the two, as grammars have it."""
    if form == "plural":
        return "e" if determiner in ("viele", "einige") else "en"
    if case == "dative" or (case == "accusative" and form == "masculine"):
        return "en"
    bare = determiner in ("mein", "dein", "sein", "unser", "kein", "ein")
    return {"masculine": "er", "neuter": "es"}[form] if bare else "e"


def forms():
    """What each of our nouns is, by its lists; without those that are two things."""
    found = {}
    for lists in exchange_lists()["nouns"].values():
        for form, words in lists.items():
            for word in words.split() if form in _FORMS else ():
                found.setdefault(word, set()).add(form)
    return {word: of.pop() for word, of in found.items() if len(of) == 1}


def pairs(case, third):
    """Nouns with determiners that show their gender: a third of them in each case."""
    shown = {each: genders.split() for line, genders in _SHOWN[case].items() for each in line.split()}
    place = list(_SHOWN).index(case)
    for number, (noun, form) in enumerate(forms().items()):
        if number % 3 != (third + place) % 3:
            continue
        if case != "dative" or form != "plural" or noun[-1] in "ns":
            fitting = [each for each, genders in shown.items() if form in genders]
            yield from ((each, noun, form) for each in fitting[number % _SHARE :: _SHARE])


@THIRDS
@pytest.mark.parametrize("case", _AT_THE_END)
def test_an_adjective_agrees_with_every_noun(case, third):
    seen, wrong = 0, []
    for determiner, noun, form in pairs(case, third):
        sentence = _AT_THE_END[case].format(determiner, noun)
        found = adjective_ending(tag(sentence.split()), len(sentence.split()) - 1)
        seen += 1
        if found not in ("", ending(case, form, determiner)):
            wrong.append((sentence, found))
    assert seen > 100
    assert not wrong


def determiners(case, form):
    """All that may stand before such a noun, as grammars have it."""
    strong, definite = {
        "nominative": ("er e es e", "der die das die"),
        "accusative": ("en e es e", "den die das die"),
        "dative": ("em er em en", "dem der dem den"),
    }[case]
    place = _FORMS.index(form)
    end, article = strong.split()[place], definite.split()[place]
    bare = "" if end == "es" or (case, form) == ("nominative", "masculine") else end
    own = {stem + bare for stem in ("mein", "dein", "sein", "ihr", "unser", "kein")}
    many = {"viel" + end, "einig" + end, "mehrer" + end} if form == "plural" else {"ein" + bare}
    return {"dies" + end, "jed" + end, article} | own | many


@THIRDS
@pytest.mark.parametrize("case", _EARLY)
def test_a_determiner_is_exchanged_for_one_of_the_same_form(case, third):
    seen, wrong = 0, []
    for determiner, noun, form in pairs(case, third):
        sentence = _EARLY[case].format(determiner, noun).split()
        place = sentence.index(noun) - 1
        sentence[0] = sentence[0].capitalize()
        for text in similar_texts(sentence, 4):
            new = text[place].lower()
            if new != determiner and text[place + 1] == noun:
                seen += 1
                if new not in determiners(case, form):
                    wrong.append(" ".join(text))
    assert seen > 100
    assert not wrong
