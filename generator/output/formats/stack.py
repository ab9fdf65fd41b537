"""One head of a sheet as a STACK question: from scores to the new vector.

What is right in a step is computed from the pupil's own earlier entries, by Maxima: a slip costs once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Final
from xml.etree.ElementTree import Element, SubElement

from generator.basics.numbers import read_number
from generator.output.formats import questions as question_bank
from generator.output.formats.html import OPEN, HtmlWriter
from generator.output.formats.questions import Address, Exercise, Material, add_text, add_values
from generator.output.formats.tree import Blank, Printed, walk

STEPS: Final[tuple[str, ...]] = ("score", "scaled", "exp", "exp_sum", "weight", "output")
merged: Final = question_bank.merged
_INPUTS: Final = {"score": "s", "scaled": "t", "exp": "p", "exp_sum": "z", "weight": "w", "output": "o"}
_TITLES: Final = {
    "score": "Scores",
    "scaled": "geteilte Scores",
    "exp": "e^x",
    "exp_sum": "Summe",
    "weight": "Gewichte",
    "output": "neuer Vektor",
}
_HEAD: Final = re.compile(r"((?:unmasked|block\d+)\.head\d+)\.(query|key|value|" + "|".join(STEPS) + ")")
_FOLLOWS: Final = "Aus deinen früheren Zahlen richtig weitergerechnet."
_WRONG: Final = "Rechne diese Zahl aus deinen früheren Zahlen noch einmal."
# Numbers as decimal fractions, so that a half is a half; rounding away from zero, as on the sheet.
_FUNCTIONS: Final = (
    "written(x):=round(x*10^9)/10^9;\nrounded(x,n):=(if x<0 then -1 else 1)*floor(abs(x)*10^n+1/2)/10^n;"
)


@dataclass(frozen=True)
class Chain:
    """One token's way through one head. asked: the blanks of every step. numbers: all that the key prints."""

    head: str
    token: int
    exercises: tuple[Exercise, ...]
    asked: Mapping[str, tuple[Blank, ...]]
    numbers: Mapping[Address, Fraction]

    def value(self, step: str, *index: int) -> Fraction:
        return self.numbers[f"{self.head}.{step}", ",".join(map(str, index))]

    @property
    def title(self) -> str:
        """Where on the sheet it stands."""
        numbers = " und ".join(exercise.number for exercise in self.exercises)
        return f"{self.exercises[0].station}, Aufgabe {numbers}"

    @property
    def seen(self) -> tuple[int, ...]:
        """The tokens that this one sees."""
        return tuple(int(blank.index.split(",")[1]) for blank in self.asked["weight"])


def write(material: Material) -> bytes:
    """All heads of the sheet whose every step the pupil writes."""
    bank = question_bank.new_bank()
    title = f"{material.sheet.title}, Folgefehler"
    found = list(chains(material))
    for chain in found:
        question_bank.add_category(bank, title, *[chain.title] * bool(material.record.variant))
        _add(bank, chain, material)
    if not found:
        question_bank.add_category(bank, title)
        said = "Auf diesem Blatt gibt es keinen Head, dessen Schritte alle selbst gerechnet werden."
        question_bank.add_note(bank, "Keine Frage mit Folgefehlern", f"<p>{said}</p>")
    return question_bank.written(bank)


def chains(material: Material) -> Iterator[Chain]:
    """Every token of every head that has weights and a new vector to write, and all that they are made of."""
    blocks = material.key.blocks
    printed: list[Printed | Blank] = [*walk(blocks, Printed), *walk(blocks, Blank)]
    numbers = {
        (each.name, each.index): Fraction(read_number(each.text))
        for each in printed
        if _HEAD.fullmatch(each.name) and each.text
    }
    found: dict[tuple[str, int], tuple[list[Exercise], dict[str, list[Blank]]]] = {}
    for exercise in material.exercises:
        for blank in walk(exercise.blocks, Blank):
            parts = _HEAD.fullmatch(blank.name)
            if parts is None or parts[2] not in STEPS or (blank.name, blank.index) not in exercise.asked:
                continue
            of, asked = found.setdefault((parts[1], _row(blank.index)), ([], {}))
            if blank not in asked.setdefault(parts[2], []):
                asked[parts[2]].append(blank)
                if exercise not in of:
                    of.append(exercise)
    for (head, token), (of, asked) in found.items():
        if {"exp", "exp_sum", "weight", "output"} <= asked.keys() and _whole(head, token, asked, numbers):
            in_order = {step: tuple(asked[step]) for step in STEPS if step in asked}
            yield Chain(head, token, tuple(of), in_order, numbers)


def _whole(
    head: str, token: int, asked: Mapping[str, Sequence[Blank]], numbers: Mapping[Address, Fraction]
) -> bool:
    """Whether the key prints the query, keys and values that are seen, and the scores if they are given."""
    seen = [blank.index.split(",")[1] for blank in asked["weight"]]
    needed = [(f"{head}.query", f"{token},0")]
    needed += [(f"{head}.{kind}", f"{j},0") for kind in ("key", "value") for j in seen]
    if "score" not in asked:
        needed += [(f"{head}.score", f"{token},{j}") for j in seen]
    given_scaled = "scaled" not in asked and (f"{head}.scaled", f"{token},{seen[0]}") in numbers
    return not given_scaled and all(address in numbers for address in needed)


def variables(chain: Chain) -> str:
    """What is given: query, keys and values, the root, and the steps that the sheet prints."""
    query = f"{chain.head}.query"
    size = sum(1 for name, index in chain.numbers if name == query and _row(index) == chain.token)
    lines = [_FUNCTIONS, f"q:{_list(chain.value('query', chain.token, c) for c in range(size))};"]
    for kind, short in (("key", "k"), ("value", "v")):
        rows = (_list(chain.value(kind, j, c) for c in range(size)) for j in chain.seen)
        lines.append(f"{short}:[{','.join(rows)}];")
    if "scaled" in chain.asked:
        lines.append(f"root:rounded(float(sqrt({size})),{chain.asked['scaled'][0].places});")
    if "score" not in chain.asked:
        lines.append(f"scores:{_list(chain.value('score', chain.token, j) for j in chain.seen)};")
    return "\n".join(lines)


def right(chain: Chain, step: str, place: int) -> str:
    """What is right from the pupil's own numbers, as Maxima computes it."""
    n = len(chain.seen)
    exponent = "scaled" if "scaled" in chain.asked else "score"
    match step:
        case "score":
            exact = f"q.k[{place + 1}]"
        case "scaled":
            exact = f"{_own(chain, 'score', place)}/root"
        case "exp":
            exact = f"rationalize(float(exp({_own(chain, exponent, place)})))"
        case "exp_sum":
            exact = "+".join(_own(chain, "exp", j) for j in range(n))
        case "weight":
            exact = f"{_own(chain, 'exp', place)}/{_own(chain, 'exp_sum', 0)}"
        case _:
            exact = "+".join(f"{_own(chain, 'weight', j)}*v[{j + 1}][{place + 1}]" for j in range(n))
    return f"rounded({exact},{chain.asked[step][place].places})"


def _own(chain: Chain, step: str, place: int) -> str:
    """An entry of the pupil's as a decimal fraction; what the sheet prints, where it prints it."""
    if step not in chain.asked:
        return f"scores[{place + 1}]"
    return f"written({_INPUTS[step]}{place})"


def _list(numbers: Iterator[Fraction]) -> str:
    return f"[{','.join(map(str, numbers))}]"


def _row(index: str) -> int:
    return int(index.split(",")[0])


def _add(bank: Element, chain: Chain, material: Material) -> None:
    inputs = {
        (blank.name, blank.index): f"{_INPUTS[step]}{place}"
        for step, blanks in chain.asked.items()
        for place, blank in enumerate(blanks)
    }
    left = dict(inputs)

    def field(blank: Blank) -> str:
        name = left.pop((blank.name, blank.index), None)  # an input stands once, copies of it are open
        return OPEN if name is None else f"[[input:{name}]] [[validation:{name}]]"

    given, asked = HtmlWriter(lambda blank: _printed(chain, blank)), HtmlWriter(field)
    before = given.blocks(chain.exercises[0].given)
    told = f"<details><summary>Angaben und Erklärung</summary>{before}</details>"
    text = told + "".join(asked.blocks(exercise.blocks) for exercise in chain.exercises)
    variant = f" (Blatt {material.record.variant})" if material.record.variant else ""
    name, pictures = chain.title + variant, given.pictures | asked.pictures
    question = question_bank.add_question(bank, "stack", name, text, pictures)
    add_values(question, defaultgrade=str(len(chain.asked)), penalty="0.1", hidden="0")
    add_text(question, "questionvariables", variables(chain))
    shown = "".join(f"<p>{_TITLES[step]}: [[feedback:{_prt(step)}]]</p>" for step in chain.asked)
    add_text(question, "specificfeedback", shown, format="html")
    add_text(question, "questionnote", f"{chain.head}, {chain.token}", format="html")
    add_values(question, questionsimplify="1", decimals=",", multiplicationsign="dot")
    for (name, index), entry in inputs.items():
        _add_input(question, entry, str(float(material.answers[name, index].value)))
    for step in chain.asked:
        _add_tree(question, chain, step, material)


def _printed(chain: Chain, blank: Blank) -> str:
    """Query, keys and values are given here; what the question asks for stays open."""
    parts = _HEAD.fullmatch(blank.name)
    known = parts is not None and parts[2] in ("query", "key", "value")
    value = chain.numbers.get((blank.name, blank.index)) if known else None
    return OPEN if value is None else escape(str(float(value)).replace(".", ","))


def _add_input(question: Element, name: str, answer: str) -> None:
    entry = SubElement(question, "input")
    off = ("insertstars", "forbidfloat", "checkanswertype", "mustverify", "showvalidation")
    add_values(entry, name=name, type="numerical", tans=answer, boxsize="7", strictsyntax="1")
    add_values(entry, **dict.fromkeys(off, "0"))


def _prt(step: str) -> str:
    return "prt" + step.replace("_", "")


def _add_tree(question: Element, chain: Chain, step: str, material: Material) -> None:
    """For each number: is it in the accepted range? If not: does it follow from the numbers before?"""
    blanks = chain.asked[step]
    tree = SubElement(question, "prt")
    add_values(tree, name=_prt(step), value="1.0000000", autosimplify="1", feedbackstyle="1")
    lines = []
    for place, blank in enumerate(blanks):
        expected = material.answers[blank.name, blank.index]
        own, unit = f"rounded({_own(chain, step, place)},{blank.places})", Fraction(1, 10**blank.places)
        low, high = Fraction(expected.low), Fraction(expected.high)
        lines.append(f"in{place}:is({own}>={low} and {own}<={high});")
        lines.append(f"follows{place}:is(abs({own}-{right(chain, step, place)})<={unit});")
    add_text(tree, "feedbackvariables", "\n".join(lines))
    share = f"{1 / len(blanks):.7f}"
    for place in range(len(blanks)):
        further = str(2 * place + 2) if place + 1 < len(blanks) else "-1"
        _add_node(tree, 2 * place, f"in{place}", (share, further, ""), ("0", str(2 * place + 1), ""))
        _add_node(tree, 2 * place + 1, f"follows{place}", (share, further, _FOLLOWS), ("0", further, _WRONG))


def _add_node(
    tree: Element, number: int, asked: str, if_true: tuple[str, str, str], if_false: tuple[str, str, str]
) -> None:
    """A node. if_true, if_false: score to add, next node, what is said."""
    node = SubElement(tree, "node")
    add_values(node, name=str(number), answertest="AlgEquiv", sans=asked, tans="true", quiet="1")
    for kind, (score, further, said) in (("true", if_true), ("false", if_false)):
        note = f"{number}-{kind[0].upper()}"
        rows = {"scoremode": "+", "score": score, "nextnode": further, "answernote": note}
        add_values(node, **{kind + tag: value for tag, value in rows.items()})
        add_text(node, f"{kind}feedback", f"<p>{said}</p>" if said else "", format="html")
