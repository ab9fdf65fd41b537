"""Functions and their arguments go in; new Python processes call them, and end with whoever started them.

Nothing is forked: a process forked from one that has used Pango waits for good for a thread that it does not
have. Nothing waits for ever either: a helper that takes too long for an answer is killed, and whoever asked
does the work itself. Each helper has a folder of its own for temporary files, which goes with it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import pkgutil
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, ClassVar, Final, NoReturn, ParamSpec, TypeVar

from generator.basics.errors import UserError
from generator.basics.garbage import collect_rarely

PATIENCE: Final = 300.0  # seconds for a job, with the loading before the first one
_SECONDS_TO_DIE: Final = 10
_TRIES, _SECONDS_BETWEEN = 40, 0.05
_PREFIX: Final = "papierformer-"
_START: Final = (
    "import os, pickle, sys; said = open(os.dup(0), 'rb')\n"
    "try: sys.path[:] = pickle.load(said)\n"
    "except EOFError: os.rmdir(os.environ['TMPDIR']); sys.exit()\n"  # its owner was killed just now
    "from generator.basics.helpers import answer_questions; answer_questions(said)"
)
P = ParamSpec("P")
R = TypeVar("R")


def remove(folder: Path) -> None:
    """Removes a folder into which helpers of a process that was killed may still write for a moment."""
    for _ in range(_TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            break
        time.sleep(_SECONDS_BETWEEN)


class ThisProcess(Executor):
    """Does what it is told at once, here."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """A future that is done."""
        done: Future[R] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


def submitted(executor: Executor, work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
    """The future of the work, which fails where no helper is left."""
    try:
        return executor.submit(work, *args, **kwargs)
    except (BrokenExecutor, OSError) as error:
        future: Future[R] = Future()
        future.set_exception(error)
        return future


def given(future: Future[R], work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """What a helper gives; where one is lost, the work is done here."""
    try:
        return future.result()
    except UserError:
        raise
    except Exception:  # a helper that died, a network that failed: what is wrong itself fails again
        return work(*args, **kwargs)


def begun(executor: Executor, work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
    """Has the work done; gives what waits for it."""
    return partial(given, submitted(executor, work, *args, **kwargs), work, *args, **kwargs)


class Helpers(Executor):
    """So many processes, which begin to load at once.

    begin: `package.module:function`, called in each before its first job. most_jobs: after so many a new
    process goes on, and the memory is free again; 0 for all. patience: seconds for a job. The future of a job
    whose helper died or took longer has a BrokenExecutor. No other takes its place, so that the time lost is
    bounded; once all are gone, `submit` raises BrokenExecutor, too.
    """

    def __init__(
        self, number: int = 1, begin: str = "", *, most_jobs: int = 0, patience: float = PATIENCE
    ) -> None:
        self._begin, self._most_jobs, self._patience = begin, most_jobs, patience
        self._jobs: SimpleQueue[tuple[Future[Any], bytes] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._helpers: set[_Helper] = set()
        self._working, self._ended, self._given_up = number, False, False
        atexit.register(self.shutdown, wait=False)
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(number)]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """What a helper will give. Raises BrokenExecutor where there is none any more."""
        future: Future[R] = Future()
        job = pickle.dumps((fn, args, kwargs))
        with self._lock:
            if self._ended or not self._working:
                raise BrokenExecutor("no helper is left")
            self._jobs.put((future, job))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the helpers; none is left when it returns. wait: for their work; otherwise it is given up."""
        with self._lock:
            self._ended, self._given_up = True, self._given_up or not wait
            killed = [] if wait else list(self._helpers)
        if cancel_futures or not wait:
            self._refuse_waiting()
        for _ in self._threads:
            self._jobs.put(None)
        for helper in killed:
            helper.process.kill()
        for thread in self._threads:
            thread.join()
        atexit.unregister(self.shutdown)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.shutdown(wait=kind is None)

    def _started(self) -> _Helper:
        with self._lock:
            if self._given_up:
                raise BrokenExecutor("nobody wants any more")
            helper = _Helper(self._begin)
            self._helpers.add(helper)
        return helper

    def _end(self, helper: _Helper | None) -> None:
        if helper is not None:
            helper.end()
            self._helpers.discard(helper)

    def _work(self) -> None:
        """Hands one job after another to a helper, and to those that follow it."""
        helper, given = None, 0
        with contextlib.suppress(BrokenExecutor, OSError):  # then it is tried again at the first job
            helper = self._started()
        while job := self._jobs.get():
            future, said = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                helper = helper or self._started()
                result, error = helper.ask(said, self._patience)
            except Exception as lost:  # it died, or was killed, or what it said cannot be read
                self._end(helper)
                helper = None
                future.set_exception(BrokenExecutor(f"a helper is lost: {lost!r}"))
                break
            given += 1
            if given == self._most_jobs:
                self._end(helper)
                helper, given = None, 0
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)
        self._end(helper)
        with self._lock:
            self._working -= 1
            if not self._working:
                self._refuse_waiting()

    def _refuse_waiting(self) -> None:
        with contextlib.suppress(Empty):
            while True:
                job = self._jobs.get_nowait()
                if job and job[0].set_running_or_notify_cancel():
                    job[0].set_exception(BrokenExecutor("no helper is left"))


class _Helper:
    """A process with its folder, seen from whoever owns it."""

    _starting: ClassVar = (
        threading.Lock()
    )  # Windows would give one the pipes of another, which then never end

    def __init__(self, begin: str) -> None:
        self._folder = tempfile.mkdtemp(prefix=_PREFIX)
        there = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), self._folder)
        try:
            with self._starting:
                self.process = subprocess.Popen(
                    [sys.executable, "-P", "-c", _START],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env=os.environ | there,
                    start_new_session=True,  # Ctrl-C is for its owner
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                )
        except OSError:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        with contextlib.suppress(OSError):  # it has ended already, as its first job will find
            pickle.dump(sys.path, self._jobs_to)
            pickle.dump(begin.encode(), self._jobs_to)
            self._jobs_to.flush()

    @property
    def _jobs_to(self) -> IO[bytes]:
        assert self.process.stdin is not None
        return self.process.stdin

    def ask(self, job: bytes, patience: float) -> tuple[Any, Exception | None]:
        """What the job gives, or its error. Raises EOFError or OSError where the process ends before."""
        assert self.process.stdout is not None
        timer = threading.Timer(patience, self.process.kill)
        timer.daemon = True
        timer.start()
        try:
            pickle.dump(job, self._jobs_to)
            self._jobs_to.flush()
            answer: tuple[Any, Exception | None] = pickle.loads(pickle.load(self.process.stdout))
            return answer
        finally:
            timer.cancel()

    def end(self) -> None:
        """Kills the process, which has nothing to tidy up, and removes its folder."""
        self.process.kill()
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):  # what was said and not read
            self.process.communicate(timeout=_SECONDS_TO_DIE)
        remove(Path(self._folder))


# --- in the helper ----------------------------------------------------------


def answer_questions(said: IO[bytes]) -> NoReturn:
    """What a helper does from its start on: reads jobs and writes what they give."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a job prints is no answer
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # Windows would load no library while this is being read
    jobs: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read_jobs, args=(said, jobs), daemon=True).start()
    collect_rarely()
    if begin := jobs.get().decode():
        pkgutil.resolve_name(begin)()
    while True:
        answer = _answer(jobs.get())
        with contextlib.suppress(OSError):  # nobody is there any more
            pickle.dump(answer, answers)
            answers.flush()


def _read_jobs(said: IO[bytes], jobs: SimpleQueue[bytes]) -> None:
    """Notices, whatever is being done, when the owner has died, and leaves nothing."""
    folder = Path(os.environ["TMPDIR"])
    with contextlib.suppress(Exception):
        while True:
            jobs.put(pickle.load(said))
    remove(folder)
    if folder.parent.name.startswith(_PREFIX):  # of a process that did not live to do it
        with contextlib.suppress(OSError):
            folder.parent.rmdir()
    os._exit(0)


def _answer(job: bytes) -> bytes:
    try:
        work, arguments, named = pickle.loads(job)
        return pickle.dumps((work(*arguments, **named), None))
    except Exception as error:
        error.add_note(traceback.format_exc())
        try:
            told = pickle.dumps((None, error))
            pickle.loads(told)  # not every exception can be made anew
            return told
        except Exception:
            return pickle.dumps((None, RuntimeError(repr(error))))
