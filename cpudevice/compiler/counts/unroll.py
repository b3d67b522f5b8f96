"""Loops that nvcc unrolls, for a profile: GCC has to unroll them too, before they are counted."""

import re
from itertools import pairwise

from ..tokens import Tokens

# nvcc unrolls every loop behind it whose number of rounds it knows. Of more rounds than these GCC
# is not asked: it refuses large numbers, and takes long.
UNROLL = re.compile(r"\s*#\s*pragma\s+(?:unroll(?:\s*\(?\s*(\d+)\s*\)?)?|nounroll)\s*")
MOST_ROUNDS = 64


def unroll_loops(source: Tokens) -> None:
    """Turns nvcc's pragmas into GCC's, where GCC takes them."""
    for position in range(len(source.code)):
        if source.text(position) not in ("for", "while"):
            continue
        directive = source.directive_before(position)
        pragma = UNROLL.fullmatch(directive.text) if directive else None
        if directive and pragma and has_plain_condition(source, position):
            wanted = int(pragma[1] or ("1" if "nounroll" in pragma[0] else MOST_ROUNDS))
            directive.out = f"#pragma GCC unroll {min(wanted, MOST_ROUNDS)}"


def has_plain_condition(source: Tokens, loop: int) -> bool:
    """Whether g++ takes the pragma: it warns where the condition of the loop has several parts, and
    refuses a loop that has none."""
    head = [source.text(p) for p in range(loop, source.partner.get(loop + 1, loop))]
    return (";", ";") not in pairwise(head) and not {"&&", "||", "?"} & set(head)
