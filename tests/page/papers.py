"""Two small sheets that most tests of the page look at, and what an honest pupil writes on the first."""

from functools import cache

from generator.basics.numbers import NumberFormat
from generator.calculation.build import build
from generator.commands import check_command
from generator.options.options import Options
from generator.options.sheet_code import sheet_code
from generator.page.lesson import judging

OPTIONS = Options(satz="Die Katze schläft", stationen=("4a",), stufe=1)
CODE = sheet_code(OPTIONS)
# As the page makes it, with chosen numbers: no test waits until a model is trained.
PRINTED = Options.asked(
    {"satz": "Die Katze schläft", "stationen": ("2",), "stufe": 1, "gewichte": "ganzzahlig"}
)


def index_of(place):
    return tuple(int(i) for i in place.split(",") if i)


def number_at(hand, name, place):
    """As it is typed."""
    return NumberFormat().text(float(hand[name].values[index_of(place)]), hand[name].places)


@cache
def right():
    """What is typed, by name and place of every field of the pupils' page, in order."""
    hand = build(OPTIONS).passes.hand
    stations = judging.exercises({"code": CODE})["stationen"]
    fields = [(f["name"], f["stelle"]) for s in stations for task in s["aufgaben"] for f in task["felder"]]
    return {(name, place): number_at(hand, name, place) for name, place in fields}


def as_csv(slips=0):
    """The first numbers are wrong."""
    texts = dict(right()) | dict.fromkeys(list(right())[:slips], "77")
    return "\n".join(
        ["name;index;wert", *(f"{name};{place};{text}" for (name, place), text in texts.items())]
    )


def by_command(papers):
    """What `pruefe` prints, and its table."""
    report = papers.parent / "bericht.html"
    printed = check_command.run(CODE, str(papers), bericht=str(report))
    return printed, report.with_suffix(".csv").read_bytes()
