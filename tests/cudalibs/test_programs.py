"""Tests of CUDA's libraries on the CPU device: programs in run/, reject/ and sanitize/.

The comments state the expected behaviour as in tests/cpudevice: see test_programs.py and
test_sanitize.py of tests/cpudevice. ARM64=all also runs the programs in an emulator of arm64.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from device_findings import check_findings
from device_programs import check_program
from emulator import Machine, arm64, missing_for_arm64

FOLDER = Path(__file__).resolve().parent
MACHINES = {"": Machine()}
if os.environ.get("ARM64") == "all" and not missing_for_arm64():
    MACHINES["-arm64"] = arm64()


def programs(*kinds: str) -> list[object]:
    return [
        pytest.param(source, machine, id=f"{kind}/{source.stem}{suffix}")
        for kind in kinds
        for source in sorted((FOLDER / kind).glob("*.cu"))
        for suffix, machine in MACHINES.items()
    ]


@pytest.mark.parametrize(("source", "machine"), programs("run", "reject"))
def test_program(source: Path, machine: Machine, tmp_path: Path) -> None:
    check_program(source, machine, tmp_path)


@pytest.mark.parametrize(("source", "machine"), programs("sanitize"))
def test_findings(source: Path, machine: Machine, tmp_path: Path) -> None:
    check_findings(source, machine, tmp_path)
