"""Station 9, generation: predict, append, run again; greedy, with a temperature, top-k or top-p."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from engine.forward.forward import temperature_name
from engine.texts.generation import Generation, Repeat, Round, Texts, repeats
from generator.basics.fonts import printable
from generator.calculation.later_stations import main_temperature
from generator.figures.parts import named
from generator.options.sentence import SENTENCE_ENDS, shown
from generator.sheet.columns import Column
from generator.sheet.desk import Desk
from generator.sheet.fields import blank_width
from generator.sheet.sheet import CellContent, Parts, Row, Solution, Table, Words, parts
from generator.stations.common import Tasks
from generator.stations.generation.sampling import appended, in_columns, method

_PLACES: Final = 3  # of probabilities, shares and their sums
_CANDIDATES: Final = 3


def station(desk: Desk, tasks: Tasks) -> Parts:
    end, generations = texts_of(desk).end, dict(texts_of(desk).ways)
    greedy = generations.pop("greedy")
    sampled = {name: made for name, made in generations.items() if made.rounds}
    copied = desk.printed("8") and desk.options.endezeichen is None
    first = None if copied else _first_round(desk)
    by_greed = _greedy(desk, greedy, tasks) if greedy.rounds else None
    cut = sampled["top_p"].choice.p if "top_p" in sampled else None
    methods = [method(desk, name, made, tasks, cut) for name, made in sampled.items()]
    tasks.add("repeat", "Begründe", "II", points=3)
    tasks.add("judge", "Beurteile", "III", points=3)
    written = _written(desk, _compared(greedy, sampled, tasks))
    return parts(
        main=desk.constant(main_temperature(desk.options.temperatur)),
        copied=copied,
        first=first,
        end=None
        if end is None
        else parts(word=printable(end.word), vector=[desk.constant(float(x), 1) for x in end.vector]),
        greedy=by_greed,
        methods=methods,
        tolerance=desk.tolerance(len(greedy.words), _PLACES),
        repeat=_repetition(desk, greedy),
        written=written,
        none=_no_text_is(written),
        texts=tuple(map(printable, desk.built.learnt.lines)) if desk.built.learnt else (),
    )


def _compared(greedy: Generation, sampled: Mapping[str, Generation], tasks: Tasks) -> list[Generation]:
    """The texts that pupils have written themselves, which the last tasks ask about."""
    own = {"greedy": greedy, "sampled": sampled.get("sampled")}
    return [made for name, made in own.items() if made is not None and name in tasks.by_name]


def _written(desk: Desk, made: Iterable[Generation]) -> tuple[Parts, ...]:
    """What a way of choosing has put behind the sentence, and whether a text of the training goes on so.

    case: how it stands to those texts: read, mixed of them (every word follows one that it follows in a
    text), or nonsense, with the first two words that follow each other in none. open: whether it has no
    end yet.
    """
    learnt = desk.built.learnt
    if learnt is None:
        return ()
    tokens = tuple(desk.calculation.model.tokens)
    texts = [tuple(learnt.model.vocabulary[i] for i in ids) for ids in learnt.corpus.ids]
    followed = {pair for text in texts for pair in pairwise(text)}
    endings = dict.fromkeys(tuple(round_.chosen.word for round_ in each.rounds) for each in made)

    def stray(ending: tuple[str, ...]) -> tuple[str, ...]:
        pairs = pairwise((tokens[-1], *ending))
        return next((tuple(map(printable, pair)) for pair in pairs if pair not in followed), ())

    def against_texts(ending: tuple[str, ...]) -> str:
        if any(text[: len(tokens) + len(ending)] == tokens + ending for text in texts):
            case = "read"
        else:
            case = "nonsense" if stray(ending) else "mixed"
        return case

    def unended(ending: tuple[str, ...]) -> str | None:
        if ending[-1] in (*SENTENCE_ENDS, desk.options.endezeichen):
            return None
        return "one_round" if len(ending) == 1 else "rounds"

    return tuple(
        parts(
            begun=printable(tokens[-1]),  # as it is spoken, without its place among its likes
            ending=printable(shown(each)),
            case=against_texts(each),
            stray=stray(each),
            open=unended(each),
            rounds=len(each),
        )
        for each in endings
        if each
    )


def _no_text_is(written: Sequence[Parts]) -> list[str]:
    """The groups that a task with several texts asks for and into which none falls."""
    found = {each.case if each.case in ("read", "mixed") else "nonsense" for each in written}
    return [group for group in ("read", "mixed", "nonsense") if group not in found] if written[1:] else []


def texts_of(desk: Desk) -> Texts:
    """The texts that the rounds are of; the station exists only with them."""
    assert desk.built.texts is not None
    return desk.built.texts


def _first_round(desk: Desk) -> Table:
    """Logit and probability of every word, as station 8 has them; an end token changes the probabilities."""
    probability = temperature_name(main_temperature(desk.options.temperatur)) + ".probability"
    words, logits = list(desk.vocabulary), [desk.number("logit", i) for i in range(len(desk.vocabulary))]
    if desk.options.endezeichen is not None:
        probability = "greedy.round1.probability"
        logits.append(desk.number("greedy.round1.logit", len(words)))
        words.append(printable(desk.options.endezeichen))
    rows = [
        Row(word, (Words(str(i)), logits[i], desk.number(probability, i))) for i, word in enumerate(words)
    ]
    widths = (Column.ID, max(Column.LABEL, blank_width(desk.options.nachkommastellen)), Column.SHARE)
    return in_columns(("id", "logit", "probability"), rows, widths)


def _greedy(desk: Desk, made: Generation, tasks: Tasks) -> Parts:
    rounds = made.rounds[: desk.options.laenge]
    tasks.add("greedy", "Gib", "I", points=max(1, len(rounds) // 2))
    count = min(_CANDIDATES, len(made.words))
    columns = ("word", "probability") * count + ("chosen",)
    rows = [_candidates(desk, round_, count) for round_ in rounds[1:]]
    widths = (Column.LABEL, *(Column.NAME, Column.FEW_DIGITS) * count, Column.REST)
    return parts(
        rounds=Table(columns, tuple(rows), widths) if rows else None,
        count=len(rounds),
        appended=appended(desk, rounds),
        id_sum=str(sum(round_.chosen.word_id for round_ in rounds)),
    )


def _candidates(desk: Desk, round_: Round, count: int) -> Row:
    cells: list[CellContent] = []
    for best in sorted(round_.candidates[:count], key=lambda candidate: candidate.word_id):
        number = desk.number(f"greedy.round{round_.number}.probability", best.word_id)
        cells += [Words(named(best.word)), number]
    cells.append(Solution(printable(round_.chosen.word)))
    return Row(f"Runde {round_.number}", tuple(cells))


def _repetition(desk: Desk, made: Generation) -> Parts | None:
    """The further rounds, from the first to the last, and what the key says of them.

    places: those of the last word where another one is likelier, the best and the worst. chances: its
    smallest and its largest probability where it is the likeliest itself. most: the word chosen most often,
    and in how many rounds. run: what the text ends with twice, "" where there is nothing.
    """
    seen = repeats(made.rounds)
    shown = list(zip(made.rounds, seen.rounds, strict=True))[desk.options.laenge + 1 :]
    if not shown:
        return None
    others = [repeat.own_rank for _, repeat in shown if repeat.own_rank > 1]
    own = [repeat.own_probability for _, repeat in shown if repeat.own_rank == 1]
    word, times = Counter(round_.chosen.word for round_, _ in shown).most_common(1)[0]
    return parts(
        table=Table(
            ("last", "chosen", "probability", "own", "rank"),
            tuple(_repeated(desk, round_, repeat) for round_, repeat in shown),
            (Column.LONG_LABEL, *(Column.PAIR,) * 4, Column.REST),
        ),
        first=shown[0][0].number,
        last=shown[-1][0].number,
        count=len(shown),
        own=len(own),
        places=(min(others), max(others)) if others else None,
        chances=(desk.constant(min(own), _PLACES), desk.constant(max(own), _PLACES)) if own else None,
        most=(printable(word), times),
        run=printable(" ".join(made.text[-seen.period :])) if seen.period else "",
    )


def _repeated(desk: Desk, round_: Round, repeat: Repeat) -> Row:
    at = f"greedy.round{round_.number}.probability"
    words = (Words(named(word)) for word in (round_.model.tokens[-1], round_.chosen.word))
    numbers = (desk.number(at, word) for word in (round_.chosen.word_id, round_.model.token_ids[-1]))
    return Row(f"Runde {round_.number}", (*words, *numbers, Words(str(repeat.own_rank))))
