"""A lesson's own pages: what the other exchange gives, reckoned again; optional tasks bear no points."""

import re

from laid_out import html_of, sheet_of

from findings.line import swap
from findings.reckoned import says
from findings.seen import close, number, plain, seen

LESSON = {"satz": "Der Hund jagt den Ball", "gewichte": "gelernt", "stationen": "4a", "zeit": 45}


def text():
    sheet, desk = sheet_of(**LESSON)
    return sheet, plain(html_of(sheet, desk, "worksheet", "pdf").rpartition("</style>")[2])


def test_the_exchange_that_is_not_drawn_is_told_with_what_the_model_says():
    s, (_, page) = seen(LESSON), text()
    told = re.findall(r"\(„(.+?)“ gegen „(.+?)“: dann sagt das Modell „(.+?)“, (\d,\d+)\)", page)
    assert told
    for word, instead, next_word, share in told:
        found, p = says(s, swap(s, instead, word)[1])
        assert (found, True) == (next_word, close(p, number(share)))


def test_an_optional_task_bears_no_points_and_the_printed_ones_are_the_sheets():
    sheet, page = text()
    optional = [task for station in sheet.stations for task in station.tasks.values() if not task.points]
    assert len(optional) == page.count("freiwillig") == page.count("Wenn noch Zeit ist") == 1
    assert sum(map(int, re.findall(r"/\s(\d+)\sBE", page))) == sheet.points
