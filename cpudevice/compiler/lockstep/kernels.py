"""Decides how a kernel's body becomes loops over the threads of a block, if it does."""

from __future__ import annotations

from ..tokens import Tokens
from .barriers import plan_at_barriers
from .calls import Calls
from .statements import BARRIER, NotInLockstep
from .strips import plan_strips


def rewrite(code: Tokens, calls: Calls, parameters: int, opening: int) -> bool:
    """Rewrites the body of a kernel; returns whether that was possible and of use."""
    closing = code.partner.get(opening, opening)
    waits = any(code.text(p) == BARRIER for p in range(opening, closing))
    if not calls.never_wait(parameters, closing, barriers=waits, in_kernel=True):
        return False
    if calls.unnamed_needs_thread:
        return False
    try:
        plan = (plan_at_barriers if waits else plan_strips)(code, calls, parameters, opening)
    except NotInLockstep:
        return False
    plan.write()
    return True
