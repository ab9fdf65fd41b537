"""Station 11, learning: loss of the right next word, gradients, one step downhill, the loss after it.

First a short form of two pages (loss, errors, one weight, one step, the new loss), then all the rest.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engine.model.model import Model
from engine.trace import place_of
from generator.basics.numbers import parse_number
from generator.calculation.learning import turned
from generator.options.course import id_of_block
from generator.sheet.columns import Column, even
from generator.sheet.desk import Desk
from generator.sheet.fields import blank_width
from generator.sheet.sheet import CellContent, Number, Parts, Row, Solution, Table, Vector, Words, parts, walk
from generator.sheet.wording import places
from generator.stations.add_norm.station import changes_nothing
from generator.stations.common import (
    ALL_ROWS_UP_TO,
    MOST_WRITTEN_COLUMNS,
    Tasks,
    columns_table,
    counted,
    learning_of,
    room_for_products,
    unchanged,
)
from generator.stations.learning.after import after_part, asked_entry, changed_part, checked_part, questions
from generator.stations.learning.attention import head_part, worked_out_before
from generator.stations.learning.encoder import encoder_part
from generator.stations.learning.output import (
    VECTORS,
    largest_component,
    lesson_desk,
    loss_part,
    one_number,
    probabilities_copied,
    rate_text,
    right_word,
    step_line,
    vectors_part,
    wrong_words,
)
from generator.stations.next_word import last_vector, word_vector
from generator.stations.worked_lines import honest_sum, products_line, relation


def station(desk: Desk, tasks: Tasks) -> Parts:
    desk = lesson_desk(desk)
    path, layers = learning_of(desk).lesson.path, desk.sizes.n_blocks
    start = loss_part(desk, tasks)
    weight = (_of_matrix if path == "attention" else _of_vector)(desk, tasks)
    after = after_part(desk, tasks)
    questions(tasks, path)
    vectors = vectors_part(desk, tasks) if path != "attention" else None
    given = given_part(desk) if path == "attention" else None
    through = layers_part(desk, tasks) if path == "alles" else None
    attention = head_part(desk, tasks) if path != "ausgabe" else None
    done = walk((start, weight, vectors, through, attention), Number)
    changed = changed_part(desk, tasks, done) if path == "alles" else None
    checked = checked_part(desk, tasks)
    return parts(
        path=path,
        rate=rate_text(desk),
        places=places(desk.options.nachkommastellen + 2),
        head=learning_of(desk).lesson.head,
        one_number=one_number(desk),
        start=start,
        weight=weight,
        vectors=vectors,
        given=given,
        layers=through,
        attention=attention,
        last_after=desk.vector(f"after.block{layers}.norm2.output", desk.n - 1) if through else None,
        changed=changed,
        after=after,
        checked=checked,
        encoder=encoder_part(desk, tasks),
        earlier=_earlier(desk),
        turned=turned_part(desk),
        foreseen=int(np.argmax(desk.quantity("logit").values)) == learning_of(desk).lesson.word,
    )


def turned_part(desk: Desk) -> Parts:
    """What rounding does to this lesson: how many gradients it turns the sign of, and the largest of them."""
    learning = learning_of(desk)
    cells = turned(learning)
    names = [name for name in learning.names if place_of(name).way == "gradient."]
    sizes = [max(abs(float(t[name].values[i])) for t in (learning.hand, learning.exact)) for name, i in cells]
    return parts(
        count=len(cells),
        all=desk.constant(sum(int(np.count_nonzero(learning.hand[name].values)) for name in names), 0),
        most=desk.constant(max(sizes, default=0.0), desk.options.nachkommastellen + 2),
    )


def _earlier(desk: Desk) -> Parts | None:
    """The state of a trained model from which the lesson takes its step."""
    learnt, learning = desk.built.learnt, learning_of(desk)
    if learnt is None or not isinstance(learning.model, Model) or not learning.lesson.before:
        return None
    predicted = int(np.argmax(desk.quantity("logit").values))
    step = learnt.step_of(learning.model)
    return parts(
        step=desk.format.text(step, 0),
        steps=desk.format.text(learnt.steps, 0),
        predicted=desk.vocabulary[predicted],
    )


def given_part(desk: Desk) -> Parts:
    """The last token's row.

    same_heads: W_O hands on every number as it is, so its column is that of the sum before.
    unchanged: the components to which the feed-forward network adds nothing, counted from 1.
    """
    block = f"gradient.block{desk.sizes.n_blocks}."
    same = not desk.mixes_heads(f"block{desk.sizes.n_blocks}.")
    names = ["norm2.output", "residual2", "norm1.output", "residual1", *([] if same else ["concat"])]
    columns: dict[str, Sequence[Number]] = {name: desk.numbers(block + name, desk.n - 1) for name in names}
    start, d = (learning_of(desk).lesson.head - 1) * desk.sizes.d_head, desk.sizes.d_head
    tables = columns_table(counted(desk.sizes.d_model), columns, narrow=True)
    widths = (tables[0].widths[0], *(Column.PAIR,) * len(names))
    return parts(
        table=[replace(table, widths=widths) for table in tables],
        same_heads=same,
        unchanged=unchanged(desk),
        first=start + 1,
        last=start + d,
    )


# --- The way back through the other layers: LayerNorm, feed-forward, residual.


_ASKED_UNITS: Final = 3
_MOST_TERMS: Final = 12  # products of one sum


def layers_part(desk: Desk, tasks: Tasks) -> Parts:
    """From the logits to the attention layer of the last block, the last token's row.

    What the pupil works out in one step is left to be copied in the next: components are chosen so that the
    first, worked through in both norms, is never among them.
    """
    block = f"block{desk.sizes.n_blocks}."
    last_block = id_of_block(desk.sizes.n_blocks)
    first_norm = "5" if desk.sizes.n_blocks == 1 else last_block
    vector = _last_vector(desk, f"gradient.{block}norm2.output", tasks)
    component = _component(desk, block)
    copied = {1, desk.sizes.d_model - 1}
    norm2 = _norm(desk, block + "norm2.", block + "residual2", {component}, copied, tasks)
    ffn = _feed_forward(desk, block, component, tasks)
    own = worked_out_before(desk)
    norm1 = _norm(desk, block + "norm1.", block + "residual1", own, {component}, tasks)
    return parts(
        sources={
            "norm1": f"Station\N{NO-BREAK SPACE}{first_norm}",
            "norm2": f"Station\N{NO-BREAK SPACE}{last_block}",
        },
        vector=vector,
        norm2=norm2,
        ffn=ffn,
        norm1=norm1,
        same_hats=_same_hats(desk, block),
    )


def _same_hats(desk: Desk, block: str) -> bool:
    """Whether both norms have the same normalised numbers because the network between added zeros.

    False where saying so would tell what the pupil works out.
    """
    last, first, second, added = desk.n - 1, block + "norm1.", block + "norm2.", block + "ffn.output"
    told = [*(norm_copied(desk, at) for at in (first, second)), desk.asks(added, last)]
    if any(told) or np.any(desk.quantity(added).values[last]):
        return False
    hats = [desk.quantity(at + "normalised").values[last] for at in (first, second)]
    return bool(np.array_equal(*hats))


def _last_vector(desk: Desk, name: str, tasks: Tasks) -> Parts:
    d, words = desk.sizes.d_model, range(len(desk.vocabulary))
    components = sorted({1, d - 1})
    gradient = desk.numbers(name, desk.n - 1, blank=components)
    tasks.add("last_vector", "Bestimme", "I", gradient, points=2 * len(components))
    errors = desk.numbers("gradient.logit")
    lines = [room_for_products(desk, errors, [word_vector(desk, w)[c] for w in words]) for c in components]
    own = (errors,) if len(errors) <= ALL_ROWS_UP_TO and d <= MOST_WRITTEN_COLUMNS else ()
    beside = (blank_width(errors[0].places),) * len(own)
    table = Table(
        (*("error" for _ in own), *counted(d)),
        tuple(
            Row(desk.vocabulary[w], (*(column[w] for column in own), *word_vector(desk, w))) for w in words
        ),
        even(d, Column.PRINTED, Column.WORD, *beside),
        dense=d > MOST_WRITTEN_COLUMNS,
    )
    return parts(
        words=table,
        lines=lines,
        gradient=columns_table(counted(d), {"gradient": gradient}, narrow=True),
        check=honest_sum(desk, name, [(desk.n - 1, c) for c in range(d)]),
    )


def _norm(desk: Desk, at: str, x: str, empty: set[int], copied: set[int], tasks: Tasks) -> Parts:
    """A norm backwards with its values given; empty: the components to do, never the first.

    copied: components whose gradient the pupil has just worked out.
    """
    last, d, task = desk.n - 1, desk.sizes.d_model, place_of(at).layer
    name, known = f"gradient.{at}normalised", norm_copied(desk, at)
    gamma = [desk.weight(at + "gamma", c) for c in range(d)]
    stretched = not changes_nothing(desk, at)
    g = desk.numbers(name, last, blank=copied)
    if not stretched:  # γ is 1: they are only carried over
        g = tuple(replace(number, copied=number.blank) for number in g)
    hat = desk.numbers(at + "normalised", last, blank=known and not stretched)
    result = desk.numbers(f"gradient.{x}", last, blank=empty)
    table = columns_table(counted(d), {"g": g, "hat": hat, "result": result}, example=0, narrow=True)
    tasks.add(task, "Berechne", "II", table, points=2 * len(empty) + stretched * len(copied) // 2)
    norm, before, inner = desk.sizes.norm, parse_number(g[0].text), g[0].text
    average = desk.number(f"gradient.{at}average", last) if norm.centred else None
    if average:
        before, inner = before - parse_number(average.text), f"{inner} − {average.bracketed}"
    overlap = desk.number(f"gradient.{at}overlap", last)
    divisor = desk.number(at + norm.divisor, last)
    exact = (before - parse_number(hat[0].text) * parse_number(overlap.text)) / parse_number(divisor.text)
    inner += f" − {desk.products([hat[0]], [overlap]).text}"
    return parts(
        task=task,
        table=table,
        average=average,
        overlap=overlap,
        divisor=divisor,
        copied=known,
        hat_copied=hat[0].blank,
        stretch=Vector(tuple(gamma)) if stretched else None,
        line=None if known else f"({inner}) : {divisor.text} {relation(exact, result[0])}",
        tolerance=desk.tolerance(d, desk.options.nachkommastellen + 2),
        first=result[0],
        sum=desk.check_sum(f"gradient.{x}", [(last, c) for c in range(d)]),
    )


def norm_copied(desk: Desk, at: str) -> bool:
    """Whether the pupil has worked out this norm of the last token in the same sheet."""
    return desk.asks(at + "output", desk.n - 1)


def _feed_forward(desk: Desk, block: str, component: int, tasks: Tasks) -> Parts:
    """ReLU lets a gradient through where its unit was above 0; then W_1, and the sum with the residual."""
    last, at = desk.n - 1, block + "ffn."
    units = desk.sizes.d_ff
    rows = desk.calculation.model.weights[at + "W_2"]
    same = [h for h in range(units) if rows[h, component] == 1 and np.count_nonzero(rows[h]) == 1]
    asked = {*same, *[h for h in range(units) if h not in same][: max(0, _ASKED_UNITS - len(same))]}
    hidden = desk.numbers(f"gradient.{at}hidden", last, blank=asked)
    columns = {
        "hidden": _forward(desk, block),
        "activation": desk.numbers(f"gradient.{at}activation", last, blank=same),
        "gradient": hidden,
    }
    table = columns_table(counted(units), columns, narrow=True)
    tasks.add("relu", "Bestimme", "I", table)
    tasks.add("dead", "Deute", "II", points=2)
    weights = desk.calculation.model.weights[at + "W_1"]
    terms = [h for h in range(units) if weights[component, h]]
    direct = desk.number(f"gradient.{block}residual2", last, component)
    total = desk.number(f"gradient.{block}norm1.output", last, component, blank=len(terms) <= _MOST_TERMS)
    tasks.add("residual", "Bestimme", "II", total, points=2)
    through = desk.products(
        [hidden[h] for h in terms], [desk.weight(at + "W_1", component, h) for h in terms]
    )
    tasks.add("adds", "Begründe", "II", points=2)
    given = desk.numbers(f"gradient.{block}norm1.output", last)
    return parts(
        table=table,
        check=honest_sum(desk, f"gradient.{at}hidden", [(last, h) for h in range(units)]),
        flowing=[str(h + 1) for h in range(units) if desk.quantity(at + "hidden").values[last, h] > 0],
        component=component + 1,
        same=[str(h + 1) for h in same],
        row=[(h + 1, desk.weight(at + "W_1", component, h)) for h in terms],
        units=units,
        line=Solution(f"{direct.text} + {through.text}" if terms else direct.text, rows=1 + len(terms) // 4),
        total=total,
        others=[(c + 1, number) for c, number in enumerate(given) if c != component],
        unchanged=[c for c in unchanged(desk) if c != component + 1],
    )


def _forward(desk: Desk, block: str) -> Sequence[CellContent]:
    """What ReLU was given; its sign alone where the number would tell the pupil's own normalised vector."""
    hidden = desk.numbers(block + "ffn.hidden", desk.n - 1)
    if not (norm_copied(desk, block + "norm1.") or desk.asks(block + "ffn.hidden", desk.n - 1)):
        return hidden
    values = desk.quantity(block + "ffn.hidden").values[-1]
    return [Words("> 0" if value > 0 else "≤ 0") for value in values]


def _component(desk: Desk, block: str) -> int:
    """The component, not the first, that gets most back through W_1, of those with few enough terms."""
    weights = desk.calculation.model.weights[block + "ffn.W_1"]
    flow = np.abs(weights @ desk.quantity(f"gradient.{block}ffn.hidden").values[-1])
    few = (weights != 0).sum(1) <= _MOST_TERMS
    return 1 + int(np.argmax(np.where(few, flow, -1.0)[1:]))


_ERROR = "gradient.logit"


def _of_vector(desk: Desk, tasks: Tasks) -> Parts:
    """The one weight of the short form: a component of the right word's vector."""
    right, component = right_word(desk), largest_component(desk)
    gradient = desk.number("gradient." + VECTORS, right, component, blank=True)
    new = desk.number("step." + VECTORS, right, component, blank=True)
    tasks.add("weight", "Berechne", "I", gradient, new, points=2)
    return parts(
        of_vector=True,
        component=component + 1,
        worked=_worked(desk, component),
        old=word_vector(desk, right)[component],
        gradient=gradient,
        new=new,
    )


def _worked(desk: Desk, component: int) -> Parts | None:
    """The same with the most probable wrong word; None where its line would tell what the pupil has found."""
    wrong, vector = wrong_words(desk), last_vector(desk)
    if not wrong or vector.blank or probabilities_copied(desk):
        return None
    word = wrong[0]
    gradient = desk.number("gradient." + VECTORS, word, component)
    new = desk.number("step." + VECTORS, word, component)
    factors = [desk.number(_ERROR, word)], [vector.numbers[component]]
    return parts(
        word=desk.vocabulary[word],
        gradient_line=products_line(desk, *factors, gradient),
        gradient=gradient,
        step_line=step_line(desk, word_vector(desk, word)[component], gradient, new),
        new=new,
    )


def _of_matrix(desk: Desk, tasks: Tasks) -> Parts:
    """Where only a head learns: the entry of its W_V with the largest gradient.

    Without the one that a task behind asks for, and its equals.
    """
    at = f"block{desk.sizes.n_blocks}.head{learning_of(desk).lesson.head}."
    name = f"gradient.{at}W_V"
    sizes = np.abs(desk.quantity(name).values)
    taken = asked_entry(desk, at, "W_V")
    order = np.argsort(-sizes, axis=None, kind="stable")
    places = [divmod(int(place), sizes.shape[1]) for place in order]
    others = [place for place in places if place != taken]
    row, column = next((place for place in others if sizes[place] != sizes[taken]), others[0])
    new = desk.number(f"step.{at}W_V", row, column, blank=True)
    tasks.add("weight", "Berechne", "I", new, points=1)
    return parts(
        of_vector=False,
        row=row + 1,
        column=column + 1,
        old=desk.weight(at + "W_V", row, column),
        gradient=desk.number(name, row, column),
        new=new,
    )
