"""Built-in variables that a program defines itself, which nvcc takes for another declaration.

const int warpSize = 32;      const int __cudacpu_own_warpSize = 32;  and so from there on

Only a variable of the global namespace is meant: elsewhere such a name hides the built-in variable.
"""

from __future__ import annotations

from ..tokens import Tokens
from .scopes import Scopes

BUILT_IN = {"warpSize"}
BEFORE_NAME = {"static", "const", "constexpr", "inline", "int", "unsigned"}


class OwnNames:
    def __init__(self, tokens: Tokens, scopes: Scopes) -> None:
        self.tokens = tokens
        self.scopes = scopes
        self.defined: set[str] = set()

    def visit(self, position: int) -> None:
        """Handles one of the names of BUILT_IN."""
        tokens = self.tokens
        name, before = tokens.text(position), tokens.text(position - 1)
        if self.is_defined_at(position):
            self.defined.add(name)
        is_member = before in (".", "->") or (before == "::" and tokens.is_name(position - 2))
        if name in self.defined and not is_member:
            tokens.token(position).out = f"__cudacpu_own_{name}"

    def is_defined_at(self, position: int) -> bool:
        if len(self.scopes.stack) > 1 or self.tokens.text(position + 1) not in ("=", "{"):
            return False
        first = self.scopes.innermost.declaration
        words = {self.tokens.text(p) for p in range(first, position)}
        return bool(words) and words <= BEFORE_NAME
