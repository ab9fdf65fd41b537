"""Station Σ: all formulas with their shapes, and the parameters of this model beside GPT-2 Small."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model.model import GPT2_SMALL, count_gpt2_parameters, count_parameters
from generator.sheet.desk import DOT, Desk
from generator.sheet.sheet import CellContent, Row, Solution, Table, Words
from generator.stations.common import Tasks
from generator.stations.trained import Unread, unread


@dataclass(frozen=True)
class FormulaSheet:
    parameters: Table
    probe: Solution
    words: int
    into_encoder: bool
    unread: tuple[Unread, ...]
    norm_vectors: int
    gpt2: dict[str, str]


def _probe(desk: Desk, words: int, total: int, own_output: bool) -> Solution:
    """The formula of the sheet with this model's numbers."""
    d, ff, blocks = desk.sizes.d_model, desk.sizes.d_ff, desk.sizes.n_blocks
    table = f"2{DOT}{words}{DOT}{d}" if own_output else f"{words}{DOT}{d}"
    norms = 2 * len(desk.sizes.norm.parameters)
    block = f"4{DOT}{d}² + 2{DOT}{d}{DOT}{ff} + {norms}{DOT}{d}"
    return Solution(f"{table} + {blocks}{DOT}({block}) = {desk.format.text(total, 0)}")


def station(desk: Desk, tasks: Tasks) -> FormulaSheet:
    words = len(desk.calculation.model.vocabulary)
    own_output = desk.built.learnt is not None
    ours = count_parameters(desk.sizes, words, own_output=own_output)
    gpt2 = count_gpt2_parameters()
    tasks.add("count", "Berechne", "I", points=(len(ours) + 2) // 2)
    invented = unread(desk)
    if invented:
        tasks.add("learnt", "Beurteile", "III", points=2)

    def whole(number: int) -> str:
        return desk.format.text(number, 0)

    rows: list[Row] = []
    none = Words("–")
    for component in dict.fromkeys(("embedding", *(set(ours) & {"output"}), *gpt2)):
        own: CellContent = Solution(whole(ours[component]), number=True) if component in ours else none
        theirs = Words(whole(gpt2[component]) if component in gpt2 else "shared")  # with its word vectors
        rows.append(Row(component, (Words(component), own, theirs)))
    all_ours = Solution(whole(sum(ours.values())), number=True)
    rows.append(Row("total", (Words("total"), all_ours, Words(whole(sum(gpt2.values())))), "sum"))
    sizes = GPT2_SMALL.sizes
    return FormulaSheet(
        parameters=Table(("formula", "ours", "gpt2"), tuple(rows), (38.0, 0.0, 34.0, 38.0)),
        probe=_probe(desk, words, sum(ours.values()), own_output),
        words=words,
        unread=invented,
        into_encoder=desk.built.learning_of_two is not None,
        norm_vectors=2 * len(desk.sizes.norm.parameters),
        gpt2={
            "d_model": whole(sizes.d_model),
            "d_ff": whole(sizes.d_ff),
            "n_blocks": whole(sizes.n_blocks),
            "vocabulary": whole(GPT2_SMALL.vocabulary),
            "context": whole(GPT2_SMALL.context),
        },
    )
