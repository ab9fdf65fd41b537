"""Memory is promised: no calculation takes more than 2 GB; `test_refusals.py` has those that would."""

import sys

import pytest
from starting import started

PEAK = """
import re, sys
from pathlib import Path
from generator.commands.cli import main
status = main(sys.argv[1:])
peak = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())  # its own, not its parent's
print(peak[1], file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in KiB on Linux only")
@pytest.mark.parametrize(
    ("words", "options"),
    [
        pytest.param(3, {"dimension": 512}, marks=pytest.mark.thorough),
        pytest.param(128, {"dimension": 64}, marks=pytest.mark.thorough),
        (6, {"dimension": 4, "lernen": "alles", "zielsatz": "the cat sits on the mat"}),
    ],
)
def test_the_largest_calculations_take_no_more_than_promised(words, options):
    sentence = " ".join(f"w{n}" for n in range(words))
    flags = [text for name, value in options.items() for text in (f"--{name}", str(value))]
    run = started("rechne", sentence, *flags, code=PEAK, text=True)
    assert run.returncode == 0
    assert int(run.stderr.split()[-1]) * 1024 < 2 * 10**9
