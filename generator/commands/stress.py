"""`papierformer stresstest`: draws many seeds and lists those that are hard to calculate."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.judging.acceptance import accepted
from engine.judging.expectation import expect
from engine.judging.friendliness import assess
from generator.basics.errors import UserError, shortened
from generator.basics.numbers import NumberFormat
from generator.calculation.build import build
from generator.check.in_words import mistake_texts
from generator.options.declaration import WEIGHT_STYLES
from generator.options.options import Options

SENTENCES = (
    "Die Katze sitzt auf der Matte",
    "Der Hund schläft",
    "Vögel singen",
    "Der Ball rollt und rollt und rollt",
    "Ein kleiner Bär tanzt im Wald",
    "Die Maus frisst den Käse und die Katze frisst die Maus",
)
_LAST = "8"  # the station that the calculation ends with; texts and lessons go on from it
_FAULTS = {
    "word": "ungerundet kommt ein anderes Wort heraus",
    "margin": "zwei Wörter fast gleich wahrscheinlich",
    "std": "Divisor einer Norm fast 0",
    "exp": "e^x-Wert sehr groß",
    "scaled": "Scores zu groß",
}
_DRIFTING = 0.2


@dataclass(frozen=True)
class Draw:
    """One sentence with one seed: its style, what is bad about it (nothing: empty), and how much drifts."""

    sentence: str
    style: str
    seed: int
    faults: tuple[str, ...]
    drifting: float


def run(
    saetze: Sequence[str] = (),
    *,
    startwerte: int = 20,
    stile: Sequence[str] = WEIGHT_STYLES,
    fehler: bool = False,
    optionen: Mapping[str, Any] | None = None,
    step: Callable[[int, int], None] = lambda number, of: None,
) -> str:
    """Draw every sentence (default: a few of ours) with the seeds 0 to startwerte − 1 in every style.

    fehler: also say which typical mistakes cannot be told apart, which takes longer. optionen: further
    options, by name. step: told which draw begins, and of how many.
    """
    wanted = [
        {**(optionen or {}), "satz": sentence, "gewichte": style, "startwert": seed}
        for sentence in (saetze or SENTENCES)
        for style in stile
        for seed in range(startwerte)
    ]
    draws = []
    for number, options in enumerate(wanted, 1):
        step(number, len(wanted))
        draws.append(_draw(options, fehler))
    return _table(draws)


def _draw(options: Mapping[str, Any], mistakes: bool) -> Draw:
    named = (str(options["satz"]), str(options["gewichte"]), int(options["startwert"]))
    try:
        calculation = build(Options.from_mapping({**options, "stationen": _LAST})).calculation
    except UserError as error:
        return Draw(*named, (f"nicht zu rechnen: {error}",), 0.0)
    good = assess(calculation)
    faults = [_FAULTS[name] for name in good.faults]
    if good.drifting > _DRIFTING * good.cells:
        faults.append("gerundet und ungerundet weit auseinander")
    if mistakes:
        titles = mistake_texts()
        expectation = expect(calculation, accepted(calculation))
        faults += [
            "nicht zu unterscheiden: " + " / ".join(titles[mistake]["title"] for mistake in ids)
            for ids in expectation.confusable
        ]
        faults += [f"nicht zu sehen: {titles[mistake]['title']}" for mistake in expectation.unseen]
    return Draw(*named, tuple(faults), good.drifting / good.cells)


def _table(draws: Sequence[Draw]) -> str:
    numbers = NumberFormat()
    bad = [draw for draw in draws if draw.faults]
    lines = [f"{len(draws)} Ziehungen, davon {len(bad)} mit Auffälligkeiten."]
    for style in dict.fromkeys(draw.style for draw in draws):
        own = [draw for draw in draws if draw.style == style]
        share = 100 * sum(draw.drifting for draw in own) / len(own)
        lines.append(
            f"  {style}: {sum(bool(draw.faults) for draw in own)} von {len(own)}; im Mittel weichen "
            f"{numbers.text(share, 1)} % der Zahlen mehr als eine Einheit von der ungerundeten Rechnung ab."
        )
    count = Counter(fault.split(":")[0] for draw in draws for fault in draw.faults)
    if count:
        lines += ["", "Wie oft:"] + [f"  {number:5d}  {fault}" for fault, number in count.most_common()]
        lines += ["", "Startwert  Stil        Satz und Befund"]
        lines += [
            f"{draw.seed:9d}  {draw.style:10}  {shortened(draw.sentence)}: {'; '.join(draw.faults)}"
            for draw in bad
        ]
    return "\n".join(lines) + "\n"
