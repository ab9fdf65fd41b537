"""Station 1b, byte pairs by hand: counting tables, rules, a word cut with the rules, its tree of merges."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from engine.texts.byte_pairs import SPACE, Encoding, MergeRound, Pair, Pieces, encode
from generator.figures.drawing import Canvas
from generator.sheet.columns import Column
from generator.sheet.desk import DOT, Desk
from generator.sheet.sheet import CellContent, Drawing, Figure, Parts, Row, Solution, Table, Words, parts
from generator.stations.common import ROOM, Tasks, cut_columns, even_size, in_parts, whole_number
from generator.words.byte_pair_corpus import BytePairCorpus, corpus_for

_LONGEST_LABEL: Final = 16
_SHORT_TOKEN: Final = 11
_PIECES_A_LINE: Final = 8
_BY_HAND: Final = 3  # rounds: one worked through, two left to the pupil
_PAIRS: Final = 4
_MOST_PAIRS: Final = 8
_RULE: Final = ("pair", "token", "id")
_RULE_WIDTHS: Final = (Column.COMPONENT, Column.PAIR, Column.PAIR, Column.SHARE)
_SHORT: Final = 12  # letters whose parts may stand in a line unbroken
_PITCH: Final = 12.0
_WIDEST: Final = 160.0
_LEVEL: Final = 5.6
_LEAST_LEVELS: Final = 3

Merge = tuple[int, str, int]
"""Which part is merged with the next one (counted from 0), what comes out, and by which rule."""


def label(word: str) -> str:
    return word if len(word) <= _LONGEST_LABEL else word[: _LONGEST_LABEL - 1] + "…"


def per_line(tokens: Sequence[str]) -> int:
    """How many tokens stand side by side."""
    return 6 if all(len(token) <= _SHORT_TOKEN for token in tokens) else 4


def listed(head: str, entries: Sequence[str], most: int = 16, first: int = 0) -> list[Table]:
    """IDs as headings, counted from `first`, what they stand for below."""
    if not entries:
        return []
    cells = tuple(Words(label(entry)) for entry in entries)
    ids = tuple(str(first + k) for k in range(len(cells)))
    return cut_columns(
        Table(ids, (Row(head, cells),), (Column.LABEL,)),
        even_size(len(cells), most),
        (ROOM - Column.LABEL) / most,
    )


def one_round(desk: Desk, tasks: Tasks) -> Parts:
    """The collection, its first round to fill with one pair counted, the rules after it and a word to cut.

    IDs of parts, which the long way has, are given only where they decide a tie.
    """
    corpus = corpus_for(desk.calculation.model.tokens)
    rounds = corpus.training.rounds
    return parts(
        corpus=_corpus_table(desk, corpus, 1),
        added=[label(word) for word in corpus.added],
        alphabet=listed("Zeichen", corpus.training.alphabet) if rounds[0].decided_by != "count" else [],
        round=_exercise(desk, corpus, rounds[0], tasks),
        later=_rules(desk, rounds[1:], ids=False),
        word=_encoding(desk, corpus, tasks, tree_alone=True),
    )


def station(desk: Desk, tasks: Tasks) -> Parts:
    """The long way: a round worked through, two left to the pupil."""
    corpus = corpus_for(desk.calculation.model.tokens)
    rounds = corpus.training.rounds
    long_way = parts(
        corpus=_corpus_table(desk, corpus, _BY_HAND),
        added=[label(word) for word in corpus.added],
        alphabet=listed("Zeichen", corpus.training.alphabet),
        first=_worked(desk, corpus, rounds[0]),
        rounds=[_exercise(desk, corpus, round_, tasks) for round_ in rounds[1:_BY_HAND]],
        later=_rules(desk, rounds[_BY_HAND:]),
        word=_encoding(desk, corpus, tasks),
    )
    tasks.add("space", "Begründe", "II", points=2)
    tasks.add("judge", "Beurteile", "III", points=2)
    return parts(bpe=long_way, mark=SPACE)


def _corpus_table(desk: Desk, corpus: BytePairCorpus, rounds: int) -> list[Table]:
    """Each word with its count and its parts before each round; before the third they are to write."""
    counted = [round_.words for round_ in corpus.training.rounds[:_BY_HAND]]
    if len(counted) == 1:
        counted.append(corpus.training.words)
    states = [[pieces for pieces, _ in words] for words in counted[:rounds]]
    rows = []
    for k, (word, count) in enumerate(corpus.counts.items()):
        cells: list[CellContent] = [whole_number(desk, "bpe.corpus", count, k)]
        cells += [Words(_joined(state[k]), small=True) for state in states[:2]]
        if len(states) > 2:
            changed = states[2][k] != states[1][k]
            cells.append(Solution(_joined(states[2][k]) if changed else "–"))
        rows.append(Row(label(word), tuple(cells)))
    columns = ("count", "start", "after1", "after2")[: 1 + len(states)]
    longest = max(len(_joined(parts)) for parts in states[0])
    whole = ROOM - Column.WORD - Column.FEW_DIGITS
    room = whole / len(states) if rounds > 1 else min(whole / 2, 3.0 + 1.6 * longest)
    widths = (Column.WORD, Column.FEW_DIGITS) + (room,) * len(states)
    return [Table(columns, part, widths) for part in in_parts(rows, 18)]


def _worked(desk: Desk, corpus: BytePairCorpus, round_: MergeRound) -> Parts:
    return parts(
        table=_counting_table(desk, corpus, round_, blank=False),
        rest=_rest(desk, round_),
        tied=round_.decided_by != "count",
        left=round_.merge.left,
        right=round_.merge.right,
        token=round_.merge.token,
        count=desk.constant(round_.count, 0),
        id=desk.constant(round_.merge.token_id, 0),
    )


def _exercise(desk: Desk, corpus: BytePairCorpus, round_: MergeRound, tasks: Tasks) -> Parts:
    table = _counting_table(desk, corpus, round_, blank=True, worked=round_.number == 1)
    rule: list[CellContent] = [Solution(_pair(round_.merge.pair)), Solution(round_.merge.token)]
    if round_.number > 1:  # after the first, IDs count on
        rule.append(whole_number(desk, f"bpe.round{round_.number}.id", round_.merge.token_id, blank=True))
    result = Table(_RULE[: len(rule)], (Row(str(round_.number), tuple(rule)),), _RULE_WIDTHS[: 1 + len(rule)])
    name = f"round{round_.number}"
    tasks.add(name, "Bestimme", "I", table, result, points=len(table.rows) // 2 + 2)
    shown = _shown_pairs(round_)
    return parts(
        number=round_.number,
        task=name,
        table=table,
        result=result,
        rest=_rest(desk, round_),
        sum=desk.constant(sum(round_.counts[pair] for pair in shown), 0),
    )


def _counting_table(
    desk: Desk, corpus: BytePairCorpus, round_: MergeRound, *, blank: bool, worked: bool = False
) -> Table:
    """The pairs that can win, in the order in which they stand in the corpus, and how often they occur.

    worked: one that does not win stands counted among those to fill.
    """
    ranks = {pair: rank for rank, pair in enumerate(round_.counts)}
    shown = _shown_pairs(round_)
    example = next((pair for pair in shown if worked and round_.counts[pair] < round_.count), None)
    rows = []
    for k, pair in enumerate(shown, 1):
        empty = blank and pair != example
        line = _count_line(corpus, round_, pair)
        cells: tuple[CellContent, ...] = (
            Solution(_pair(pair)) if empty and desk.less else Words(_pair(pair)),
            Solution(line) if empty and not desk.more else Words(line, small=True),
            whole_number(
                desk, f"bpe.round{round_.number}.count", round_.counts[pair], ranks[pair], blank=empty
            ),
        )
        rows.append(Row(str(k), cells))
    return Table(
        ("pair", "line", "count"), tuple(rows), (Column.NUMBER, Column.PAIR, Column.REST, Column.SHARE)
    )


def _shown_pairs(round_: MergeRound) -> list[Pair]:
    """The most frequent pairs, with all that are tied for the first place, as they stand in the corpus."""
    count = min(max(_PAIRS, len(round_.tied)), _MOST_PAIRS)
    best = set(list(round_.counts)[:count])
    standing = dict.fromkeys(pair for pieces, _ in round_.words for pair in pairwise(pieces))
    return [pair for pair in standing if pair in best]


def _count_line(corpus: BytePairCorpus, round_: MergeRound, pair: Pair) -> str:
    """3 (Kater) + 2 · 1 (Matte): where a pair occurs, once for each time the word stands in the corpus."""
    terms = []
    for word, (pieces, count) in zip(corpus.counts, round_.words, strict=True):
        times = Counter(pairwise(pieces))[pair]
        if times:
            amount = str(count) if times == 1 else f"{times}{DOT}{count}"
            terms.append(f"{amount}\N{NO-BREAK SPACE}({label(word)})")
    return " + ".join(terms)


def _rest(desk: Desk, round_: MergeRound) -> str:
    """How often the pairs that are not in the table occur at most, "" where there are none."""
    others = list(round_.counts.values())[len(_shown_pairs(round_)) :]
    return desk.constant(max(others), 0) if others else ""


def _rules(desk: Desk, rounds: Iterable[MergeRound], *, ids: bool = True) -> Table | None:
    rows = []
    for round_ in rounds:
        rule: list[CellContent] = [Words(_pair(round_.merge.pair)), Words(round_.merge.token)]
        if ids:
            rule.append(whole_number(desk, f"bpe.round{round_.number}.id", round_.merge.token_id))
        rows.append(Row(str(round_.number), tuple(rule)))
    return Table(_RULE[: 2 + ids], tuple(rows), _RULE_WIDTHS[: 3 + ids]) if rows else None


def _encoding(desk: Desk, corpus: BytePairCorpus, tasks: Tasks, *, tree_alone: bool = False) -> Parts:
    word = corpus.word
    cut = encode(word, corpus.training)
    steps = None if tree_alone else _step_table(desk, cut)
    pieces = [] if tree_alone else _piece_tables(desk, cut)
    if tree_alone:
        tasks.add("encode", "Zerlege", "II", points=1 + len(cut.steps))
    else:
        tasks.add("encode", "Zerlege", "II", steps, pieces)
        tasks.add("tree", "Zeichne", "I", points=1)
    return parts(
        word=label(word),
        new=word not in corpus.counts,
        start=_joined(cut.start),
        is_short=len(cut.start) <= _SHORT,
        steps=steps,
        pieces=pieces,
        id_sum=desk.constant(sum(i for i in cut.ids if i is not None), 0),
        merges=len(cut.steps),
        tree=merge_tree(cut.start, _merges(cut)),
    )


def _merges(cut: Encoding) -> list[Merge]:
    merges, before = [], cut.start
    for step in cut.steps:
        place = next(k for k, part in enumerate(step.pieces) if part != before[k])
        merges.append((place, step.pieces[place], step.rule))
        before = step.pieces
    return merges


def _step_table(desk: Desk, cut: Encoding) -> Table:
    """A row for each merge, and one or more to spare, so that the rows do not tell how many there are."""
    rows = []
    for k, step in enumerate(cut.steps):
        rule = whole_number(desk, "bpe.encode.rule", step.rule, k, blank=True)
        rows.append(Row(str(k + 1), (rule, Solution(_joined(step.pieces)))))
    while len(rows) < max(3, len(cut.steps) + 1):
        rows.append(Row(str(len(rows) + 1), (Solution("–"), Solution("–"))))
    return Table(("rule", "pieces"), tuple(rows), (Column.LABEL, Column.SHARE, Column.REST))


def _piece_tables(desk: Desk, cut: Encoding) -> list[Table]:
    places = tuple(str(k) for k in range(1, len(cut.pieces) + 1))
    ids = (whole_number(desk, "bpe.encode.id", i or 0, k, blank=True) for k, i in enumerate(cut.ids))
    rows = (Row("Teil", tuple(map(Solution, cut.pieces))), Row("ID", tuple(ids)))
    return cut_columns(Table(places, rows, (Column.LABEL,)), _PIECES_A_LINE, Column.ROUND)


def _joined(pieces: Pieces) -> str:
    return "\N{NO-BREAK SPACE}| ".join(pieces)


def _pair(pair: Pair) -> str:
    return f"{pair[0]}\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}{pair[1]}"


def merge_tree(letters: Sequence[str], merges: Sequence[Merge]) -> Figure:
    """The letters below, each merge as a fork above; the worksheet has the letters alone.

    As high for any number of merges, so that the room does not tell how many there are.
    """
    pitch = min(_PITCH, _WIDEST / len(letters))
    levels = max(_LEAST_LEVELS, len(letters) - 1)
    foot = min(levels, 6) * _LEVEL + 4.0

    def leaves() -> Canvas:
        canvas = Canvas()
        for k, letter in enumerate(letters):
            canvas.text(((k + 0.5) * pitch, foot + 1.0), letter, 3.6, "middle", bold=True)
        return canvas

    filled = leaves()
    tops = [((k + 0.5) * pitch, foot - 3.0) for k in range(len(letters))]
    for level, (place, part, rule) in enumerate(merges, 1):
        (x1, y1), (x2, y2) = tops[place], tops[place + 1]
        top = ((x1 + x2) / 2, foot - 3.0 - level * (foot - 6.0) / max(len(merges), _LEAST_LEVELS))
        filled.path([(x1, y1), (top[0], top[1] + 1.0), (x2, y2)], 0.4)
        filled.text((top[0], top[1]), f"{part} (Regel {rule})", 2.8, "middle")
        tops[place : place + 2] = [(top[0], top[1] - 3.4)]
    said = "; ".join(f"Regel {rule} macht {part}" for _, part, rule in merges) or "Keine Regel passt"
    return Figure(
        "Baum der Teile",
        round(max(60.0, len(letters) * pitch), 1),
        foot + 2.0,
        Drawing(filled.shapes, said + "."),
        Drawing(leaves().shapes, "Der Baum fehlt noch; unten stehen " + ", ".join(letters) + "."),
    )
