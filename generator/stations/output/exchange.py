"""Station 8: the sentence with one word exchanged, run by the same model; and a mix it has never read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.forward.forward import temperature_name
from engine.numbers.arrays import CalculationError, Floats
from engine.pens.pens import SchoolPen
from engine.training.examination import EachBeginning, spoken
from engine.training.texts import Ids
from generator.basics.fonts import printable
from generator.calculation.learnt import Learnt
from generator.figures.drawing import Canvas, shortened, text_width
from generator.figures.parts import WordRow, columns, middles, named, quoted
from generator.figures.weights import Ribbons
from generator.sheet.columns import Column
from generator.sheet.desk import Desk
from generator.sheet.fields import TEXT_WIDTH
from generator.sheet.sheet import Drawing, Figure, Finding, Parts, Row, Solution, Table, Words, parts
from generator.stations.attention import strongest_look

_HEADS: Final = 2  # that are drawn
_EXCHANGES: Final = 2
_LIKELIEST: Final = 3
_GIVEN: Final = _LIKELIEST + 1  # e^x that are printed: whoever is left out is smaller than the last of them
CHANGE: Final = 0.1  # of a weight; less is little
_STILL: Final = 0.03  # less is none
_AT: Final = temperature_name(1) + "."


def exchanged(desk: Desk) -> Parts | None:
    """For station 8 of a model that has learnt; None if no word decides alone, or no hand computes it.

    open: heads whose ribbons the pupil draws; open_bars: and whether the bars. unit: mm, of the weight 1;
    bar: of the probability 1.
    own: the sheet's sentence; its ribbons and bars are left to the pupil where the sheet asks for them.
    others: with one word exchanged. readings: what each head reads, for the key; looks, own_saying: what the
    guess is compared with. mix: both words exchanged,
    None where the texts exchange at one place alone. guess: e^x of its likeliest words, to divide by the
    sum of all; rest: how many words are smaller still.
    """
    learnt = desk.built.learnt
    if learnt is None:
        return None
    own = learnt.model.token_ids
    chosen = learnt.corpus.first_exchanges(own)[:_EXCHANGES]
    if not chosen:
        return None
    mixed = learnt.corpus.mix(own)
    try:
        first, *others = (run_of(desk, learnt, ids) for ids in (own, *(each.beginning for each in chosen)))
        mix = None if mixed is None else run_of(desk, learnt, mixed)
    except CalculationError:
        return None
    widths = word_widths([first, *others, *([mix] if mix else [])])
    swaps = [each.place for each in chosen]
    asked = [desk.asks(f"block1.head{k}.weight", desk.n - 1) for k in range(1, len(first.weights) + 1)]
    open_bars = 1 in desk.options.temperatur  # the pupil works them out
    return parts(
        heads=len(first.weights),
        open=[k for k, its in enumerate(asked, 1) if its],
        open_weights=[(f"block1.head{k}.weight", (desk.n - 1,)) for k, its in enumerate(asked, 1) if its],
        open_bars=open_bars,
        unit=ribbon_unit(widths),
        bar=_FULL_BAR,
        own=sentence_figure(desk, first, (), widths, asked, bars_open=open_bars),
        others=[
            sentence_figure(desk, run, (place,), widths, [False, False])
            for run, place in zip(others, swaps, strict=True)
        ],
        swapped=[
            parts(word=desk.words[place], instead=run.words[place])
            for run, place in zip(others, swaps, strict=True)
        ],
        readings=[reading_of(desk, first, others, swaps, k) for k in range(len(first.weights))],
        sayings=finding_of_others(desk, others),
        looks=[
            strongest_look(desk, f"block1.head{k}.weight", desk.n - 1)
            for k in range(1, len(first.weights) + 1)
        ],
        own_saying=first.saying(desk),
        mix=None
        if mix is None
        else sentence_figure(desk, mix, swaps, widths, [True, True], bars_open=True, numbers=True),
        beginning="" if mix is None else " ".join(mix.words),
        total="" if mix is None else _number(desk, mix.total),
        guess=None if mix is None else _guess(desk, mix),
        rest=max(0, len(first.vocabulary) - _GIVEN),
        said=Solution("" if mix is None else printable(mix.likeliest()[0])),
        found=mix and finding_of_mix(desk, mix, first, others, swaps),
    )


def finding_of_others(desk: Desk, others: Sequence[Run]) -> Finding:
    """What comes next in the sentences with one word exchanged."""
    alike = len(others) > 1 and len({run.likeliest()[0] for run in others}) == 1
    return Finding(case="alike" if alike else "each", sayings=[run.saying(desk) for run in others])


def finding_of_mix(desk: Desk, mix: Run, own: Run, others: Sequence[Run], swaps: Sequence[int]) -> Finding:
    """What comes next in the mix, and to which of the other sentences the model says the same."""
    word = mix.likeliest()[0]
    same = [
        printable(run.words[place])
        for run, place in zip(others, swaps, strict=True)
        if run.likeliest()[0] == word
    ]
    behind = []
    if same:
        case = "as_with_both" if same[1:] else "as_with_one"
        behind = [
            Finding(instead=printable(run.words[place]), saying=mix.saying(desk, run.best()[0]))
            for run, place in zip(others, swaps, strict=True)
            if run.likeliest()[0] != word
        ]
    else:
        case = "as_with_own" if own.likeliest()[0] == word else "as_with_none"
    nearest = _nearest(mix, own, others, swaps)
    return Finding(case=case, saying=mix.saying(desk), same=same, behind=behind, nearest=nearest)


def _nearest(mix: Run, own: Run, others: Sequence[Run], swaps: Sequence[int]) -> Finding | None:
    """Whose ribbons those of each head are most like; nothing of a head where two are about as near.

    A sentence is named by its exchanged word, the sheet's own by "".
    """
    names = ["", *(printable(run.words[place]) for run, place in zip(others, swaps, strict=True))]
    found = {}
    for k, weights in enumerate(mix.weights):
        far = [float(np.abs(weights - run.weights[k]).sum()) for run in (own, *others)]
        first, second = sorted(range(len(far)), key=far.__getitem__)[:2]
        if far[second] - far[first] >= _STILL:
            found[k + 1] = names[first]
    alike = len(found) == len(mix.weights) and len({*found.values()}) == 1
    if alike:
        return Finding(case="all_heads", word=found[1])
    return Finding(case="each_head", heads=found) if found else None


@dataclass(frozen=True)
class Run:
    """One beginning, calculated by hand: the last word's weights in each head drawn, and what comes next."""

    words: tuple[str, ...]
    vocabulary: tuple[str, ...]
    weights: list[Floats]  # (n,) each
    probabilities: Floats  # (V,)
    exps: Floats  # (V,)
    total: float

    def best(self, most: int = _LIKELIEST) -> list[int]:
        return sorted(range(len(self.exps)), key=lambda w: (-self.probabilities[w], -self.exps[w], w))[:most]

    def likeliest(self) -> list[str]:
        return [self.vocabulary[word] for word in self.best()]

    def saying(self, desk: Desk, word: int | None = None) -> Finding:
        """word: its number in the vocabulary; the likeliest without it."""
        said = self.best()[0] if word is None else word
        share = _number(desk, float(self.probabilities[said]))
        return Finding(word=printable(self.vocabulary[said]), share=share)


def _number(desk: Desk, value: float) -> str:
    return desk.format.text(value, 3)


def run_of(desk: Desk, learnt: Learnt, ids: Ids) -> Run:
    """What the model makes of one beginning. Raises CalculationError."""
    model = spoken(learnt.model, ids)
    pen = SchoolPen(model.rules.places)
    EachBeginning(model, pen).predict()
    heads = range(1, min(_HEADS, desk.sizes.n_heads) + 1)
    return Run(
        tuple(model.tokens),
        model.vocabulary,
        [np.asarray(pen.trace[f"block1.head{k}.weight"].values[-1]) for k in heads],
        pen.trace[_AT + "probability"].values[-1],
        pen.trace[_AT + "exp"].values[-1],
        float(pen.trace[_AT + "exp_sum"].values[-1]),
    )


def reading_of(desk: Desk, own: Run, others: Sequence[Run], swaps: Sequence[int], k: int) -> Finding:
    """How the weight on each exchanged place changes in a head, and so what it reads.

    most: the word that it attends to most in each of the sentences, where that is another (elsewhere).
    """
    noticed = noticed_places(own, others, swaps, k)
    alike = [place for place, change in noticed.items() if change >= max(noticed.values()) / 2]
    most = {int(np.argmax(run.weights[k])) for run in (own, *others)}
    elsewhere = len(most) == 1 and not most & {*swaps}
    if noticed and elsewhere:
        case = "elsewhere"
    else:
        case = "little" if not noticed else "both" if alike[1:] else "mainly" if len(noticed) > 1 else "one"
    return Finding(
        case=case,
        head=k + 1,
        most=desk.words[min(most)],
        words=[desk.words[place] for place in alike],
        weights=[_moved(desk, own, run, place, k) for run, place in zip(others, swaps, strict=True)],
    )


def _moved(desk: Desk, own: Run, other: Run, place: int, k: int) -> Finding:
    """The weight on an exchanged place, before and after."""
    before, after = (float(run.weights[k][place]) for run in (own, other))
    texts = [desk.format.text(each, desk.options.nachkommastellen) for each in (before, after)]
    if abs(after - before) >= _STILL:
        case = "falls" if after < before else "rises"
    else:
        case = "stays" if texts[0] == texts[1] else "nearly"
    word, instead = desk.words[place], printable(other.words[place])
    return Finding(
        case=case,
        word=word,
        instead=instead,
        before=texts[0],
        after=texts[1],
        against=_against(desk, own.weights[k], other.weights[k], place)
        if case in ("falls", "rises")
        else None,
    )


def _against(desk: Desk, before: Floats, after: Floats, place: int) -> Finding | None:
    """The word whose weight changes most the other way; None where none changes clearly."""
    change = (after - before) * -np.sign(after[place] - before[place])
    j = int(np.argmax(change))
    if change[j] < CHANGE:
        return None
    texts = (desk.format.text(float(row[j]), desk.options.nachkommastellen) for row in (before, after))
    return Finding(word=desk.words[j], weights=[*texts])


def noticed_places(own: Run, others: Sequence[Run], swaps: Sequence[int], k: int) -> dict[int, float]:
    """The exchanged places whose weight in a head changes with the word there, and by how much."""
    changes = {
        place: abs(float(other.weights[k][place]) - float(own.weights[k][place]))
        for other, place in zip(others, swaps, strict=True)
    }
    return {place: change for place, change in changes.items() if change >= CHANGE}


def _guess(desk: Desk, mix: Run) -> Table:
    """The likeliest words, their e^x, and room for their probabilities."""
    rows = []
    for word in mix.best(_GIVEN):
        e, p = (_number(desk, float(numbers[word])) for numbers in (mix.exps, mix.probabilities))
        rows.append(Row(printable(mix.vocabulary[word]), (Words(e), Solution(p, number=True))))
    return Table(("exp", "probability"), tuple(rows), (Column.WORD, Column.SHARE, Column.LONG_LABEL))


# --- A sentence with the last word's ribbons of two heads, and what the model says comes next.


_WORDS: Final = 112.0  # mm
_BARS: Final = 120.0  # mm from the left
_LONGEST: Final = 18.0
_FULL_BAR: Final = 16.0  # mm, of the probability 1
_BAR, _BETWEEN = 4.0, 2.2
_AXIS: Final = 1.1  # beyond the first and the last bar
_LINE: Final = 8.0  # from one line to write on to the next
_NAMES: Final = 2.8
_NUMBER: Final = 7.0


@dataclass(frozen=True)
class Size:
    """letters: of the words, mm. widest: the ribbon of the weight 1, mm."""

    letters: float
    widest: float


FOUR_A_PAGE: Final = Size(3.8, 6.0)
THREE_A_PAGE: Final = Size(4.8, 8.0)


def word_widths(runs: Sequence[Run], size: Size = FOUR_A_PAGE) -> list[float]:
    """Of the columns of words in sentences that stand below each other, mm."""
    return columns([[*map(printable, run.words)] for run in runs], _WORDS, size.letters, _NUMBER)


def ribbon_unit(widths: Sequence[float], size: Size = FOUR_A_PAGE) -> int:
    """mm, of the weight 1: whole, so that a hand can measure it."""
    return max(1, int(Ribbons(middles(widths), len(widths) - 1, size.widest).unit))


def sentence_figure(
    desk: Desk,
    run: Run,
    swapped: Sequence[int],
    widths: Sequence[float],
    open_heads: Sequence[bool],
    *,
    bars_open: bool = False,
    lines: int = _LIKELIEST,
    numbers: bool = False,
    size: Size = FOUR_A_PAGE,
) -> Figure:
    """Head 1 black and above, head 2 white and below. swapped: places of exchanged words.

    open_heads: whose ribbons the pupil draws. lines: for words, where the bars are open. numbers: the pupil
    has the weights.
    """
    tokens, last, places = [*map(printable, run.words)], len(run.words) - 1, desk.options.nachkommastellen
    written = [[desk.format.text(float(weight), places) for weight in row] for row in run.weights]
    centres = middles(widths)
    band = Ribbons(centres, last, ribbon_unit(widths, size))
    words = WordRow(tokens, widths, size.letters)
    rows = [WordRow(row, widths, 2.6) for row in written]
    top = band.sky
    word_top = top + rows[0].height
    foot = word_top + words.height + 0.8
    pitch = _LINE if bars_open else _BAR + _BETWEEN
    bars_end = word_top + (words.height + _bars_height(_LIKELIEST, pitch)) / 2 + _AXIS
    end = max(foot + rows[1].height + band.sky if len(rows) > 1 else foot, bars_end)

    def draw(filled: bool) -> Drawing:
        canvas, said = Canvas(), []
        words.draw(canvas, word_top, centres, upwards=words.turned, bold=last)
        for place in swapped:
            word = words.size + 1.4 if words.turned else text_width(tokens[place], size.letters) + 2.0
            wide = min(widths[place], word)
            canvas.frame((centres[place] - wide / 2, word_top - 0.2), (wide, words.height + 0.6), 0.4)
        for k, (row, texts) in enumerate(zip(run.weights, written, strict=True)):
            to_draw = not filled and open_heads[k]
            if to_draw and not numbers:
                said.append(f"Head {k + 1} zum Zeichnen")
                continue
            edge = top - 0.3 if k == 0 else foot + rows[1].height + 0.3
            if not to_draw:
                band.draw(canvas, edge, dict(enumerate(map(float, row))), up=k == 0, white=k > 0)
            rows[k].draw(canvas, top if k == 0 else foot, centres, upwards=k == 0)
            weights = (f"{quoted(word)} {text}" for word, text in zip(tokens, texts, strict=True))
            said.append(f"Head {k + 1}: " + ", ".join(weights))
        middle = word_top + words.height / 2
        shown = filled or not bars_open
        bars = [(named(run.vocabulary[w]), float(run.probabilities[w])) for w in run.best()]
        first = middle - (_bars_height(len(bars), pitch) - _BAR) / 2  # the word that it says
        canvas.arrow([(_WORDS + 1.5, middle), (_BARS - 1.5, first)], 0.6, 1.8)
        _bars(canvas, desk, bars, middle, pitch, None if shown else lines)
        following = ", ".join(f"{quoted(word)} {_number(desk, share)}" for word, share in bars)
        said.append(f"danach {following}" if shown else "danach zum Zeichnen")
        return Drawing(canvas.shapes, "; ".join(said) + ".")

    is_open = bars_open or any(open_heads[: len(rows)])
    title = f"„{' '.join(tokens)} …“: wem das letzte Wort zuhört und was folgt"
    return Figure(title, TEXT_WIDTH, round(end + 0.4, 1), draw(True), draw(False) if is_open else None)


def _bars_height(bars: int, pitch: float) -> float:
    return (bars - 1) * pitch + _BAR


def _bars(
    canvas: Canvas,
    desk: Desk,
    bars: Sequence[tuple[str, float]],
    middle: float,
    pitch: float,
    open_: int | None,
) -> None:
    """open_: how many lines there are instead, from the top; None: for what is shown."""
    height = _bars_height(len(bars), pitch)
    top = middle - height / 2
    canvas.line((_BARS, top - _AXIS), (_BARS, top + height + _AXIS), 0.4)
    for k, (word, share) in enumerate(bars):
        y = top + k * pitch
        if open_ is not None:
            if k < open_:
                canvas.line((_BARS + _FULL_BAR + 1.0, y + _BAR), (TEXT_WIDTH - 1.0, y + _BAR), 0.2)
            continue
        canvas.rectangle(
            (_BARS, y), (max(0.2, _FULL_BAR * share), _BAR), "black" if k == 0 else "white", width=0.25
        )
        label = f"{shortened(word, _LONGEST, _NAMES)} {_number(desk, share)}"
        canvas.text((_BARS + _FULL_BAR * share + 1.0, y + _BAR - 1.0), label, _NAMES, bold=k == 0)
