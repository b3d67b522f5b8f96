"""Sets up the process that runs the tests."""

from __future__ import annotations

import signal

import pytest

# A shell starts what runs in the background with Ctrl-C ignored, which programs inherit: those that
# are tested with it could not be ended.
signal.signal(signal.SIGINT, signal.default_int_handler)

# These modules have assertions that several test files share.
pytest.register_assert_rewrite("device_programs", "device_findings", "device_profiles")
