"""Station 11: numbers stand beside the task that needs them; what looks odd is explained where it occurs."""

import numpy as np
import pytest
from laid_out import laid_out, text_of

from generator.options.options import Options

KATZE, HUND = "Die Katze sitzt auf der Matte", "Der Hund liegt im Garten"


def station_of(path="attention", sentence=KATZE, stations="11", **options):
    sheet, desk = laid_out(Options(satz=sentence, stationen=stations, lernen=path, **options))
    return next(s for s in sheet.stations if s.id == "11"), sheet, desk


@pytest.mark.parametrize("sentence", [KATZE, HUND, "Meine Oma backt süßen Kuchen"])
@pytest.mark.parametrize("path", ["attention", "alles"])
def test_components_that_the_network_leaves_alone_are_named(path, sentence):
    station, sheet, desk = station_of(path, sentence)
    after, before = (desk.numbers(f"gradient.block1.{x}", desk.n - 1) for x in ("residual2", "norm1.output"))
    same = [c for c in range(1, 5) if after[c - 1].text == before[c - 1].text]
    parts = station.parts.given if path == "attention" else station.parts.layers.ffn
    own = [] if path == "attention" else [station.parts.layers.ffn.component]
    assert parts.unchanged == [c for c in same if c not in own]
    assert ("dieselbe" in text_of(sheet, desk)) == bool(parts.unchanged)


def test_equal_normalised_numbers_are_explained_where_the_network_added_nothing():
    for sentence in (KATZE, HUND):
        station, sheet, desk = station_of("alles", sentence)
        added = np.any(desk.quantity("block1.ffn.output").values[-1])
        assert station.parts.layers.same_hats == (not added)
        assert ("vorwärts überall 0 dazugezählt" in text_of(sheet, desk)) == (not added)
    assert not station_of("alles", HUND, "6,11")[0].parts.layers.same_hats  # station 6 asks for these zeros


def test_what_station_10_asks_for_is_named_with_its_exercise():
    _, sheet, desk = station_of(sentence=HUND, stations="10,11", zielsatz="The dog lies in the")
    tasks = next(s for s in sheet.stations if s.id == "10").tasks
    text = text_of(sheet, desk)
    copied = next(s for s in sheet.stations if s.id == "11").parts.encoder.loss.copied
    assert (f"aus Aufgabe {tasks['logits'].number} in Station 10 und berechne" in text) == copied
