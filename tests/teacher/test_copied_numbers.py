"""Numbers that are only copied belong to no task, and neither do the ranges beside them."""

from generator.expectations import expectations

BLANK = (
    '<span class="blank" data-q="{}" data-i="0"><b class="value">{}</b>'
    '<small class="accepted">{}</small></span>'
)
KEY = f"""<section class="station"><h1><span class="badge">11</span> Lernen</h1>
<div class="task"><div class="task-number">1</div><div class="task-text">Berechne</div></div>
{BLANK.format("loss", "3,10", "3,0 bis 3,2")}
<div class="interim">{BLANK.format("weight", "0,09", "0,08 bis 0,11")}</div></section>"""


def test_a_range_in_a_box_of_copied_numbers_is_not_that_of_the_number_before():
    (station,) = expectations(KEY)
    (number,) = station.tasks[0].numbers
    assert (number.name, number.text, number.accepted) == ("loss", "3,10", "3,0 bis 3,2")
