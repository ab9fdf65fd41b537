"""Papers that have changed go in; verdicts come behind them, and behind those typical mistakes and hints.

Which number is wrong is told several times as fast as why, so that the teacher sees a whole class within a
second or two, and a paper that changes again and again keeps nobody's verdicts waiting.
"""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any, Final

from generator.basics.errors import UserError
from generator.page.lesson.opened import Open
from generator.page.workers import Workers

JUDGING: Final = "generator.page.lesson.judging"
_SECONDS: Final = 90.0
_AT_ONCE: Final = 6  # papers that one worker judges in a row


class _Line:
    """Papers by lesson and token, in the order in which they came; who comes again keeps the place."""

    def __init__(self) -> None:
        self._papers: dict[tuple[str, str], None] = {}
        self._there, self.done = asyncio.Event(), asyncio.Event()
        self.done.set()

    def put(self, code: str, token: str) -> None:
        self._papers.setdefault((code, token))
        self._there.set()
        self.done.clear()

    async def next(self, most: int) -> tuple[str, list[str]]:
        """The first lesson in line, and the first papers of it; whoever asks is done with those before."""
        while not self._papers:
            self.done.set()
            self._there.clear()
            await self._there.wait()
        code = next(iter(self._papers))[0]
        tokens = [token for each, token in self._papers if each == code][:most]
        for token in tokens:
            del self._papers[code, token]
        return code, tokens


class Judge:
    """Two lines: one for verdicts, one for what explains them."""

    def __init__(self, workers: Workers, lessons: Mapping[str, Open]) -> None:
        self._workers, self._lessons = workers, lessons
        self._plain, self._named = _Line(), _Line()
        self._tasks: list[asyncio.Task[None]] = []

    def note(self, found: Open, token: str) -> None:
        """Has a paper that has changed judged again."""
        found.changed[token] += 1
        self._plain.put(found.lesson.code, token)
        if not self._tasks or any(task.done() for task in self._tasks):
            self.end()
            lines = ((self._plain, _AT_ONCE, False), (self._named, 1, True))
            self._tasks = [asyncio.create_task(self._work(*line)) for line in lines]

    async def finished(self) -> None:
        """Until all that has changed is judged and explained."""
        for line in (self._plain, self._named):
            await line.done.wait()

    def end(self) -> None:
        """Stops judging; answers that wait for it stay without a verdict."""
        for task in self._tasks:
            task.cancel()

    async def _work(self, line: _Line, most: int, named: bool) -> None:
        while True:
            code, tokens = await line.next(most)
            if (found := self._lessons.get(code)) is not None:
                with contextlib.suppress(UserError):  # the next change of the paper tries again
                    await self._judge(found, tokens, named)

    async def _judge(self, found: Open, tokens: list[str], named: bool) -> None:
        papers = {t: (found.sheet(t).source, found.paper(t)) for t in tokens if t in found.pupils}
        changes = {token: found.changed[token] for token in tokens}
        said = await self._workers.call(_SECONDS, f"{JUDGING}:judged", papers, named)
        for token, verdict in said.items():
            if token not in found.pupils:  # removed meanwhile
                continue
            known = found.verdicts.get(token)
            if known is None or known["stand"] <= changes[token]:
                whole = verdict if named or known is None else with_hints(verdict, known)
                found.verdicts[token] = {**whole, "stand": changes[token]}
            if not named:
                self._named.put(found.lesson.code, token)


def with_hints(verdict: dict[str, Any], earlier: Mapping[str, Any]) -> dict[str, Any]:
    """What was said of a paper's mistakes stays, cell by cell, where the verdict is the same as before."""
    hints = {(c["name"], c["stelle"], c["urteil"]): c["hilfe"] for c in earlier["zellen"]}
    cells = [{**c, "hilfe": hints.get((c["name"], c["stelle"], c["urteil"]), "")} for c in verdict["zellen"]]
    return {**verdict, "zellen": cells, "fehler": earlier["fehler"]}
