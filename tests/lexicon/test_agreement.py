"""What is said before a noun, and what comes instead of its article, has its gender, case and number."""

import pytest

from generator.words.exchanges import similar_texts
from generator.words.noun_kinds import exchange_lists
from generator.words.noun_slots import adjective_ending
from generator.words.tagger import tag

AT_THE_END = {
    "nominative": "Im Park wartet heute {} {}",
    "accusative": "Anna sieht {} {}",
    "dative": "Anna hilft {} {}",
}
EARLY = {
    "nominative": "{} {} wartet heute im Park",
    "accusative": "Anna sieht {} {} im Park",
    "dative": "Anna geht mit {} {} in den Park",
}
FORMS = ("masculine", "feminine", "neuter", "plural")
STRONG = {"nominative": "er e es e", "accusative": "en e es e", "dative": "em er em en"}
DEFINITE = {"nominative": "der die das die", "accusative": "den die das die", "dative": "dem der dem den"}
BARE = ("mein", "dein", "sein", "ihr", "unser", "kein", "ein")


def determiners(case, form):
    """All that may stand before such a noun, as grammars have it."""
    place = FORMS.index(form)
    end, article = STRONG[case].split()[place], DEFINITE[case].split()[place]
    bare = "" if end == "es" or (case, form) == ("nominative", "masculine") else end
    own = {stem + bare for stem in BARE[:-1]}
    many = {"viel" + end, "einig" + end, "mehrer" + end} if form == "plural" else {"ein" + bare}
    return {"dies" + end, "jed" + end, article} | own | many


def shown(case, form):
    """Those of them that show whose gender it is: none stands before a noun of another form as well."""
    others = [determiners(case, other) for other in FORMS if other != form]
    no_plural = {"jede", "jeden", "ihr", "ihre"}  # or a pronoun
    alone = determiners(case, form) - no_plural - set().union(*others)
    return sorted(alone) or sorted(determiners(case, form))


def ending(case, form, determiner):
    """Of an adjective between the two, as grammars have it."""
    if form == "plural":
        return "e" if determiner in ("viele", "einige", "mehrere") else "en"
    if case == "dative" or (case == "accusative" and form == "masculine"):
        return "en"
    return {"masculine": "er", "neuter": "es"}.get(form, "e") if determiner in BARE else "e"


def forms():
    """What each of our nouns is, by its lists; without those that are two things."""
    found = {}
    for lists in exchange_lists()["nouns"].values():
        for form, words in lists.items():
            for word in words.split() if form in FORMS else ():
                found.setdefault(word, set()).add(form)
    return {word: of.pop() for word, of in found.items() if len(of) == 1}


def pairs(case, third):
    """A third of the nouns in each case, each with another of the determiners that show its gender."""
    place = list(STRONG).index(case)
    for number, (noun, form) in enumerate(forms().items()):
        fits = case != "dative" or form != "plural" or noun[-1] in "ns"
        if fits and number % 3 == (third + place) % 3:
            fitting = shown(case, form)
            yield fitting[number // 3 % len(fitting)], noun, form


THIRDS = pytest.mark.parametrize("third", [0, *(pytest.param(n, marks=pytest.mark.thorough) for n in (1, 2))])
CASES = pytest.mark.parametrize("case", STRONG)


@THIRDS
@CASES
def test_an_adjective_agrees_with_every_noun(case, third):
    seen, wrong = 0, []
    for determiner, noun, form in pairs(case, third):
        sentence = AT_THE_END[case].format(determiner, noun).split()
        found = adjective_ending(tag(sentence), len(sentence) - 1)
        seen += 1
        if found not in ("", ending(case, form, determiner)):
            wrong.append((" ".join(sentence), found))
    assert seen > 100
    assert not wrong


@THIRDS
@CASES
def test_a_determiner_is_exchanged_for_one_of_the_same_form(case, third):
    seen, wrong = 0, []
    for determiner, noun, form in list(pairs(case, third))[::2]:
        sentence = EARLY[case].format(determiner, noun).split()
        place = sentence.index(noun) - 1
        sentence[0] = sentence[0].capitalize()
        for text in similar_texts(sentence, 4):
            new = text[place].lower()
            if new != determiner and text[place + 1] == noun:
                seen += 1
                if new not in determiners(case, form):
                    wrong.append(" ".join(text))
    assert seen > 50
    assert not wrong
