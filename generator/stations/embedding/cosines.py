"""Station 2: which words are compared by their cosine, worked through and as tables to fill."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.judging.teaching import largest
from generator.sheet.columns import Column, even
from generator.sheet.desk import Desk
from generator.sheet.fields import blank_width
from generator.sheet.sheet import Line, Number, Parts, Row, Solution, Table, Vector, Words, parts
from generator.stations.common import Tasks
from generator.stations.embedding.figures import angle_fan, telling
from generator.stations.next_word import PROBABILITY_PLACES
from generator.stations.positions.figures import NAME as POSITIONS
from generator.words.word_vectors import own_dimension

_LONG: Final = 8  # components from which a scalar product is long work
MOST_LISTED: Final = 3
SHORT: Final = 9  # letters of a word that heads a narrow column
_DOT: Final = "similarity.dot"
_NORM: Final = "similarity.norm"
_COSINE: Final = "similarity.cosine"
_PRODUCTS_IN_TABLE: Final = 4  # components whose products stand in a cell


@dataclass(frozen=True)
class ComparedWords:
    """Words by their place in the vocabulary.

    example: worked through with `partner` (None where there are only two words). exercise: left to the pupil,
    with `partners`. shown: all words in the table of cosines.
    """

    example: int
    partner: int | None
    exercise: int
    partners: tuple[int, ...]
    shown: tuple[int, ...]

    def is_blank(self, i: int, j: int) -> bool:
        return self.exercise in (i, j) and (i in self.partners or j in self.partners)


def word_of(desk: Desk, token: int) -> int:
    model = desk.calculation.model
    return model.vocabulary.index(model.tokens[token])


def first_token(desk: Desk, word: int) -> int:
    """The first token that is this word; the first of all for a word that only other texts have."""
    model = desk.calculation.model
    return model.token_ids.index(word) if word in model.token_ids else 0


def word_vector(desk: Desk, word: int) -> tuple[Number, ...]:
    """A row of the table of all word vectors."""
    places = desk.quantity("embedding").places or 0
    name = "input_embedding" if desk.calculation.model.known else "vocabulary_embedding"
    return tuple(
        Number(name, (word, c), desk.format.text(float(value), places), places)
        for c, value in enumerate(desk.calculation.model.input_embedding[word])
    )


def compared_words(desk: Desk) -> ComparedWords | None:
    """Which words are compared; None where fewer than two have a direction."""
    visible = desk.quantity("similarity.cosine").visible
    named = [i for i, word in enumerate(desk.vocabulary) if any(map(str.isalnum, word))]  # no full stop
    words = [i for i in named if visible is None or visible[i, i]]
    if len(words) < 2:
        return None
    wish = word_of(desk, desk.example)
    example = wish if wish in words else words[0]
    others = [word for word in words if word != example]
    wishes = [word_of(desk, token) for token in desk.exercises]
    exercise = next((word for word in wishes if word in others), others[-1])
    rest = [word for word in others if word != exercise]
    most = 2 if desk.more or desk.sizes.d_model > _LONG else 4 if desk.less else 3
    partners = tuple([example, *rest][:most])
    columns = 8 if desk.options.nachkommastellen <= 3 else 5
    cosines = desk.quantity("similarity.cosine").values - 2 * np.eye(len(desk.vocabulary))
    alike = sorted(rest, key=lambda word: -float(cosines[word, words].max()))
    exchanged = [word for pair in exchanged_words(desk) for word in pair if word in words]
    own = [word for word in rest if word in desk.calculation.model.token_ids]
    shown = list(dict.fromkeys([example, exercise, *partners, *exchanged, *own, *alike]))[:columns]
    return ComparedWords(example, rest[0] if rest else None, exercise, partners, tuple(sorted(shown)))


def exchanged_words(desk: Desk) -> list[tuple[int, int]]:
    """Words of the sentence with those that stand there instead in another text; of a trained model."""
    learnt = desk.built.learnt
    if learnt is None:
        return []
    own = learnt.model.token_ids
    exchanges = learnt.corpus.first_exchanges(own)
    return [(own[each.place], each.beginning[each.place]) for each in exchanges]


def cosine_parts(desk: Desk, choice: ComparedWords, tasks: Tasks) -> Parts:
    lengths = _lengths(desk, choice)
    exercise = _exercise(desk, choice)
    matrix = _matrix(desk, choice)
    alike = _most_similar_pairs(desk, choice)
    listed = alike[:MOST_LISTED]
    kin = [pair for pair in listed if desk.options.learns and _of_one_kind(desk, *pair)]
    tasks.add("length", "Berechne", "I", lengths)
    tasks.add("cosine", "Berechne", "I", exercise)
    tasks.add("pair", "Gib an", "II", points=2)
    # The angles of words whose cosine with the example no exercise asks for.
    given = [j for j in choice.shown if j != choice.example and not choice.is_blank(choice.example, j)]
    cosines = desk.quantity(_COSINE).values[choice.example]
    shown = telling({desk.vocabulary[j]: float(cosines[j]) for j in given})
    in_table = desk.sizes.d_model <= _PRODUCTS_IN_TABLE
    lines = [] if in_table or desk.less else choice.partners
    own_squares = _products(desk, choice.exercise, choice.exercise).text
    last = choice.shown[-1]
    return parts(
        example=desk.vocabulary[choice.example],
        example_vector=word_vector(desk, choice.example),
        example_length=desk.number(_NORM, choice.example),
        squares=_products(desk, choice.example, choice.example),
        pair=_worked_pair(desk, choice),
        word=desk.vocabulary[choice.exercise],
        word_vector=Vector(word_vector(desk, choice.exercise)),
        lengths=lengths,
        length_line=None if in_table else Solution(f"Wurzel aus {own_squares}"),
        exercise=exercise,
        lines=[(desk.vocabulary[j], Solution(_products(desk, choice.exercise, j).text)) for j in lines],
        dot_sum=desk.check_sum(_DOT, [(choice.exercise, j) for j in choice.partners]),
        norm_places=desk.quantity(_NORM).places,
        two_rules=_two_rules(desk),
        dot_places=desk.quantity(_DOT).places,
        cosine_places=desk.quantity(_COSINE).places,
        matrix=matrix,
        shown=str(len(choice.shown)),
        last_column=None
        if matrix.columns[-1] == desk.vocabulary[last]
        else parts(number=str(last), word=desk.vocabulary[last]),
        all=len(choice.shown) == len(desk.vocabulary),
        alike=Solution(_most_similar(desk, alike)),
        akin=[_pair(desk, *pair) for pair in listed if pair in kin],
        strange=[_pair(desk, *pair) for pair in listed if pair not in kin],
        pairs=[similar_pair(desk, *pair) for pair in listed],
        fan=angle_fan(desk.vocabulary[choice.example], shown, desk.format, desk.quantity(_COSINE).places or 0)
        if given
        else None,
        fan_is_all=len(shown) == len(desk.vocabulary) - 1,
        fan_omits_asked=any(choice.is_blank(choice.example, j) for j in choice.shown if j != choice.example),
    )


def _of_one_kind(desk: Desk, i: int, j: int) -> bool:
    """Whether the word lists have two words in one group."""
    assert desk.built.learnt is not None
    one, other = (desk.built.learnt.vectors[word] for word in (i, j))
    return one.group == other.group


def _products(desk: Desk, i: int, j: int) -> Line:
    return desk.products(word_vector(desk, i), word_vector(desk, j))


def _worked_pair(desk: Desk, choice: ComparedWords) -> Parts | None:
    if choice.partner is None:
        return None
    i, j = choice.example, choice.partner
    return parts(
        word=desk.vocabulary[j],
        vector=word_vector(desk, j),
        products=_products(desk, i, j),
        dot=desk.number(_DOT, i, j),
        dot_exact=2 * (desk.quantity("embedding").places or 0) <= (desk.quantity(_DOT).places or 0),
        length=desk.number(_NORM, j),
        cosine=desk.number(_COSINE, i, j),
    )


def _lengths(desk: Desk, choice: ComparedWords) -> Table:
    """Each word's length, the exercise's left to the pupil; the squares beside it where they are few."""
    blanks = {choice.exercise, *(choice.partners[1:] if desk.less else ())}
    in_table = desk.sizes.d_model <= _PRODUCTS_IN_TABLE

    def row(i: int) -> Row:
        line = _products(desk, i, i)
        squares = Solution(line.text) if i in blanks and not desk.more else line.cell()
        length = desk.number(_NORM, i, blank=i in blanks)
        return Row(desk.vocabulary[i], (squares, length) if in_table else (length,))

    width = blank_width(desk.options.nachkommastellen + 1)
    return Table(
        (*(("squares",) if in_table else ()), "length"),
        tuple(row(i) for i in choice.shown if i in {choice.exercise, *choice.partners}),
        (Column.WORD, *((Column.REST,) if in_table else ()), width),
    )


def _exercise(desk: Desk, choice: ComparedWords) -> Table:
    i = choice.exercise
    in_table = desk.sizes.d_model <= _PRODUCTS_IN_TABLE and not desk.less

    def row(j: int) -> Row:
        products = desk.product_cell(word_vector(desk, i), word_vector(desk, j))
        asked = desk.number(_DOT, i, j, blank=not desk.more), desk.number(_COSINE, i, j, blank=True)
        return Row(desk.vocabulary[j], (products, *asked) if in_table else asked)

    width = blank_width(desk.options.nachkommastellen + 1)
    return Table(
        (*(("products",) if in_table else ()), "dot", "cosine"),
        tuple(map(row, choice.partners)),
        (Column.WORD, *((Column.REST,) if in_table else ()), width, width),
    )


def _two_rules(desk: Desk) -> bool:
    """Whether lengths, positions, variances, probabilities have a place more than all else of a booklet."""
    finer = {desk.quantity(_NORM).places, PROBABILITY_PLACES}
    if desk.has(POSITIONS):
        finer.add(desk.quantity(POSITIONS).places or 0)
    others = {desk.quantity(name).places for name in (_DOT, _COSINE)}
    usual = desk.options.nachkommastellen
    return finer == {usual + 1} and others == {usual} and {"3", "5", "8"} <= set(desk.stations)


def _matrix(desk: Desk, choice: ComparedWords) -> Table:
    """Every shown word with every other, each pair once; a mark for what the pupil calculated."""
    words = [desk.vocabulary[i] for i in choice.shown]
    short = all(len(word) <= SHORT for word in words)
    rows = tuple(
        Row(
            desk.vocabulary[i] if short else f"{i}\N{NO-BREAK SPACE}\N{NO-BREAK SPACE}{desk.vocabulary[i]}",
            tuple(
                Words("" if i >= j else "□")
                if i >= j or choice.is_blank(i, j)
                else desk.number(_COSINE, i, j)
                for j in choice.shown
            ),
        )
        for i in choice.shown[:-1]
    )
    columns = tuple(words) if short else tuple(str(i) for i in choice.shown)
    kind = Column.SHARE if desk.options.nachkommastellen <= 3 else Column.LONG_SHARE
    return Table(columns, rows, even(len(columns), kind))


def _most_similar_pairs(desk: Desk, choice: ComparedWords) -> list[tuple[int, int]]:
    """The pairs of different words with the highest cosine, as written or with all digits."""
    pairs = [(i, j) for i in choice.shown for j in choice.shown if i < j]
    written, unrounded = (
        np.array([trace[_COSINE].values[pair] for pair in pairs])
        for trace in (desk.calculation.hand, desk.calculation.exact)
    )
    return [pairs[place] for place in largest(written, unrounded)]


def _most_similar(desk: Desk, best: Sequence[tuple[int, int]]) -> str:
    named = [_pair(desk, *pair) for pair in best[:MOST_LISTED]]
    more = ", …" if len(best) > MOST_LISTED else ""
    cosines = dict.fromkeys(desk.number(_COSINE, *pair).text for pair in best)
    return f"{'; '.join(named)}{more} (Kosinus {' oder '.join(cosines)})"


def _pair(desk: Desk, i: int, j: int) -> str:
    return f"„{desk.vocabulary[i]}“ und „{desk.vocabulary[j]}“"


def similar_pair(desk: Desk, i: int, j: int) -> Parts:
    """The components, counted from 1, that make two words alike most, and both numbers of each.

    named: its meaning fits; after a training only that of the words' own group, where it is their largest.
    """
    first, second = (desk.calculation.model.input_embedding[word] for word in (i, j))
    products = np.round(first * second, 6)
    ours, theirs = word_vector(desk, i), word_vector(desk, j)
    largest = {int(np.abs(vector).argmax()) for vector in (first, second)}
    learnt = desk.built.learnt
    groups = largest if learnt is None else {own_dimension(learnt.vectors[word]) for word in (i, j)}
    shared = [
        parts(
            component=str(c + 1),
            first=ours[c].text,
            second=theirs[c].text,
            named=learnt is None or largest == groups == {c},
        )
        for c in range(len(products))
        if products[c] == products.max() > 0
    ]
    return parts(words=_pair(desk, i, j), shared=shared[:MOST_LISTED])
