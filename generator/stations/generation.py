"""Station 9, generation: predict, append, run again; greedy, with a temperature, top-k or top-p."""

from __future__ import annotations

from typing import Any, Final

from engine.generation import Generation, Round
from engine.output import temperature_name
from engine.repetition import Repeat, repeats
from engine.texts import Texts
from generator.build_texts import STATION
from generator.desk import Desk
from generator.fonts import printable
from generator.sheet import Cell, Number, Row, Solution, Station, Table, Words, walk
from generator.stations.common import WORD_WIDTH, Tasks, blank_width
from generator.stations.output import main_temperature

ID: Final = STATION
_PLACES: Final = 3  # of probabilities, shares and their sums
_RANKED: Final = 5
_CANDIDATES: Final = 3
_MOST_TO_ADD: Final = 8  # words whose sums a pupil adds up
_DROPPED_SHOWN: Final = 2
_ROWS_IN_A_COLUMN: Final = 10
_SIGNS_IN_A_LINE: Final = 45
_WIDTHS: Final = {"id": 10.0, "probability": 24.0, "share": 24.0, "cumulative": 30.0}  # mm


def station(desk: Desk) -> Station:
    tasks = Tasks()
    generations = dict(texts_of(desk).ways)
    greedy = generations.pop("greedy")
    sampled = {name: made for name, made in generations.items() if made.rounds}
    copied = desk.printed("8") and desk.options.endezeichen is None
    parts: dict[str, Any] = {
        "main": desk.constant(main_temperature(desk)),
        "copied": copied,
        "first": None if copied else _first_round(desk),
        "end": _end(desk),
        "greedy": _greedy(desk, greedy, tasks) if greedy.rounds else None,
        "methods": [_method(desk, name, made, tasks) for name, made in sampled.items()],
        "places": str(_PLACES),
        "one": desk.constant(1, _PLACES),
        "tolerance": desk.tolerance(len(greedy.words), _PLACES),
    }
    tasks.add("repeat", "Begründe", "II", points=3)
    tasks.add("judge", "Beurteile", "III", points=3)
    return Station(ID, parts | {"repeat": _repetition(desk, greedy)}, tasks.by_name)


def texts_of(desk: Desk) -> Texts:
    """The texts that the rounds are of; the station exists only with them."""
    texts = desk.built.texts
    if texts is None:
        raise ValueError("no text was asked for")
    return texts


def _end(desk: Desk) -> dict[str, Any] | None:
    end = texts_of(desk).end
    if end is None:
        return None
    return {"word": printable(end.word), "vector": [desk.constant(float(x), 1) for x in end.vector]}


def _first_round(desk: Desk) -> Table:
    """Logit and probability of every word, as station 8 has them (with the end token, if there is one)."""
    logit, probability = "logit", temperature_name(main_temperature(desk)) + ".probability"
    words = list(desk.vocabulary)
    if desk.options.endezeichen is not None:
        logit, probability = "greedy.round1.logit", "greedy.round1.probability"
        words.append(printable(desk.options.endezeichen))
    rows = [
        Row(word, (Words(str(i)), desk.number(logit, i), desk.number(probability, i)))
        for i, word in enumerate(words)
    ]
    widths = (10.0, max(18.0, blank_width(desk.options.nachkommastellen)), 20.0)
    return _in_columns(("id", "logit", "probability"), rows, widths)


# --- greedy -------------------------------------------------------------------------------------------------


def _greedy(desk: Desk, made: Generation, tasks: Tasks) -> dict[str, Any]:
    ranking = [_ranked(desk, made.rounds[0], place) for place in range(min(_RANKED, len(made.words)))]
    table = Table(("word", "probability"), tuple(ranking), (WORD_WIDTH, 70.0, _WIDTHS["probability"]))
    rounds = made.rounds[: desk.options.laenge]
    tasks.add("rank", "Ordne", "I", table)
    tasks.add("greedy", "Gib", "I", points=max(1, len(rounds) // 2))
    count = min(_CANDIDATES, len(made.words))
    columns = ("word", "probability") * count + ("chosen",)
    rows = [_candidates(desk, round_, count) for round_ in rounds[1:]]
    widths = (20.0, *(24.0, 15.0) * count, 0.0)
    return {
        "ranking": table,
        "best": str(len(ranking)) if len(ranking) < len(made.words) else "",
        "rounds": Table(columns, tuple(rows), widths) if rows else None,
        "count": len(rounds),
        "appended": _appended(desk, rounds),
        "id_sum": str(sum(round_.chosen.word_id for round_ in rounds)),
    }


def _ranked(desk: Desk, round_: Round, place: int) -> Row:
    best = round_.candidates[place]
    name = temperature_name(main_temperature(desk)) + ".probability"
    if desk.options.endezeichen is not None:
        name = "greedy.round1.probability"
    return Row(
        f"Platz {place + 1}", (Solution(printable(best.word)), desk.number(name, best.word_id, blank=True))
    )


def _candidates(desk: Desk, round_: Round, count: int) -> Row:
    cells: list[Cell] = []
    for best in round_.best(count):
        number = desk.number(f"greedy.round{round_.number}.probability", best.word_id)
        cells += [Words(printable(best.word)), number]
    cells.append(Solution(printable(round_.chosen.word)))
    return Row(f"Runde {round_.number}", tuple(cells))


def _appended(desk: Desk, rounds: tuple[Round, ...]) -> Solution:
    """All chosen words, with room for as many of the longest."""
    longest = max(map(len, desk.vocabulary)) + 1
    text = " ".join(printable(round_.chosen.word) for round_ in rounds)
    return Solution(text, rows=-(-desk.options.laenge * longest // _SIGNS_IN_A_LINE))


# --- with random numbers ------------------------------------------------------------------------------------


def _method(desk: Desk, name: str, made: Generation, tasks: Tasks) -> dict[str, Any]:
    rounds = [_drawn(desk, name, made, round_) for round_ in made.rounds]
    exercises = rounds[1:] if name == "sampled" else rounds
    tables = [round_["table"] for round_ in exercises]
    blanks = sum(number.blank for number in walk(tables, Number))
    if exercises:
        tasks.add(name, "Wähle", "I", tables, points=len(exercises) + (blanks + 1) // 2)
    return {
        "name": name,
        "temperature": desk.constant(made.choice.temperature),
        "k": str(made.choice.k),
        "all_kept": name == "top_k" and made.choice.k is not None and made.choice.k >= len(made.words),
        "p": desk.constant(made.choice.p),
        "random_row": [round_["random"] for round_ in rounds],
        "worked": rounds[0] | _worked(desk, name, made.rounds[0]) if name == "sampled" else None,
        "rounds": exercises,
        "appended": _appended(desk, made.rounds),
        "id_sum": str(sum(round_.chosen.word_id for round_ in made.rounds)),
        "ended": made.stop.kind,
    }


def _worked(desk: Desk, name: str, round_: Round) -> dict[str, Any]:
    """How the first sums come about, and between which two the random number falls."""
    at = f"{name}.round{round_.number}."
    order = [c.word_id for c in round_.candidates]
    sums = [desk.number(at + "cumulative", i) for i in order]
    probabilities = [desk.number(at + "probability", i) for i in order]
    place = order.index(round_.hand.chosen)
    lines = [(sums[i - 1], probabilities[i], sums[i]) for i in range(1, min(3, len(order)))]
    return {
        "lines": lines,
        "word": printable(round_.chosen.word),
        "below": sums[place - 1] if place else None,
        "above": sums[place],
    }


def _drawn(desk: Desk, name: str, made: Generation, round_: Round) -> dict[str, Any]:
    """One round's table: probabilities, shares of the kept words where some are dropped, and their sums."""
    at = f"{name}.round{round_.number}."
    kept = round_.hand.n_kept
    written = _written(desk, name, round_)
    has_shares = name != "sampled"
    open_cut = "share" in written  # the pupil decides which words stay
    columns = ("id", "probability", *(("share",) if has_shares else ()), "cumulative")
    rows = []
    for place, best in enumerate(round_.best(kept + (_DROPPED_SHOWN if open_cut else 0))):
        cells: list[Cell] = [
            Words(str(best.word_id)),
            desk.number(at + "probability", best.word_id),
        ]
        for column in columns[2:]:
            if place < kept:
                cells.append(desk.number(at + column, best.word_id, blank=column in written))
            else:
                cells.append(Solution("–"))
        rows.append(Row(printable(best.word), tuple(cells)))
    widths = tuple(_WIDTHS[column] for column in columns)
    if not written:
        table = _in_columns(columns, rows, widths)
    else:
        if open_cut:
            total = desk.number(at + "kept_sum", blank=True)
            rows.append(Row("Summe", (Words(""), total, Words(""), Words("")), "sum"))
        table = Table(columns, tuple(rows), (WORD_WIDTH, *widths))
    return {
        "number": round_.number,
        "random": desk.constant(round_.random or 0.0, 2),
        "table": table,
        "open": open_cut,
        "fill": bool(written),
        "tied": round_.tied_at_cut,
        "chosen": Solution(printable(round_.chosen.word)),
    }


def _written(desk: Desk, name: str, round_: Round) -> set[str]:
    """What the pupil computes: all of the first round with shares, then the sums."""
    first = round_.number == 1
    if round_.hand.n_kept > _MOST_TO_ADD or (name == "sampled" and first):
        return set()
    if desk.more:
        return {"cumulative"} if first else set()
    if name != "sampled" and (first or desk.less):
        return {"share", "cumulative"}
    return {"cumulative"}


def _in_columns(columns: tuple[str, ...], rows: list[Row], widths: tuple[float, ...]) -> Table:
    """Given rows; many of them side by side in two halves."""
    if len(rows) <= _ROWS_IN_A_COLUMN or 2 * (sum(widths) + WORD_WIDTH) > 165:
        return Table(columns, tuple(rows), (WORD_WIDTH, *widths), dense=len(rows) > _ROWS_IN_A_COLUMN)
    half = -(-len(rows) // 2)
    blank = Row("", tuple(Words("") for _ in columns))
    pairs = zip(rows[:half], [*rows[half:], blank], strict=False)
    joined = tuple(Row(a.head, (*a.cells, Words(b.head), *b.cells)) for a, b in pairs)
    return Table((*columns, "word", *columns), joined, (WORD_WIDTH, *widths, WORD_WIDTH, *widths))


# --- repetition ---------------------------------------------------------------------------------------------


def _repetition(desk: Desk, made: Generation) -> dict[str, Any]:
    """How the text goes on greedily after the pupil's rounds, and how well the last word fits itself."""
    seen = repeats(made.rounds)
    shown = list(zip(made.rounds, seen.rounds, strict=True))[desk.options.laenge + 1 :]
    rows = tuple(_repeated(desk, round_, repeat) for round_, repeat in shown)
    last = shown[-1] if shown else None
    return {
        "table": Table(
            ("last", "chosen", "probability", "own", "rank"), rows, (22.0, 32.0, 32.0, 24.0, 30.0, 0.0)
        )
        if rows
        else None,
        "period": seen.period,
        "last": printable(last[0].tokens[-1]) if last else None,
        "own": desk.constant(last[1].own_probability, _PLACES) if last else None,
        "rank": last[1].own_rank if last else None,
    }


def _repeated(desk: Desk, round_: Round, repeat: Repeat) -> Row:
    chosen = round_.chosen
    at = f"greedy.round{round_.number}.probability"
    last = round_.model.token_ids[-1]
    return Row(
        f"Runde {round_.number}",
        (
            Words(printable(round_.tokens[-1])),
            Words(printable(chosen.word)),
            desk.number(at, chosen.word_id),
            desk.number(at, last),
            Words(str(repeat.own_rank)),
        ),
    )
