"""What is opened on the page is the sheet that was printed, task by task."""

import re

import pytest

from generator.calculation.build import build
from generator.options.options import Options
from generator.output.formulas.typeset import Typesetter
from generator.page.reviewing import opened_sheet
from generator.production.worksheet import fitted_to_lesson
from generator.stations.make_sheet import make_sheet
from tests.laid_out import pair_of

TASK = re.compile(r'class="task-number" id="([^"]+)"')


@pytest.mark.parametrize("options", [{"stationen": ("0", "8", "S"), "gewichte": "gelernt"}, {"zeit": 45}])
def test_an_opened_sheet_has_the_tasks_of_the_printed_one(options):
    whole = make_sheet(fitted_to_lesson(build(Options(satz="Der Hund holt den Ball", **options)))[0])
    printed = pair_of(whole, Typesetter("screen"))[0].html
    opened = opened_sheet({"rechnung": whole.record_json().decode()})
    assert TASK.findall(opened.html) == TASK.findall(printed)
