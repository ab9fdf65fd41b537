"""The desk goes in; the parts of station 10 around the cross-attention come out: both sides, next word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.forward.calculation import EncoderDecoderCalculation
from generator.basics.fonts import printable
from generator.sheet.desk import TARGET_VOCABULARY, Desk
from generator.sheet.fields import blank_width
from generator.sheet.sheet import Line, Number, Row, Solution, Table, Vector
from generator.sheet.walking import walk
from generator.stations.check_tolerances import joined_tolerance
from generator.stations.common import Tasks, component_tables
from generator.stations.output import main_temperature
from generator.stations.output_tables import Output, logit_tables, softmax_tables, writable
from generator.stations.worked_lines import products_line

_COMPONENT_WIDTH: Final = 10.0  # mm
_PROBABILITY_PLACES: Final = 3
_LONG: Final = 3  # products of a sum that is worth a whole point


@dataclass(frozen=True)
class Roles:
    """The target token worked through, and the pupil's: the last one, which predicts the next word."""

    example: int
    last: int


def roles(desk: Desk) -> Roles:
    last = len(desk.target_words) - 1
    return Roles(min(1, last - 1), last)


def two_of(desk: Desk) -> EncoderDecoderCalculation:
    """The calculation of both sentences; the station exists only with one."""
    two = desk.built.two
    if two is None:
        raise ValueError("there is no target sentence")
    return two.calculation


def source_output(desk: Desk) -> str:
    """The name of what the encoder hands to the decoder."""
    return f"encoder.block{desk.sizes.n_blocks}.norm2.output"


def own_output(block: int) -> str:
    """The name of what a block of the decoder makes of the target sentence alone."""
    return f"decoder.block{block}.norm1.output"


def points_of_products(sums: int, terms: int) -> int:
    """What so many sums of products are worth: a long one takes as long as two numbers of a table."""
    return sums if terms >= _LONG else max(1, (sums + 1) // 2)


@dataclass(frozen=True)
class Joined:
    given_heads: list[tuple[int, Vector]]
    mixes: bool
    concat: list[Table] | None
    W_O: tuple[tuple[Number, ...], ...]
    output_line: Line
    output_first: Number
    residual: Table
    check_sum: str
    tolerance: str
    normalised: Vector


def joined_part(desk: Desk, at: str, who: Roles, done: int, tasks: Tasks) -> Joined:
    """The heads side by side, through W_O, and added to the old vector, for the last token.

    done: how many heads the pupil has worked out. Without W_O the new numbers are those heads' own, to copy.
    """
    token, mixes, d = who.last, desk.mixes_heads(at.removesuffix(".")), desk.sizes.d_model
    concat = component_tables(desk, at + "concat", rows=[token]) if mixes and desk.sizes.n_heads > 1 else None
    if concat:
        tasks.add("concat", "Setze", "I", points=1)
    table = _residual(desk, at, token, mixes)
    tasks.add(
        "residual", "Berechne", "I", table, points=(points_of_products(d, d) if mixes else 0) + (d + 1) // 2
    )
    first = desk.number(at + "attention", who.example, 0)
    column = [row[0] for row in desk.matrix(at + "W_O")]
    return Joined(
        given_heads=[
            (k, desk.vector(f"{at}head{k}.output", token)) for k in range(done + 1, desk.sizes.n_heads + 1)
        ],
        mixes=mixes,
        concat=concat,
        W_O=desk.matrix(at + "W_O"),
        output_line=products_line(desk, desk.numbers(at + "concat", who.example), column, first),
        output_first=first,
        residual=table,
        check_sum=desk.check_sum("decoder.block1.residual2", [(token, c) for c in range(d)]),
        tolerance=joined_tolerance(desk, at),
        normalised=desk.vector("decoder.block1.norm2.output", token),
    )


def _residual(desk: Desk, at: str, token: int, mixes: bool) -> Table:
    """Old vector, what is new, and their sum."""
    rows = tuple(
        Row(
            str(c + 1),
            (
                desk.number(own_output(1), token, c),
                desk.number(at + "attention", token, c, blank=mixes),
                desk.number("decoder.block1.residual2", token, c, blank=True),
            ),
        )
        for c in range(desk.sizes.d_model)
    )
    hand = blank_width(desk.options.nachkommastellen)
    return Table(("own", "new", "residual"), rows, (_COMPONENT_WIDTH, max(22.0, hand), hand, hand))


@dataclass(frozen=True)
class NextWord:
    vector: Vector
    trained: bool
    worked: str
    alike: list[str]
    line: Line
    worked_logit: Number
    logits: list[Table]
    logit_sum: str
    logit_tolerance: str
    softmax: list[Table]
    softmax_given: bool
    temperature: str
    one: str
    tolerance: str
    next: Solution


def next_word_part(desk: Desk, tasks: Tasks) -> NextWord:
    """Logits over the target vocabulary, softmax at the main temperature, the next word."""
    of, temperature = target_output(desk), main_temperature(desk)
    worked, alike = _worked(of)
    logits = logit_tables(desk, of, worked, alike)
    asked = sum(number.blank for number in walk(logits, Number))
    tasks.add("logits", "Berechne", "I", logits, points=points_of_products(asked, desk.sizes.d_model))
    softmax = softmax_tables(desk, of, temperature, worked, alike=alike)
    tasks.add("softmax", "Berechne", "I", softmax)
    tasks.add("next", "Gib", "I", points=1)
    logit = desk.number("decoder.logit", worked)
    return NextWord(
        vector=of.vector,
        trained=two_of(desk).model.entering is not None,
        worked=of.words[worked],
        alike=[of.words[word] for word in alike],
        line=products_line(desk, of.vector.numbers, of.embedding(worked), logit),
        worked_logit=logit,
        logits=logits,
        logit_sum=desk.check_sum("decoder.logit", [(i,) for i in range(len(of.words))]),
        logit_tolerance=desk.tolerance(len(of.words)),
        softmax=softmax,
        softmax_given=not writable(desk, of, temperature),
        temperature=desk.constant(temperature),
        one=desk.constant(1, _PROBABILITY_PLACES),
        tolerance=desk.tolerance(len(of.words), _PROBABILITY_PLACES),
        next=Solution(" oder ".join(of.words[i] for i in desk.largest("decoder.logit"))),
    )


def _worked(of: Output) -> tuple[int, tuple[int, ...]]:
    """The word worked through: the first whose vector others share, and those, which are no exercise then."""
    vectors = [tuple(number.text for number in of.embedding(word)) for word in range(len(of.words))]
    worked = next((word for word, vector in enumerate(vectors) if vectors.count(vector) > 1), 0)
    return worked, tuple(
        word for word, vector in enumerate(vectors) if vector == vectors[worked] and word != worked
    )


def target_output(desk: Desk) -> Output:
    """The target sentence's next word."""
    model = two_of(desk).model

    def embedding(word: int) -> tuple[Number, ...]:
        return tuple(desk.weight(TARGET_VOCABULARY, word, c) for c in range(desk.sizes.d_model))

    return Output(
        "decoder.",
        tuple(printable(word) for word in model.vocabulary),
        desk.vector(f"decoder.block{desk.sizes.n_blocks}.norm3.output", model.n_tokens - 1),
        embedding,
    )
