"""Station 11, the short form: one number of the model, its gradient and its step."""

import numpy as np

from generator.sheet.desk import Desk
from generator.sheet.sheet import Parts, parts
from generator.stations.common import Tasks, learning_of
from generator.stations.learning.after import asked_entry
from generator.stations.learning.output import (
    VECTORS,
    largest_component,
    probabilities_copied,
    right_word,
    step_line,
    wrong_words,
)
from generator.stations.next_word import last_vector, word_vector
from generator.stations.worked_lines import products_line

_ERROR = "gradient.logit"


def one_weight(desk: Desk, tasks: Tasks) -> Parts:
    """A component of the right word's vector; where only a head learns, an entry of its W_V."""
    return (
        _of_matrix(desk, tasks) if learning_of(desk).lesson.path == "attention" else _of_vector(desk, tasks)
    )


def _of_vector(desk: Desk, tasks: Tasks) -> Parts:
    right, component = right_word(desk), largest_component(desk)
    gradient = desk.number("gradient." + VECTORS, right, component, blank=True)
    new = desk.number("step." + VECTORS, right, component, blank=True)
    tasks.add("weight", "Berechne", "I", gradient, new, points=2)
    return parts(
        of_vector=True,
        component=component + 1,
        worked=_worked(desk, component),
        old=word_vector(desk, right)[component],
        gradient=gradient,
        new=new,
    )


def _worked(desk: Desk, component: int) -> Parts | None:
    """The same with the most probable wrong word; None where its line would tell what the pupil has found."""
    wrong, vector = wrong_words(desk), last_vector(desk)
    if not wrong or vector.blank or probabilities_copied(desk):
        return None
    word = wrong[0]
    gradient = desk.number("gradient." + VECTORS, word, component)
    new = desk.number("step." + VECTORS, word, component)
    factors = [desk.number(_ERROR, word)], [vector.numbers[component]]
    return parts(
        word=desk.vocabulary[word],
        gradient_line=products_line(desk, *factors, gradient),
        gradient=gradient,
        step_line=step_line(desk, word_vector(desk, word)[component], gradient, new),
        new=new,
    )


def _of_matrix(desk: Desk, tasks: Tasks) -> Parts:
    """The entry of W_V with the largest gradient but that which a task behind asks for, and its equals."""
    at = f"block{desk.sizes.n_blocks}.head{learning_of(desk).lesson.head}."
    name = f"gradient.{at}W_V"
    sizes = np.abs(desk.quantity(name).values)
    taken = asked_entry(desk, at, "W_V")
    order = np.argsort(-sizes, axis=None, kind="stable")
    places = [divmod(int(place), sizes.shape[1]) for place in order]
    others = [place for place in places if place != taken]
    row, column = next((place for place in others if sizes[place] != sizes[taken]), others[0])
    new = desk.number(f"step.{at}W_V", row, column, blank=True)
    tasks.add("weight", "Berechne", "I", new, points=1)
    return parts(
        of_vector=False,
        row=row + 1,
        column=column + 1,
        old=desk.weight(at + "W_V", row, column),
        gradient=desk.number(name, row, column),
        new=new,
    )
