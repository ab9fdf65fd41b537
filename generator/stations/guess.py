"""How a lesson begins and ends: a guess before anything is told, and how the model decided."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.judging.parts import traces_without
from engine.numbers.arrays import CalculationError
from generator.basics.fonts import printable
from generator.calculation.learnt import Learnt
from generator.figures.parts import quoted
from generator.figures.weights import guess_arcs, ribbons, whole_unit
from generator.sheet.desk import Desk
from generator.sheet.sheet import Finding, Parts, parts
from generator.stations.attention import strongest_look
from generator.stations.common import Tasks
from generator.stations.next_word import PROBABILITY_PLACES
from generator.stations.output.exchange import (
    CHANGE,
    FOUR_A_PAGE,
    Run,
    Size,
    noticed_places,
    reading_of,
    ribbon_unit,
    run_of,
    sentence_figure,
    word_widths,
)

_SWITCHED_OFF = 1  # the head, counted from 0: the one that the pupil works out


def opening(desk: Desk, tasks: Tasks, alone: bool = False) -> Parts | None:
    """The first page of a lesson: what the model has read, and a guess; none without anything read.

    alone: the station is the whole lesson; then there is a guess also where nothing was read.
    deciding: the words in which the texts differ before they go on, and whether one of them is enough.
    """
    learnt = desk.built.learnt
    if not desk.short or (learnt is None and not alone):
        return None
    if learnt is None:
        tasks.add("arcs", "Zeichne", "II", points=1, around=True)
        tasks.add("why", "Begründe", "II", points=2, around=True)
        return parts(texts=(), arcs=guess_arcs(desk, None))
    tasks.add("tip", "Gib", "III", points=1, around=True)
    tasks.add("arcs", "Zeichne", "II", points=1, around=True)
    tasks.add("why", "Begründe", "II", points=2, around=True)
    own = learnt.model.token_ids
    places = learnt.corpus.places(own)
    return parts(
        texts=learnt.lines,
        arcs=guess_arcs(desk, printable(learnt.expected), places),
        deciding=_deciding(desk, learnt, places),
    )


def _deciding(desk: Desk, learnt: Learnt, places: Sequence[int]) -> Finding:
    """What tells the texts apart; one: a single word is enough; together: what follows if all are known."""
    own = learnt.model.tokens
    texts = [text for text in learnt.corpus.texts if len(text) > desk.n]
    known = [printable(t[desk.n]) for t in texts if all(t[place] == own[place] for place in places)]
    words = [_alone(desk, learnt, place) for place in places]
    return Finding(
        words=words,
        same=_same(desk, learnt),
        one=any(word.case == "enough" for word in words),
        together=[*dict.fromkeys(known)],
    )


def _alone(desk: Desk, learnt: Learnt, place: int) -> Finding:
    """What can follow if only the word at this place is known."""
    texts = [text for text in learnt.corpus.texts if len(text) > desk.n]
    own = learnt.model.tokens
    after = [*dict.fromkeys(printable(t[desk.n]) for t in texts if t[place] == own[place])]
    others = {
        printable(word): [*dict.fromkeys(printable(t[desk.n]) for t in texts if t[place] == word)]
        for word in dict.fromkeys(t[place] for t in texts if t[place] != own[place])
    }
    alike = after[1:] or any(words[1:] for words in others.values())
    instead = {} if alike else {word: words[0] for word, words in others.items()}
    return Finding(
        case="open" if after[1:] else "enough", word=desk.words[place], after=after, instead=instead
    )


def _same(desk: Desk, learnt: Learnt) -> list[str]:
    """The words that stand at the same place in all texts that go on."""
    texts, own = [text for text in learnt.corpus.texts if len(text) > desk.n], learnt.model.tokens
    return [desk.words[i] for i in range(desk.n) if all(text[i] == own[i] for text in texts)]


def resolution(desk: Desk, tasks: Tasks, alone: bool = False) -> Parts | None:
    """The last page of such a lesson: the sentence, a word exchanged, a head switched off, the guess.

    None where station 8 shows that, or no hand computes it. open: heads whose ribbons the pupil draws.
    others: what it says where another word is exchanged.
    looks: what each head attends to most. needed: the words that set the texts apart, with their weights;
    shared: each of them leads in a head, and nothing else.
    without: what the model says with a head switched off, where it has several, and what that head reads.
    """
    learnt = desk.built.learnt
    if learnt is None and alone:
        return _listening(desk, tasks)
    if learnt is None or not desk.short or desk.printed("8"):
        return None
    own = learnt.model.token_ids
    exchanges = learnt.corpus.first_exchanges(own)
    try:
        run = run_of(desk, learnt, own)
        others = [run_of(desk, learnt, each.beginning) for each in exchanges]
        off = without_head(learnt, run, _SWITCHED_OFF) if len(run.weights) > 1 else None
    except CalculationError:
        return None
    places = [each.place for each in exchanges]
    changed = _most_changed(run, others, places)
    widths = word_widths([run, *others])
    heads = range(1, len(run.weights) + 1)
    asked = [tasks.asks(desk, f"block1.head{k}.weight", desk.n - 1) for k in heads]
    open_heads = [k for k, its in enumerate(asked, 1) if its]
    if open_heads:
        tasks.add("draw", "Zeichne", "I", points=1, around=True)
    tasks.add("back", "Vergleiche", "II", points=2, around=True)
    if off:
        tasks.add("off", "Deute", "III", points=2, around=True)
    looks = [strongest_look(desk, f"block1.head{k}.weight", desk.n - 1) for k in heads]
    needed = [
        Finding(
            word=desk.words[place],
            weights=[desk.number(f"block1.head{k}.weight", desk.n - 1, place).text for k in heads],
        )
        for place in learnt.corpus.places(own)
    ]
    return parts(
        listening=(),
        heads=len(run.weights),
        open=open_heads,
        unit=ribbon_unit(widths),
        own=sentence_figure(desk, run, (), widths, asked),
        swapped=changed and swapped(desk, *changed, widths),
        others=[
            _said_with(desk, other, place)
            for other, place in zip(others, places, strict=True)
            if changed and other is not changed[0]
        ],
        looks=looks,
        shared=len(needed) > 1
        and {each.word for each in needed} == {word for look in looks for word in look.best},
        needed=needed,
        without=off and _parts_without(desk, learnt, run, off, changed, widths),
    )


def _listening(desk: Desk, tasks: Tasks) -> Parts:
    """The same of a model that has read nothing: the ribbons alone."""
    heads = range(1, min(2, desk.sizes.n_heads) + 1)
    names = [f"block1.head{k}.weight" for k in heads]
    asked = [tasks.asks(desk, name, desk.n - 1) for name in names]
    tasks.add("draw", "Zeichne", "I", points=1, around=True)
    tasks.add("back", "Vergleiche", "II", points=2, around=True)
    tasks.add("worth", "Beurteile", "III", points=2, around=True)
    return parts(
        open=[k for k, its in zip(heads, asked, strict=True) if its],
        unit=whole_unit(desk),
        listening=[
            ribbons(desk, name, desk.n - 1, blank=its) for name, its in zip(names, asked, strict=True)
        ],
        looks=[strongest_look(desk, name, desk.n - 1) for name in names],
    )


def without_head(learnt: Learnt, run: Run, head: int) -> Run:
    """The same beginning with a head switched off (from 0), and the weights of those before it.

    Raises CalculationError.
    """
    trace = traces_without(learnt.model, [f"block1.head{head + 1}.output"])
    exps, shares = (
        np.reshape(trace[f"temperature1.{step}"].values, (-1, len(run.vocabulary)))[-1]
        for step in ("exp", "probability")
    )
    total = float(np.reshape(trace["temperature1.exp_sum"].values, -1)[-1])
    return replace(run, weights=run.weights[:head], probabilities=shares, exps=exps, total=total)


def _most_changed(run: Run, others: Sequence[Run], places: Sequence[int]) -> tuple[Run, int] | None:
    """The exchange that most changes its weight in the head that is switched off (or the only one), and its
    place; None without any.
    """
    head = min(_SWITCHED_OFF, len(run.weights) - 1)
    changes = [
        abs(float(other.weights[head][place] - run.weights[head][place]))
        for other, place in zip(others, places, strict=True)
    ]
    best = max(range(len(changes)), key=changes.__getitem__, default=None)
    return None if best is None else (others[best], places[best])


def swapped(desk: Desk, other: Run, place: int, widths: Sequence[float], size: Size = FOUR_A_PAGE) -> Parts:
    """The sentence with the word at a place exchanged."""
    return parts(
        figure=sentence_figure(desk, other, (place,), widths, [False] * 2, size=size),
        word=quoted(desk.words[place]),
        instead=quoted(printable(other.words[place])),
    )


def _said_with(desk: Desk, other: Run, place: int) -> Parts:
    """What the model says where another word than the one that is drawn is exchanged."""
    best = other.best()[0]
    return parts(
        word=quoted(desk.words[place]),
        instead=quoted(printable(other.words[place])),
        said=quoted(other.vocabulary[best]),
        share=desk.format.text(float(other.probabilities[best]), PROBABILITY_PLACES),
    )


def _parts_without(
    desk: Desk,
    learnt: Learnt,
    run: Run,
    off: Run,
    changed: tuple[Run, int] | None,
    widths: Sequence[float],
) -> Parts:
    """changed: the exchange that the page shows."""
    others, places = ([changed[0]], [changed[1]]) if changed else ([], [])
    most, deciding = int(np.argmax(run.weights[_SWITCHED_OFF])), learnt.corpus.places(learnt.model.token_ids)
    noticed = noticed_places(run, others, places, _SWITCHED_OFF) if changed else {}
    leaves = (
        bool(noticed)
        and float(run.weights[_SWITCHED_OFF][most] - others[0].weights[_SWITCHED_OFF][most]) >= CHANGE
    )
    needed = changed and not noticed and off.likeliest()[0] != run.likeliest()[0]
    case = "tells_anyway" if leaves else "needed_anyway" if needed else "in_all"
    weight = desk.number(f"block1.head{_SWITCHED_OFF + 1}.weight", desk.n - 1, most)
    return parts(
        figure=sentence_figure(desk, off, (), widths, [False]),
        head=_SWITCHED_OFF + 1,
        without=finding_without(desk, learnt, run, off),
        reads=reading_of(desk, run, others, places, _SWITCHED_OFF) if changed else None,
        instead=_strongest(desk, changed[0]) if changed else None,
        most=None if most in deciding else Finding(case=case, word=desk.words[most], weight=weight.text),
    )


def _strongest(desk: Desk, other: Run) -> Finding:
    """What the head that is switched off attends to most where a word is exchanged."""
    row, places = other.weights[_SWITCHED_OFF], desk.options.nachkommastellen
    high = float(row.max())
    best = [printable(word) for word, weight in zip(other.words, row, strict=True) if weight == high]
    return Finding(best=best, high=desk.format.text(high, places))


def finding_without(desk: Desk, learnt: Learnt, run: Run, off: Run) -> Finding:
    """What comes out with a head switched off, and which of the texts go on so."""
    word = off.likeliest()[0]
    said = [
        printable(line)
        for line, text in zip(learnt.lines, learnt.corpus.texts, strict=True)
        if len(text) > desk.n and text[desk.n] == word
    ]
    stays = word == run.likeliest()[0]
    case = "stays" if stays else "as_a_text" if said else "as_none"
    return Finding(case=case, saying=off.saying(desk), before=run.saying(desk), text=said)
