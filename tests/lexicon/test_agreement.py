"""What comes instead of a noun has the gender and number that the word before it tells."""

import pytest

from generator.words.exchanges import similar_texts
from generator.words.noun_kinds import exchange_lists, read_toml

_STEMS = {"nominative": "{} {} wartet heute im Park", "accusative": "Anna sieht {} {} im Park"}
_STEMS |= {"dative": "Anna geht mit {} {} in den Park"}
# Whose gender a form shows, by case; „ein“ is that of two.
_SHOWN = {
    "nominative": {
        "der dieser jeder": "masculine",
        "die diese meine deine unsere keine eine": "feminine",
        "das dieses jedes": "neuter",
        "mein dein sein unser kein ein": "masculine neuter",
        "mein alter kein junger": "masculine",
        "ein altes unser neues": "neuter",
        "die alte": "feminine",
    },
    "accusative": {
        "den diesen jeden meinen unseren keinen einen": "masculine",
        "eine jede seine keine": "feminine",
        "das dieses jedes mein unser kein ein": "neuter",
        "viele einige": "plural",
        "meine die": "feminine plural",
        "einen alten": "masculine",
    },
    "dative": {
        "dem diesem jedem meinem unserem keinem einem": "masculine neuter",
        "der dieser jeder meiner unserer einer": "feminine",
        "den vielen meinen": "plural",
    },
}
_ALONE = {"Opa": {"masculine"}, "Papa": {"masculine"}, "Oma": {"feminine"}, "Mama": {"feminine"}}
_FORMS = ("masculine", "feminine", "neuter", "plural")
_SHARE = 10  # every which determiner of a noun is tried, another one for each


def determiners(case):
    for line, genders in _SHOWN[case].items():
        words = line.split()
        pairs = [" ".join(words[i : i + 2]) for i in range(0, len(words), 2)]
        adjective = words[1].startswith(("alt", "jung", "neu"))
        yield from ((each, set(genders.split())) for each in (pairs if adjective else words))


def forms():
    """What each of our nouns is, as it is printed in the dative too."""
    found = {}
    for lists in exchange_lists()["nouns"].values():
        for form, words in lists.items():
            for word in words.split() if form not in ("alone", "also") else ():
                form = form.removeprefix("mass_")
                found.setdefault(word, set()).add(form)
                if form == "plural" and word[-1] not in "ns":
                    found.setdefault(word + "n", set()).add(form)
    fits = read_toml("fits.toml")
    lines = [(form, line) for form, lines in fits["kin"].items() for line in lines if form in _FORMS]
    lines += [each for role in ("subjects", "objects") for of in fits[role].values() for each in of.items()]
    for form, line in lines:
        for word in line.split():
            found.setdefault(word, set()).add(form.removeprefix("mass_"))
    return found


@pytest.mark.parametrize("case", _STEMS)
def test_every_noun_agrees_with_what_stands_before_it(case):
    of, wrong, seen = forms(), [], 0
    every = list(determiners(case))
    for number, (noun, own) in enumerate({**of, **_ALONE}.items()):
        if case == "dative" and noun[-1] not in "ns":
            own = own - {"plural"}
        fitting = [(each, genders) for each, genders in every if own & genders]
        for determiner, genders in fitting[number % _SHARE :: _SHARE]:
            sentence = _STEMS[case].format(determiner, noun).split()
            sentence[0] = sentence[0][0].upper() + sentence[0][1:]
            place = sentence.index(noun)
            for text in similar_texts(sentence, 4):
                if text[place] != noun and text[:place] == tuple(sentence[:place]):
                    seen += 1
                    if not of.get(text[place], set()) & genders:
                        wrong.append(" ".join(text) + " < " + noun)
    assert seen > 100
    assert not wrong
