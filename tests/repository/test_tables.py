"""Tables of the handouts are those of the measurements that are stored beside them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(ROOT.glob("*/figures/tables.py"))


def test_there_are_some() -> None:
    assert SCRIPTS


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.relative_to(ROOT).parts[0])
def test_the_page_has_what_was_measured(script: Path) -> None:
    command = [sys.executable, script, "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
