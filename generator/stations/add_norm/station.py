"""Station 5, Add & LayerNorm after the attention."""

from generator.sheet.desk import Desk
from generator.sheet.sheet import Parts, Solution, parts
from generator.stations.before_after import before_after, furthest, key_only, source, told
from generator.stations.common import Tasks
from generator.stations.norm import add_norm, first_layer


def station(desk: Desk, tasks: Tasks) -> Parts:
    """Station 5: input plus attention.

    gained: what got most from the attention; source: who brought it, if printed.
    """
    layer = first_layer(1)
    norm = add_norm(desk, layer, tasks)
    tasks.add("strip", "Deute", "II", points=3)
    explained = desk.printed("4b") and not desk.mixes_heads("block1")
    return parts(
        norm=norm,
        strip=before_after(desk, ("x", layer.own), ("z", layer.at + "output")),
        gained=key_only(f"Am meisten kommt dazu bei {told(desk, layer.new, 'a')}"),
        source=source(desk, furthest(desk, layer.new)[0]) if explained else None,
        spread=_spread(desk, layer.at + "std"),
    )


def _spread(desk: Desk, name: str) -> Solution:
    """What dividing by the spread did to the distances."""
    value, text = float(desk.quantity(name).values[desk.path]), desk.number(name, desk.path).text
    if value == 1:
        return key_only("Weil σ = 1 ist, bleiben die Abstände, wie sie sind")
    said = ("größer", "kleiner") if value > 1 else ("kleiner", "größer")
    return key_only(f"Weil σ = {text} {said[0]} als 1 ist, werden die Abstände beim Teilen {said[1]}")
