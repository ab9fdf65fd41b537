"""In: a task. Out: its pass by the reference, of one sentence or two, and the loss of a word."""

from __future__ import annotations

from decimal import localcontext

from .arithmetics import CONTEXT, Hand, NotPlayableError
from .task import Task
from .transformer import Pen, Transformer, Written


class Pass(Transformer):
    """pen: another than the plain one. weights: others than the task's."""

    def __init__(self, task: Task, arithmetic=Hand, pen: Pen | None = None, weights: dict | None = None):
        super().__init__(task, arithmetic, pen or Pen(arithmetic, {}))
        self.page, self.side = self.pen.page, task.side
        self.weights |= {name: Written(w, task.decimals) for name, w in (weights or {}).items()}

    def run(self) -> dict:
        source = None
        with localcontext(CONTEXT):
            if self.side:
                start = self.input("encoder.", self.task.source)
                source = self.blocks("encoder.", start, mask=False)
            start = self.input(self.side, self.task.embedding)
            self.output_layer(self.blocks(self.side, start, self.task.mask, source)[-1], self.side)
        return self.page

    def blocks(self, side: str, x, mask: bool, source=None):
        for b in range(1, self.task.blocks + 1):
            at = f"{side}block{b}"
            x = self.decoder_block(at, x, source) if source else self.block(at, x, mask)
        return x

    def loss(self, word: int):
        """−ln of what the right word was given."""
        p = self.page[self.side + "temperature1.probability"][word]
        if p == 0:
            raise NotPlayableError("loss")
        return self.pen.write(self.side + "loss", (), -p.ln(CONTEXT), self.task.decimals + 2)
