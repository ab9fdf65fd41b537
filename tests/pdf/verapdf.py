"""What veraPDF finds, where Java is at hand: of every PDF, against each standard that its metadata name."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

JARS = sorted((Path(__file__).resolve().parents[2] / ".setup").glob("greenfield-apps-*.jar"))
STANDARDS = ("2a", "ua1")

needs_verapdf = pytest.mark.skipif(not JARS or shutil.which("java") is None, reason="veraPDF is not at hand")


def assert_nothing_found(papers: Sequence[Path]) -> None:
    quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]  # for a short run
    program = ["java", *quick, "-cp", str(JARS[-1]), "org.verapdf.apps.GreenfieldCliWrapper"]
    words = [*program, "-f", "0", "--format", "text", "-v", *map(str, papers)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    verdicts = [line for line in done.stdout.splitlines() if line.startswith(("PASS", "FAIL"))]
    wanted = sorted(f"PASS {path} {standard}" for path in papers for standard in STANDARDS)
    assert sorted(verdicts) == wanted, done.stdout + done.stderr
