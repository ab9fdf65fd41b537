"""A determiner of the tagged words goes in; those that may stand for it come out, whatever the noun means.

All agree with the noun in case, gender and number. Before an adjective only those are possible after which
its ending stays the same.
"""

from collections.abc import Sequence
from typing import Final

from generator.words.fitting import theme_of
from generator.words.genders import gender_behind_ein, has_no_plural, weak_nouns
from generator.words.noun_kinds import NounKind, TaggedWord, WordClass, exchange_lists, fold
from generator.words.noun_slots import BE, Case, is_subject, slot_at, stem_and_ending

_DEFINITE: Final = {"er": "der", "e": "die", "es": "das", "en": "den", "em": "dem"}


def other_determiners(
    tagged: Sequence[TaggedWord], place: int, noun: int, kind: NounKind | None
) -> list[str]:
    """place: of the determiner; noun: of what it belongs to. Empty where none is sure."""
    word, slot, abstract = fold(tagged[place].word), slot_at(tagged, noun), kind is NounKind.ABSTRACT
    himself = slot is not None and slot.case is Case.ACCUSATIVE and "sich" in {each.word for each in tagged}
    if slot is None or himself or (place == 1 and tagged[0].word_class is WordClass.NAME):  # Karl der Große
        return []
    if kind is NounKind.TIME:
        every = fold(tagged[noun].word) in exchange_lists()["others"]["every"].casefold().split()
        night = every and word == "der" and slot.case is Case.DATIVE and noun == place + 1
        return ["dieser", "jeder"] if night else []
    some = str(exchange_lists()["others"]["some"]).split()
    if word in some and place and fold(tagged[place - 1].word) in ("wie", "so", "sehr", "zu"):
        return []
    if word in some:
        return [other for other in some if other != word]
    stem, ending = stem_and_ending(word)
    if not stem:
        return []
    adjective = noun > place + 1
    only = tuple(exchange_lists()["others"]["only"].split())
    if adjective and (fold(tagged[place + 1].word).startswith(only) or tagged[place + 1].word.istitle()):
        return []  # the Berlin Wall
    if adjective and fold(tagged[place + 1].word).rstrip("enrsm").endswith("st"):  # the shortest way
        return []
    plural = slot.forms == ("plural",)
    if (
        any(fold(each.word) in BE for each in tagged[:place])
        and slot.case is Case.NOMINATIVE
        and not is_subject(tagged, noun)
    ):
        return []  # Berlin ist die Hauptstadt
    if stem in (possessives := str(exchange_lists()["others"]["possessive"]).split()):
        mine = {"uns", "mich", "mir", "dich", "dir"} & {fold(each.word) for each in tagged}
        who = {"ich": "mein", "du": "dein", "wir": "unser"}
        own = any(who.get(fold(each.word)) == stem for each in tagged)
        if mine or own or (stem in ("sein", "ihr") and not is_subject(tagged, noun)):  # the subject's own
            return []
        return [other + ending for other in possessives if other != stem]
    if not ending:  # of two genders, ein and mein
        known = {"masculine": ["der", "dieser"], "neuter": ["das", "dieses"]}.get(
            gender_behind_ein(tagged[noun]) or "".join(slot.forms), []
        )
        living = kind is NounKind.LIVING and bool(theme_of(tagged[noun]))
        found = ["unser"] * living if adjective or not known else known
    elif ending in ("er", "es") and slot.case in (Case.NOMINATIVE, Case.ACCUSATIVE) and not plural:
        found = ["dies" + ending, _DEFINITE[ending], *([] if adjective else ["unser", "ein"])]
    else:
        ending = ending.replace("gen", "es")
        lemma = tagged[noun].lemma
        nominal = tagged[noun].kind_hint is NounKind.LIVING or lemma.islower()  # die Reisenden, Jugendlichen
        many = not adjective and not nominal and ending in ("e", "en")
        indefinite = [] if plural and not many else ["ein" + ending]
        found = [
            "dies" + ending,
            "unser" + ending,
            *(["viel" + ending] if plural and indefinite else indefinite),
        ]
        found += [_DEFINITE[ending]] if slot.case is not Case.GENITIVE else []
        if stem == "d" and not is_subject(tagged, noun):
            found = found[:1]  # this one, and no other one
    others, noun_word = exchange_lists()["others"], fold(tagged[noun].word)
    if abstract or noun_word in others["weather"].casefold().split():
        found = [other for other in found if other.startswith("d" if abstract else ("d", "ein"))]
    elif has_no_plural(noun_word):
        unique = noun_word in others["unique"].casefold().split()
        ours = unique or theme_of(tagged[noun]) in ("rescue", "team")
        found = [o for o in found if o.startswith("unser" if ours else "dies" if place == 0 else "der")]
    if slot.preposition in ("nach", "vor") and kind is NounKind.PLACE:
        return []  # after school
    measured = exchange_lists()["said_before"]["measured"].split()
    after = tagged[noun + 1] if noun + 1 < len(tagged) else None
    measure = after is not None and after.word_class is WordClass.NOUN and noun_word in map(fold, measured)
    of_it = after is not None and stem_and_ending(fold(after.word))[1] in ("er", "es", "gen")
    of_it = of_it or (after is not None and fold(after.word) in ("von", "vom"))
    if measure or of_it or (after and after.word_class is WordClass.NAME):
        return []  # eine Scheibe Brot, die Stadt München, der Schatten des Baumes
    if noun_word.endswith("e") and word == "der" and noun_word + "n" not in weak_nouns():
        found = found[:1]  # der Klügere
    found = [other for other in found if other != word and (stem == "d" or not other.startswith(stem))]
    nobodys = [other for other in found if not other.startswith("unser")]  # whose leaves are they?
    alone = has_no_plural(noun_word)
    return nobodys if len(nobodys) > 1 - alone else found
