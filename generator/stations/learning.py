"""Station 11, learning: loss of the right next word, gradients, one step downhill, the loss after it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.model.model import Model
from generator.sheet.desk import Desk
from generator.sheet.sheet import Number, Vector
from generator.sheet.walking import walk
from generator.stations.common import Tasks
from generator.stations.earlier_desk import lesson_desk
from generator.stations.learning_after import After, after_part
from generator.stations.learning_attention import Head, head_part
from generator.stations.learning_changed import Changed, changed_part
from generator.stations.learning_encoder import Encoder, encoder_part
from generator.stations.learning_given import GivenWay, given_part
from generator.stations.learning_intro import OneNumber, one_number
from generator.stations.learning_layers import Layers, layers_part
from generator.stations.learning_output import Loss, Vectors, loss_part, rate_text, vectors_part
from generator.stations.learning_tables import learning_of


@dataclass(frozen=True)
class Learning:
    path: str
    rate: str
    last: str
    places: str
    head: int
    one_number: OneNumber
    start: Loss
    vectors: Vectors | None
    given: GivenWay | None
    layers: Layers | None
    attention: Head | None
    last_after: Vector | None
    changed: Changed | None
    after: After
    encoder: Encoder | None
    earlier: Earlier | None
    foreseen: bool


@dataclass(frozen=True)
class Earlier:
    """The state of a trained model from which the lesson takes its step."""

    step: str
    steps: str
    left: str
    predicted: str


def station(desk: Desk, tasks: Tasks) -> Learning:
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
    return Learning(
        path=path,
        rate=rate_text(desk),
        last=desk.words[-1],
        places=_places(desk.options.nachkommastellen + 2),
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


def _earlier(desk: Desk) -> Earlier | None:
    learnt, learning = desk.built.learnt, learning_of(desk)
    if learnt is None or not isinstance(learning.model, Model) or not learning.lesson.before:
        return None
    predicted = int(np.argmax(desk.quantity("logit").values))
    step = learnt.step_of(learning.model)
    return Earlier(
        step=desk.format.text(step, 0),
        steps=desk.format.text(learnt.steps, 0),
        left=desk.format.text(learnt.steps - step, 0),
        predicted=desk.vocabulary[predicted],
    )


def _places(count: int) -> str:
    return f"{count}\N{NO-BREAK SPACE}Nachkommastellen"
