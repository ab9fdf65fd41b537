"""Station 9: the texts that the tables lead to, what the pupil writes, what the worksheet withholds."""

import pytest
from laid_out import KATZE, laid_out

from generator.options.options import Options
from generator.sheet.sheet import Given, Number


def sheet_of(sentence=KATZE, stations="9", **options):
    return laid_out(Options(satz=sentence, stationen=stations, **options))


def parts_of(sheet):
    return sheet.stations[-1].parts


def methods_of(sheet):
    return {method.name: method for method in parts_of(sheet).methods}


def value(number):
    return round(float(number.text.replace(",", ".").replace("\N{MINUS SIGN}", "-")) * 1000)


def thrown(sums, random):
    """The word that the printed rule chooses: the first whose sum is above the random number."""
    for word, cell in sums:
        if value(cell) > round(float(random.replace(",", ".")) * 1000):
            return word.strip("„“")
    raise AssertionError("no sum is above the random number")


def sums_of(round_):
    """What a round prints, or asks for: each word and where its piece ends."""
    if round_.ends:
        return round_.ends
    at = round_.table.columns.index("cumulative")
    return [(row.head, row.cells[at]) for row in round_.table.rows if isinstance(row.cells[at], Number)]


@pytest.mark.parametrize("options", [{}, {"endezeichen": "<Ende>"}, {"topk": 2, "topp": 0.6, "startwert": 4}])
def test_the_printed_rule_leads_to_the_word_of_the_key(options):
    sheet, _ = sheet_of(**options)
    rounds = 0
    for method in methods_of(sheet).values():
        for round_ in method.rounds:
            assert thrown(sums_of(round_), round_.random) == round_.chosen.text
            rounds += 1
        if method.worked:
            assert thrown(method.worked.ends, method.random_row[0]) == method.worked.word
    assert rounds >= 2 - bool(options.get("endezeichen"))


@pytest.mark.parametrize("options", [{}, {"topp": 0.4}])
def test_top_p_keeps_the_pieces_up_to_the_one_in_which_p_lies(options):
    methods = methods_of(sheet_of(**options)[0])
    cut, ends = methods["top_p"].cut, methods["sampled"].worked.ends
    p = round(1000 * options.get("topp", 0.9))
    kept = next(place for place, (_, end) in enumerate(ends, 1) if value(end) >= p)
    assert cut.words.text == ", ".join(word for word, _ in ends[:kept])
    assert cut.total.text == ends[kept - 1][1].text
    assert cut.total.blank
    assert cut.total.given is Given.READ_OFF


# Why greedy repeats itself: the key argues with what the table of further rounds shows.
