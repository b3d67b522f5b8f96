"""Sets up the process that runs the tests."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
import tiers

ROOT = Path(__file__).resolve().parents[1]

# A shell starts background jobs with Ctrl-C ignored, and programs inherit the setting: tests could
# not end a program with Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The modules have assertions that several test files share.
pytest.register_assert_rewrite("device_programs", "device_findings", "device_profiles")

# Programs that tests start find the running Python first, not a wrapper that takes longer to start.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
# Python keeps bytecode, even where the environment forbids, outside the trees that tests look at.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = str(ROOT / "build" / "bytecode")

COLLECTED = pytest.StashKey[list[pytest.Item]]()
LEFT_OUT = pytest.StashKey[dict[str, int]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tiers of tests, as tests/README.md describes them")
    group.addoption("--tier", choices=tuple(tiers.TIERS), default="all")
    group.addoption("--assignments", help="the assignments of the tier quick: scan,sort")


def pytest_configure(config: pytest.Config) -> None:
    if named := config.option.assignments:
        tiers.Course.quick = named.split(",")
        for name in tiers.Course.quick:
            if not (config.rootpath / name / "grading" / "grade.py").exists():
                raise pytest.UsageError(f"there is no assignment {name}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests of larger tiers."""
    config.stash[COLLECTED] = list(items)
    kept: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        kept[tiers.runs(config.option.tier, tiers.marker_of(item))].append(item)
    items[:] = kept[True]
    if kept[False]:
        config.hook.pytest_deselected(items=kept[False])
        config.stash[LEFT_OUT] = tiers.left_out(kept[False])


@pytest.fixture
def collected(request: pytest.FixtureRequest) -> list[pytest.Item]:
    """The tests of all tiers among the files that were named."""
    return request.config.stash[COLLECTED]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hands the numbers from a worker of pytest-xdist, which deselects, to the main process."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(LEFT_OUT, {})


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", {})


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Says what the tier leaves out."""
    for tier, tests in config.stash.get(LEFT_OUT, {}).items():
        command = tiers.TIERS[tier]
        terminalreporter.write_line(f"left to `{command}`: {tests} tests (tests/README.md)")
