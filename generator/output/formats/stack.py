"""Heads of a sheet as STACK questions: from scores to the new vector, a few steps in each.

What is right in a step is computed from the pupil's own earlier entries, by Maxima: a slip costs once. An
empty field counts as what follows there. Each question gives all that it needs and is judged by the one rule
(generator/basics/numbers.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from html import escape
from typing import Final
from xml.etree.ElementTree import Element, SubElement

from generator.basics.numbers import NumberFormat, unit
from generator.output.formats import questions as question_bank
from generator.output.formats.head_chain import (
    INPUTS,
    STEPS,
    Chain,
    chains,
    feedback_variables,
    reads_given_weights,
    variables,
)
from generator.output.formats.html import BORDER, SCROLLING, typed
from generator.output.formats.questions import Material, add_text, add_values

merged: Final = question_bank.merged
_TITLES: Final = {
    "score": "Score",
    "scaled": "geteilter Score",
    "exp": "e hoch x",
    "exp_sum": "Summe",
    "weight": "Gewicht",
    "output": "neuer Vektor",
}
_FOLLOWS: Final = "aus deinen früheren Zahlen richtig weitergerechnet."
_WRONG: Final = "Rechne diese Zahl noch einmal nach."
_MOST_HINTS: Final = 4
_EMPTY: Final = "Hier fehlt noch eine Zahl."
_UNREAD: Final = "Das kann STACK nicht als Zahl lesen."
_RULE: Final = (
    "<p>Runde jedes Ergebnis auf {places} Nachkommastellen (ab der Ziffer 5 vom Nullpunkt weg) und rechne "
    "mit dem gerundeten Wert weiter; Ergebnisse mit weniger Stellen bleiben, wie sie sind. Produkte einer "
    "Summe werden nicht einzeln gerundet. Schreib Zahlen mit Komma oder Punkt; auch ein Bruch wie 3/4 "
    "zählt.</p>"
)


def write(material: Material) -> bytes:
    """All heads of the sheet whose every step the pupil writes."""
    bank = Element("quiz")
    title = f"{material.title}, Folgefehler"
    found = list(chains(material))
    for chain in found:
        for part in chain.parts:
            question_bank.add_category(bank, title, *[_name(chain, part)] * bool(material.record.variant))
            _add(bank, chain, part, material)
    if not found:
        question_bank.add_category(bank, title)
        said = "Auf diesem Blatt gibt es keinen Head, dessen Schritte alle selbst gerechnet werden."
        question_bank.add_note(bank, "Keine Frage mit Folgefehlern", f"<p>{said}</p>")
    return question_bank.written(bank)


def _heading(step: str) -> str:
    return _TITLES[step][:1].upper() + _TITLES[step][1:]


def _name(chain: Chain, part: Sequence[str]) -> str:
    steps = dict.fromkeys((_TITLES[part[0]], _TITLES[part[-1]]))
    return f"{chain.title}: {' bis '.join(steps)}"


def _add(bank: Element, chain: Chain, part: Sequence[str], material: Material) -> None:
    variant = f"Blatt {material.record.variant}, " if material.record.variant else ""
    points = sum((chain.points(step) for step in part), Fraction(0))
    name = f"{_name(chain, part)} ({variant}{f'{float(points):.3g}'.replace('.', ',')} BE)"
    question = question_bank.add_question(bank, "stack", name, _text(chain, part, material))
    add_values(question, defaultgrade=f"{float(points):.7f}", penalty="0.1", hidden="0")
    add_text(question, "stackversion", "")
    add_text(question, "questionvariables", variables(chain, part))
    shown = "".join(f"<div><b>{_heading(step)}:</b> [[feedback:{_prt(step)}]]</div>" for step in part)
    add_text(question, "specificfeedback", shown, format="html")
    add_text(question, "questionnote", name, format="html")
    add_text(question, "questiondescription", "", format="html")
    add_values(question, questionsimplify="1", assumepositive="0", assumereal="0")
    said = {"correct": "Alles richtig.", "partiallycorrect": "Noch nicht alles stimmt.", "incorrect": ""}
    for kind, text in said.items():
        add_text(question, f"prt{kind}", f"<p>{text}</p>" if text else "", format="html")
    sign = "," if material.record.sign == "komma" else "."
    add_values(question, decimals=sign, scientificnotation="*10", multiplicationsign="dot", sqrtsign="1")
    add_values(question, complexno="i", inversetrig="cos-1", logicsymbol="lang", matrixparens="[")
    add_values(question, isbroken="0", variantsselectionseed="")
    right = {
        f"{INPUTS[step]}{place}": material.answers[blank.cell]
        for step in part
        for place, blank in enumerate(chain.asked[step])
    }
    for field, answer in right.items():
        _add_input(question, field, _text_of(answer.value))
    for step in part:
        _add_tree(question, chain, part, step, material)
    typed_in = {field: _text_of(answer.value) for field, answer in right.items()}
    _add_test(question, chain, part, 1, typed_in, "")
    last = part[-1]
    for place, blank in enumerate(chain.asked[last]):
        field = f"{INPUTS[last]}{place}"
        typed_in[field] = _text_of(right[field].high + 2 * unit(blank.places))
    _add_test(question, chain, part, 2, typed_in, last)


def _text(chain: Chain, part: Sequence[str], material: Material) -> str:
    """All that the question needs: the rule, the query, keys and values, earlier steps; then its fields."""
    words = material.record.words
    row, columns = words(f"{chain.head}.query", 0), words(f"{chain.head}.key", 0)
    of_words = [
        step for step in ("score", "scaled", "exp", "weight") if step in chain.asked or step == "score"
    ]
    shown = [step for step in of_words if STEPS.index(step) <= STEPS.index(part[-1])]
    root = ""
    if "scaled" in chain.asked:
        root = f" : {NumberFormat(material.record.sign).text(chain.size**0.5, chain.places('scaled'))}"
    heads = {"score": "Score q · k", "scaled": f"Score{root}", "exp": "e<sup>x</sup>", "weight": "Gewicht"}
    titles = ("Wort", "Key k", "Value v", *(heads[step] for step in shown))
    table = ["<tr>", *(_boxed(title, "th") for title in titles), "</tr>"]
    places = {j: place for place, j in enumerate(chain.seen)}
    for j in sorted((*chain.seen, *chain.told)):
        cells = [_vector(chain, "key", j), _vector(chain, "value", j)]
        if j in places:
            cells += [_cell(chain, part, step, places[j], chain.token, j) for step in shown]
        else:
            at = chain.token, j
            cells += [typed(chain.numbers.get((f"{chain.head}.{step}", at), "–")) for step in shown]
        table += ["<tr>", _boxed(escape(columns[j]), "th"), *(_boxed(cell, "td") for cell in cells), "</tr>"]
    sums = f"<p>Summe der e<sup>x</sup>: {_cell(chain, part, 'exp_sum', 0, chain.token)}</p>"
    vector = " | ".join(_field(f"o{c}") for c in range(chain.size))
    kinds = {"unmasked": " ohne Maske", "decoder": " der Cross-Attention"}
    kind = kinds.get(chain.head.partition(".")[0], "")
    said = [
        f"<p>„{escape(row[chain.token])}“ in Head {chain.head.rpartition('head')[2]}{kind}: "
        f"q = {_vector(chain, 'query', chain.token)}</p>",
        _RULE.format(places=max(chain.places(step) for step in chain.asked)),
        f'{SCROLLING}<table style="border-collapse:collapse">{"".join(table)}</table></div>',
        sums * ("exp_sum" in part or "weight" in part),
        "<p>Gewicht = e<sup>x</sup> : Summe</p>" * ("weight" in part),
        f"<p>Neuer Vektor o = Summe aller Gewicht · v: ({vector})</p>" * ("output" in part),
    ]
    return "".join(said)


def _boxed(content: str, tag: str) -> str:
    return f'<{tag} style="{BORDER}">{content}</{tag}>'


def _vector(chain: Chain, kind: str, row: int) -> str:
    return f"({' | '.join(typed(chain.text(kind, row, c)) for c in range(chain.size))})"


def _cell(chain: Chain, part: Sequence[str], step: str, place: int, *index: int) -> str:
    """A field of the question, or the number of a step before it."""
    if step in part:
        return _field(f"{INPUTS[step]}{place}")
    return typed(chain.text(step, *index)) if STEPS.index(step) < STEPS.index(part[0]) else ""


def _text_of(number: Decimal) -> str:
    """A number as a pupil types it, as a string of Maxima."""
    return f'"{number:f}"'.replace(".", ",")


def _field(name: str) -> str:
    return f"[[input:{name}]] [[validation:{name}]]"


def _add_input(question: Element, name: str, answer: str) -> None:
    entry = SubElement(question, "input")
    add_values(entry, name=name, type="string", tans=answer, boxsize="7", strictsyntax="1")
    add_values(entry, insertstars="0", syntaxhint="", syntaxattribute="0", forbidwords="", allowwords="")
    off = ("forbidfloat", "requirelowestterms", "checkanswertype", "mustverify", "showvalidation")
    add_values(entry, **dict.fromkeys(off, "0"), options="allowempty")


def _prt(step: str) -> str:
    return "prt" + step.replace("_", "")


def _add_tree(question: Element, chain: Chain, part: Sequence[str], step: str, material: Material) -> None:
    """For each number: is it in the accepted range? If not: does it follow from those before? Is it there?"""
    blanks = chain.asked[step]
    tree = SubElement(question, "prt")
    add_values(tree, name=_prt(step), value=f"{float(chain.points(step)):.7f}", autosimplify="1")
    add_values(tree, feedbackstyle="1")
    lines = [feedback_variables(chain, part, step)]
    words = material.record.words(f"{chain.head}.key", 0)
    share = f"{1 / len(blanks):.7f}"
    nodes = []
    for place in range(len(blanks)):
        lines += judged(material, chain, step, place)
        if step == "output":
            where = f"Komponente {place + 1}, "
        else:
            where = "" if step == "exp_sum" else f"„{escape(words[chain.seen[place]])}“, "
        title = f"{where}{_TITLES[step]}"
        node, further = 3 * place, str(3 * place + 3) if place + 1 < len(blanks) else "-1"
        nodes.append((f"in{place}", (share, further, ""), ("0", str(node + 1), "")))
        follows = f"{title}: {_FOLLOWS}"
        nodes.append((f"follows{place}", (share, further, follows), ("0", str(node + 2), "")))
        wrong = f"{title}: {_advice(material, chain, part, step, place)}"
        empty = f'{title}: [[if test="empty{place}"]]{_EMPTY}[[else]]{_UNREAD}[[/if]]'
        nodes.append((f"there{place}", ("0", further, wrong), ("0", further, empty)))
    add_text(tree, "feedbackvariables", "\n".join(lines))
    for number, node_of in enumerate(nodes):
        _add_node(tree, _prt(step), number, *node_of)


def _advice(material: Material, chain: Chain, part: Sequence[str], step: str, place: int) -> str:
    """What is said of a wrong number: which typical mistake gives it, if one does.

    A question that begins with given steps has no mistake of those.
    """
    blank = chain.asked[step][place]
    expected = material.answers[blank.cell]
    whole = part[0] == next(iter(chain.asked))
    hints = [(number, said) for number, said in expected.hints if whole or number in expected.here]
    hints = hints[:_MOST_HINTS]
    cases = [
        f'test="is(counted{place}={Fraction(number)})"]]{escape(said, quote=False)}' for number, said in hints
    ]
    return "[[if " + "[[elif ".join(cases) + f"[[else]]{_WRONG}[[/if]]" if cases else _WRONG


def judged(material: Material, chain: Chain, step: str, place: int) -> Iterator[str]:
    """The rule for one field, for Maxima: is there a number, is it accepted, does it follow?"""
    blank, field = chain.asked[step][place], f"{INPUTS[step]}{place}"
    expected, one = material.answers[blank.cell], Fraction(unit(blank.places))
    low, high = Fraction(expected.low), Fraction(expected.high)
    yield f"empty{place}:is(slength(tidied({field}))=0);"
    yield f"there{place}:numberp(typed{field});"
    yield f"counted{place}:rounded(own{field},{blank.places});"
    yield f"in{place}:there{place} and is(counted{place}>={low} and counted{place}<={high});"
    ways = ["right", *(["read"] if reads_given_weights(chain, step) else [])]  # each honest, as for `pruefe`
    near = " or ".join(f"is(abs(counted{place}-{way}{field})<={one})" for way in ways)
    yield f"follows{place}:there{place} and ({near});"


def _add_node(tree: Element, of: str, number: int, asked: str, *then: tuple[str, str, str]) -> None:
    """A node. then: where it is true, where it is not: score to add, next node, what is said."""
    node = SubElement(tree, "node")
    add_values(node, name=str(number), description="", answertest="AlgEquiv", sans=asked, tans="true")
    add_values(node, testoptions="", quiet="1")
    for kind, (score, further, said) in zip(("true", "false"), then, strict=True):
        note = f"{of}-{number}-{kind[0].upper()}"
        rows = {"scoremode": "+", "score": score, "penalty": "", "nextnode": further, "answernote": note}
        add_values(node, **{kind + tag: value for tag, value in rows.items()})
        add_text(node, f"{kind}feedback", f"<p>{said}</p>" if said else "", format="html")


def _add_test(
    question: Element, chain: Chain, part: Sequence[str], number: int, typed_in: Mapping[str, str], wrong: str
) -> None:
    """A test for the plugin: what is typed in, and that every step but `wrong` gets its points."""
    test = SubElement(question, "qtest")
    add_values(test, testcase=str(number), description="Lösung" if not wrong else f"falsch: {_TITLES[wrong]}")
    for field, value in typed_in.items():
        add_values(SubElement(test, "testinput"), name=field, value=value)
    for step in part:
        last = 3 * len(chain.asked[step]) - 3
        note = f"{last + 2}-T" if step == wrong else f"{last}-T"
        score, penalty = ("0.0000000", "0.1000000") if step == wrong else ("1.0000000", "0.0000000")
        expected = SubElement(test, "expected")
        add_values(expected, name=_prt(step), expectedscore=score, expectedpenalty=penalty)
        add_values(expected, expectedanswernote=f"{_prt(step)}-{note}")
