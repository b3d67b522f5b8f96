"""The tiers of tests: each holds the tier below, and the largest holds every test."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tiers

ROOT = Path(__file__).parents[2]


def test_all_tests_belong_to_a_tier_and_each_tier_holds_the_one_below(
    collected: list[pytest.Item],
) -> None:
    chosen = {
        tier: {item.nodeid for item in collected if tiers.runs(tier, tiers.marker_of(item))}
        for tier in tiers.TIERS
    }
    assert chosen["quick"] <= chosen["test"] <= chosen["all"]
    assert chosen["all"] == {item.nodeid for item in collected}


def test_each_marker_belongs_to_another_tier() -> None:
    chosen = [
        [marker for marker in tiers.MARKERS if tiers.runs(tier, marker)] for tier in tiers.TIERS
    ]
    assert chosen == [["quick"], ["quick", "slow"], ["quick", "slow", "exhaustive"]]


@pytest.mark.parametrize("tier", tiers.TIERS)
def test_make_starts_the_tier(tier: str) -> None:
    command = [*tiers.TIERS[tier].split(), "--dry-run", "--always-make"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (started,) = (line for line in done.stdout.splitlines() if " -m pytest" in line)
    stated = re.findall(r"--tier (\w+)", started)
    assert stated == ([] if tier == "all" else [tier])
    # Neither a path nor an expression takes tests away.
    assert not re.search(r"tests/|--ignore|--deselect| -[mk] (?!pytest)", started)


FAMILY = """
import pytest
from tiers import sampled

FILES = ["saxpy/first", "saxpy/second", "scan/first", "scan/second"]

@pytest.mark.parametrize("file", sampled(FILES, lambda f: [f[:4]], lambda f: f.split("/")[0]))
def test_family(file): pass

def test_alone(): pass

@pytest.mark.slow
def test_long(): pass
"""
QUICK = {"test_family[saxpy/first]", "test_alone"}
SLOW = {"test_family[scan/first]", "test_long"}
EXHAUSTIVE = {"test_family[saxpy/second]", "test_family[scan/second]"}


@pytest.mark.parametrize(
    ("options", "tests", "left"),
    [
        (["--tier", "quick"], QUICK, ["`make test`: 2", "`make test-all`: 2"]),
        (["--tier", "test"], QUICK | SLOW, ["`make test-all`: 2"]),
        ([], QUICK | SLOW | EXHAUSTIVE, []),
        (
            ["--tier", "quick", "--assignments", "scan"],
            {"test_family[scan/first]", "test_alone"},
            ["`make test`: 2", "`make test-all`: 2"],
        ),
    ],
)
def test_a_tier_says_what_it_leaves_out(
    tmp_path: Path, options: list[str], tests: set[str], left: list[str]
) -> None:
    support = ROOT / "tests" / "support"
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {support}\nmarkers = slow\n")
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_family.py").write_text(FAMILY)
    for name in ("saxpy", "scan"):
        (tmp_path / name / "grading").mkdir(parents=True)
        (tmp_path / name / "grading" / "grade.py").touch()
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert set(re.findall(r"::(\S+)", done.stdout)) == tests, done.stdout
    assert re.findall(r"left to (.*) tests", done.stdout) == left
