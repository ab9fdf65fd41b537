"""Numbers that are only carried over belong to no task, and neither do the ranges beside them."""

from markupsafe import Markup

from generator.output.render import environment
from generator.sheet.fields import Fields
from generator.sheet.record import Recorder
from generator.sheet.sheet import Number, Station, Task

SOURCE = """{% import "blocks.html.j2" as b with context %}
{% call b.task(t) %}Berechne{% endcall %}{{ b.number(loss) }}
{% call b.interim("8") %}{{ b.number(weight) }}{% endcall %}{{ b.open(weight) }}{{ b.part(weight) }}"""


def test_numbers_in_a_box_of_copied_ones_belong_to_no_exercise():
    record = Recorder()
    record.station(Station("11", "learning", None))
    loss = Number("loss", (0,), "3,10", 2, blank=True, accepted="3,0 bis 3,2")
    weight = Number("weight", (0,), "0,09", 2, blank=True, accepted="0,08 bis 0,11")
    html = (
        environment()
        .from_string(SOURCE)
        .render(
            record=record,
            fields=Fields(),
            next_id=lambda prefix: prefix,
            t=Task(1, 1, "I", "Berechne"),
            loss=loss,
            weight=weight,
        )
    )
    assert html.count("0,08…0,11") == 3
    (exercise,) = record.stations[0].exercises
    assert [asked.number for asked in exercise.numbers] == [loss]
    assert exercise.wording == Markup("Berechne")
