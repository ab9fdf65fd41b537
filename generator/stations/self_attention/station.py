"""Station 4a, self-attention without a mask: the entry step Q = K = V = X, then one head with matrices."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engine.trace import place_of
from generator.figures.drawing import Canvas
from generator.figures.parts import SMALL, Grid, shape
from generator.figures.weights import full_side, ribbons, weight_squares
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure, Finding, Parts, Solution, parts
from generator.stations.attention import (
    head_exercise,
    is_even,
    strongest_look,
)
from generator.stations.common import (
    Tasks,
    component_table,
    keys_and_values,
    points_of_products,
    repeated_notes,
    vectors,
)
from generator.stations.contribution import asked, greatest
from generator.stations.guess import opening, resolution
from generator.stations.self_attention.attention_row import AttentionRow
from generator.stations.self_attention.entry import entry_of
from generator.stations.self_attention.mixing import own_picture, pictures
from generator.stations.worked_lines import products_line, read_name, seen_by, weighted_sum_line

_MOST_COMPARED: Final = 5  # words whose table leaves room on its page for what each brings
_CLEARLY: Final = 0.8  # of the largest weight: at most so much is clearly behind
_HARDLY: Final = 0.1  # of the weights' sum of 1
_LEAST_WORDS: Final = 2  # where only one head is there, and a word before the last is worked
_LARGE_D_HEAD: Final = 64  # as in GPT-2: what happens there without √d_k


def station(desk: Desk, tasks: Tasks) -> Parts:
    start = opening(desk, tasks, alone=takes_a_lesson(desk))
    if takes_a_lesson(desk):
        return _lesson(desk, tasks, start)
    x = component_table(desk, "input")
    entry = entry_of(desk, tasks) if desk.has("entry.score") and not desk.short else None
    at, word = "unmasked.head1." if desk.has("unmasked.head1.query") else "block1.head1.", worked_word(desk)
    head = _head(desk, at, [token for token in desk.exercises if token != word], tasks)
    if _has_matrix(desk):
        tasks.add("squares", "Zeichne", "I", points=1)
    tasks.add("understand", "Deute" if desk.options.learns else "Begründe", "II", points=2)
    return parts(
        opening=start,
        lesson=None,
        x=x,
        own=next((("input", (i,)) for i in range(desk.n) if desk.asks("input", i)), None),
        source=("3" if desk.has("positional_encoding") else "2") if desk.asks("input") else "",
        picture=worked_picture(desk, at, word),
        entry=entry,
        head=head,
        resolution=None if desk.printed("4b") else resolution(desk, tasks),
    )


def _has_matrix(desk: Desk) -> bool:
    """Whether the squares are drawn here: in a booklet station 4b has them."""
    return not desk.short and not desk.printed("4b")


def takes_a_lesson(desk: Desk) -> bool:
    """Whether the station is a whole lesson on the last word: something worked, then the pupil's own."""
    return desk.short and desk.stations == ("4a",) and (desk.sizes.n_heads > 1 or desk.n > _LEAST_WORDS)


def _lesson(desk: Desk, tasks: Tasks, start: Parts | None) -> Parts:
    """The last word in two heads, or in the only one after the word before it: worked, then the pupil's own.

    closest: the two words with the largest weights and what sets them apart.
    """
    last, several = desk.n - 1, desk.sizes.n_heads > 1
    one, own = "block1.head1.", "block1.head2."
    if not several:  # the last word sees all: with its own scores, not with those of another table
        own = "unmasked.head1." if desk.has("unmasked.head1.query") else one
    shown = last if several else last - 1
    tasks.add("closest", "Vergleiche", "II", points=1)
    exercise = head_exercise(desk, tasks, own, last, "scores", bars=False, vector_apart=True)
    begun = desk.single_lesson and not desk.less and desk.sizes.d_head > 1
    exercise = _first_component(desk, own, last, exercise) if begun else exercise.but(between=[])
    tasks.add(
        "output", "Bestimme", "I", exercise.output, points=_points_of_output(desk, 1 if begun else None)
    )
    shares = None
    if desk.n <= _MOST_COMPARED:
        shares = asked(desk, own, last, 1 if begun else 2)
        tasks.add("shares", "Gib an", "II", points=0 if begun else 1, around=begun)  # 0: who has time
    return parts(
        opening=start,
        lesson=parts(
            word=desk.words[last],
            several=several,
            heads=[
                parts(query=desk.vector(at + "query", token), notes=keys_and_values(desk, at))
                for at, token in ((one, shown), (own, last))
            ],
            closest=_closest(AttentionRow(desk, one, shown)),
            exercise=exercise,
            shares=shares,
        ),
        picture=worked_picture(desk, one, shown),
        resolution=resolution(desk, tasks, alone=True),
    )


def _points_of_output(desk: Desk, components: int | None = None) -> int:
    return 1 + points_of_products(components or desk.sizes.d_head, desk.n)


def _first_component(desk: Desk, at: str, token: int, exercise: Parts) -> Parts:
    """The exercise with all of the new vector given but its first component, as 45 minutes allow.

    A sum would give it away: instead its check names the smallest and the largest value, where all that
    counts as right lies between them.
    """
    output = desk.vector(at + "output", token, blank={0})
    values = desk.quantity(read_name(at, "value"))
    seen = values.values[seen_by(desk, at + "score", token), 0]  # (m,)
    low, high = float(seen.min()), float(seen.max())
    allowed = desk.ranges.get(at + "output")
    tells = allowed is None or low <= allowed.low[token, 0] <= allowed.high[token, 0] <= high
    between = [desk.format.text(end, values.places) for end in (low, high)] if tells else []
    return exercise.but(
        output=output,
        lines=exercise.lines[:1],
        output_check=replace(exercise.output_check, sum=""),
        between=between,
    )


def _closest(of: AttentionRow) -> Parts:
    """The word ahead and the next that is clearly behind.

    times: "" where the smaller weight is 0 as it is written.
    """
    first, *others = of.seen
    ahead = _CLEARLY * of.weight(first)
    second = next((j for j in others if of.weight(j) <= ahead), others[-1])
    small = of.weight(second)
    places = of.desk.options.nachkommastellen
    scores, format_ = of.scores(), of.desk.format
    return parts(
        words=[of.desk.words[j] for j in (first, second)],
        ahead=Solution(format_.text(round(scores[first] - scores[second], places), places)),
        undivided=Solution(format_.text(_undivided(of, first) - _undivided(of, second), places)),
        times=Solution(format_.text(of.weight(first) / small, 1) if small else ""),
    )


def _undivided(of: AttentionRow, word: int) -> float:
    return float(of.desk.quantity(of.at + "score").values[of.token, word])


def _telling(desk: Desk, name: str) -> list[Parts]:
    """The words that the last one, which leads to the prediction, looks at most; none without texts.

    tells: whether texts with another word at its place go on with another word after the sentence's last.
    """
    learnt = desk.built.learnt
    if learnt is None:
        return []
    own, begun = learnt.model.token_ids, [text for text in learnt.corpus.ids if len(text) > desk.n]
    follows = {text[desk.n] for text in begun if text[: desk.n] == own}
    return [
        parts(
            word=desk.words[j],
            tells=any(text[j] != own[j] and text[desk.n] not in follows for text in begun),
        )
        for j in desk.largest(name, desk.n - 1)
    ]


def _missing(desk: Desk, name: str) -> list[str]:
    """The words that decide how a text goes on and to which the last one hardly listens."""
    learnt = desk.built.learnt
    if learnt is None:
        return []
    row, places = desk.quantity(name).values[-1], learnt.corpus.places(learnt.model.token_ids)
    return [desk.words[place] for place in places if row[place] <= _HARDLY]


def _unread(desk: Desk, name: str, token: int) -> Finding:
    """A word that the prediction does not read, and what there is to say of its largest weight.

    case: hidden (the mask hid that word while the model learnt), itself, same (all texts have that word
    there), differs; None where several words or none of these can be meant.
    """
    learnt, (first, *others) = desk.built.learnt, desk.largest(name, token)
    if learnt is None or others:
        case = None
    elif first > token:
        case = "hidden" if desk.options.maske else None
    elif first == token:
        case = "itself"
    else:
        alike = {text[first] for text in learnt.corpus.ids if len(text) > first}
        case = "same" if len(alike) == 1 else "differs"
    return Finding(word=desk.words[token], best=desk.words[first], case=case)


def _reason(desk: Desk, at: str, token: int) -> Finding:
    """Where a token's score is largest, and what rounding may set beside it."""
    scores = desk.quantity(at + "score").values[token]
    seen = seen_by(desk, at + "score", token)
    largest = max(scores[j] for j in seen)
    best = [j for j in seen if scores[j] == largest]
    near = [j for j in desk.largest(at + "weight", token) if scores[j] < largest]

    def written(others: Sequence[int]) -> list[str]:
        return list(dict.fromkeys(desk.number(at + "score", token, j).text for j in others))

    return Finding(
        word=desk.words[token],
        best=[desk.words[j] for j in best],
        scores=written(best),
        near=[desk.words[j] for j in near],
        near_scores=written(near),
    )


def _head(desk: Desk, at: str, practice: Sequence[int], tasks: Tasks) -> Parts:
    names = [at + "query", at + "key", at + "value"]
    qkv = vectors(desk, names, [(at + "query", token) for token in practice])
    points = len(practice) * points_of_products(desk.sizes.d_head, desk.sizes.d_model)
    tasks.add("query", "Bestimme", "I", qkv, points=points)
    exercises = [_exercise(desk, at, token, tasks, last=token == practice[-1]) for token in practice]
    word = worked_word(desk)
    shown = sorted({*practice, word})
    W_Q = desk.matrix("block1.head1.W_Q")
    zeros = desk.calculation.model.weights["block1.head1.W_Q"] == 0
    column = int(np.argmin(zeros.sum(axis=0)))  # a sum of products with 0 shows little
    component = desk.number(at + "query", word, column)
    return parts(
        matrices={W: desk.matrix(f"block1.head1.{W}") for W in ("W_Q", "W_K", "W_V")},
        qkv=qkv,
        query_column=column + 1,
        query_line=products_line(desk, desk.numbers("input", word), [row[column] for row in W_Q], component),
        query_component=component,
        query_open=any(number.blank for number in desk.numbers("input", word)),
        flow=attention_flow(desk),
        unscaled=_unscaled(desk),
        exercises=exercises,
        notes=repeated_notes(desk, at),
        several=len(practice) > 1,
        matrix=weight_squares(desk, at + "weight", practice) if _has_matrix(desk) else None,
        side=full_side(desk.n, desk.n),
        looked_at=[desk.words[token] for token in shown],
        looks=[strongest_look(desk, at + "weight", token) for token in shown],
        reasons=[_reason(desk, at, token) for token in shown],
        telling=_telling(desk, at + "weight"),
        missing=_missing(desk, at + "weight"),
        texts=desk.built.learnt.lines if desk.built.learnt else (),
        unread=[
            _unread(desk, at + "weight", i) for i in shown if i < desk.n - 1 and desk.sizes.n_blocks == 1
        ],
        ahead=any(max(desk.largest(at + "weight", token)) > token for token in practice),
    )


def _exercise(desk: Desk, at: str, token: int, tasks: Tasks, *, last: bool) -> Parts:
    exercise = head_exercise(
        desk, tasks, at, token, f"scores{token}", own_query=desk.more, bars=False, vector_apart=True
    )
    # Of several words that compare their weights with and without the mask, one comes to its new vector here.
    later = not last and desk.printed("4b") and place_of(at).way == "unmasked."
    result = None if later else f"output{token}"
    if result:
        tasks.add(result, "Bestimme", "I", exercise.output, points=_points_of_output(desk))
    else:
        exercise = exercise.but(output=None, lines=[])
    drawing = f"drawing{token}"
    tasks.add(drawing, "Zeichne", "I", points=3)
    return parts(
        head=exercise,
        query=desk.vector(at + "query", token),
        result=result,
        picture=own_picture(AttentionRow(desk, at, token)),
        drawing=drawing,
    )


def _unscaled(desk: Desk) -> dict[str, str]:
    """Two scores that differ by √64 before and by 1 after scaling, and the weights that they give."""
    root = math.sqrt(_LARGE_D_HEAD)

    def weight(difference: float) -> str:
        share = 100 * math.exp(difference) / (math.exp(difference) + 1)
        return desk.format.text(share, 2) + "\N{NO-BREAK SPACE}%"

    return {
        "d_head": str(_LARGE_D_HEAD),
        "root": desk.format.text(root, 0),
        "weight_without": weight(root),
        "weight_with": weight(1.0),
    }


def worked_word(desk: Desk) -> int:
    """The word whose listening the sheet shows: the last, unless the pupil has no other one to work out."""
    others = [token for token in desk.exercises if token != desk.n - 1]
    return desk.n - 1 if others else desk.example


def worked_picture(desk: Desk, at: str, token: int) -> Parts:
    """How a word listens, worked out in pictures: its first word by weight goes through every step.

    plane: whether the keys stand beside q. components: of the values that are drawn, from 1. even: no word
    is ahead. greatest: what brings most to its first component.
    """
    of = AttentionRow(desk, at, token)
    first, exact = of.seen[0], desk.options.skalierung
    score = desk.number(at + "score", token, first)
    line = products_line(desk, desk.numbers(at + "query", token), desk.numbers(at + "key", first), score)
    return parts(
        word=desk.words[token],
        ribbons=ribbons(desk, at + "weight", token),
        steps=pictures(of),
        plane=of.across is not None,
        components=[c + 1 for c in of.components],
        first=desk.words[first],
        score=parts(line=line, score=score, scaled=desk.number(of.name, token, first) if exact else score),
        exp=desk.number(at + "exp", token, first),
        total=desk.number(at + "exp_sum", token),
        weight=desk.number(at + "weight", token, first),
        sum=(weighted_sum_line(desk, at, token, 0), desk.number(at + "output", token, 0)),
        output=desk.vector(at + "output", token),
        greatest=greatest(desk, at, token),
        even=is_even(desk, at + "weight", token),
    )


_LANE: Final = 7.6  # mm from one of Q, K, V to the next
_TOP: Final = 1.5
_HIGH: Final = 6.4  # of a grid in a lane
_NOTES: Final = (("Q", "Suche"), ("K", "Biete"), ("V", "gebe weiter"))


def attention_flow(desk: Desk) -> Figure:
    """One head: three matrices make the notes of all words, the weights mix the values."""
    n, d, d_k = desk.n, desk.sizes.d_model, desk.sizes.d_head
    row = _HIGH / n
    X = Grid((3.0, _TOP + _LANE + 0.5), n, d, (min(2.6, 18.0 / d), row))
    canvas = Canvas()
    X.draw(canvas)
    X.label(canvas, "X")
    middle = X.middle[1]
    turn, made = 27.0, 49.0
    notes = []
    for lane, (letter, note) in enumerate(_NOTES):
        grid = Grid((made, _TOP + lane * _LANE + 0.5), n, d_k, (min(2.6, 12.0 / d_k), row))
        y = grid.middle[1]
        canvas.arrow([(X.right + 1.0, middle), (turn, middle), (turn, y), (made - 1.0, y)])
        canvas.text(((turn + made) / 2, y - 1.0), "· W", SMALL, "end")
        canvas.text(((turn + made) / 2 + 0.1, y - 0.4), letter, 2.0)
        grid.draw(canvas)
        canvas.text((grid.right + 1.4, y - 0.2), letter, 3.2, bold=True)
        canvas.text((grid.right + 4.6, y - 0.2), f"„{note}“", SMALL)
        canvas.text((grid.right + 1.4, y + 3.0), shape(n, d_k), SMALL)
        notes.append(grid)
    weights = Grid((106.0, _TOP + _LANE / 2 + 0.5), n, n, (min(2.6, 14.0 / n), row))
    y = weights.middle[1]
    for grid in notes[:2]:
        from_x = grid.right + (18.0 if grid is notes[0] else 17.0)
        canvas.path([(from_x, grid.middle[1]), (85.0, grid.middle[1]), (85.0, y)], 0.35)
    canvas.arrow([(85.0, y), (weights.corner[0] - 1.0, y)])
    canvas.text((95.0, y - 1.2), "Softmax", SMALL, "middle")
    weights.draw(canvas)
    weights.label(canvas, "Gewichte")
    out = Grid((146.0, _TOP + _LANE * 1.35), n, d_k, (min(2.6, 12.0 / d_k), row))
    down = notes[2].middle[1]
    canvas.arrow(
        [(weights.right + 1.0, y), (134.0, y), (134.0, out.middle[1]), (out.corner[0] - 1.0, out.middle[1])]
    )
    canvas.path([(notes[2].right + 23.0, down), (134.0, down), (134.0, out.middle[1])], 0.35)
    canvas.text((140.0, out.middle[1] - 1.2), "mischen", SMALL, "middle")
    out.draw(canvas)
    out.label(canvas, "O")
    said = (
        f"Aus X ({shape(n, d)}) machen drei Matrizen die Queries Q (was ich suche), die Keys K "
        f"(was ich biete) und die Values V (was ich weitergebe), jede {shape(n, d_k)}. Q und K ergeben "
        f"über Softmax die Gewichte ({shape(n, n)}); sie mischen die Values "
        f"zu den neuen Vektoren, den Zeilen von O ({shape(n, d_k)})."
    )
    return Figure("Ein Head als Plan", TEXT_WIDTH, _TOP + 3 * _LANE + 0.5, Drawing(canvas.shapes, said))
