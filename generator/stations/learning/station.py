"""Station 11, learning: loss of the right next word, gradients, one step downhill, the loss after it."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Final

import numpy as np

from engine.forward.calculation import SentencePass
from engine.model.model import Model
from engine.numbers.arrays import Floats
from engine.trace import Quantity
from generator.sheet.desk import Desk
from generator.sheet.sheet import Given, Number, Parts, parts, walk
from generator.stations.common import Tasks, columns_table, counted, learning_of, unchanged
from generator.stations.learning.after import after_part, changed_part
from generator.stations.learning.attention import head_part
from generator.stations.learning.encoder import encoder_part
from generator.stations.learning.layers import layers_part
from generator.stations.learning.output import loss_part, one_number, rate_text, vectors_part
from generator.stations.page_values import places

_HEADING: Final = 30.0  # mm that „nach LayerNorm 1“ and the like take


def station(desk: Desk, tasks: Tasks) -> Parts:
    desk = lesson_desk(desk)
    path, layers = learning_of(desk).lesson.path, desk.sizes.n_blocks
    start = loss_part(desk, tasks)
    vectors = vectors_part(desk, tasks) if path != "attention" else None
    given = given_part(desk) if path == "attention" else None
    through = layers_part(desk, tasks) if path == "alles" else None
    attention = head_part(desk, tasks) if path != "ausgabe" else None
    done = walk((start, vectors, through, attention), Number)
    changed = changed_part(desk, tasks, done) if path == "alles" else None
    after = after_part(desk, tasks)
    return parts(
        path=path,
        rate=rate_text(desk),
        places=places(desk.options.nachkommastellen + 2),
        head=learning_of(desk).lesson.head,
        one_number=one_number(desk),
        start=start,
        vectors=vectors,
        given=given,
        layers=through,
        attention=attention,
        last_after=desk.vector(f"after.block{layers}.norm2.output", desk.n - 1) if through else None,
        changed=changed,
        after=after,
        encoder=encoder_part(desk, tasks),
        earlier=_earlier(desk),
        foreseen=int(np.argmax(desk.quantity("logit").values)) == learning_of(desk).lesson.word,
    )


def _earlier(desk: Desk) -> Parts | None:
    """The state of a trained model from which the lesson takes its step."""
    learnt, learning = desk.built.learnt, learning_of(desk)
    if learnt is None or not isinstance(learning.model, Model) or not learning.lesson.before:
        return None
    predicted = int(np.argmax(desk.quantity("logit").values))
    step = learnt.step_of(learning.model)
    return parts(
        step=desk.format.text(step, 0),
        steps=desk.format.text(learnt.steps, 0),
        left=desk.format.text(learnt.steps - step, 0),
        predicted=desk.vocabulary[predicted],
    )


class EarlierDesk(Desk):
    """Gives the numbers of the way forward, and the weights, as the earlier state has them.

    None of them is asked for elsewhere on the sheet: all are printed.
    """

    @property
    def calculation(self) -> SentencePass:
        learning = learning_of(self)
        assert isinstance(learning.model, Model)
        return SentencePass(learning.model, learning.exact, learning.hand)

    def named(self, name: str) -> str:
        """The name under which the earlier state's number stands."""
        before = learning_of(self).lesson.before + name
        return before if before in self.hand else name

    def asks(self, name: str, *index: int) -> bool:
        return super().asks(self.named(name), *index)

    def quantity(self, name: str) -> Quantity:
        return super().quantity(self.named(name))

    def number(
        self, name: str, *index: int, blank: bool = False, wide: bool = False, given: Given | None = None
    ) -> Number:
        return super().number(self.named(name), *index, blank=blank, wide=wide, given=given)

    def weight(self, name: str, *index: int) -> Number:
        number = super().weight(name, *index)
        return replace(number, name=learning_of(self).lesson.before + name)

    def given(self, name: str) -> Floats:
        weights = learning_of(self).model.weights
        return weights[name] if name in weights else super().given(name)


def lesson_desk(desk: Desk) -> Desk:
    """The desk of the model that the lesson is taken with."""
    if not learning_of(desk).lesson.before:
        return desk
    return EarlierDesk(**{field.name: getattr(desk, field.name) for field in fields(desk)})


def given_part(desk: Desk) -> Parts:
    """The last token's row.

    same_heads: W_O hands on every number as it is, so its column is that of the sum before.
    unchanged: the components to which the feed-forward network adds nothing, counted from 1.
    """
    block = f"gradient.block{desk.sizes.n_blocks}."
    same = not desk.mixes_heads(f"block{desk.sizes.n_blocks}")
    names = ["norm2.output", "residual2", "norm1.output", "residual1", *([] if same else ["concat"])]
    columns: dict[str, Sequence[Number]] = {name: desk.numbers(block + name, desk.n - 1) for name in names}
    start, d = (learning_of(desk).lesson.head - 1) * desk.sizes.d_head, desk.sizes.d_head
    tables = columns_table(counted(desk.sizes.d_model), columns, narrow=True)
    widths = (tables[0].widths[0], *(_HEADING,) * len(names))
    return parts(
        table=[replace(table, widths=widths) for table in tables],
        same_heads=same,
        unchanged=unchanged(desk),
        first=start + 1,
        last=start + d,
    )
