"""What all tests share: how much of them is run, and that generated examples take the time they need."""

import gc
import shutil
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from acceptance.configurations import example
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from engine.forward.calculation import Calculation, calculate
from engine.judging.acceptance import accepted
from engine.judging.ranges import Range
from generator.commands import class_set_command
from generator.output import many
from tests.laid_out import FOR_THIS_RUN

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
gc.set_threshold(50_000, 20, 100)  # the sheets that tests keep are no garbage; to look again takes 8 %


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--gruendlich", action="store_true", help="the configurations marked „thorough“ as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The longest first; without --gruendlich one configuration of a kind stands for all of that kind."""
    items.sort(
        key=lambda item: LONGEST.index(at) if (at := place_of(item.nodeid)) in LONGEST else len(LONGEST)
    )
    if config.getoption("--gruendlich"):
        return
    left_out = [item for item in items if item.get_closest_marker("thorough")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("thorough")]


# Folders whose files look at the same sheets, servers or models: one process makes each of them once.
SHARING = (
    "check",
    "engine_training",
    "findings",
    "formats",
    "forms",
    "learnt",
    "mistakes",
    "scans",
    "screen",
    "sheets",
    "teacher",
)
# Files of tests/page that look at one server in a browser, and those that have servers of their own: of each
# kind one process has all, so that a server and a browser are begun once.
ONE_SERVER = """making_in_a_browser checking_in_a_browser jigsaw_in_a_browser looks phone_in_a_browser
scans_in_a_browser"""
OWN_SERVERS = "behind_a_proxy lesson_in_a_browser"
# What takes longest begins first, so that no process is left alone with it.
LONGEST = (
    "tests/page making_in_a_browser",
    "tests/sheets",
    "tests/formats",
    "tests/teacher",
    "tests/test_readme_commands.py",
    "tests/scans",
    "tests/findings",
    "tests/check",
    "tests/learnt",
    "tests/page behind_a_proxy",
    "tests/pdf/test_standards.py",
)


def place_of(nodeid: str) -> str:
    """The folder or file whose tests are run one after another."""
    file = nodeid.partition("::")[0]
    folder, _, name = file.rpartition("/")
    kind = name.removeprefix("test_").removesuffix(".py")
    for several in (ONE_SERVER, OWN_SERVERS):
        if folder == "tests/page" and kind in several.split():
            return f"{folder} {several.split()[0]}"
    return folder if folder.rpartition("/")[2] in SHARING else file


class Together(LoadScopeScheduling):
    """Gives a process what shares something, in the order of the tests."""

    def _split_scope(self, nodeid: str) -> str:
        return place_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Together:
    config.option.loadscopereorder = False
    return Together(config, log)


@pytest.fixture(scope="session", autouse=True)
def no_helpers() -> Iterator[None]:
    """What a test makes in its own process is made there: helpers would take longer to start than to help."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(many, "CORES", 0)
        patch.setattr(class_set_command, "PROCESSES", 0)
        yield


@pytest.fixture(scope="session", autouse=True)
def shared_folder(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> None:
    """Where files lie that all processes of this run look at."""
    own = tmp_path_factory.getbasetemp()
    FOR_THIS_RUN[:] = [own.parent if hasattr(request.config, "workerinput") else own]


@pytest.fixture(scope="session")
def calculation() -> Calculation:
    """The running example of the course."""
    return calculate(example())


@pytest.fixture(scope="session")
def ranges(calculation: Calculation) -> Mapping[str, Range]:
    """What is accepted of it."""
    return accepted(calculation)


QUICK_BROWSER = shutil.which("chromium-headless-shell")  # a third of Chromium's work


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The one browser of a test process: a second one beside it cannot be driven."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=180_000)  # ms; a busy machine is no finding
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
    with sync_playwright() as player:
        path = QUICK_BROWSER or "/usr/bin/chromium"
        started = player.chromium.launch(executable_path=path, args=[*quiet, "--no-first-run"])
        yield started
        started.close()
