"""make's command line reaches the grader as it was typed; no character in it is executed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ODD = [
    "it's.cu",
    'a "quoted" name.cu',
    "$HOME/${HOME}/$(HOME)/$$.cu",
    "$(shell touch owned)",
    "`touch owned`",
    "a; touch owned",
    "a\ntouch owned",
    "a && touch owned | cat > owned # no",
    "back\\slash\\",
    "*",
    "two   blanks ",
    "größe",
    "--help",
]
# The target, its variable and the option that it becomes.
GIVEN = [
    ("check-saxpy", "WITH", "--with"),
    ("check-saxpy", "PART", "--part"),
    ("check", "CASE", "--case"),
    ("check", "HIDDEN", "--hidden"),
    ("check", "SEED", "--seed"),
    ("check", "MODEL", "--model"),
    ("debug-saxpy", "BLOCK", "--block"),
    ("compare-saxpy", "A", "--a"),
    ("hint-saxpy", "HINT", "--hint"),
    ("submit", "ONLY", "--only"),
    ("handout", "OUT", "--out"),
    ("new-assignment", "NAME", "--name"),
    ("calibrate", "REPEAT", "--repeat"),
]


def arguments(tmp_path: Path, folder: Path, *words: str) -> list[str]:
    """Returns the arguments of the grader, which a script replaces."""
    script, seen = tmp_path / "it's python", tmp_path / "seen"
    script.write_text(f'#!/bin/sh\nprintf "%s\\0" "$@" > "{seen}"\n')
    script.chmod(0o755)
    command = ["make", "-s", "--no-print-directory", f"PYTHON={script}", *words]
    subprocess.run(command, cwd=folder, check=True, timeout=60)
    assert not (folder / "owned").exists()
    return seen.read_text().split("\0")[:-1]


@pytest.mark.parametrize("value", ODD)
@pytest.mark.parametrize(("target", "variable"), [("check-saxpy", "WITH"), ("check", "CASE")])
def test_any_text_arrives(tmp_path: Path, target: str, variable: str, value: str) -> None:
    words = arguments(tmp_path, ROOT, target, f"{variable}={value}")
    assert words[words.index(f"--{variable.lower()}") + 1] == value


@pytest.mark.parametrize(("target", "variable", "option"), GIVEN)
def test_any_variable_is_safe(tmp_path: Path, target: str, variable: str, option: str) -> None:
    value = "it's `touch owned` $(shell touch owned); touch owned"
    words = arguments(tmp_path, ROOT, target, f"{variable}={value}")
    assert words[words.index(option) + 1] == value


def test_from_inside_an_assignment(tmp_path: Path) -> None:
    words = arguments(tmp_path, ROOT / "saxpy", "check", "WITH=it's $HOME.cu")
    assert words[words.index("--with") + 1] == "it's $HOME.cu"


def test_the_name_in_a_target(tmp_path: Path) -> None:
    assert "it's; touch owned" in arguments(tmp_path, ROOT, "check-it's; touch owned")


def rules_for(*goals: str) -> str:
    """The rules that make reads where these are to be built."""
    command = ["make", "-s", "--question", "--print-data-base", *goals]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60).stdout


def test_for_programs_alone_make_reads_their_rules_alone() -> None:
    judge, program = "build/judge/saxpy", "build/cpu/saxpy/ladder/saxpy/%"
    assert f"\n{program}:" in rules_for("build/cpu/saxpy/saxpy")
    for elsewhere in ("build/judge/scan", "build/profile/saxpy/saxpy", "build/cpu/libharness.a"):
        assert f"\n{judge}:" in rules_for(elsewhere, "help")
        assert f"\n{program}:" in rules_for(elsewhere, "help")
    assert f"\n{program}:" not in rules_for("build/profile/saxpy/saxpy")
    assert f"\n{judge}:" not in rules_for("build/judge/scan")
    assert "\nbuild/cpu/libharness.a:" in rules_for("build/cpu/libharness.a")
