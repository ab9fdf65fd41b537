"""Puts faults into a copy of the project, one at a time; says which of them the tests notice.

python tests/mutations.py [START OF A FOLDER …]     those whose tests begin so, else all

A fault is a file, what stands there and what is put in its place. Of the tests only those named above it run,
up to the first that fails.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FORWARD, STATIONS, FORMATS = "engine/forward/forward.py", "generator/stations/", "generator/output/formats/"
NUMBERS, CHECK = "generator/basics/numbers.py", "generator/check/"
DESK, WHOLE, COSINES = (
    "generator/sheet/desk.py",
    "generator/sheet/whole_sheet.py",
    STATIONS + "embedding/cosines.py",
)
NORM, FFN, HEAD = (STATIONS + f for f in ("add_norm/station.py", "feed_forward/station.py", "attention.py"))
LINES, STRIP, BLOCKS = STATIONS + "worked_lines.py", STATIONS + "before_after.py", "templates/blocks.html.j2"
OUTPUT, MOODLE, DOCX = STATIONS + "output/station.py", FORMATS + "moodle.py", FORMATS + "docx.py"
PLAN = "generator/teacher/plan.py"

FAULTS = {
    "tests/engine tests/engine_course tests/engine_learning tests/acceptance": [
        (FORWARD, "x + new, _RESIDUAL", "x - new, _RESIDUAL"),
        (FORWARD, "score / self.root()", "score / self.root() / self.root()"),
        (FORWARD, "np.tri(self.model.n_tokens, dtype", "np.tri(self.model.n_tokens, k=1, dtype"),
        (FORWARD, "THREE.over(WORD, divisor=True)", "N.over(WORD, divisor=True)"),
        (FORWARD, "x[..., -1, :]", "x[..., 0, :]"),
        (FORWARD, "// 2) / d_model", "// 2) / (d_model + 1)"),
        ("engine/backward/backward.py", "return probability - right", "return right - probability"),
        ("engine/judging/acceptance.py", "accepted = at_least_a_unit(accepted, quantity)", "pass"),
        ("engine/judging/ranges.py", "high / unit + 0.5", "high / unit - 0.5"),
        ("engine/texts/byte_pairs.py", "(ids[pair[0]], ids[pair[1]])", "(ids[pair[1]], ids[pair[0]])"),
    ],
    "tests/check tests/mistakes tests/test_numbers.py": [
        (NUMBERS, r'MINUS = "\N{MINUS SIGN}"', 'MINUS = "-"'),
        (NUMBERS, "rounding=ROUND_HALF_UP", "rounding=ROUND_HALF_EVEN"),
        (CHECK + "check.py", "wrong = left", "pass"),
        ("engine/judging/mistakes.py", "return old + gradient * rate", "return old - gradient * rate"),
        (CHECK + "in_words.py", "value == -right", "value == right"),
        ("templates/check/quantities.toml", 'weight = "Gewicht"', 'weight = "Score"'),
    ],
    "tests/sheets/test_every_station.py tests/findings tests/sheets tests/stations": [
        (WHOLE, 'replace(number, text="", accepted="", changed=False)', "replace(number, changed=False)"),
        (WHOLE, 'replace(words, text="", accepted="")', 'replace(words, accepted="")'),
        (WHOLE, "replace(bar, share=None)", "bar"),
        (WHOLE, "drawing=figure.empty", "drawing=figure.drawing"),
        (DESK, "in self.asked\n        changed", "in ()\n        changed"),
        (DESK, "else Solution(line.text)", "else line.cell()"),
        (DESK, "math.ceil(count / 2)", "count // 9"),
        (DESK, ").sum(0)", ").sum(0) + 1"),
        ("generator/sheet/wording.py", '("(", number, ")")', "(number,)"),
        (LINES, '"=" if exact', '"≈" if exact'),
        (LINES, "reach = float(size.sum())", "reach = 0.1 * float(size.sum())"),
        (LINES, "np.where(allowed.exact[where], 0.0, size)", "size"),
        (HEAD, "max(values[k] for", "min(values[k] for"),
        (HEAD, "tolerance=desk.tolerance(len(seen))", 'tolerance=desk.constant(0)'),
        (HEAD, "low=row[0].text", "low=row[-1].text"),
        (NORM, "if value > 1 else", "if value < 1 else"),
        (NORM, "_fraction(total) / desk.sizes.d_model", "_fraction(total) / (desk.sizes.d_model - 1)"),
        (NORM, "max(2.0, 0.5 / std + 0.5)", "1.0"),
        (NORM, '"I", own_work, statistics', '"I", own_work'),
        (NORM, "blank=True) for step", "blank=False) for step"),
        (FFN, "values < 0", "values > 0"),
        (FFN, "numbers(left, token)", "numbers(left, 0)"),
        (STRIP, "if new[c] < old[c]", "if new[c] > old[c]"),
        (STRIP, "draw(False) if blank else None", "None"),
        (COSINES, "most = 2 if desk.more", "most = 9 if desk.more"),
        (COSINES, "desk.number(_COSINE, i, j, blank=True)", "desk.number(_COSINE, i, j)"),
        (STATIONS + "tokenizer/station.py", "sum(ids)", "sum(ids) + 1"),
        (STATIONS + "positions/station.py", '"cos" if component % 2 else "sin"', '"sin"'),
        (STATIONS + "output/station.py", 'in desk.largest("logit")', "in (0,)"),
        (STATIONS + "output/station.py", "min(desk.options.temperatur)", "max(desk.options.temperatur)"),
        (STATIONS + "generation/station.py", "sum(round_.chosen.word_id for", "sum(round_.number for"),
        (STATIONS + "cross_attention/decoder.py", 'else "beginning"', 'else "whole"'),
        (STATIONS + "learning/after.py", '"kleiner als"', '"größer als"'),
        ("templates/stations/add_norm/pupils.html.j2", "s.source.head", "s.source.head + 1"),
        ("templates/stations/feed_forward/pupils.html.j2", "answer(3) %}{% if", "summary() %}{% if"),
        (BLOCKS, '{% if view == "key" %}<div class="expected"', '{% if d %}<div class="expected"'),
        (BLOCKS, "&nbsp;{{ t.points }}&nbsp;BE", "&nbsp;1&nbsp;BE"),
    ],
    "tests/formats": [
        (NUMBERS, "return low - half +", "return low + half +"),
        (FORMATS + "md.py", "return BLANK\n        case tree.Blank", 'return ""\n        case tree.Blank'),
        (FORMATS + "md.py", '"#" * max', '"" * max'),
        (DOCX, '"Erwartung") if blocks', '"Erwartung") if False'),
        (DOCX, "self.blocks(entry[1:]", "self.blocks(entry[2:]"),
        (MOODLE, "%100%{part}", "%50%{part}"),
        (MOODLE, "inside = min(", "inside = max("),
        (FORMATS + "stack.py", " and is(counted{place}>={low}", ""),
        (FORMATS + "ebuch.py", '"→": "->",', ""),
        (FORMATS + "questions.py", "(at, *self.record.alike.get(at, ()))", "self.record.alike.get(at, ())"),
        (FORMATS + "read.py", "isinstance(cell, Hidden))", "False)"),
    ],
    "tests/teacher": [
        (PLAN, "MINUTES_PER_POINT * worded", "0 * worded"),
        (PLAN, "for cell in copied} - worked_out", "for cell in ()}"),
        ("generator/teacher/expected_mistakes.py", "if cell.wrong)", ")"),
        ("templates/teacher/expected.html.j2", "{{ row.task.points or", "{{ 1 or"),
        ("templates/teacher/mistakes.html.j2", "m(mistake.sentence)", "m(mistake.help)"),
    ],
    "tests/page/test_guard.py tests/page/test_fairness.py tests/page/test_guessing.py": [
        ("generator/page/guard.py", "return left >= 1", "return True"),
        ("generator/page/guard.py", "in _SAFE and not", "in _SAFE and not True and not"),
    ],
}  # fmt: skip


def noticed(copy: Path, tests: str) -> bool:
    command = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-n2", "--dist=loadfile", *tests.split()]
    return (
        subprocess.run([sys.executable, *command], cwd=copy, capture_output=True, check=False).returncode != 0
    )


def main(beginnings: list[str]) -> int:
    chosen = {tests: faults for tests, faults in FAULTS.items() if tests.startswith(tuple(beginnings) or "")}
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        for tests, faults in chosen.items():
            if noticed(copy, tests):
                raise SystemExit(f"{tests}: they fail without a fault")
            for file, old, new in faults:
                path, started = copy / file, time.monotonic()
                text = path.read_text(encoding="utf-8")
                if old not in text:
                    raise SystemExit(f"{file} has no longer {old!r}")
                path.write_text(text.replace(old, new, 1), encoding="utf-8")
                caught = noticed(copy, tests)
                path.write_text(text, encoding="utf-8")
                missed += not caught
                said = "caught" if caught else "NOT CAUGHT"
                print(f"{said} {time.monotonic() - started:.0f} s: {file}: {old!r} -> {new!r}", flush=True)
    print(f"{missed} of {sum(map(len, chosen.values()))} not caught")
    return bool(missed)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
