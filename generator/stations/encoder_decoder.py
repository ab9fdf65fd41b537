"""The desk goes in; the parts of station 10 beside the cross-attention come out: both sides, next word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.calculation.encoder_decoder import EncoderDecoderCalculation
from engine.trace.quantities import SOURCE_TOKEN
from generator.basics.fonts import printable
from generator.sheet.desk import TARGET_VOCABULARY, Desk
from generator.sheet.measures import blank_width
from generator.sheet.sheet import Line, Number, Row, Solution, Table, Vector
from generator.stations.attention_tables import seen_by, steps_table, sum_line, weight_matrix
from generator.stations.common import Tasks, component_tables, vectors
from generator.stations.output import main_temperature
from generator.stations.output_tables import Output, logit_tables, softmax_tables, writable

_LINES: Final = 2  # components of an output whose sum is written out
_TWO_EXERCISES_FROM: Final = 4  # target tokens
_COMPONENT_WIDTH: Final = 10.0  # mm
_PROBABILITY_PLACES: Final = 3


@dataclass(frozen=True)
class Roles:
    """The target token worked through, and those left to the pupil; the last one goes on to the next word."""

    example: int
    exercises: tuple[int, ...]

    @property
    def last(self) -> int:
        return self.exercises[-1]


def two_of(desk: Desk) -> EncoderDecoderCalculation:
    """The calculation of both sentences; the station exists only with one."""
    two = desk.built.two
    if two is None:
        raise ValueError("there is no target sentence")
    return two.calculation


def roles(desk: Desk) -> Roles:
    last = len(desk.target_words) - 1
    both = last + 1 >= _TWO_EXERCISES_FROM and not desk.more
    return Roles(min(1, last - 1), (2, last) if both and last > 2 else (last,))


def source_output(desk: Desk) -> str:
    """The name of what the encoder hands to the decoder."""
    return f"encoder.block{desk.sizes.n_blocks}.norm2.output"


@dataclass(frozen=True)
class Exercise:
    token: str
    task: str
    asks_source: bool
    table: list[Table]
    output: Vector
    lines: list[Solution]
    score_sum: str
    tolerance: str
    count: int
    seen: str


def exercise(desk: Desk, at: str, token: int, tasks: Tasks) -> Exercise:
    """Scores, weights and output of one token, all blank, with what checks them."""
    table = steps_table(desk, at, token, blank=True)
    output = desk.vector(at + "output", token, blank=True)
    name = f"{at}{token}"
    tasks.add(name, "Berechne", "I", table, output)
    seen, words = seen_by(desk, at + "score", token), desk.words_of(at + "score", 1)
    return Exercise(
        token=desk.words_of(at + "score")[token],
        task=name,
        asks_source=desk.quantity(at + "score").axes[1] == SOURCE_TOKEN,
        table=table,
        output=output,
        lines=[sum_line(desk, at, token, c) for c in range(min(_LINES, desk.sizes.d_head))],
        score_sum=desk.check_sum(at + "score", [(token, j) for j in seen]),
        tolerance=desk.tolerance(len(seen)),
        count=len(seen),
        seen=", ".join(words[j] for j in seen),
    )


@dataclass(frozen=True)
class Encoder:
    head: int
    vectors: list[Table]
    exercise: Exercise
    output: list[Table]


def encoder_part(desk: Desk, tasks: Tasks) -> Encoder:
    """The encoder's last head for one token, and what the encoder hands on."""
    head = desk.sizes.n_heads
    at = f"encoder.block1.head{head}."
    return Encoder(
        head=head,
        vectors=vectors(desk, [at + "query", at + "key", at + "value"]),
        exercise=exercise(desk, at, desk.exercises[0], tasks),
        output=component_tables(desk, source_output(desk)),
    )


@dataclass(frozen=True)
class Decoder:
    vectors: list[Table]
    exercise: Exercise
    matrix: Table
    output: list[Table]


def decoder_part(desk: Desk, who: Roles, tasks: Tasks) -> Decoder:
    """The first head of the decoder's self-attention for one token, and the vectors after the first norm."""
    at = "decoder.block1.self.head1."
    names = [at + "query", at + "key", at + "value"]
    token = who.exercises[0]
    return Decoder(
        vectors=vectors(desk, names),
        exercise=exercise(desk, at, token, tasks),
        matrix=weight_matrix(desk, at + "weight", [token], who.example),
        output=component_tables(desk, "decoder.block1.norm1.output"),
    )


@dataclass(frozen=True)
class Residual:
    table: Table
    normalised: Vector
    check_sum: str


def residual_part(desk: Desk, who: Roles, tasks: Tasks) -> Residual:
    """The sum after the cross-attention for the last token; what LayerNorm makes of it is given."""
    names = ("decoder.block1.norm1.output", "decoder.block1.cross.attention", "decoder.block1.residual2")
    token, components = who.last, range(desk.sizes.d_model)
    rows = tuple(
        Row(str(c + 1), tuple(desk.number(name, token, c, blank=name != names[0]) for name in names))
        for c in components
    )
    hand = blank_width(desk.options.nachkommastellen)
    table = Table(("own", "new", "residual"), rows, (_COMPONENT_WIDTH, max(22.0, hand), hand, hand))
    tasks.add("residual", "Berechne", "I", [row.cells[-1] for row in rows])
    return Residual(
        table=table,
        normalised=desk.vector("decoder.block1.norm2.output", token),
        check_sum=desk.check_sum(names[-1], [(token, c) for c in components]),
    )


@dataclass(frozen=True)
class NextWord:
    vector: Vector
    worked: str
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
    worked = 0
    logits = logit_tables(desk, of, worked)
    tasks.add("logits", "Berechne", "I", logits)
    softmax = softmax_tables(desk, of, temperature, worked, ("scaled_logit",) if desk.more else ())
    tasks.add("softmax", "Berechne", "I", softmax)
    tasks.add("next", "Gib", "I", points=1)
    return NextWord(
        vector=of.vector,
        worked=of.words[worked],
        line=desk.products(of.vector.numbers, of.embedding(worked)),
        worked_logit=desk.number("decoder.logit", worked),
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
