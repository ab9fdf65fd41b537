"""Mutated command lines and files of theirs, drawn numbers for a key: a result, or one German sentence."""

import os
import random
import re

import pytest

from generator.basics.errors import UserError
from generator.calculation.rebuild import rebuild
from generator.check.entries import ensure_defined, recomputed
from generator.commands import cli
from generator.options.options import TABLE
from tests.fuzz.plain import ensure_plain
from tests.laid_out import document

SENTENCES = ("Die Katze sitzt", "a b", "Über Öl & <b>")
STRANGE = (
    "", "0", "-1", "1e999", "nan", "½", "9" * 400, "\x1b[31m", "\ud800", "猫", "'", '"', "<script>",
    "{{ 7 }}", "../../x", "None", "[", "}", "=", "\n", "\0", "\u202e", "1" + "0" * 30, "0,5", "Wort " * 300,
)  # fmt: skip
NUMERIC = ("dimension", "heads", "bloecke", "ffn", "nachkommastellen", "startwert", "temperatur", "laenge")
TEMPLATE = 'satz = "Die Katze sitzt"\ndimension = 4\nheads = 2\nnachkommastellen = 2\ntemperatur = [1, 0.5]\n'
NUMBERS = '{"block1.head1.W_Q": [[1, 0], [0, 1], [1, 1], [0, -1]]}'
ANSWERS = '{"block1.head1.weight": [[1, null, null], [0.5, 0.5, null], [0.3, 0.3, 0.4]]}'
KINDS = (
    "options", "options", "any", "any", "template", "numbers", "answers", "calculation", "words", "code",
    "class", "refused",
)  # fmt: skip
OWN = ("0", "-1", "0,5", "1000000", "1e9", "nan", "inf", "viel", "", "40", "0,00000001", "−3")
BEFORE_THE_WORK = ("blatt", "loesung", "klassensatz")  # what they make would take long


def mutated(rng, text):
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        start, other = rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 1, 1, 3, 20)))
        piece = rng.choice((rng.choice(STRANGE), text[other : other + rng.randrange(30)], "1999"))
        text = text[:start] + piece + text[end:]
    return text


def words_of(rng, folder, calculation):
    """The words of one command line; its files are written already."""

    def value():
        return rng.choice((rng.choice(STRANGE), str(rng.randrange(-2, 30)), str(rng.randrange(10**6))))

    def written(name, text):
        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        return os.fspath(folder / name)

    kind, sentence = rng.choice(KINDS), rng.choice(SENTENCES)
    if kind == "any":
        chosen = [(each.flag, value()) for each in rng.sample(TABLE, rng.randrange(1, 4))]
        return ["rechne", sentence, *(part for words in chosen for part in words[: rng.choice((1, 2, 2, 2))])]
    if kind == "options":
        chosen = rng.sample(NUMERIC, rng.randrange(1, 4))
        return ["rechne", sentence, *(part for name in chosen for part in (f"--{name}", value()))]
    if kind == "template":
        return ["rechne", sentence, "--vorlage", written("v.toml", mutated(rng, TEMPLATE))]
    if kind == "numbers":
        return ["rechne", SENTENCES[0], "--gewichte", written("g.json", mutated(rng, NUMBERS))]
    if kind == "words":
        return [mutated(rng, word) for word in ("rechne", sentence, "--heads", "2")][rng.randrange(2) :]
    if kind == "code":
        return ["schluessel", mutated(rng, "PF1-AAAA-BBBB-CCCC"), "--ausgabe", os.fspath(folder / "da")]
    if kind == "refused":
        command = rng.choice(BEFORE_THE_WORK)
        return [command, sentence, "--stationen", "99", f"--{mutated(rng, 'heads')}", value()]
    answers, document = ANSWERS, calculation
    if kind == "calculation":
        document = mutated(rng, document)
    else:
        answers = mutated(rng, answers)
    if kind == "class":
        (folder / "arbeiten").mkdir(exist_ok=True)
        written(f"arbeiten/{rng.randrange(3)}.json", answers)
        return ["pruefe", written("r.json", document), os.fspath(folder / "arbeiten")]
    return ["pruefe", written("r.json", document), written("a.json", answers), "--json"]


@pytest.mark.parametrize("count", [45, pytest.param(5000, marks=pytest.mark.thorough)])
def test_hostile_inputs_end_with_a_result_or_a_sentence(count, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["rechne", SENTENCES[0]]) == 0
    calculation, rng, refused = capsys.readouterr().out, random.Random(1), 0
    for number in range(count):
        words = words_of(rng, tmp_path, calculation)
        status = cli.main(words)
        said = capsys.readouterr().err
        assert status in (0, 2), (number, words, said)
        assert not re.search("Traceback|Unerwartet|Arbeitsspeicher reicht nicht|\x1b", said), (words, said)
        if status:
            ensure_plain(said, tmp_path)
            refused += 1
    assert count / 4 < refused < count


def test_own_numbers_for_a_key(tmp_path):
    calculation = rebuild(document({"satz": SENTENCES[0], "gewichte": "auswahl"})).calculation
    rng, refused = random.Random(50), 0
    for _ in range(80):
        name = rng.choice(list(calculation.hand))
        shape = calculation.hand[name].values.shape[: None if rng.random() < 0.95 else -1]
        index = ",".join(str(rng.randrange(size + (rng.random() < 0.1))) for size in shape)
        own = f"{name}[{index}]={rng.choice(OWN)}"
        try:
            ensure_defined(recomputed(calculation, [own]), [own])
        except UserError as error:
            refused += 1
            ensure_plain(str(error), tmp_path)
    assert 15 < refused < 65
