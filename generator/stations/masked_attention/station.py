"""Station 4b, masked multi-head attention: the same token with the mask, all heads, concatenation, W_O."""

from dataclasses import replace
from typing import Final

from engine.model.weights import picks
from generator.figures.drawing import SERIES, Canvas, Pattern, text_width
from generator.figures.parts import quoted, subscript
from generator.figures.weights import full_side, ribbons, weight_squares
from generator.sheet.columns import Column, even
from generator.sheet.desk import DOT, Desk
from generator.sheet.sheet import Drawing, Figure, Finding, Hidden, Number, Parts, Row, Table, Words, parts
from generator.stations.attention import (
    head_exercise,
    heaviest,
    legend_of,
    strongest_look,
    worked_head,
)
from generator.stations.before_after import before_after
from generator.stations.common import Tasks, component_table, narrow, repeated_notes, vectors
from generator.stations.contribution import greatest, summand
from generator.stations.guess import resolution
from generator.stations.masked_attention.query import design
from generator.stations.worked_lines import honest_sum, products_line
from generator.words.word_vectors import dimension_meanings

_FEW: Final = 3  # components that are named one by one
_SHORT: Final = 5  # letters that head a narrow column
_PATTERNS: Final[tuple[Pattern, ...]] = tuple(p for p in SERIES if p != "black")
_HIGH: Final = 5.0
_NUMBERS_UP_TO: Final = 8  # components
_ROOM: Final = 104.0
_GAP: Final = 3.0  # between two heads
_EDGE: Final = 0.9  # mm below the numbers, and clear of their commas


def station(desk: Desk, tasks: Tasks) -> Parts:
    masked = desk.calculation.model.rules.causal_mask
    if masked:
        tasks.add("mask", "Gib", "II", points=2)
    numbers = range(1, desk.sizes.n_heads + 1)
    heads = [_head(desk, k, tasks) for k in numbers]
    together = _together(desk, tasks)
    tasks.add("strip", "Deute", "II", points=3)
    own_query = None if desk.short else design(desk)
    if own_query:
        tasks.add("design", "Entwirf", "III", points=3)
    return parts(
        triangle=_triangle(desk) if masked else None,
        first_word=desk.words[0],
        ribbons=ribbons(
            desk,
            "unmasked.head1.weight",
            desk.example,
            below="block1.head1.weight",
            notes=("ohne Maske", "mit Maske"),
        )
        if masked
        else None,
        side=full_side(desk.n, desk.n),
        heads=heads,
        together=together,
        asked=_asked(desk),
        weights=[(f"block1.head{k}.weight", (desk.path,)) for k in numbers],
        looks=[_looks(desk, k) for k in numbers],
        compared=_compared(desk, numbers),
        strip=before_after(desk, ("x", "input"), ("a", "block1.attention"), added=True),
        design=own_query,
        resolution=resolution(desk, tasks),
        deciding=_deciding(desk, numbers),
        brought=[] if desk.mixes_heads("block1.") else [_brought(desk, k) for k in numbers],
    )


def _looks(desk: Desk, k: int) -> Finding:
    """What the path's word attends to most in a head, and what brings most to its first component.

    less: what the word with the largest weight brings, where another clearly brings more.
    """
    at = f"block1.head{k}."
    look, lead = strongest_look(desk, at + "weight", desk.path), greatest(desk, at, desk.path)
    (first, *others), leading = desk.largest(at + "weight", desk.path), lead and (lead.word, *lead.also)
    less = None
    if leading and not others and desk.words[first] not in leading:
        less = Finding(word=desk.words[first], summand=summand(desk, at, desk.path, first, 0))
    return Finding(look=look, lead=lead, less=less)


def _compared(desk: Desk, numbers: range) -> Finding | None:
    """Whether each head attends to something else; nothing with a single one."""
    if len(numbers) == 1:
        return None
    looked = {frozenset(heaviest(desk, f"block1.head{k}.weight", desk.path)) for k in numbers}
    apart, two = len(looked) == len(numbers), len(numbers) == 2
    return Finding(
        case=("two_apart" if two else "more_apart") if apart else "two_alike" if two else "some_alike"
    )


def _deciding(desk: Desk, numbers: range) -> list[str]:
    """The words in which the texts differ before they go on, as far as a head attends to them most."""
    learnt = desk.built.learnt
    if learnt is None or desk.path != desk.n - 1:
        return []
    looked = {j for k in numbers for j in desk.largest(f"block1.head{k}.weight", desk.path)}
    return [desk.words[place] for place in learnt.corpus.places(learnt.model.token_ids) if place in looked]


def _brought(desk: Desk, k: int) -> Finding:
    """In which components a head's mix now stands; their numbers as they stand at an a."""
    width = desk.sizes.d_head
    places = [subscript(c + 1) for c in range((k - 1) * width, k * width)]
    words = [desk.words[j] for j in desk.largest(f"block1.head{k}.weight", desk.path)]
    return Finding(case="few" if width <= _FEW else "many", places=places, head=k, words=words)


def _triangle(desk: Desk) -> Table:
    n, few = desk.n, not legend_of(desk)
    heads = [word if few else f"{i + 1}\N{NO-BREAK SPACE}{word}" for i, word in enumerate(desk.words)]
    rows = tuple(Row(heads[i], tuple(Words("✓") if j <= i else Hidden() for j in range(n))) for i in range(n))
    columns = desk.words if few else tuple(str(j + 1) for j in range(n))
    kind = Column.MARK if max(map(len, columns)) <= _SHORT else Column.SHARE
    return Table(columns, rows, even(n, kind), dense=not few)


def _head(desk: Desk, k: int, tasks: Tasks) -> Parts:
    at = f"block1.head{k}."
    masked = desk.calculation.model.rules.causal_mask
    known, done = k == 1 and masked, k == 1 and not masked and desk.printed("4a")
    # A second word is there to compare one head; the path to the prediction goes through all of them.
    tokens = desk.exercises if k == 1 else (desk.path,)
    # The last token sees all: with station 4a at hand there is nothing new to compute for it.
    unchanged = known and desk.printed("4a") and desk.path == desk.n - 1
    computed = tokens[:-1] if unchanged else tokens
    names = [at + "query", at + "key", at + "value"]
    exercises = [] if done else [head_exercise(desk, tasks, at, token) for token in computed]
    worked = worked_head(desk, at, desk.example)
    # Head 1's matrix stands in station 4a, without the mask.
    seen_before = k == 1 and desk.printed("4a") and desk.sizes.n_heads > 1
    matrix = None if done or seen_before else weight_squares(desk, at + "weight", computed)
    if matrix is not None:
        tasks.add(f"squares{k}", "Zeichne", "I", points=1)
    qkv, elsewhere = vectors(desk, names), k == 1 and desk.printed("4a")
    return parts(
        number=k,
        done=done,
        qkv=[_given_only(table) for table in qkv] if elsewhere else qkv,
        notes=repeated_notes(desk, at) if k > 1 else None,
        query=desk.vector(at + "query", desk.path) if k > 1 else None,
        known=known,
        values=narrow(vectors(desk, [at + "value"])) if elsewhere and exercises else [],
        unchanged=unchanged,
        worked=worked if k == 1 else worked.but(steps=[]),
        exercises=exercises,
        matrix=matrix,
    )


def _given_only(table: Table) -> Table:
    """What station 4a shows already is not rendered again, but counts as printed under its name here too."""

    def given(row: Row) -> Row:
        return replace(row, cells=tuple(cell for cell in row.cells if not getattr(cell, "blank", False)))

    return replace(table, rows=tuple(map(given, table.rows)), below=())


def _together(desk: Desk, tasks: Tasks) -> Parts:
    at, token = "block1.", desk.path
    rows = sorted({desk.example, token})
    concat = component_table(desk, at + "concat", rows=rows)
    attention = None
    mixes = desk.mixes_heads("block1.")
    if mixes:
        attention = component_table(desk, at + "attention", [token], rows)
        tasks.add("attention", "Berechne", "I", attention)
    first_column = [row[0] for row in desk.matrix(at + "W_O")]
    first = desk.number(at + "attention", desk.example, 0)
    return parts(
        token=desk.words[token],
        concat=concat if mixes or not desk.printed("5") else None,
        attention=attention,
        W_O=desk.matrix(at + "W_O"),
        check=honest_sum(desk, at + "attention", [(token, c) for c in range(desk.sizes.d_model)]),
        output_line=products_line(desk, desk.numbers(at + "concat", desk.example), first_column, first),
        output_first=first,
        joined=joined_heads(desk, desk.example) if desk.sizes.n_heads > 1 else None,
    )


def _asked(desk: Desk) -> Table | None:
    """Which components each head takes, and what its score is of them, where its matrices pick components."""
    if (
        desk.options.learns
        or desk.options.weight_style != "auswahl"
        or any(".W_" in name for name in desk.built.given.weights)
    ):
        return None
    names = [meaning.name for meaning in dimension_meanings(desk.sizes.d_model)]
    rows = []
    for k in range(1, desk.sizes.n_heads + 1):
        cells = tuple(
            Words("; ".join(f"x{subscript(c + 1)} {names[c]}" for c in taken), small=True)
            for taken in picks(desk.sizes, 1, k)
        )
        queries, keys, _ = picks(desk.sizes, 1, k)
        pairs = zip(queries, keys, strict=True)
        score = " + ".join(f"x{subscript(i + 1)}{DOT}x′{subscript(j + 1)}" for i, j in pairs)
        rows.append(Row(f"Head {k}", (*cells, Words(score, small=True))))
    return Table(("searches", "offers", "takes", "score"), tuple(rows), (Column.STEP, *(Column.REST,) * 4))


def joined_heads(desk: Desk, token: int) -> Figure:
    """The token's vectors o of all heads, each with its own edge, then side by side, then times W_O."""
    d, heads = desk.sizes.d_model, desk.sizes.n_heads
    numbers = desk.numbers("block1.concat", token)
    shown = d <= _NUMBERS_UP_TO and not any(number.blank for number in numbers)
    usual = "−0," + "0" * numbers[0].places  # with it, other small numbers leave the figure as wide as it is
    texts = (usual, *(number.text for number in numbers))
    widest = max(text_width(text, 2.8) for text in texts) + 1.6 if shown else 0.0
    cell = max(widest, min(6.0, (_ROOM - heads * _GAP) / d))
    per_head = d // heads * cell
    canvas, left = Canvas(), 12.0
    for head in range(heads):
        x = left + head * (per_head + _GAP)
        canvas.text(
            (x + per_head / 2, 3.0), f"Head {head + 1}" if per_head > 10 else f"{head + 1}", 2.8, "middle"
        )
        _row(canvas, numbers, head, (x, 4.4), cell, shown, d // heads)
        joined = left + (heads - 1) * _GAP / 2 + head * per_head
        canvas.arrow([(x + per_head / 2, 9.8), (joined + per_head / 2, 14.4)])
        _row(canvas, numbers, head, (joined, 15.0), cell, shown, d // heads)
    canvas.text((0.0, 8.0), "o", 3.2, bold=True)
    canvas.text((0.0, 18.6), "c", 3.2, bold=True)
    end = left + (heads - 1) * _GAP / 2 + d * cell
    canvas.arrow([(end + 1.2, 17.5), (end + 16.0, 17.5)])
    canvas.text((end + 8.4, 16.2), "· W", 2.8, "end")
    canvas.text((end + 8.5, 16.8), "O", 2.1)
    canvas.text((end + 17.6, 18.6), "a", 3.2, bold=True)
    values = f" mit den Zahlen {' | '.join(number.text for number in numbers)}" if shown else ""
    said = (
        f"Die Vektoren o der {heads} Heads von {quoted(desk.words[token])} stehen nebeneinander in "
        f"c{values}; "
        "c mal W_O ergibt a."
    )
    return Figure("Heads nebeneinander", round(end + 22.0, 1), 21.0, Drawing(canvas.shapes, said))


def _row(
    canvas: Canvas, numbers: tuple[Number, ...], head: int, corner: tuple[float, float], cell: float,
    shown: bool, width: int,
) -> None:  # fmt: skip
    """One head's components; its edge below tells it from the others."""
    x, y = corner
    for c in range(width):
        canvas.rectangle((x + c * cell, y), (cell, _HIGH), width=0.25)
        if shown:
            text = numbers[head * width + c].text
            canvas.text((x + (c + 0.5) * cell, y + 3.1), text, 2.8, "middle")
    canvas.rectangle((x, y + _HIGH - _EDGE), (width * cell, _EDGE), _PATTERNS[head % len(_PATTERNS)], 0.7)
