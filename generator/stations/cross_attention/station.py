"""Station 10, cross-attention: a target sentence asks the encoder's output of the source; its map."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import numpy as np

from engine.trace import place_of
from generator.basics.errors import how_many, in_words
from generator.basics.fonts import printable
from generator.figures.drawing import Canvas, Point
from generator.figures.parts import value
from generator.figures.weights import full_side, weight_squares
from generator.options.course import BY_ID
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure, Finding, Number, Parts, parts
from generator.sheet.wording import either
from generator.stations.attention import head_exercise, heaviest, nearly_equal, worked_head
from generator.stations.before_after import key_only
from generator.stations.common import Tasks, component_tables, points_of_products, vectors
from generator.stations.cross_attention.decoder import (
    OWN_OUTPUT,
    Roles,
    joined_part,
    next_word_part,
    roles,
    rounds_part,
    source_output,
    two_of,
)
from generator.stations.worked_lines import products_line
from generator.words.target_vectors import END, START, pairs_like

_BLOCK: Final = "decoder.block1.cross."
_LINES: Final = 2  # worked sums
_BOX: Final = (58.0, 5.8)
_STEP: Final = 8.2  # mm from one box to the next
_LEFT: Final = {"encoder": 8.0, "decoder": 99.0}
_TOP: Final = 9.0
_HEAD: Final = 1.3
_ADD_NORM: Final = BY_ID["5"].title
_ENCODER: Final = ("Quellsatz + Position", "Self-Attention, ohne Maske", _ADD_NORM, "Feed-Forward",
                   _ADD_NORM, "Encoder-Ausgabe H")  # fmt: skip
_DECODER: Final = ("⟨Start⟩ und Zielsatz + Position", "Self-Attention", _ADD_NORM,
                   "Cross-Attention", _ADD_NORM, "Feed-Forward", _ADD_NORM,
                   "nächstes Wort oder ⟨Ende⟩")  # fmt: skip
_OWN: Final = 1  # the decoder's self-attention
_CROSS: Final = 3


def station(desk: Desk, tasks: Tasks) -> Parts:
    who = roles(desk)
    model = two_of(desk).model
    tasks.add("size", "Gib", "I", points=1)
    first = _first_head(desk, who, tasks)
    clearest = look(desk, [f"{_BLOCK}head1."], who)
    tasks.add("look", "Deute" if clearest.telling else "Gib", "II", points=3 if clearest.telling else 2)
    tasks.add("masks", "Begründe", "II", points=3)
    return parts(
        map=encoder_decoder_map(desk.sizes.n_blocks, model.rules.causal_mask),
        source=" ".join(map(printable, model.source_tokens)),
        target=" ".join(desk.target_words[1:]),
        start=START,
        end=END,
        n_source=model.n_source,
        n_target=model.n_tokens,
        last=desk.target_words[who.last],
        source_output=component_tables(desk, source_output(desk)),
        own_output=component_tables(desk, OWN_OUTPUT),
        first=first,
        look=clearest,
        joined=joined_part(desk, _BLOCK, who, tasks),
        output=next_word_part(desk, tasks),
        rounds=rounds_part(desk, tasks),
        arrives=bool(desk.quantity(_BLOCK + "attention").values[who.last].any()),
    )


def _first_head(desk: Desk, who: Roles, tasks: Tasks) -> Parts:
    at, example = _BLOCK + "head1.", who.example
    # Where W_Q only picks components, the query is nothing to work out: it stands in the table of Z.
    asked = not _only_picks(desk, at + "W_Q")
    query = desk.vector(at + "query", who.last, blank=asked)
    if asked:
        points = points_of_products(desk.sizes.d_head, desk.sizes.d_model)
        tasks.add("query", "Berechne", "I", query, points=points)
    exercise = head_exercise(desk, tasks, at, who.last, own_query=asked and desk.more, bars=False)
    query_first, key_first = desk.number(at + "query", example, 0), desk.number(at + "key", 0, 0)
    return parts(
        matrices={W: desk.matrix(at + W) for W in ("W_Q", "W_K", "W_V")},
        example=desk.target_words[example],
        query_line=products_line(
            desk, desk.numbers(OWN_OUTPUT, example), _column(desk, at + "W_Q"), query_first
        ),
        query_first=query_first,
        query_vector=desk.vector(at + "query", example),
        key_line=products_line(
            desk, desk.numbers(source_output(desk), 0), _column(desk, at + "W_K"), key_first
        ),
        key_first=key_first,
        key_word=desk.source_words[0],
        offers=vectors(desk, [at + "key", at + "value"]),
        worked=worked_head(desk, at, example, sums=_LINES, bars=False),
        strongest=[desk.source_words[j] for j in heaviest(desk, at + "weight", example)],
        query=query,
        exercise=exercise,
    )


def _only_picks(desk: Desk, name: str) -> bool:
    """Whether a product with this matrix copies components: at most one 1 in a column, else zeros."""
    matrix = desk.given(name)
    return bool(np.isin(matrix, (0, 1)).all() and (matrix.sum(0) <= 1).all())


def _column(desk: Desk, name: str) -> list[Number]:
    return [row[0] for row in desk.matrix(name)]


def encoder_decoder_map(n_blocks: int, masked: bool) -> Figure:
    """Both sides from top to bottom, with the arrow that brings keys and values across."""
    canvas = Canvas()
    decoder = list(_DECODER)
    decoder[_OWN] += ", mit Maske" if masked else ", ohne Maske"
    height = _TOP + (len(decoder) - 1) * _STEP + _BOX[1] + 1.0
    for side, title, boxes in (("encoder", "Encoder", list(_ENCODER)), ("decoder", "Decoder", decoder)):
        left = _LEFT[side]
        top, bottom = _corner(side, 1)[1] - 1.3, _corner(side, len(boxes) - 2)[1] + _BOX[1] + 1.3
        canvas.rectangle((left - 2.6, top), (_BOX[0] + 5.2, bottom - top), width=0.2)
        canvas.text((left + _BOX[0] / 2, 5.2), title, 4.0, "middle", bold=True)
        blocks = how_many(n_blocks, "Block", "Blöcke")
        beside = left - 4.0 if side == "encoder" else left + _BOX[0] + 6.4
        canvas.text((beside, (top + bottom) / 2), blocks, 3.0, "middle", turned=True)
        for place, words in enumerate(boxes):
            _box(canvas, side, place, words)
    _across(canvas)
    said = (
        f"Encoder von oben nach unten: {', '.join(_ENCODER)}. Decoder von oben nach unten: "
        f"{', '.join(decoder)}. Ein Pfeil führt von der Encoder-Ausgabe zur Cross-Attention: "
        "von dort kommen Keys und Values."
    )
    return Figure("Encoder und Decoder", TEXT_WIDTH, height, Drawing(canvas.shapes, said))


def _corner(side: str, place: int) -> Point:
    return _LEFT[side], _TOP + place * _STEP


def _box(canvas: Canvas, side: str, place: int, words: str) -> None:
    x, y = _corner(side, place)
    thick = side == "decoder" and place == _CROSS
    canvas.rectangle((x, y), _BOX, width=0.8 if thick else 0.25)
    canvas.text((x + _BOX[0] / 2, y + _BOX[1] / 2 + 1.1), words, 3.1, "middle", bold=thick)
    if place:
        middle = x + _BOX[0] / 2
        canvas.path([(middle, y - _STEP + _BOX[1]), (middle, y)], 0.35)
        canvas.path([(middle - 0.9, y - _HEAD), (middle, y), (middle + 0.9, y - _HEAD)], 0.35)


def _across(canvas: Canvas) -> None:
    x1, y1 = _corner("encoder", len(_ENCODER) - 1)
    x2, y2 = _corner("decoder", _CROSS)
    start, end = (x1 + _BOX[0], y1 + _BOX[1] / 2), (x2, y2 + _BOX[1] / 2)
    turn = (x1 + _BOX[0] + x2 - 6.0) / 2
    canvas.path([start, (turn, start[1]), (turn, end[1]), end], 0.6)
    canvas.path([(end[0] - 1.8, end[1] - 1.1), end, (end[0] - 1.8, end[1] + 1.1)], 0.6)
    canvas.text((turn + 1.6, end[1] - 1.6), "Keys und", 3.0)
    canvas.text((turn + 1.6, end[1] + 4.2), "Values", 3.0)


# --- The row of weights in which one stands out, and what it says.


_NEAR: Final = 2 / 3  # of the largest weight: so large a weight is no clear second
_MOST_NAMED: Final = 3

Lead = Literal["even", "near", "clear", "only"]


def look(desk: Desk, heads: Sequence[str], who: Roles) -> Parts:
    """The matrix of the head in which a row has the clearest lead, and that row. heads: the pupil's.

    telling: the weights can be interpreted, because they are learnt and not even. fit: whether the word
    found is the one that is meant, as far as that is known: the translation of the next word. translates:
    it is known of any row, and is not only the same word again. alike: W_Q and W_K are the same matrix.
    """
    at, token = _clearest(desk, heads, who)
    name = at + "weight"
    best, meant = desk.largest(name, token), _meant(desk, token)
    company = [
        f"„{word}“"
        for row, word in enumerate(desk.target_words)
        if row != token and desk.largest(name, row)[0] in best
    ]
    numbers = [desk.number(name, token, j) for j in range(len(desk.source_words))]
    ranked = sorted(numbers, key=lambda n: -desk.quantity(name).values[n.index])
    lead, rows = _lead(desk, ranked), range(len(desk.target_words))
    known = [row for row in rows if row != token and _meant(desk, row) is not None]
    following = [f"„{word}“" for word in desk.target_words[token + 1 :]] or [END]
    fit = "unknown" if meant is None else "no" if meant not in best else "yes" if len(best) == 1 else "maybe"
    return parts(
        head=str(place_of(at).head),
        word=desk.target_words[token],
        own=token == who.last,
        telling=desk.options.learns and lead != "even",
        matrix=weight_squares(desk, name, [who.last]),
        side=full_side(len(desk.target_words), len(desk.source_words)),
        strongest=key_only(either([desk.source_words[j] for j in best])),
        found=key_only(f"{either([desk.source_words[j] for j in best])} ({ranked[0].text})"),
        lead=lead,
        others=key_only(_others(desk, lead, ranked, best)),
        none_else=not any(value(desk, n.name, *n.index) for n in ranked if n.index[1] not in best),
        fit=fit,
        next=following[0],
        translates=_translates(desk),
        meant=key_only(
            "" if meant is None else f"„{desk.source_words[meant]}“ ({desk.number(name, token, meant).text})"
        ),
        company=key_only(
            f"{len(company)} andere Zielwörter" if len(company) > _MOST_NAMED else in_words(company)
        ),
        one_more=len(company) == 1,
        alike=bool(np.array_equal(desk.given(at + "W_Q"), desk.given(at + "W_K"))),
        rows_beside=[_beside(desk, name, row) for row in known],
    )


def _beside(desk: Desk, name: str, row: int) -> Finding:
    """Whether another row has its largest weight at the word that is to be translated next."""
    meant, best = _meant(desk, row), desk.largest(name, row)
    assert meant is not None
    return Finding(
        case="right" if best == (meant,) else "wrong",
        word=desk.target_words[row],
        meant=desk.source_words[meant],
        weight=desk.number(name, row, meant).text,
        best=[desk.source_words[j] for j in best],
        high=desk.number(name, row, best[0]).text,
    )


def _clearest(desk: Desk, heads: Sequence[str], who: Roles) -> tuple[str, int]:
    """Of the rows that are not even, and of those the ones whose right partner is known, the one with the
    largest weight furthest ahead; of equals the pupil's own.

    By the unrounded weights: a pupil's own numbers do not change them.
    """
    rows = [who.last, *range(1, who.last)]  # the start token means nothing
    if desk.options.learns:  # the first head has learnt where to look for the word that is next
        rows, heads = [who.last, *range(who.last)], heads[:1]

    def worth(place: tuple[str, int]) -> tuple[bool, bool, float]:
        at, row = place
        weights = np.sort(desk.built.passes.exact[at + "weight"].values[row])
        distance = round(float(weights[-1] - weights[-2]), 9) if len(weights) > 1 else 0.0
        return not nearly_equal(weights[0], weights[-1]), _meant(desk, row) is not None, distance

    return max([(at, row) for at in heads for row in rows], key=worth)


def _meant(desk: Desk, token: int) -> int | None:
    """The source place to look at: of the row's own translation, in a trained model of the next word's."""
    return _translations(desk).get(token if desk.options.learns else token - 1)


def _translations(desk: Desk) -> Mapping[int, int]:
    """Target place, without the start token -> source place."""
    model = two_of(desk).model
    return pairs_like(model.source_tokens, model.tokens[1:], 0)[0].translates


def _translates(desk: Desk) -> bool:
    model = two_of(desk).model
    return any(
        model.source_tokens[source].casefold() != model.tokens[1 + target].casefold()
        for target, source in _translations(desk).items()
    )


def _lead(desk: Desk, ranked: Sequence[Number]) -> Lead:
    if len(ranked) == 1:
        return "only"
    first, second, last = (value(desk, ranked[k].name, *ranked[k].index) for k in (0, 1, -1))
    if nearly_equal(last, first):
        return "even"
    return "near" if second >= _NEAR * first else "clear"


def _others(desk: Desk, lead: Lead, ranked: Sequence[Number], best: Sequence[int]) -> str:
    """What tells how clear the lead is: the weights near it, the largest other one, or how far all reach."""
    if lead == "even":
        low, high = ranked[-1].text, ranked[0].text
        return f"{low} bis {high}" if low != high else f"je {low}"
    others = [number for number in ranked if number.index[1] not in best]
    if lead == "near":
        limit = _NEAR * value(desk, ranked[0].name, *ranked[0].index)
        others = [number for number in others if value(desk, number.name, *number.index) >= limit]
    if lead == "clear":
        return others[0].text if others else ""
    named = (f"„{desk.source_words[number.index[1]]}“ {number.text}" for number in others[:_MOST_NAMED])
    return ", ".join(named)
