"""The lessons that are open: who is in them, what was written, and what is to be said of it.

Everything that was acknowledged stands in the store; what is kept here beside it (sheets, verdicts) is made
anew after a start. Verdicts follow behind: a pupil's request never waits for a calculation.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar

from generator.basics.errors import UserError
from generator.page import calls
from generator.page.lesson.animals import ANIMALS
from generator.page.lesson.judge import Judge
from generator.page.lesson.opened import Open, by_animal
from generator.page.lesson.store import Answer, Lesson, Pupil, Store, TakenError
from generator.page.workers import Workers

FEEDBACK: Final = ("nichts", "urteil", "hilfe")
_LETTERS: Final = "ABCDEFGHJKLMNPRSTUVWXYZ23456789"  # none that look alike
_LENGTH: Final = 7  # 31**7 codes, 2.8e10
_SECONDS: Final = 90.0
_MOST_PUPILS: Final = 60
R = TypeVar("R")


class Lessons:
    """All lessons of a run. make_store: opens the store, in the one thread that may use it."""

    def __init__(self, workers: Workers, make_store: Callable[[], Store]) -> None:
        self._workers, self._make_store = workers, make_store
        self._thread = ThreadPoolExecutor(1, "store")
        self._store: Store | None = None
        self._open: dict[str, Open] = {}
        self._opening = asyncio.Lock()
        self.judge = Judge(workers, self._open)

    # --- beginning and ending --------------------------------------------------------

    async def resume(self) -> list[Lesson]:
        """The lessons that were open when the program ended go on; verdicts are made anew."""
        lessons = [lesson for lesson in await self.all("") if lesson.ended is None]
        for lesson in lessons:
            with contextlib.suppress(UserError):
                await self._opened(lesson)
        return lessons

    async def begin(self, source: dict[str, str], feedback: str, owner: str) -> Open:
        """UserError where there is no such sheet, or nothing on it can be compared."""
        if feedback not in FEEDBACK:
            raise UserError("Diese Anfrage ist keine der Seite; bitte laden Sie sie neu.")
        sheet = await self._workers.call(_SECONDS, calls.lesson_in_worker, source)
        code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
        lesson = Lesson(code, owner, json.dumps(source), sheet["satz"], feedback, time.time())
        await self._stored(lambda store: store.begin(lesson))
        self._open[code] = Open(lesson, sheet)
        return self._open[code]

    async def all(self, owner: str) -> list[Lesson]:
        """The lessons of one owner, the newest first; "" for all."""
        lessons = await self._stored(lambda store: store.lessons())
        return [lesson for lesson in lessons if not owner or lesson.owner == owner]

    async def find(self, code: str, owner: str = "") -> Open:
        """KeyError for a lesson that is none, or another's."""
        if code not in self._open:
            async with self._opening:  # a class that comes back at once opens it once
                if code not in self._open:
                    lesson = next((each for each in await self.all("") if each.code == code), None)
                    if lesson is None:
                        raise KeyError(code)
                    await self._opened(lesson)
        found = self._open[code]
        if owner and found.lesson.owner != owner:
            raise KeyError(code)
        return found

    async def _opened(self, lesson: Lesson) -> None:
        found = Open(
            lesson, await self._workers.call(_SECONDS, calls.lesson_in_worker, json.loads(lesson.source))
        )
        for pupil in await self._stored(lambda store: store.pupils(lesson.code)):
            found.pupils[pupil.token] = pupil
            answers = await self._stored(partial(Store.answers, token=pupil.token))
            found.written[pupil.token] = {(a.name, a.place): a for a in answers}
        self._open[lesson.code] = found
        for token in found.pupils:
            self.judge.note(found, token)

    async def end_lesson(self, code: str) -> None:
        await self._stored(lambda store: store.end(code))
        found = self._open[code]
        found.lesson = Lesson(**{**vars(found.lesson), "ended": time.time()})

    async def delete(self, code: str) -> None:
        await self._stored(lambda store: store.delete(code))
        self._open.pop(code, None)

    async def close(self) -> None:
        """What is being written is written; verdicts are given up."""
        self.judge.end()
        if self._store is not None:
            await self._stored(lambda store: store.close())
        self._thread.shutdown()

    # --- pupils ----------------------------------------------------------------------

    def free(self, found: Open) -> list[str]:
        """The animals that nobody has chosen yet."""
        taken = {pupil.animal for pupil in found.pupils.values()}
        return [animal for animal in ANIMALS if animal not in taken]

    async def join(self, found: Open, animal: str) -> Pupil:
        """UserError where the animal is taken or none, the lesson has ended or is full."""
        if found.lesson.ended is not None:
            raise UserError("Diese Stunde ist zu Ende.")
        if animal not in ANIMALS:
            raise UserError("Bitte wähle ein Tier aus der Liste.")
        if len(found.pupils) >= _MOST_PUPILS:
            raise UserError(f"In dieser Stunde sind schon {_MOST_PUPILS} Tiere.")
        pupil = Pupil(secrets.token_urlsafe(16), animal, found.stations[0], time.time(), found.lesson.code)
        try:
            await self._stored(lambda store: store.join(pupil))
        except TakenError as error:
            raise UserError(f"„{animal}“ ist schon vergeben; bitte wähle ein anderes Tier.") from error
        found.pupils[pupil.token] = pupil
        found.written[pupil.token] = {}
        return pupil

    async def write(self, found: Open, token: str, station: str, answers: Sequence[Answer]) -> None:
        """Keeps what a pupil sends; older changes than those that are known change nothing."""
        if found.lesson.ended is not None:
            raise UserError("Diese Stunde ist zu Ende.")
        answers = [answer for answer in answers if (answer.name, answer.place) in found.titles]
        station = station if station in found.stations else found.pupils[token].station
        await self._stored(lambda store: store.write(token, station, answers))
        own = found.written[token]
        for answer in answers:
            before = own.get((answer.name, answer.place))
            if before is None or before.number < answer.number:
                own[answer.name, answer.place] = answer
        pupil = found.pupils[token]
        found.pupils[token] = Pupil(token, pupil.animal, station, time.time(), pupil.lesson)
        if answers:
            self.judge.note(found, token)

    async def result(self, found: Open) -> dict[str, str]:
        """The class result: "html" and "csv"."""
        papers = {
            pupil.animal: found.paper(token) for token, pupil in sorted(found.pupils.items(), key=by_animal)
        }
        return await self._workers.call(_SECONDS, calls.class_in_worker, found.source, papers)

    # --- the store -------------------------------------------------------------------

    async def _stored(self, work: Callable[[Store], R]) -> R:
        """In the store's own thread, one after the other."""

        def do() -> R:
            if self._store is None:
                self._store = self._make_store()
            return work(self._store)

        return await asyncio.get_running_loop().run_in_executor(self._thread, do)
