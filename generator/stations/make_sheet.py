"""Options become a sheet: calculation, accepted ranges, the tree of its stations, what its pages may say."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any, Final

from markupsafe import Markup

from engine.judging.ranges import Ranges
from engine.trace import CellAddress
from generator.basics.errors import UserError
from generator.basics.fonts import printable
from generator.calculation.build import Built, build
from generator.figures.course_map import course_strip
from generator.figures.parts import small_qr_code
from generator.figures.weights import guess_arcs
from generator.options import limits
from generator.options.course import BY_ID, COURSE, END_OF_BLOCK, STATIONS, Stop, block_of_id, id_of_block
from generator.options.options import Options
from generator.options.sentence import shown
from generator.options.sheet_code import in_groups, sheet_code, short_mark
from generator.sheet.desk import Desk
from generator.sheet.fields import page_format
from generator.sheet.sheet import Figure, Sheet, Station, Table, Task
from generator.sheet.whole_sheet import WholeSheet, drawn, printed_of, with_ranges, withheld
from generator.sheet.wording import places
from generator.stations.add_norm_2.station import further_block
from generator.stations.common import Tasks
from generator.stations.next_word import PROBABILITY_PLACES

Maker = Callable[[Desk], Station]
_FURTHER: Final = "further_block"


def make_sheet(
    source: Options | Built,
    *,
    ranges: Ranges | None = None,
    first: int | None = None,
    changed: Collection[CellAddress] = frozenset(),
    others: Mapping[str, Maker] | None = None,
) -> WholeSheet:
    """The sheet of these options, or of what is computed of them already. UserError if it cannot be.

    ranges: what honest work can give, for the key; None: worked out here. first: only so many stations.
    changed: cells that a pupil's own numbers changed. others: stations by id instead of those of the options,
    on pages that do not bear the sheet's code.
    """
    built = build(source) if isinstance(source, Options) else source
    desk = Desk(built, tuple(others or chosen(built.options)[:first]), ranges or {}, changed)
    sheet, desk = drawn_sheet(desk, others)
    if ranges is None:
        hand = built.passes.hand
        limits.for_printing(sum(1 for _ in sheet.numbers))
        known = built.ranges(hand.where(printed_of(sheet, hand)))
        sheet, desk = drawn_sheet(replace(desk, ranges=known), others)
    sheet = replace(sheet, stations=with_ranges(desk, sheet.stations))
    return WholeSheet(sheet, desk, page_values(desk, sheet), {} if others else printed_code(built.options))


def build_sheet(built: Built) -> tuple[Sheet, Desk]:
    """The tree without ranges, and the desk that knows what its exercises ask for."""
    return drawn_sheet(Desk(built, chosen(built.options)))


def drawn_sheet(desk: Desk, others: Mapping[str, Maker] | None = None) -> tuple[Sheet, Desk]:
    """The sheet of the desk's stations or of `others`, and the desk that knows what they ask for."""
    makers = others.values() if others else [partial(station_of, id_=id_) for id_ in desk.stations]
    stations, desk = drawn(desk, tuple(makers))
    return Sheet(desk.options.satz, short_mark(desk.options), stations), desk


def chosen(options: Options) -> tuple[str, ...]:
    """The ids of the stations to print, in order; none wanted means all that fit.

    Station 7 brings the further blocks with it. UserError for a station that lacks an option.
    """
    ids: list[str] = []
    for stop in COURSE:
        if _is_printed(stop, options):
            ids.append(stop.id)
            if stop.id == END_OF_BLOCK:
                ids += [id_of_block(block) for block in range(2, options.bloecke + 1)]
    return tuple(ids)


def _is_printed(stop: Stop, options: Options) -> bool:
    lacking = bool(stop.needs) and getattr(options, stop.needs) is None
    if stop.id in options.stationen:
        if lacking and stop.missing:
            raise UserError(stop.missing)
        return True
    return not options.stationen and not lacking and not stop.extra


def station_of(desk: Desk, id_: str) -> Station:
    """One station alone, made by `station` in the room that the course names."""
    stop, tasks = BY_ID.get(id_), Tasks()
    if stop is None:
        parts = further_block(desk, tasks, block_of_id(id_))
        return Station(id_, _FURTHER, parts, tasks.by_name)
    make: Callable[[Desk, Tasks], Any] = import_module(f"generator.stations.{stop.name}.station").station
    return Station(id_, stop.name, make(desk, tasks), tasks.by_name)


# --- What every template may speak of as `d.…`: sizes, words, headings, the cover.


_ARCS_ON_COVER: Final = 30.0  # mm high
SUBJECT: Final = "Informatik · Sprachmodelle"
_SHORT: Final = 44
_MORE: Final = "\N{NO-BREAK SPACE}…"
_QR_SIDE: Final = 17.0  # mm; what is free beside a heading
_LONGEST_CODE: Final = 60  # letters; in one line, and as many as a person types without despair
_LOOSE_STATIONS: Final = 2  # so many go without a cover
_VECTOR_NAMES: Final = {"query": ("Query", "q"), "key": ("Key", "k"), "value": ("Value", "v")}


def sentence_shown(options: Options) -> str:
    """The sentence as pupils see it: without the word that a trained model is to say."""
    return printable(shown(options.tokens) + _MORE if options.learns else options.satz)


def _cover_picture(desk: Desk) -> Figure:
    """Arcs and a box for a guess; only a model that has read texts makes one better than another."""
    learnt = desk.built.learnt
    if learnt is None:
        return withheld(guess_arcs(desk, highest=_ARCS_ON_COVER))
    deciding = learnt.corpus.places(learnt.model.token_ids)
    return guess_arcs(desk, printable(learnt.expected), deciding, highest=_ARCS_ON_COVER)


def page_values(desk: Desk, sheet: Sheet) -> dict[str, Any]:
    """Facts of the sheet under the names that templates use as `d.…`."""
    sizes, options = desk.sizes, desk.options
    learnt, sentence = options.learns, sentence_shown(options)
    return {
        "title": f"Transformer auf Papier: „{_short(sentence)}“",
        "short_sentence": _short(sentence),
        "sentence": sentence,
        "learnt": learnt,
        "code": sheet.code,
        "subject": SUBJECT,
        "picture": options.bild,
        "page_format": page_format(options.schrift, options.rand),
        "group": 0,
        "alone": False,
        "pages": "flowing" if options.fortlaufend else "fronts" if options.vorderseiten else "",
        "booklet": len(sheet.stations) > _LOOSE_STATIONS,
        "cover": _cover_picture(desk),
        "texts": desk.built.learnt.lines if desk.built.learnt else (),
        "n": desk.n,
        "n_words": len(desk.vocabulary),
        "share_places": PROBABILITY_PLACES,
        "share_one": desk.constant(1, PROBABILITY_PLACES),
        "share_tolerance": desk.tolerance(len(desk.vocabulary), PROBABILITY_PLACES),
        **{
            name: getattr(sizes, name)
            for name in ("d_model", "n_heads", "d_head", "d_ff", "n_blocks", "norm")
        },
        "masked": options.maske,
        "scaling": options.skalierung,
        "positions": desk.has("positional_encoding"),
        "root": desk.root,
        "example": desk.words[desk.example],
        "last": desk.words[-1],
        "ending": printable(shown(desk.calculation.model.tokens).rpartition(" ")[2]),
        "several": len(desk.exercises) > 1,
        "more": desk.more,
        "less": desk.less,
        "one": desk.constant(1, options.nachkommastellen),
        "decimal_sign": desk.constant(1, 1)[1],
        "places": places,
        "places_text": places(options.nachkommastellen),
        "signs": {stop.id: stop.sign for stop in COURSE},
        "titles": {stop.id: stop.title for stop in COURSE},
        "printed": {s: desk.printed(s) for s in STATIONS},
        "stations": desk.stations,
        "asked_in": partial(tasks_asking, desk, sheet),
        "task_ids": {
            (s.id, name): id_of_task(s, task) for s in sheet.stations for name, task in s.tasks.items()
        },
        "strips": {
            id_: course_strip(desk.stations, id_)
            for id_ in STATIONS[1:]
            if id_ in desk.stations and not desk.single_lesson
        },
        "component_head": component_head,
        "qkv_head": qkv_head,
        "qkv_caption": qkv_caption,
    }


def tasks_asking(desk: Desk, sheet: Sheet, name: str, index: tuple[int, ...]) -> list[str]:
    """The ids on their pages of the tasks that first ask for a number of this row, one of each station."""
    width = range(desk.quantity(name).values.shape[-1])
    row = {cell for c in width for cell in desk.names_of(name, *index, c)}
    asking = (
        [id_of_task(station, task) for task in station.tasks.values() if not row.isdisjoint(task.cells)]
        for station in sheet.stations
    )
    return [ids[0] for ids in asking if ids]


def id_of_task(station: Station, task: Task) -> str:
    return f"t{station.id}-{task.number}"


def printed_code(options: Options) -> dict[str, Any]:
    """The sheet's code: a picture for the first page, and letters for the foot where they are few."""
    code = sheet_code(options)
    return {
        "qr": small_qr_code(code, "QR-Code dieses Blatts", _QR_SIDE),
        "whole_code": in_groups(code) if len(code) <= _LONGEST_CODE else "",
    }


def component_head(letter: str) -> Callable[[str], Markup]:
    """Headings of components: x₁, x₂, … as text, quicker than formulas."""
    return lambda column: Markup("<i>{}</i><sub>{}</sub>").format(letter, column)


def qkv_head(column: str) -> Markup:
    """A heading of a table of vectors: Query q; of a table of components: the component's number."""
    of, _, last = column.rpartition(".")
    if last.isdigit() and of:
        letter = _VECTOR_NAMES[of.rpartition(".")[2]][1]
        return Markup("<i>{}</i><sub>{}</sub>").format(letter, last)
    name, letter = _VECTOR_NAMES.get(last, ("", ""))
    return Markup("{} <i>{}</i>").format(name, letter) if name else Markup("{}").format(column)


def qkv_caption(table: Table) -> str:
    return _VECTOR_NAMES.get(table.caption.rpartition(".")[2], ("", ""))[0]


def _short(sentence: str) -> str:
    """As many whole words as the foot of a page has room for."""
    words = sentence.removesuffix(_MORE)
    if len(words) <= _SHORT:
        return sentence
    return (words[:_SHORT].rpartition(" ")[0] or words[:_SHORT]) + _MORE
