"""The STTS tags and lemmas of the words of a sentence by HanTa's German model.

The model is a pickle, so only the bytes of the known release are ever unpickled. It takes as long to load as
the calculation of a sheet, so what it said of a sentence is kept.
"""

import contextlib
import gzip
import hashlib
import io
import json
import pickle
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from generator.basics.files import Kept, user_cache

MODEL_FILE = "morphmodel_ger.pgz"
_MOST_SENTENCES = 300
MODEL_SHA256 = "d0a23caa212663fe7715e18e937074287f80b9e3bab64ccebc12a81e0094db23"  # HanTa 1.2.1


class TaggerUnavailableError(Exception):
    """HanTa is missing, its model is not the known one, or it failed on a sentence."""


class HantaTag(NamedTuple):
    """One word as HanTa sees it: its STTS tag (`NN`, `VV(FIN)`, …) and its lemma."""

    tag: str
    lemma: str


def model_path() -> Path:
    """Where the installed HanTa keeps its German model; raises TaggerUnavailableError without HanTa."""
    try:
        spec = find_spec("HanTa")
    except ValueError:  # a blocked module
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise TaggerUnavailableError("HanTa is not installed")
    return Path(spec.submodule_search_locations[0]) / MODEL_FILE


def read_model(path: Path) -> Any:
    """The unpickled model of `path`; raises TaggerUnavailableError unless its bytes have the known hash."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise TaggerUnavailableError(f"{path.name} cannot be read") from error
    if hashlib.sha256(content).hexdigest() != MODEL_SHA256:
        raise TaggerUnavailableError(f"{path.name} is not the known model")
    return pickle.loads(gzip.decompress(content))


@cache
def loaded() -> Any:
    model = read_model(model_path())
    with _silent():
        from HanTa.HanoverTagger import HanoverTagger

        tagger = HanoverTagger(None, model=model)
    tagger.strict = False  # as HanTa sets it when it reads the file itself
    return tagger


def tag_sentence(words: Sequence[str], case_matters: bool = True) -> list[HantaTag]:
    """Tags of the words of one sentence, in order; raises TaggerUnavailableError when HanTa cannot."""
    if not words:
        return []
    folder = user_cache()
    kept, name = Kept(folder and folder / "wortarten"), _name(words, case_matters)
    if (said := kept.get(name)) is not None:
        with contextlib.suppress(ValueError, TypeError):  # damaged
            return [HantaTag(*map(str, pair)) for pair in json.loads(said)]
    tags = _tagged(words, case_matters)
    kept.put(name, json.dumps(tags).encode())
    kept.leave(_MOST_SENTENCES)
    return tags


def _name(words: Sequence[str], case_matters: bool) -> str:
    """Of all that the tags depend on. Raises TaggerUnavailableError without HanTa and its model."""
    try:
        model = model_path().stat()
    except OSError as error:
        raise TaggerUnavailableError(f"{MODEL_FILE} cannot be read") from error
    return repr((MODEL_SHA256, model.st_size, model.st_mtime_ns, list(words), case_matters))


def _tagged(words: Sequence[str], case_matters: bool) -> list[HantaTag]:
    try:
        with _silent():
            rows = loaded().tag_sent(list(words), taglevel=1, casesensitive=case_matters)
    except TaggerUnavailableError:
        raise
    except Exception as error:  # HanTa raises whatever its tables hit; the caller has a fallback
        raise TaggerUnavailableError(str(error)) from error
    if len(rows) != len(words):
        raise TaggerUnavailableError("HanTa lost a word")
    return [HantaTag(tag, lemma) for _, lemma, tag in rows]


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Keep HanTa's prints and warnings from the program's output."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
