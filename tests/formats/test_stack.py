"""STACK: the Maxima of a question gives credit exactly where `pruefe` does, also after slips and mistakes."""

import json
import re
import subprocess
from dataclasses import replace
from fractions import Fraction
from functools import cache
from xml.etree import ElementTree

import cases
import pytest
from shown import in_a_question_bank
from sources import material, source

from engine.judging.mistakes import MISTAKES, mistaken_numbers
from generator.commands.check_command import run
from generator.output.formats.questions import Asked
from generator.output.formats.stack import STEPS, chains, write

shown = in_a_question_bank
CREDIT = ("richtig", "angenommen", "folgefehler")
MISTAKEN = ("scaling_forgotten", "base_ten", "not_normalised", "query_key_exchanged")
HEADS = ("plain", "all_tokens")


@cache
def questions(case):
    return ElementTree.fromstring(write(material(case))).findall("question[@type='stack']")


def inputs_of(chain):
    """Input -> the address of its blank, in the order of the question."""
    letters = dict(zip(STEPS, "stpzwo", strict=True))
    return {
        f"{letters[step]}{place}": (blank.name, blank.index)
        for step, blanks in chain.asked.items()
        for place, blank in enumerate(blanks)
    }


def right_papers(chain, expected):
    """Honest pupils: the key, and the upper and lower ends of what is accepted."""
    for end in ("value", "high", "low"):
        yield {name: float(getattr(expected[at], end)) for name, at in inputs_of(chain).items()}


def slipped_papers(chain, expected):
    """A slip in one number, alone, and a slip after which all is computed from it."""
    key = next(right_papers(chain, expected))
    for step in chain.asked:
        name = next(name for name, at in inputs_of(chain).items() if at[0].endswith(f".{step}"))
        yield key | {name: key[name] + 0.5}
    first = next(iter(key))
    yield followed(chain, key | {first: key[first] + 0.5}, first)


def followed(chain, paper, slip):
    """The same numbers, each after the slip computed from those before it."""
    at = inputs_of(chain)
    places = {
        name: next(b.places for b in chain.asked[where[0].rpartition(".")[2]]) for name, where in at.items()
    }
    out = dict(paper)
    seen = len(chain.seen)
    after = list(at)[list(at).index(slip) + 1 :]
    for name in after:
        letter, j = name[0], int(name[1:])
        if letter == "s" or (letter == "t" and f"s{j}" not in out):
            continue
        if letter == "t":
            size = sum(
                1
                for n, i in chain.numbers
                if n == f"{chain.head}.query" and i.split(",")[0] == str(chain.token)
            )
            value = Fraction(str(out[f"s{j}"])) / Fraction(str(round(size**0.5, places[name])))
        elif letter == "p":
            value = Fraction(2.718281828459045 ** out[f"t{j}" if f"t{j}" in out else f"s{j}"])
        elif letter == "z":
            value = sum(Fraction(str(out[f"p{k}"])) for k in range(seen))
        elif letter == "w":
            value = Fraction(str(out[f"p{j}"])) / Fraction(str(out["z0"]))
        else:
            value = sum(
                Fraction(str(out[f"w{n}"])) * chain.value("value", k, j) for n, k in enumerate(chain.seen)
            )
        unit = 10 ** places[name]
        sign = -1 if value < 0 else 1
        out[name] = sign * int(abs(value) * unit + Fraction(1, 2)) / unit
    return out


def mistaken_papers(case, chain):
    calculation = cases.made(case).built.calculation
    for mistake in MISTAKES:
        if mistake.id in MISTAKEN:
            told = mistaken_numbers(calculation, mistake, {})[0]
            paper = {}
            for name, (quantity, index) in inputs_of(chain).items():
                value = float(told[quantity][tuple(map(int, index.split(",")))])
                paper[name] = round(value, calculation.hand[quantity].places or 0)
            if all(value == value for value in paper.values()):
                yield paper


def credits(question, papers):
    """For each paper: input -> whether its tree gives credit, by Maxima."""
    trees = {tree.findtext("name"): tree for tree in question.findall("prt")}
    script = [question.findtext("questionvariables/text")]
    for paper in papers:
        script += [f"{name}:{value!r};" for name, value in paper.items()]
        for name, tree in trees.items():
            script.append(tree.findtext("feedbackvariables/text"))
            tests = [node.findtext("sans") for node in tree.findall("node")]
            script.append(f'print("@{name}",{",".join(tests)});')
    code = "\n".join(script).replace(";", "$").replace("\n", " ")
    command = ["maxima", "--very-quiet", f"--batch-string={code}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    lines = re.findall(r"@(\w+)((?:\s+(?:true|false))+)", done.stdout)
    assert len(lines) == len(papers) * len(trees), done.stdout[-2000:]
    return [walked(trees, lines[n * len(trees) : (n + 1) * len(trees)]) for n in range(len(papers))]


def walked(trees, lines):
    """The trees' own way from node to node: for each input its share of the score."""
    found = {}
    for name, said in lines:
        answers, nodes = said.split(), trees[name].findall("node")
        at = "0"
        while at != "-1":
            node = nodes[int(at)]
            kind = answers[int(at)]
            place = int(re.sub(r"\D", "", node.findtext("sans")))
            found[name, place] = found.get((name, place), 0.0) + float(node.findtext(f"{kind}score"))
            at = node.findtext(f"{kind}nextnode")
        assert sum(share for (tree, _), share in found.items() if tree == name) <= 1.0000005
    return found


@pytest.mark.usefixtures("verdicts_alone")
@pytest.mark.parametrize("case", HEADS)
def test_maxima_gives_credit_exactly_where_pruefe_does(case, tmp_path):
    sheet = tmp_path / "rechnung.json"
    sheet.write_text(json.dumps(source(case).document), encoding="utf-8")
    expected = material(case).answers
    heads = list(chains(material(case)))
    pupils = [
        [*right_papers(head, expected), *slipped_papers(head, expected), *mistaken_papers(case, head)]
        for head in heads
    ]
    told = [credits(question, papers) for question, papers in zip(questions(case), pupils, strict=True)]
    seen = {True: 0, False: 0}
    for number in range(len(pupils[0])):
        papers = [papers[number] for papers in pupils]
        verdicts = verdicts_of(sheet, tmp_path / "antworten.csv", heads, papers)
        for head, paper, given in zip(heads, papers, [each[number] for each in told], strict=True):
            for step, blanks in head.asked.items():
                for place, blank in enumerate(blanks):
                    credit = given["prt" + step.replace("_", ""), place] > 0
                    seen[credit] += 1
                    where = (head.head, head.token, step, place, paper)
                    assert credit == (verdicts[blank.name, blank.index] in CREDIT), where
    assert min(seen.values()) > 20


def verdicts_of(sheet, answers, heads, papers):
    """What `pruefe` says of one pupil's numbers in all heads."""
    rows = [
        f"{address[0]};{address[1]};{paper[name]}"
        for head, paper in zip(heads, papers, strict=True)
        for name, address in inputs_of(head).items()
    ]
    answers.write_text("\n".join(["name;index;wert", *rows]), encoding="utf-8")
    cells = json.loads(run(str(sheet), str(answers), as_json=True))["cells"]
    return {(c["name"], ",".join(map(str, c["index"]))): c["verdict"] for c in cells}


def test_every_input_has_its_place_and_every_tree_ends():
    for question in questions("example"):
        text = question.findtext("questiontext/text")
        names = [each.findtext("name") for each in question.findall("input")]
        for name in names:
            assert text.count(f"[[input:{name}]]") == text.count(f"[[validation:{name}]]") == 1
        for tree in question.findall("prt"):
            assert f"[[feedback:{tree.findtext('name')}]]" in question.findtext("specificfeedback/text")
            numbers = {node.findtext("name") for node in tree.findall("node")} | {"-1"}
            for node in tree.findall("node"):
                assert {node.findtext("truenextnode"), node.findtext("falsenextnode")} <= numbers


def test_a_sheet_without_a_head_says_so():
    original = material("plain")
    nothing = replace(original, sheet=replace(original.sheet, blocks=()), record=Asked())
    said = ElementTree.fromstring(write(nothing))
    assert [q.get("type") for q in said.findall("question")] == ["category", "description"]
