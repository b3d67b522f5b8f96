"""Sets up the process that runs the tests."""

from __future__ import annotations

import signal

# A shell starts what runs in the background with Ctrl-C ignored, which programs inherit: those that
# are tested with it could not be ended.
signal.signal(signal.SIGINT, signal.default_int_handler)
