"""The lessons that are open: who is in them, what was written, and what is to be said of it.

Everything that was acknowledged stands in the store; what is kept here beside it (sheets, verdicts) is made
anew after a start. Verdicts follow behind: a pupil's request never waits for a calculation.
"""

import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from generator.basics.errors import UserError
from generator.page.lesson.databases import GoneError, StoreError, TakenError
from generator.page.lesson.judge import JUDGING, Judge
from generator.page.lesson.opened import ANIMALS, FORM, Open, Sheet, by_animal, kept, sheets_of
from generator.page.lesson.store import FullError, Lesson, Pupil, Store, StoredAnswer
from generator.page.shelf import NOT_OURS, AbsentError
from generator.page.workers import Workers

FEEDBACK: Final = ("nichts", "urteil", "hilfe")
LONGEST: Final = 86_400.0  # seconds that a lesson stays open where nobody ends it
_LETTERS: Final = "ABCDEFGHJKLMNPRSTUVWXYZ23456789"  # none that look alike
_LENGTH: Final = 7  # 31**7 codes, 2.8e10
_CODE: Final = re.compile(f"[{_LETTERS}]{{{_LENGTH}}}")
_SECONDS: Final = 90.0
SECONDS_FOR_STORE: Final = 8.0
SECONDS_BETWEEN_TRIES: Final = 3.0  # to open a store that cannot be opened
_SECONDS_TO_HEAR: Final = 600.0  # that a lesson has ended
_SECONDS_KEPT: Final = 3600.0  # that a lesson is kept open here while nobody asks for it
MOST_PUPILS: Final = 60
NO_SUCH_SHEET: Final = (
    "Dieses Blatt gehört nicht zu dieser Stunde; bitte sieh noch einmal unten auf dein Blatt."
)
WHICH_OF_THE_TEAM: Final = (
    "Diese vier Zeichen hat dein ganzes Team: Tippe dahinter deine Gruppe, zum Beispiel ABCD-2."
)
_OVER: Final = "Diese Stunde ist zu Ende."
_DELETED: Final = "Diese Stunde gibt es nicht mehr, oder dieses Tier ist nicht mehr dabei."
R = TypeVar("R")


class Lessons:
    """All lessons of a run. make_store: opens the store, in the one thread that may use it.

    let_in: those for which phones of this network are let in.
    """

    def __init__(self, workers: Workers, make_store: Callable[[], Store]) -> None:
        self._workers, self._make_store = workers, make_store
        self._thread = ThreadPoolExecutor(1, "store")
        self._store: Store | None = None
        self._failed: tuple[float, StoreError] | None = None
        self._open: dict[str, Open] = {}
        self._opening: dict[str, asyncio.Task[Open]] = {}
        self.let_in: set[str] = set()
        self.judge = Judge(workers, self._open)

    # --- beginning and ending --------------------------------------------------------

    async def begin(
        self, sources: Mapping[str, tuple[dict[str, str], str]], feedback: str, owner: str
    ) -> Open:
        """sources: of each sheet, by its number in a class set or "", and its mark.

        UserError where there is no such sheet, or nothing on it can be compared.
        """
        if feedback not in FEEDBACK:
            raise UserError(NOT_OURS)
        sheets = {number: await self._sheet(*each) for number, each in sources.items()}
        code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
        sentence = next(iter(sheets.values())).exercises["satz"]
        lesson = Lesson(code, owner, kept(sheets), sentence, feedback, time.time())
        await self._stored(lambda store: store.begin(lesson))
        self._open[code] = Open(lesson, sheets)
        self.let_in.add(code)
        return self._open[code]

    async def _sheet(self, source: dict[str, str], mark: str) -> Sheet:
        return Sheet(source, mark, await self._workers.call(_SECONDS, f"{JUDGING}:exercises", source))

    async def of_owner(self, owner: str) -> list[Lesson]:
        """The newest lessons of one owner, without their sheets."""
        return await self._stored(lambda store: store.lessons(owner))

    async def find(self, code: str, owner: str | None = None) -> Open:
        """AbsentError for a lesson that is none, or another's; owner: None for whoever knows its code."""
        if not _CODE.fullmatch(code):
            raise AbsentError(code)
        if code not in self._open:  # a class that comes back at once opens it once
            if code not in self._opening:
                self._opening[code] = asyncio.create_task(self._opened(code))
                self._opening[code].add_done_callback(lambda _: self._opening.pop(code))
            await asyncio.shield(self._opening[code])
        found = self._open[code]
        if owner is not None and found.lesson.owner != owner:
            raise AbsentError(code)
        found.used = time.time()
        return found

    async def _opened(self, code: str) -> Open:
        lesson = await self._stored(lambda store: store.lesson(code))
        if lesson is None:
            raise AbsentError(code)
        sheets = sheets_of(lesson.source)
        for number, sheet in sheets.items():
            if sheet.exercises.get("fassung") != FORM:
                sheets[number] = await self._sheet(sheet.source, sheet.mark)
        found = Open(lesson, sheets)
        for pupil in await self._stored(lambda store: store.pupils(code)):
            found.pupils[pupil.token] = pupil
            answers = await self._stored(partial(Store.answers, token=pupil.token))
            found.written[pupil.token] = {(a.name, a.place): a for a in answers}
        self._open[code] = found
        for token in found.pupils:
            self.judge.note(found, token)
        return found

    async def end_lesson(self, code: str) -> None:
        await self._stored(lambda store: store.end(code))
        self._ended(code)

    async def tidy(self) -> None:
        """Lessons that nobody has ended end after a day; those that nobody asks for are put away."""
        now = time.time()
        await self._stored(lambda store: store.end_older(now - LONGEST))
        for code, found in list(self._open.items()):
            if found.lesson.begun < now - LONGEST and found.lesson.ended is None:
                self._ended(code)
            if found.used < now - _SECONDS_KEPT:
                del self._open[code]

    async def look_after(self) -> None:
        """What is kept is checked and copied. StoreError where it is damaged."""
        await self._stored(Store.look_after)

    def knows(self, code: str, token: str) -> bool:
        """Whether this is the mark of a pupil of a lesson that is open here."""
        found = self._open.get(code)
        return found is not None and token in found.pupils

    def _ended(self, code: str) -> None:
        """Phones that are here are let in until they have heard it."""
        found = self._open[code]
        found.lesson = replace(found.lesson, ended=time.time())
        if not found.waits_for:
            self.let_in.discard(code)

    async def all_heard(self, code: str) -> None:
        """Waits until every phone of an ended lesson has heard of it, and lets none of them in after that."""
        until = time.monotonic() + _SECONDS_TO_HEAR
        while (found := self._open.get(code)) and found.waits_for and time.monotonic() < until:
            await asyncio.sleep(0.2)
        await asyncio.sleep(1)  # the last answer is on its way
        self.let_in.discard(code)

    async def delete(self, code: str) -> None:
        self._open.pop(code, None)
        self.let_in.discard(code)
        await self._stored(lambda store: store.delete(code))

    async def close(self) -> None:
        """What is being written is written; verdicts are given up."""
        self.judge.end()
        if self._store is not None:
            with contextlib.suppress(StoreError):
                await self._stored(lambda store: store.close())
        self._thread.shutdown(wait=False, cancel_futures=True)

    # --- pupils ----------------------------------------------------------------------

    def free(self, found: Open) -> list[str]:
        """The animals that nobody has chosen yet."""
        taken = {pupil.animal for pupil in found.pupils.values()}
        return [animal for animal in ANIMALS if animal not in taken]

    async def join(self, found: Open, animal: str, number: str) -> Pupil:
        """UserError where the animal is taken or none, the sheet is none, the lesson has ended or is full."""
        if found.lesson.ended is not None:
            raise UserError(_OVER)
        if animal not in ANIMALS:
            raise UserError("Bitte wähle ein Tier aus der Liste.")
        if number not in found.sheets:
            raise UserError(NO_SUCH_SHEET)
        code, token = found.lesson.code, secrets.token_urlsafe(16)
        pupil = Pupil(token, animal, found.stations[0], time.time(), code, number)
        try:
            await self._stored(lambda store: store.join(pupil, MOST_PUPILS))
        except FullError as error:
            raise UserError(f"In dieser Stunde sind schon {MOST_PUPILS} Tiere.") from error
        except TakenError as error:
            raise UserError(f"„{animal}“ ist schon vergeben; bitte wähle ein anderes Tier.") from error
        except GoneError as error:
            raise await self._gone(found) from error
        found.pupils[pupil.token] = pupil
        found.written[pupil.token] = {}
        return pupil

    async def remove(self, found: Open, animal: str) -> None:
        """AbsentError where nobody is this animal."""
        token = next((token for token, pupil in found.pupils.items() if pupil.animal == animal), None)
        if token is None:
            raise AbsentError(animal)
        await self._stored(partial(Store.remove, token=token))
        found.forget(token)

    async def write(
        self, found: Open, token: str, station: str, answers: Sequence[StoredAnswer]
    ) -> list[StoredAnswer]:
        """Keeps what a pupil sends. What is kept already and newer stays, and is given back."""
        if found.lesson.ended is not None:
            raise UserError(_OVER)
        asked = found.sheet(token).titles
        answers = [answer for answer in answers if (answer.name, answer.place) in asked]
        station = station if station in found.stations else found.pupils[token].station
        try:
            await self._stored(lambda store: store.write(token, station, answers))
        except GoneError as error:
            raise await self._gone(found, token) from error
        if token not in found.pupils:  # removed meanwhile
            raise UserError(_DELETED)
        newer = [newer for answer in answers if (newer := found.keep(token, answer)) != answer]
        found.pupils[token] = replace(found.pupils[token], station=station, seen=time.time())
        if answers:
            self.judge.note(found, token)
        return newer

    async def result(self, found: Open) -> dict[str, str]:
        """The class result: "html" and "csv"."""
        papers = [
            (pupil.sheet, pupil.animal, found.sheet(token).source, found.paper(token))
            for token, pupil in sorted(found.pupils.items(), key=by_animal)
        ]
        result: dict[str, str] = await self._workers.call(_SECONDS, f"{JUDGING}:class_result", papers)
        return result

    async def _gone(self, found: Open, token: str = "") -> UserError:
        """Why the store does not know them: the teacher has deleted them, or it has lost what is open."""
        await self._stored(lambda store: None)  # whatever deletes has been told by now that it is done
        await asyncio.sleep(0)
        ours = self._open.get(found.lesson.code) is found and (not token or token in found.pupils)
        return (
            StoreError("Die Datenbank kennt eine Stunde nicht, die offen ist.")
            if ours
            else UserError(_DELETED)
        )

    # --- the store -------------------------------------------------------------------

    async def _stored(self, work: Callable[[Store], R]) -> R:
        """In the store's own thread, one after the other. StoreError where it fails or takes too long."""
        try:
            done = asyncio.get_running_loop().run_in_executor(self._thread, self._do, work)
            return await asyncio.wait_for(done, SECONDS_FOR_STORE)
        except TimeoutError as error:
            if self._store is not None:
                self._store.break_off()
            raise StoreError("Die Antworten lassen sich gerade nicht ablegen oder lesen.") from error

    def _do(self, work: Callable[[Store], R]) -> R:
        if self._failed is not None and time.monotonic() < self._failed[0]:
            raise self._failed[1]
        try:
            if self._store is None:
                self._store = self._make_store()
                self._store.prepare()
            return work(self._store)
        except StoreError as error:  # it is opened anew: a server closes connections, a file comes back
            if self._store is None:
                self._failed = time.monotonic() + SECONDS_BETWEEN_TRIES, error
            else:
                store, self._store = self._store, None
                with contextlib.suppress(StoreError):
                    store.close()
            raise
