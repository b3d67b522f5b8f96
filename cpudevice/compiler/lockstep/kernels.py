"""Decides how a kernel's body becomes loops over the threads of a block, if it does."""

from __future__ import annotations

from ..tokens import Tokens
from .barriers import rewrite_at_barriers
from .calls import Calls
from .strips import cut_loops


def rewrite(code: Tokens, calls: Calls, parameters: int, opening: int) -> bool:
    """Rewrites the body of a kernel; returns whether that was possible and of use."""
    return rewrite_at_barriers(code, calls, parameters, opening) or cut_loops(
        code, calls, parameters, opening
    )
