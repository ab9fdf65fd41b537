"""The address of a running Dask cluster goes in; an executor whose work is done there comes out.

For many sets at once. The workers need this program at the same version; they get the contents of files and
give back the finished sheets. Dask gives the work of a worker that dies to another one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Final

from generator.basics.errors import UserError, quoted
from generator.classes.variant import versions

_PATIENCE: Final = 10  # seconds to wait for an answer
_RETRIES: Final = 3


@contextlib.contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The executor of a cluster. UserError where there is none, or its workers are of another version."""
    try:
        from distributed import Client
    except ImportError as error:
        raise UserError(
            "--rechner braucht das Paket distributed; es kommt mit „pip install 'papierformer[rechner]'“."
        ) from error
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise UserError(
            f"--rechner {quoted(address)}: Dort antwortet kein Dask-Scheduler; nötig ist seine Adresse, zum "
            "Beispiel tcp://192.168.1.20:8786."
        ) from error
    with client:
        _check(client.run(versions))
        yield client.get_executor(retries=_RETRIES, pure=False)


def _check(found: dict[str, tuple[str, ...]]) -> None:
    if not found:
        raise UserError(
            "--rechner: Der Scheduler hat keinen Worker; starten Sie einen mit „dask worker ADRESSE“."
        )
    for worker, version in found.items():
        if version != versions():
            raise UserError(
                f"--rechner: Der Worker {worker} hat {', '.join(version)} statt {', '.join(versions())}; "
                "alle brauchen dieselbe Version."
            )
