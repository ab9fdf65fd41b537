"""Station Σ: the numbers of GPT-2 beside the formulas that the sheet gives; every sign is explained."""

import pytest
from laid_out import page_of, sheet_of

from engine.model.weights import GPT2_SMALL
from generator.sheet.page import Formula, signs_in

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


def value(text):
    return int(text.replace("\N{NARROW NO-BREAK SPACE}", ""))


def test_formulas_and_numbers_of_parameters_agree():
    """GPT-2 has more than the formula says from the matrices on."""
    parts = sheet_of(stationen="S", dimension=6, heads=3, bloecke=2)[0].stations[0].parts
    rows = {row.head: value(row.cells[2].text) for row in parts.parameters.rows}
    assert rows.pop("total") == sum(rows.values()) == 124_439_808
    assert list(rows) == list(FORMULAS)
    compared = [(rows[name] > said) - (rows[name] < said) for name, said in FORMULAS.items()]
    assert compared == [0, 0, 1, 1, 1, 1]
    line, total = parts.probe.text.split(" = ")
    plain = line.replace("\N{NO-BREAK SPACE}", "").replace("·", "*").replace("²", "**2")
    assert eval(plain) == value(total) == value(parts.parameters.rows[-1].cells[1].text)


@pytest.mark.parametrize(
    "options",
    [
        {"gewichte": "gelernt"},
        {"zielsatz": "The cat sits", "lernen": "alles"},
        {"lernen": "attention", "maske": False, "skalierung": False},
    ],
    ids=str,
)
def test_every_sign_of_a_booklet_is_in_its_list(options):
    page = page_of(*sheet_of("Die Katze sitzt", **options))

    def signs(element):
        things = map(page.objects.of, element.iter())
        return set().union(*(signs_in(each.latex) for each in things if isinstance(each, Formula)))

    (listed,) = [each for each in page.root.iter("div") if each.get("class") == "symbols"]
    of_each = [part[0] for part in listed.iter("li")]
    assert len(of_each) > 20
    assert signs(page.root) - set().union(*map(signs, of_each)) == set()
