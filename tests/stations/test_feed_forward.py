"""Station 6: who computes what, products that add up, given matrices whole, extremes."""

import numpy as np
import pytest
from laid_out import KATZE, laid_out

from generator.options.options import Options
from generator.sheet.sheet import Number, walk
from generator.stations.common import matrix_tables


def sheet_of(sentence=KATZE, stations="6", **options):
    return laid_out(Options(satz=sentence, stationen=stations, **options))


@pytest.mark.parametrize(("dimension", "ffn"), [(2, 1), (4, 8), (8, 16), (16, 32), (16, 64)])
@pytest.mark.parametrize("name", ["block1.ffn.W_1", "block1.ffn.W_2"])
def test_a_matrix_is_printed_whole_on_tables_that_fit(name, dimension, ffn):
    _, desk = sheet_of(dimension=dimension, ffn=ffn, heads=1, gewichte="dezimal")
    tables = matrix_tables(desk, name)
    seen = [number.index for table in tables for number in walk(table, Number)]
    assert sorted(seen) == list(np.ndindex(desk.calculation.model.weights[name].shape))
    for table in tables:
        assert sum(table.widths) <= 165
        assert len(table.widths) == len(table.columns) + 1
        for line in table.rows:
            for column, number in zip(table.columns, line.cells, strict=True):
                assert number.index == (int(line.head) - 1, int(column) - 1)
