"""The longest chain of dependent instructions in a basic block.

In the statements below the second statement waits for the first statement, and the third for
neither, so a warp issues the third while the others are under way:

      _84 = _82 * _83;
      _85 = _81 + _84;
      _88 = _82 * _87;
"""

from __future__ import annotations

from .dump import ASSIGNMENT, NAME


class Chains:
    """The values of a basic block, with the instructions that each value must wait for."""

    def __init__(self) -> None:
        self.until: dict[str, int] = {}  # {name: instructions until the value is ready}
        self.longest = 0

    def add(self, statement: str, instructions: int) -> None:
        """Adds a statement that takes `instructions` instructions, one after the other."""
        found = ASSIGNMENT.match(statement)
        operands = NAME.findall(found[2] if found else statement)
        length = max((self.until.get(name, 0) for name in operands), default=0) + instructions
        self.longest = max(self.longest, length)
        if found:
            self.until[found[1]] = length
