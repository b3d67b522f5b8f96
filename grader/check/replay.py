"""The command that repeats a case by hand, as it can be typed where the user stands."""

import os
import shlex
from pathlib import Path

# `make check` inside an assignment's directory runs make at the root: rules.mk says from where.
FROM = "CUDA_LADDER_FROM"


def by_hand(root: Path, program: str, options: str) -> str:
    """`program` is a path from the repository's root, `options` are a case's."""
    here = os.environ.get(FROM)
    if here:
        program = os.path.relpath(root.resolve() / program, here)
    return shlex.join([program, *shlex.split(options)])
