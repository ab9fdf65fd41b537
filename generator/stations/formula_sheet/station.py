"""Station Σ: all formulas with their shapes, and the parameters of this model beside GPT-2 Small."""

from collections.abc import Sequence
from itertools import permutations
from typing import Final

from engine.model.weights import GPT2_SMALL, count_gpt2_parameters, count_parameters
from engine.training.texts import Ids
from generator.basics.fonts import printable
from generator.calculation.learnt import Learnt
from generator.sheet.columns import Column
from generator.sheet.desk import DOT, Desk
from generator.sheet.sheet import CellContent, Parts, Row, Solution, Table, Words, parts
from generator.stations.common import Tasks, whole_number
from generator.stations.output.station import guess_of, spoken_words

_MOST_UNREAD: Final = 2


def _probe(desk: Desk, words: int, total: int, own_output: bool) -> Solution:
    d, ff, blocks = desk.sizes.d_model, desk.sizes.d_ff, desk.sizes.n_blocks
    table = f"2{DOT}{words}{DOT}{d}" if own_output else f"{words}{DOT}{d}"
    norms = 2 * len(desk.sizes.norm.parameters)
    block = f"4{DOT}{d}² + 2{DOT}{d}{DOT}{ff} + {norms}{DOT}{d}"
    return Solution(f"{table} + {blocks}{DOT}({block}) = {desk.format.text(total, 0)}")


def station(desk: Desk, tasks: Tasks) -> Parts:
    words = len(desk.calculation.model.vocabulary)
    own_output = desk.built.learnt is not None
    ours = count_parameters(desk.sizes, words, own_output=own_output)
    gpt2 = count_gpt2_parameters()
    tasks.add("count", "Berechne", "I", points=(len(ours) + 2) // 2)
    invented = unread(desk)
    if invented:
        tasks.add("learnt", "Beurteile", "III", points=2)

    def whole(number: int) -> str:
        return desk.format.text(number, 0)

    rows: list[Row] = []
    none = Words("–")
    for component in dict.fromkeys(("embedding", *(set(ours) & {"output"}), *gpt2)):
        own: CellContent = Solution(whole(ours[component]), number=True) if component in ours else none
        theirs = Words(whole(gpt2[component]) if component in gpt2 else "shared")  # with its word vectors
        rows.append(Row(component, (Words(component), own, theirs)))
    all_ours = Solution(whole(sum(ours.values())), number=True)
    rows.append(Row("total", (Words("total"), all_ours, Words(whole(sum(gpt2.values())))), "sum"))
    sizes = GPT2_SMALL.sizes
    paths = _paths(desk)
    tasks.add("paths", "Gib an", "I", paths)
    tasks.add("history", "Begründe", "II", points=2)
    return parts(
        parameters=Table(
            ("formula", "ours", "gpt2"),
            tuple(rows),
            (Column.FORMULA, Column.REST, Column.AMOUNT, Column.FORMULA),
        ),
        probe=_probe(desk, words, sum(ours.values()), own_output),
        words=words,
        unread=invented,
        paths=paths,
        into_encoder=desk.built.learning_of_two is not None,
        all_moved=desk.printed("11")
        and desk.built.learning is not None
        and desk.built.learning.lesson.path == "alles",
        norm_vectors=2 * len(desk.sizes.norm.parameters),
        gpt2={
            "d_model": whole(sizes.d_model),
            "d_ff": whole(sizes.d_ff),
            "n_blocks": whole(sizes.n_blocks),
            "vocabulary": whole(GPT2_SMALL.vocabulary),
            "context": whole(GPT2_SMALL.context),
        },
    )


def unread(desk: Desk) -> tuple[Parts, ...]:
    """Beginnings that no text has, mixed from two, and what the model says next; none without texts.

    pattern: the most similar beginning of a text that goes on so, with that word; "" where none does.
    """
    learnt = desk.built.learnt
    if learnt is None:
        return ()
    corpus = learnt.corpus
    read = [corpus.asked_of(text, learnt.model.token_ids) for text in corpus.ids]
    guesses = [
        (ids, guess_of(desk, learnt, f"unread{number}", learnt.model, ids, ()))
        for number, ids in enumerate(_mixed(read), 1)
    ]
    return tuple(
        parts(
            beginning=spoken_words([learnt.model.vocabulary[i] for i in ids]),
            guess=guess,
            pattern=_pattern(learnt, ids, guess.word),
        )
        for ids, guess in guesses
        if guess
    )


def _pattern(learnt: Learnt, ids: Ids, word: str) -> str:
    """The beginning of a text, with the word that follows, that has most words where these are."""
    said = [[learnt.model.vocabulary[i] for i in text[: len(ids) + 1]] for text in learnt.corpus.ids]
    own = [learnt.model.vocabulary[i] for i in ids]
    alike = [text for text in said if len(text) > len(ids) and printable(text[-1]) == word]

    def shared(text: Sequence[str]) -> int:
        return sum(one == other for one, other in zip(text, own, strict=False))

    return spoken_words(max(alike, key=shared)) if alike else ""


def _mixed(read: Sequence[Ids]) -> list[Ids]:
    """Beginnings with one word from another of the same length."""
    found = [
        (*one[:place], other[place], *one[place + 1 :])
        for one, other in permutations(dict.fromkeys(map(tuple, read)), 2)
        if len(one) == len(other)
        for place in range(len(one))
    ]
    return [ids for ids in dict.fromkeys(found) if ids not in set(map(tuple, read))][:_MOST_UNREAD]


def _paths(desk: Desk) -> Table:
    """How many steps lead from the first word to the last, one word at a time and with attention."""
    lengths = (desk.n, GPT2_SMALL.context)

    def row(name: str, steps: tuple[int, ...], *, blank: bool) -> Row:
        cells: tuple[CellContent, ...] = tuple(
            whole_number(desk, f"paths.{name}", count, k, blank=blank) for k, count in enumerate(steps)
        )
        return Row(name, cells)

    return Table(
        tuple(desk.constant(length, 0) for length in lengths),
        (
            row("recurrent", tuple(length - 1 for length in lengths), blank=True),
            row("attention", (1, 1), blank=True),
            row("pairs", tuple(length**2 for length in lengths), blank=False),
        ),
        (Column.SENTENCE, Column.AMOUNT, Column.AMOUNT),
    )
