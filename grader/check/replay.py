"""The command that repeats a case by hand, as typed in the current directory."""

import os
import shlex
from pathlib import Path

# Inside an assignment's directory `make check` runs make at the root; rules.mk passes the
# directory.
FROM = "CUDA_LADDER_FROM"


def by_hand(root: Path, program: str, options: str) -> str:
    """`program` is a path from the repository's root, `options` are a case's."""
    here = os.environ.get(FROM)
    if here:
        program = os.path.relpath(root.resolve() / program, here)
    return shlex.join([program, *shlex.split(options)])
