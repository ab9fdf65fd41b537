"""Templates compiled by an earlier run, kept beside the templates as Python keeps its modules.

Jinja looks whether a template is still the same. Where the folder cannot be written, or Python is told to
write no bytecode, every run compiles anew.
"""

import contextlib
import sys
from pathlib import Path

from jinja2 import FileSystemBytecodeCache, __version__
from jinja2.bccache import Bucket


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates in `__pycache__` of a folder."""

    def __init__(self, templates: Path) -> None:
        self._folder = templates / "__pycache__"
        super().__init__(str(self._folder), f"%s.jinja-{__version__}.{sys.implementation.cache_tag}")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Takes what was kept, unless it is damaged in whatever way."""
        try:
            super().load_bytecode(bucket)
        except Exception:
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps it if it can."""
        if not sys.dont_write_bytecode:
            with contextlib.suppress(OSError):
                self._folder.mkdir(exist_ok=True)
                super().dump_bytecode(bucket)
