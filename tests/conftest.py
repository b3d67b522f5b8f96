"""Sets up the process that runs the tests."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

# A shell starts what runs in the background with Ctrl-C ignored, which programs inherit: those that
# are tested with it could not be ended.
signal.signal(signal.SIGINT, signal.default_int_handler)

# These modules have assertions that several test files share.
pytest.register_assert_rewrite("device_programs", "device_findings", "device_profiles")

# The programs that tests start find this Python first, not a wrapper that takes longer to start.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
# They keep their bytecode, even where that is turned off, and outside the trees that tests look at.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = str(Path(__file__).resolve().parents[1] / "build" / "bytecode")
