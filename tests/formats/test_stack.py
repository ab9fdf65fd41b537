"""STACK: the Maxima of a question gives credit exactly where `pruefe` does, also after slips and mistakes."""

import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from xml.etree import ElementTree

import cases
import numpy as np
import pytest
from cloze import maxima
from sources import material, source

from engine.judging.mistakes import MISTAKES, mistaken_numbers
from engine.pens.pens import Numbers, PupilPen
from generator.basics.numbers import NotANumber, read_number
from generator.calculation.rebuild import read_document
from generator.commands.check_command import run
from generator.output.formats.head_chain import INPUTS, STEPS, chains, variables
from generator.output.formats.html import BORDER, typed
from generator.output.formats.questions import Asked
from generator.output.formats.stack import write

CREDIT = ("richtig", "angenommen", "folgefehler")
MISTAKEN = ("scaling_forgotten", "base_ten", "not_normalised", "query_key_exchanged")
CASES = ("example", "plain", "all_tokens", "two_sentences")
HEADS = cases.thorough_but(("example",), CASES)
# Maxima takes ten seconds for a head: case, how many of them.
BY_MAXIMA = [("example", 1), *(pytest.param(case, 9, marks=pytest.mark.thorough) for case in CASES)]


@cache
def questions(case):
    return ElementTree.fromstring(write(material(case))).findall("question[@type='stack']")


@cache
def questions_of(case):
    """Each head with its questions."""
    left = iter(questions(case))
    return [(chain, [next(left) for _ in chain.parts]) for chain in chains(material(case))]


def inputs_of(chain):
    """Input -> the address of its blank, in the order of the questions."""
    return {
        f"{INPUTS[step]}{place}": blank.cell
        for step, blanks in chain.asked.items()
        for place, blank in enumerate(blanks)
    }


def right_papers(chain, expected):
    """Honest pupils: the key, and the upper and lower ends of what is accepted."""
    for end in ("value", "high", "low"):
        yield {name: float(getattr(expected[at], end)) for name, at in inputs_of(chain).items()}


def wrong_papers(case, chain, expected):
    """A slip in one number, alone; a slip after which all is computed from it; typical mistakes."""
    key, at = next(right_papers(chain, expected)), inputs_of(chain)
    for step in chain.asked:
        name = next(name for name, cell in at.items() if cell[0].endswith(f".{step}"))
        yield key | {name: key[name] + 0.5}
    passes = cases.made(case).built.passes
    name, index = at[next(iter(key))]
    values = np.array(passes.hand[name].values)
    values[index] += 0.5
    own, tables = {name: Numbers(values, np.ones(values.shape, np.bool_))}, {}
    for each, names in passes.parts():
        pen = PupilPen(each.hand, each.places, own)
        each.write(pen)
        tables |= {n: pen.trace[n].values for n in names}
    found = [tables]
    found += [mistaken_numbers(passes, each, {})[0] for each in MISTAKES if each.id in MISTAKEN]
    for numbers in found:
        paper = {field: float(numbers[quantity][place]) for field, (quantity, place) in at.items()}
        if not any(map(math.isnan, paper.values())):
            yield {f: round(value, passes.hand[at[f][0]].places or 0) for f, value in paper.items()}


def credits(made, papers):
    """For each paper: of each tree and place the share of the score and what is said, by Maxima."""
    script, trees = [], [{t.findtext("name"): t for t in question.findall("prt")} for question in made]
    for question, of_question in zip(made, trees, strict=True):
        script.append(question.findtext("questionvariables/text"))
        fields = [each.findtext("name") for each in question.findall("input")]
        for paper in papers:
            script += [f'{name}:"{paper.get(name, "")}";' for name in fields]
            for name, tree in of_question.items():
                script.append(tree.findtext("feedbackvariables/text"))
                tests = [node.findtext("sans") for node in tree.findall("node")]
                script.append(f'print("@{name}",{",".join(tests)});')
    lines = iter(re.findall(r"^@(\w+)((?:\s+(?:true|false))+)", maxima(script), re.M))
    found = [{} for _ in papers]
    for of_question in trees:
        for each in found:
            for _ in of_question:
                name, answers = next(lines)
                each |= walked(name, of_question[name], answers.split())
    assert next(lines, None) is None
    return found


def walked(name, tree, answers):
    """The tree's own way from node to node."""
    found, nodes, at = {}, tree.findall("node"), "0"
    while at != "-1":
        node, kind = nodes[int(at)], answers[int(at)]
        place = int(re.sub(r"\D", "", node.findtext("sans")))
        share, text = found.get((name, place), (0.0, ""))
        share += float(node.findtext(f"{kind}score"))
        found[name, place] = share, text + (node.findtext(f"{kind}feedback/text") or "")
        at = node.findtext(f"{kind}nextnode")
    assert sum(share for share, _ in found.values()) <= 1.000001
    return found


@pytest.fixture
def pruefe(monkeypatch, tmp_path):
    """What `pruefe` says of some cells; it reads a calculation once and looks for no names of mistakes."""
    monkeypatch.setattr("generator.check.check.diagnose", lambda *_: [])
    monkeypatch.setattr("generator.commands.check_command.read_document", cache(read_document))

    def verdicts(case, numbers):
        sheet, answers = tmp_path / f"{case}.json", tmp_path / "antworten.csv"
        if not sheet.exists():
            sheet.write_text(json.dumps(source(case).document), encoding="utf-8")
        rows = [f"{name};{','.join(map(str, index))};{text}" for (name, index), text in numbers.items()]
        answers.write_text("\n".join(["name;index;wert", *rows]), encoding="utf-8")
        cells = json.loads(run(str(sheet), str(answers), as_json=True))["cells"]
        return {(c["name"], tuple(c["index"])): c["verdict"] for c in cells}

    return verdicts


@pytest.mark.parametrize(("case", "heads"), BY_MAXIMA)
def test_maxima_gives_credit_exactly_where_pruefe_does(case, heads, pruefe):
    """A question gives the steps before its own, so `pruefe` sees this question's entries alone."""
    expected = material(case).answers
    seen = {True: 0, False: 0}
    for chain, made in questions_of(case)[:heads]:
        papers = [*right_papers(chain, expected), *wrong_papers(case, chain, expected)]
        at = inputs_of(chain)
        for paper, told in zip(papers, credits(made, papers), strict=True):
            for part in chain.parts:
                letters = {INPUTS[step] for step in part}
                verdicts = pruefe(case, {at[f]: text for f, text in paper.items() if f[0] in letters})
                for step, place, blank in ((s, n, b) for s in part for n, b in enumerate(chain.asked[s])):
                    share, said = told["prt" + step.replace("_", ""), place]
                    verdict = verdicts[blank.cell]
                    seen[share > 0] += 1
                    where = (chain.head, chain.token, step, place, verdict)
                    assert (share > 0) == (verdict in CREDIT), where
                    assert ("richtig weitergerechnet" in said) == (verdict == "folgefehler"), where
    assert min(seen.values()) > 20


@pytest.mark.parametrize(("case", "heads"), BY_MAXIMA)
def test_the_number_of_a_typical_mistake_gets_its_hint(case, heads):
    """Every case of what is said of a wrong number, by Maxima: the first that holds is the mistake's own."""
    expected = material(case).answers
    script, wanted = [], []
    for chain, made in questions_of(case)[:heads]:
        key = next(right_papers(chain, expected))
        for part, question in zip(chain.parts, made, strict=True):
            script.append(question.findtext("questionvariables/text"))
            fields = [each.findtext("name") for each in question.findall("input")]
            for step, place in ((each, n) for each in part for n in range(len(chain.asked[each]))):
                tree = question.find(f"prt[name='prt{step.replace('_', '')}']")
                node = tree.find(f"node[sans='there{place}']")
                told = re.findall(r'if test="([^"]*)"\]\](.*?)\[\[', node.findtext("truefeedback/text"))
                blank, field = chain.asked[step][place], f"{INPUTS[step]}{place}"
                hints = expected[blank.cell].hints
                if part[0] != next(iter(chain.asked)):  # earlier steps are given
                    hints = [h for h in hints if h[0] in expected[blank.cell].here]
                assert [said for _, said in told] == [said for _, said in hints[:4]]
                for which, (number, _) in enumerate(hints[:4]):
                    script += [f'{name}:"{number if name == field else key[name]}";' for name in fields]
                    script.append(tree.findtext("feedbackvariables/text"))
                    script.append(
                        f'print("@",{",".join([f"in{place} or follows{place}", *(t for t, _ in told)])});'
                    )
                    wanted.append(which)
    lines = [line.split()[1:] for line in maxima(script).splitlines() if line.startswith("@ ")]
    assert len(lines) == len(wanted) > 20
    for (credit, *held), place in zip(lines, wanted, strict=True):
        assert credit == "false"
        assert held[place] == "true"


def test_an_empty_field_voids_nothing_and_is_named():
    chain, made = questions_of("plain")[0]
    key = next(right_papers(chain, material("plain").answers))
    last = {name[0]: name for name in key}.values()  # of each step
    papers = [{n: value for n, value in key.items() if n != name} for name in last]
    for name, given in zip(last, credits(made, papers), strict=True):
        silent = [at for at, (share, _) in given.items() if share == 0]
        assert [(tree, place) for tree, place in silent] == [
            (f"prt{step.replace('_', '')}", int(name[1:])) for step, i in INPUTS.items() if i == name[0]
        ]
        assert "fehlt noch" in given[silent[0]][1]


@pytest.mark.parametrize("case", HEADS)
def test_a_question_shows_all_that_it_calculates_with_and_every_tree_ends_and_names_its_step(case):
    every = ((c, *each) for c, made in questions_of(case) for each in zip(c.parts, made, strict=True))
    for chain, part, question in every:
        text, after = question.findtext("questiontext/text"), question.findtext("specificfeedback/text")
        fields = [each.findtext("name") for each in question.findall("input")]
        assert len(fields) == sum(len(chain.asked[step]) for step in part) <= 15
        for name in fields:
            assert text.count(f"[[input:{name}]]") == text.count(f"[[validation:{name}]]") == 1
        for kind, rows in (("query", [chain.token]), ("key", chain.seen), ("value", chain.seen)):
            for row in rows:
                numbers = [typed(chain.text(kind, row, c)) for c in range(chain.size)]
                assert f"({' | '.join(numbers)})" in text
        for step in STEPS[: STEPS.index(part[0])]:
            for blank in chain.asked.get(step, ()):
                assert typed(material(case).numbers[blank.cell]) in text
        for tree in question.findall("prt"):
            assert re.search(rf"<b>[^<]+:</b> \[\[feedback:{tree.findtext('name')}\]\]", after)
            nodes = tree.findall("node")
            ways = {node.findtext(way) for node in nodes for way in ("truenextnode", "falsenextnode")}
            assert ways <= {node.findtext("name") for node in nodes} | {"-1"}
        tables = re.findall(r"<t[hd][ >][^<>]*", text)
        assert tables
        assert all(f'style="{BORDER}"' in cell for cell in tables)
        assert not re.search(r"\d\.\d", question.findtext("name/text"))


def test_a_sheet_without_a_head_says_so():
    original = material("plain")
    nothing = replace(original, sheet=replace(original.sheet, blocks=()), record=Asked())
    said = ElementTree.fromstring(write(nothing))
    assert [q.get("type") for q in said.findall("question")] == ["category", "description"]


def test_numbers_are_read_as_everywhere():
    """Comma and point, three signs for minus, fractions; what is no number is none here either."""
    numbers = "0,62=31/50 0.62=31/50 -0,62=-31/50 −0,62=-31/50 –3=-3 +2,5=5/2 -67/100=-67/100"
    wanted = dict(each.split("=") for each in numbers.split()) | {" 0,5 ": "1/2"}
    wanted |= dict.fromkeys(("", "abc", "1/0", "0,6+1", "1.2.3"), "false")
    for text, number in wanted.items():
        if number == "false":
            with pytest.raises(NotANumber):
                read_number(text)
        else:
            assert Fraction(read_number(text)) == Fraction(number)
    (chain, _), *_ = questions_of("plain")
    asked = [f'print("@",string(typed(tidied("{text}"))));' for text in wanted]
    said = maxima([variables(chain, chain.parts[0]), *asked])
    numbers = [re.sub("[()]", "", line.split()[1]) for line in said.splitlines() if line.startswith("@ ")]
    assert numbers == list(wanted.values())  # newer Maximas write -(31/50)
