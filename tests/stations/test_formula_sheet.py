"""Station Σ: the numbers of GPT-2 beside the formulas that the sheet gives for them."""

import pytest
from laid_out import KATZE, laid_out

from engine.model.weights import GPT2_SMALL
from generator.options.options import Options
from generator.output.formulas.expressions import expressions
from generator.sheet.page import Formula, signs_in
from tests.laid_out import page_of

SIZES = GPT2_SMALL.sizes
D, BLOCKS = SIZES.d_model, SIZES.n_blocks
FORMULAS = {
    "embedding": GPT2_SMALL.vocabulary * D,
    "positions": GPT2_SMALL.context * D,
    "attention": 3 * BLOCKS * D**2,
    "W_O": BLOCKS * D**2,
    "ffn": 2 * BLOCKS * D * SIZES.d_ff,
    "norm": 4 * BLOCKS * D,
}


@pytest.fixture(scope="module")
def sheet():
    return laid_out(Options(satz=KATZE, stationen="S"))[0]


def value(text):
    return int(text.replace("\N{NARROW NO-BREAK SPACE}", ""))


def test_gpt2_has_more_than_the_formula_says_from_the_matrices_on(sheet):
    rows = {row.head: value(row.cells[2].text) for row in sheet.stations[0].parts.parameters.rows}
    assert rows.pop("total") == sum(rows.values()) == 124_439_808
    assert list(rows) == list(FORMULAS)
    more = [name for name in rows if rows[name] > FORMULAS[name]]
    assert more == list(rows)[list(rows).index("attention") :]
    assert not [name for name in rows if rows[name] < FORMULAS[name]]


@pytest.mark.parametrize("options", [{}, {"dimension": 6, "heads": 3, "bloecke": 2}])
def test_the_formula_with_the_models_numbers_gives_the_total(options):
    parts = laid_out(Options(satz=KATZE, stationen="S", **options))[0].stations[0].parts
    line, total = parts.probe.text.split(" = ")
    plain = line.replace("\N{NO-BREAK SPACE}", "").replace("·", "*").replace("²", "**2")
    assert eval(plain) == value(total) == value(parts.parameters.rows[-1].cells[1].text)


@pytest.mark.parametrize(
    "options",
    [
        {"gewichte": "gelernt"},
        {"gewichte": "auswahl", "zielsatz": "The cat sits", "lernen": "alles"},
        {"gewichte": "auswahl", "lernen": "attention", "maske": False, "skalierung": False},
    ],
    ids=str,
)
def test_every_sign_of_a_booklet_is_in_its_list(options):
    sheet, desk = laid_out(Options.from_mapping({"satz": KATZE} | options))
    page = page_of(sheet, desk)

    def signs(element):
        things = map(page.objects.of, element.iter())
        return set().union(*(signs_in(each.latex) for each in things if isinstance(each, Formula)))

    (listed,) = [each for each in page.root.iter("div") if each.get("class") == "symbols"]
    of_each = [part[0] for part in listed.iter("li")]
    assert len(of_each) > 20
    assert signs(page.root) - set().union(*map(signs, of_each)) == set()


def test_a_letter_means_one_thing():
    formulas = expressions()
    of_blocks = {str(symbol) for symbol in formulas["parameters"].free_symbols}
    of_the_way_back = {
        str(symbol) for name, f in formulas.items() if name.startswith("back_") for symbol in f.free_symbols
    }
    assert "L" in of_the_way_back
    assert "L" not in of_blocks
    assert "h" in {str(symbol) for symbol in formulas["d_head"].free_symbols}
    assert not {symbol for symbol in of_the_way_back if symbol.startswith("h")}
