"""Random numbers in, words of hostile command lines out: mutations of valid ones, with their files.

Cheap ones mostly; a small share makes a whole sheet.
"""

import os
import random
from pathlib import Path

from generator.options.options import TABLE

SENTENCES = ("Die Katze sitzt", "Der Hund schläft", "Ich bin hier.", "a b", "Über Öl & <b>")
STRANGE = (
    "", "0", "-1", "1e999", "nan", "½", "9" * 400, "\u200e", "\x1b[31m", "\ud800", "猫", "'", '"', "<script>",
    "{{ 7 }}", "@@STYLES@@", "../../x", "None", "[", "]", "{", "}", "=", "\n", "\0", "\u202e", "e\u0301",
    "1" + "0" * 30, "true", "null", "0,5", "−1", " ", "Wort " * 300,
)  # fmt: skip
NUMERIC = (
    "dimension",
    "heads",
    "bloecke",
    "ffn",
    "nachkommastellen",
    "startwert",
    "temperatur",
    "laenge",
    "topk",
)
TEMPLATE = 'satz = "Die Katze sitzt"\ndimension = 4\nheads = 2\nnachkommastellen = 2\ntemperatur = [1, 0.5]\n'
NUMBERS = '{"block1.head1.W_Q": [[1, 0], [0, 1], [1, 1], [0, -1]]}'
ANSWERS = '{"block1.head1.weight": [[1, null, null], [0.5, 0.5, null], [0.3, 0.3, 0.4]]}'
COSTLY = 0.003  # the share of inputs that make a sheet
CODE = "PF1-AAAA-BBBB-CCCC"


def mutated(rng: random.Random, text: str) -> str:
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 1, 1, 3, 20)))
        other = rng.randrange(len(text) + 1)
        piece = rng.choice(
            (rng.choice(STRANGE), text[other : other + rng.randrange(30)], str(rng.randrange(2000)))
        )
        text = text[:start] + piece + text[end:]
    return text


def value_of(rng: random.Random) -> str:
    return rng.choice((rng.choice(STRANGE), str(rng.randrange(-2, 30)), str(rng.randrange(10**6))))


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return os.fspath(path)


def words_of(rng: random.Random, folder: Path, calculation: str) -> list[str]:
    """The words of one command line; its files are written already."""
    if rng.random() < COSTLY:
        return sheet_words(rng, folder)
    kind = rng.choice(
        (
            "options",
            "options",
            "any",
            "any",
            "template",
            "numbers",
            "answers",
            "calculation",
            "words",
            "code",
            "class",
            "paper",
        )
    )
    sentence = rng.choice(SENTENCES)
    if kind == "any":
        chosen = [(each.flag, value_of(rng)) for each in rng.sample(TABLE, rng.randrange(1, 4))]
        return ["rechne", sentence, *(part for words in chosen for part in words[: rng.choice((1, 2, 2, 2))])]
    if kind == "code":
        return ["schluessel", mutated(rng, CODE), "--ausgabe", os.fspath(folder / "da")]
    if kind == "paper":  # refused before the work, or a mutated word that makes no difference to `vorlage`
        words = rng.choice(
            (["vorlage"], ["blatt", sentence, "--stationen", "99"], ["stresstest", "a", "--fehl"])
        )
        words[-1] = mutated(rng, words[-1]) if len(words) > 1 else words[-1]
        return words if words[-1] not in ("S", "") else ["vorlage", mutated(rng, "--help")]
    if kind == "class":
        papers = folder / "arbeiten"
        papers.mkdir(exist_ok=True)
        written(papers, f"{rng.randrange(3)}.json", mutated(rng, ANSWERS))
        return ["pruefe", written(folder, "r.json", calculation), os.fspath(papers)]
    if kind == "options":
        chosen = rng.sample(NUMERIC, rng.randrange(1, 4))
        return ["rechne", sentence, *(part for name in chosen for part in (f"--{name}", value_of(rng)))]
    if kind == "template":
        return ["rechne", sentence, "--vorlage", written(folder, "v.toml", mutated(rng, TEMPLATE))]
    if kind == "numbers":
        return ["rechne", SENTENCES[0], "--gewichte", written(folder, "g.json", mutated(rng, NUMBERS))]
    if kind == "words":
        return [mutated(rng, word) for word in ("rechne", sentence, "--heads", "2")][rng.randrange(2) :]
    answers, document = ANSWERS, calculation
    if kind == "answers":
        answers = mutated(rng, answers)
    else:
        document = mutated(rng, document)
    return ["pruefe", written(folder, "r.json", document), written(folder, "a.json", answers), "--json"]


def sheet_words(rng: random.Random, folder: Path) -> list[str]:
    """A command that makes a sheet, if it is not refused before."""
    target = ["--ausgabe", os.fspath(folder / "da")]
    sentence = mutated(rng, rng.choice(SENTENCES))
    kind = rng.choice(("blatt", "loesung", "klassensatz"))
    if kind == "blatt":
        return ["blatt", sentence, "--stationen", mutated(rng, "S"), *target]
    if kind == "loesung":
        own = mutated(rng, "block1.head1.weight[1,0]=0,48")
        return ["loesung", SENTENCES[0], "--stationen", "S", "--mit", own, *target]
    names = written(folder, "namen.csv", mutated(rng, "Name\nAnna\n"))
    return ["klassensatz", SENTENCES[0], names, "--stationen", mutated(rng, "S"), *target]
