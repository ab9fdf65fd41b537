"""The program as a process of its own, as from a terminal in another folder: it is found by its path."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def environment(**changed):
    return {**os.environ, "PYTHONPATH": str(ROOT), **changed}


def started(*words, code="", env=None, **how):
    """code: Python to run instead of the program."""
    first = ("-c", code) if code else ("-m", "generator")
    command = [sys.executable, *first, *(word if isinstance(word, bytes) else str(word) for word in words)]
    how = {"capture_output": True, "timeout": 120, "check": False} | how
    return subprocess.run(command, env=env or environment(), **how)
