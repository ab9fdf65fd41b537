"""Station 10 after the cross-attention: the residual, the next word, and the target sentence word by word."""

from dataclasses import dataclass
from typing import Final, Literal

from engine.forward.encoder_decoder import EncoderDecoderCalculation
from engine.texts.translation import Translation
from generator.basics.fonts import printable
from generator.calculation.later_stations import main_temperature, rounds_of
from generator.figures.drawing import shortened
from generator.sheet.columns import Column, even, printed_width
from generator.sheet.desk import TARGET_VOCABULARY, Desk
from generator.sheet.fields import TABLE_WIDTH, blank_width
from generator.sheet.sheet import CellContent, Number, Parts, Row, Solution, Table, Words, parts
from generator.stations.common import Tasks, component_tables, even_size, points_of_products
from generator.stations.next_word import PROBABILITY_PLACES, Output, word_tables, writable
from generator.stations.worked_lines import honest_sum, products_line
from generator.words.target_vectors import END, START

_NEW, _KEPT, _NONE = "neu", "bleibt", "–"
OWN_OUTPUT: Final = "decoder.block1.norm1.output"  # what the first block makes of the target sentence alone
Outcome = Literal["whole", "beginning", "none"]


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
    assert desk.built.two is not None
    return desk.built.two.calculation


def source_output(desk: Desk) -> str:
    """The name of what the encoder hands to the decoder."""
    return f"encoder.block{desk.sizes.n_blocks}.norm2.output"


def joined_part(desk: Desk, at: str, who: Roles, tasks: Tasks) -> Parts:
    """The heads side by side, through W_O, and added to the old vector, for the last token.

    The pupil has worked out the first head. Without W_O the new numbers are the heads' own, to copy.
    """
    token, mixes, d = who.last, desk.mixes_heads(at), desk.sizes.d_model
    concat = component_tables(desk, at + "concat", rows=[token]) if mixes and desk.sizes.n_heads > 1 else None
    if concat:
        tasks.add("concat", "Setze", "I", points=1)
    table = _residual(desk, at, token, mixes)
    tasks.add(
        "residual", "Berechne", "I", table, points=(points_of_products(d, d) if mixes else 0) + (d + 1) // 2
    )
    first = desk.number(at + "attention", who.example, 0)
    column = [row[0] for row in desk.matrix(at + "W_O")]
    return parts(
        given_heads=[
            (k, desk.vector(f"{at}head{k}.output", token)) for k in range(2, desk.sizes.n_heads + 1)
        ],
        mixes=mixes,
        concat=concat,
        W_O=desk.matrix(at + "W_O"),
        output_line=products_line(desk, desk.numbers(at + "concat", who.example), column, first),
        output_first=first,
        residual=table,
        check=honest_sum(desk, "decoder.block1.residual2", [(token, c) for c in range(d)]),
        normalised=desk.vector("decoder.block1.norm2.output", token),
    )


def _residual(desk: Desk, at: str, token: int, mixes: bool) -> Table:
    columns = (
        desk.numbers(OWN_OUTPUT, token),
        desk.numbers(at + "attention", token, blank=mixes),
        desk.numbers("decoder.block1.residual2", token, blank=True),
    )
    rows = tuple(Row(str(c), cells) for c, cells in enumerate(zip(*columns, strict=True), 1))
    hand = blank_width(desk.options.nachkommastellen)
    return Table(("own", "new", "residual"), rows, (Column.NUMBER, max(Column.SQUARE, hand), hand, hand))


def next_word_part(desk: Desk, tasks: Tasks) -> Parts:
    """Logits over the target vocabulary, softmax at the main temperature, the next word."""
    of, temperature = target_output(desk), main_temperature(desk.options.temperatur)
    # Worked through is the first word whose vector others share; those are no exercise then.
    vectors = [tuple(number.text for number in of.embedding(word)) for word in range(len(of.words))]
    worked = next((word for word, vector in enumerate(vectors) if vectors.count(vector) > 1), 0)
    alike = [word for word, vector in enumerate(vectors) if vector == vectors[worked] and word != worked]
    words = word_tables(desk, of, temperature, worked, alike)
    tasks.add("logits", "Berechne", "I", words)
    tasks.add("next", "Gib", "I", points=1)
    logit = desk.number("decoder.logit", worked)
    return parts(
        vector=of.vector,
        trained=two_of(desk).model.entering is not None,
        worked=of.words[worked],
        alike=[of.words[word] for word in alike],
        line=products_line(desk, of.vector.numbers, of.embedding(worked), logit),
        worked_logit=logit,
        words=words,
        logits=honest_sum(desk, "decoder.logit", [(i,) for i in range(len(of.words))]),
        softmax_given=not writable(desk, of, temperature),
        temperature=desk.constant(temperature),
        tolerance=desk.tolerance(len(of.words), PROBABILITY_PLACES),
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


def rounds_part(desk: Desk, tasks: Tasks) -> Parts | None:
    """Each round's logits with the word to choose, and what is worked out anew; None where none works.

    outcome: whether the text is the target sentence to its end, a beginning of it, or something else.
    """
    made = translated(desk)
    if not made.rounds:
        return None
    tasks.add("rounds", "Gib", "I", points=len(made.rounds))
    kept = _kept(made) if len(made.rounds) > 1 else None
    if kept:
        tasks.add("kept", "Gib", "II", points=2)
    tasks.add("why_kept", "Begründe", "II", points=2)
    return parts(
        tables=_logits(desk, made),
        text=Solution(" ".join(printable(round_.word) for round_ in made.rounds)),
        outcome=outcome_of(desk, made),
        kept=kept,
        count=len(made.rounds),
        most=rounds_of(desk.options),
        stop=made.stop,
        id_sum=str(sum(round_.chosen + 1 for round_ in made.rounds)),
        known=_known(desk, made),
    )


def _known(desk: Desk, made: Translation) -> int:
    """The round that reads what the pupil's decoder reads, so that its logits are the pupil's; 0: none."""
    target = two_of(desk).model.tokens
    same = [round_.number for round_ in made.rounds if tuple(round_.model.tokens) == tuple(target)]
    return same[0] if same and desk.asks("decoder.logit") else 0


def outcome_of(desk: Desk, made: Translation) -> Outcome:
    words = tuple(round_.word for round_ in made.rounds)
    target = (*two_of(desk).model.tokens[1:], END)
    return "whole" if words == target else "beginning" if words == target[: len(words)] else "none"


def translated(desk: Desk) -> Translation:
    """The target sentence from the start token alone, the most probable word each time."""
    assert desk.built.two is not None
    return desk.built.two.rounds.translation


def _logits(desk: Desk, made: Translation) -> list[Table]:
    words = [printable(word) for word in made.start.vocabulary]
    names = [f"round{round_.number}.decoder.logit" for round_ in made.rounds]
    room = TABLE_WIDTH - Column.ROUND - Column.CHOSEN
    most = int(room / printed_width(desk.number(name, i).text for name in names for i in range(len(words))))
    size = even_size(len(words), most)
    tables = []
    for start in range(0, len(words), size):
        here = range(start, min(start + size, len(words)))
        last = start + size >= len(words)
        rows = []
        for round_ in made.rounds:
            cells: list[CellContent] = [
                Words("–")
                if round_.number == _known(desk, made)
                else desk.number(f"round{round_.number}.decoder.logit", i)
                for i in here
            ]
            if last:
                cells.append(Solution(printable(round_.word)))
            rows.append(Row(f"Runde {round_.number}", tuple(cells)))
        width = min(room / size, Column.NAME)
        columns = {f"{i + 1}: {shortened(words[i], width - 2.6)}": width for i in here}
        columns |= {"chosen": Column.CHOSEN} if last else {}
        tables.append(Table(tuple(columns), tuple(rows), (Column.ROUND, *columns.values())))
    return tables


def _kept(made: Translation) -> Table:
    """What is worked out anew in each round; the last round is left to the pupil."""
    numbers = [round_.number for round_ in made.rounds]
    once = [_NEW, *(_KEPT for _ in numbers[1:])]
    rows = [_row("Encoder, alle Zeilen", once), _row("K und V der Cross-Attention", once)]
    for line in range(made.rounds[-1].model.n_tokens):
        marks = []
        for round_ in made.rounds:
            kept = made.kept_rows(f"round{round_.number}.{OWN_OUTPUT}")
            absent = line >= round_.model.n_tokens
            marks.append(_NONE if absent else _KEPT if line < kept else _NEW)
        name = f"Decoder, Zeile {line + 1}" + (f": {START}" if line == 0 else "")
        rows.append(_row(name, marks))
    return Table(
        tuple(f"Runde {number}" for number in numbers),
        tuple(rows),
        even(len(numbers), Column.NAME, Column.LINE),
    )


def _row(name: str, marks: list[str]) -> Row:
    return Row(name, (*map(Words, marks[:-1]), Solution(marks[-1])))
