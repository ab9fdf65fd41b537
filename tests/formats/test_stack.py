"""STACK: the Maxima of a question gives credit exactly where `pruefe` does, also after slips and mistakes."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from xml.etree import ElementTree

import cases
import numpy as np
import pytest
from graders import maxima
from shown import in_a_question_bank
from sources import material, source

from engine.judging.mistakes import MISTAKES, mistaken_numbers
from engine.pens.pens import Numbers, PupilPen
from generator.basics.numbers import NotANumber, read_number
from generator.commands.check_command import run
from generator.output.formats.head_chain import INPUTS, STEPS, chains, variables
from generator.output.formats.html import BORDER, typed
from generator.output.formats.questions import Asked
from generator.output.formats.stack import write

shown = in_a_question_bank
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


def slipped_papers(case, chain, expected):
    """A slip in one number, alone, and a slip after which all is computed from it."""
    key = next(right_papers(chain, expected))
    for step in chain.asked:
        name = next(name for name, at in inputs_of(chain).items() if at[0].endswith(f".{step}"))
        yield key | {name: key[name] + 0.5}
    yield followed(case, chain, next(iter(key)), 0.5)


def followed(case, chain, slip, off):
    """What a pupil writes who is off in one number and goes on from it rightly."""
    at = inputs_of(chain)
    name, index = at[slip]
    passes = cases.made(case).built.passes
    values = np.array(passes.hand[name].values)
    values[index] += off
    own = {name: Numbers(values, np.ones(values.shape, np.bool_))}
    tables = {}
    for each, names in passes.parts():
        pen = PupilPen(each.hand, each.places, own)
        each.write(pen)
        tables |= {n: pen.trace[n].values for n in names}
    return {field: float(tables[quantity][place]) for field, (quantity, place) in at.items()}


def mistaken_papers(case, chain):
    calculation = cases.made(case).built.passes
    for mistake in MISTAKES:
        if mistake.id in MISTAKEN:
            told = mistaken_numbers(calculation, mistake, {})[0]
            paper = {}
            for name, (quantity, index) in inputs_of(chain).items():
                value = float(told[quantity][index])
                paper[name] = round(value, calculation.hand[quantity].places or 0)
            if all(value == value for value in paper.values()):
                yield paper


def credits(made, papers):
    """For each paper: input -> whether its tree gives credit, by Maxima."""
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
    said = maxima(script)
    lines = iter(re.findall(r"^@(\w+)((?:\s+(?:true|false))+)", said, re.M))
    found = [{} for _ in papers]
    for of_question in trees:
        for each in found:
            each |= walked(of_question, [next(lines) for _ in of_question])
    assert next(lines, None) is None, said[-2000:]
    return found


def walked(trees, lines):
    """The trees' own way from node to node: for each input its share of the score and what is said."""
    found = {}
    for name, said in lines:
        answers, nodes = said.split(), trees[name].findall("node")
        at, total = "0", 0.0
        while at != "-1":
            node = nodes[int(at)]
            kind = answers[int(at)]
            place = int(re.sub(r"\D", "", node.findtext("sans")))
            share, text = float(node.findtext(f"{kind}score")), node.findtext(f"{kind}feedback/text")
            before = found.get((name, place), (0.0, ""))
            found[name, place] = before[0] + share, before[1] + (text or "")
            total += share
            at = node.findtext(f"{kind}nextnode")
        assert total <= 1.000001
    return found


@pytest.mark.usefixtures("verdicts_alone")
@pytest.mark.parametrize(("case", "heads"), BY_MAXIMA)
def test_maxima_gives_credit_exactly_where_pruefe_does(case, heads, tmp_path):
    sheet = tmp_path / "rechnung.json"
    sheet.write_text(json.dumps(source(case).document), encoding="utf-8")
    expected = material(case).answers
    asked = questions_of(case)[:heads]
    heads = [chain for chain, _ in asked]
    pupils = [
        [*right_papers(head, expected), *slipped_papers(case, head, expected), *mistaken_papers(case, head)]
        for head in heads
    ]
    told = [credits(made, papers) for (_, made), papers in zip(asked, pupils, strict=True)]
    seen = {True: 0, False: 0}
    for number in range(len(pupils[0])):
        for part in range(max(len(head.parts) for head in heads)):
            # A question gives the steps before its own, so `pruefe` sees this question's entries alone.
            steps = [head.parts[part] if part < len(head.parts) else () for head in heads]
            papers = [
                {name: value for name, value in each[number].items() if name[0] in {INPUTS[s] for s in some}}
                for each, some in zip(pupils, steps, strict=True)
            ]
            verdicts = verdicts_of(sheet, tmp_path / "antworten.csv", heads, papers)
            for head, some, given in zip(heads, steps, [each[number] for each in told], strict=True):
                for step, place, blank in ((s, n, b) for s in some for n, b in enumerate(head.asked[s])):
                    share, said = given["prt" + step.replace("_", ""), place]
                    verdict = verdicts[blank.cell]
                    seen[share > 0] += 1
                    where = (head.head, head.token, step, place, verdict)
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
def test_a_question_shows_all_that_it_calculates_with(case):
    for chain, made in questions_of(case):
        for part, question in zip(chain.parts, made, strict=True):
            text = question.findtext("questiontext/text")
            fields = sum(len(chain.asked[step]) for step in part)
            assert len(question.findall("input")) == fields == text.count("[[input:") <= 15
            for kind, rows in (("query", [chain.token]), ("key", chain.seen), ("value", chain.seen)):
                for row in rows:
                    numbers = [typed(chain.text(kind, row, c)) for c in range(chain.size)]
                    assert f"({' | '.join(numbers)})" in text
            for step in STEPS[: STEPS.index(part[0])]:
                for blank in chain.asked.get(step, ()):
                    assert typed(material(case).numbers[blank.cell]) in text


def verdicts_of(sheet, answers, heads, papers):
    """What `pruefe` says of one pupil's numbers in all heads."""
    rows = [
        f"{address[0]};{','.join(map(str, address[1]))};{paper[name]}"
        for head, paper in zip(heads, papers, strict=True)
        for name, address in inputs_of(head).items()
        if name in paper
    ]
    answers.write_text("\n".join(["name;index;wert", *rows]), encoding="utf-8")
    cells = json.loads(run(str(sheet), str(answers), as_json=True))["cells"]
    return {(c["name"], tuple(c["index"])): c["verdict"] for c in cells}


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


@pytest.mark.parametrize("case", HEADS)
def test_every_input_has_its_place_every_tree_ends_and_names_its_step_and_tables_have_borders(case):
    for question in questions(case):
        text, after = question.findtext("questiontext/text"), question.findtext("specificfeedback/text")
        for name in (each.findtext("name") for each in question.findall("input")):
            assert text.count(f"[[input:{name}]]") == text.count(f"[[validation:{name}]]") == 1
        for tree in question.findall("prt"):
            assert re.search(rf"<b>[^<]+:</b> \[\[feedback:{tree.findtext('name')}\]\]", after)
            nodes = tree.findall("node")
            ways = {node.findtext(way) for node in nodes for way in ("truenextnode", "falsenextnode")}
            assert ways <= {node.findtext("name") for node in nodes} | {"-1"}
        cells = re.findall(r"<t[hd][ >][^<>]*", text)
        assert cells
        assert all(f'style="{BORDER}"' in cell for cell in cells)
        assert not re.search(r"\d\.\d", question.findtext("name/text"))
