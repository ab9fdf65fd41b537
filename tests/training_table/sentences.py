"""Sentences that nobody chose: a pattern and every word in it are drawn, the same for the same seed."""

from __future__ import annotations

from random import Random
from typing import Final

MOST_WORDS: Final = 10
PATTERNS: Final = (
    "s r o|s v a|s v p|N r a o|s r o p|k V a p|s v a p|a v s p|S v p|N r o p|S r O|S v a p|k R a O|S r a O p|"
    "s r O p|S v p a"
)
_WORDS: Final = {
    "m": "Mond Hund Drache Kapitän Koffer Zug Bagger Clown Pinguin Frosch Lehrer Pirat Nachbar Roboter Pilz",
    "f": "Lehrerin Katze Wolke Gitarre Spinne Feder Nachbarin Rakete Köchin Laterne Schnecke Königin Frau",
    "n": "Kind Schiff Pferd Mädchen Fahrrad Gespenst Flugzeug Kamel Fenster Radio Einhorn Messer Schaf Auto",
    "N": "Anna Paul Emma Oskar Frieda Mehmet Opa Papa",
    "k": "Kinder Hunde Sterne Lehrer Bäume Mäuse",
    "r": "sieht sucht findet malt trägt beobachtet bewacht hört putzt versteckt holt jagt zeichnet liebt",
    "v": "leuchtet schläft wartet sitzt liegt tanzt singt zittert steht verschwindet lacht",
    "R": "sehen suchen malen tragen beobachten bewachen hören verstecken jagen zeichnen lieben",
    "V": "leuchten schlafen warten sitzen liegen tanzen singen zittern stehen verschwinden lachen",
    "a": "hell heute oft leise morgen gern langsam draußen immer abends nie fröhlich plötzlich",
    "j": "alte kleine rote müde nasse junge dicke gelbe freundliche schnelle",
    "x": "auf unter neben hinter vor über bei in",
    "im": "See Garten Keller Wald Tisch Berg Turm Hafen Bahnhof",
    "if": "Brücke Wiese Schule Straße Mauer Insel Treppe Stadt",
    "in": "Haus Dach Feld Zimmer Ufer Museum Zelt",
}
_SUBJECT: Final = {"m": ("der", "ein"), "f": ("die", "eine"), "n": ("das", "ein")}
_OBJECT: Final = {"m": ("den", "einen"), "f": ("die", "eine"), "n": ("das", "ein")}
_PLACE: Final = {"m": "dem", "f": "der", "n": "dem"}


def sentences(count: int, seed: int = 24) -> list[str]:
    """Different ones, of 4 to 10 words."""
    random, found = Random(seed), dict[str, None]()
    while len(found) < count:
        words = " ".join(_part(random, part) for part in random.choice(PATTERNS.split("|")).split())
        if len(words.split()) <= MOST_WORDS:
            found[words[0].upper() + words[1:]] = None
    return list(found)


def _part(random: Random, part: str) -> str:
    """s, o, p: subject, object and place; S, O: with an adjective; k, N: plural, name; else a list's word."""

    def drawn(kind: str) -> str:
        return random.choice(_WORDS[kind].split())

    gender = random.choice("mfn")
    if part in "so":
        return f"{random.choice((_SUBJECT if part == 's' else _OBJECT)[gender])} {drawn(gender)}"
    if part == "S":
        return f"{_SUBJECT[gender][0]} {drawn('j')} {drawn(gender)}"
    if part == "O":
        return f"{_OBJECT[gender][0]} {drawn('j')}{'n' if gender == 'm' else ''} {drawn(gender)}"
    if part == "p":
        return f"{drawn('x')} {_PLACE[gender]} {drawn('i' + gender)}"
    return ("die " if part == "k" else "") + drawn(part)


if __name__ == "__main__":
    print(*sentences(200), sep="\n")
