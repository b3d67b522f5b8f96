"""Has GCC unroll, before a profile counts, the loops that nvcc unrolls."""

import re
from itertools import pairwise

from ..tokens import Tokens

# nvcc unrolls every loop behind the pragma with a known number of rounds. GCC gets at most
# MOST_ROUNDS as the number: GCC refuses large numbers, and takes long.
UNROLL = re.compile(r"\s*#\s*pragma\s+(?:unroll(?:\s*\(?\s*(\d+)\s*\)?)?|nounroll)\s*")
MOST_ROUNDS = 64


def unroll_loops(source: Tokens) -> None:
    """Turns nvcc's pragmas into GCC's, for loops with which GCC takes the pragma."""
    for position in range(len(source.code)):
        if source.text(position) not in ("for", "while"):
            continue
        directive = source.directive_before(position)
        pragma = UNROLL.fullmatch(directive.text) if directive else None
        if directive and pragma and has_plain_condition(source, position):
            wanted = int(pragma[1] or ("1" if "nounroll" in pragma[0] else MOST_ROUNDS))
            directive.out = f"#pragma GCC unroll {min(wanted, MOST_ROUNDS)}"


def has_plain_condition(source: Tokens, loop: int) -> bool:
    """Whether g++ takes the pragma: g++ warns if the condition of the loop has several parts, and
    refuses a loop without a condition."""
    head = [source.text(p) for p in range(loop, source.partner.get(loop + 1, loop))]
    return (";", ";") not in pairwise(head) and not {"&&", "||", "?"} & set(head)
