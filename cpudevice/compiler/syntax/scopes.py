"""The scopes around the place that the walk has come to: namespaces, classes, functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..tokens import Tokens
from .declarators import CLASS_KEYS

# What may stand before a function's parameters and has arguments of its own.
WITH_ARGUMENTS = {"alignas", "__align__", "__attribute__", "decltype", "__launch_bounds__"}


@dataclass
class Kernel:
    name: str
    line: int
    file: str
    bounds: list[str]
    cluster: list[str]
    shadow_indices: bool
    simple: bool
    in_lockstep: bool
    may_wait_for_host: bool


@dataclass
class Scope:
    kind: str  # "namespace", "class", "function" or "other"
    kernel: Kernel | None = None
    shared_end: str | None = None  # the constant that holds the bytes of __shared__ so far
    declaration: int = 0  # where the current declaration or statement begins
    device: bool = False  # it is code of the device
    marked: int = -1  # where __device__ or __global__ was seen last
    before: tuple[int, int] = (0, 0)  # where the declaration before a function's body begins
    hidden: set[str] = field(default_factory=set)  # names that here are not __shared__ variables


@dataclass
class Scopes:
    """The open scopes; the last one is the innermost."""

    tokens: Tokens
    stack: list[Scope] = field(default_factory=lambda: [Scope("namespace")])

    @property
    def innermost(self) -> Scope:
        return self.stack[-1]

    def in_function(self) -> bool:
        return any(scope.kind == "function" for scope in self.stack)

    def namespaces(self) -> Iterator[str]:
        """The names of the open namespaces; one without a name has none of its own."""
        for scope in self.stack[1:]:
            words = [self.tokens.text(p) for p in range(*scope.before)]
            if scope.kind == "namespace" and "namespace" in words:
                yield from (w for w in words[words.index("namespace") + 1 :] if w.isidentifier())

    def function_begins(self) -> bool:
        """Whether the innermost scope is a function's body, and not a block or lambda in it."""
        outer = self.stack[:-1]
        return self.innermost.kind == "function" and all(one.kind != "function" for one in outer)

    def words_before_body(self) -> set[str]:
        """The words of the declaration of the function that the walk is in."""
        for scope, outer in zip(self.stack[:0:-1], self.stack[-2::-1], strict=True):
            if scope.kind == "function" and outer.kind != "function":
                return {self.tokens.text(p) for p in range(*scope.before)}
        return set()

    def kernel(self) -> Kernel | None:
        """The kernel whose body the walk is in."""
        return next((scope.kernel for scope in reversed(self.stack) if scope.kernel), None)

    def hides(self, name: str) -> bool:
        """Whether a __shared__ variable of namespace scope is hidden by another name here."""
        return any(name in scope.hidden for scope in self.stack)

    def open(self, brace: int, kernel: Kernel | None) -> None:
        """Opens the scope of the brace: that of a kernel's body, if `kernel` says so."""
        outer = self.innermost
        self.stack.append(
            Scope(
                "function" if kernel else self.kind(outer.declaration, brace),
                kernel,
                shared_end=outer.shared_end if self.in_function() else None,
                declaration=brace + 1,
                device=outer.device or outer.marked >= outer.declaration,
                before=(outer.declaration, brace),
            )
        )

    def close(self, brace: int) -> Kernel | None:
        """Closes the innermost scope, unless it is that of the file; returns its kernel."""
        if len(self.stack) == 1:
            return None
        scope = self.stack.pop()
        if scope.kind != "other" or self.innermost.kind in ("function", "other"):
            # In an initializer too: each row of a large table would look through all rows before.
            self.innermost.declaration = brace + 1
        return scope.kernel

    def kind(self, first: int, brace: int) -> str:
        """The kind of scope that the brace opens, by the declaration before it."""
        class_key = False
        for p in declaration(self.tokens, first, brace):
            text = self.tokens.text(p)
            if text == "namespace" or (text == "extern" and p + 2 == brace):
                return "namespace"
            if text in CLASS_KEYS:
                class_key = True
            elif text in ("(", "operator"):  # the name of an operator may hold a "="
                return "function"
            elif text == "=":
                return "function" if self.in_function() else "other"
        if class_key:
            return "class"
        return "function" if self.in_function() else "other"


def declaration(tokens: Tokens, first: int, brace: int) -> Iterator[int]:
    """The tokens of a declaration, without template parameters and the arguments of attributes."""
    p = first
    while p < brace:
        text = tokens.text(p)
        if text == "template" and tokens.text(p + 1) == "<":
            p = max(tokens.skip_angles(p + 1), p + 1)
            continue
        if text == "(" and tokens.text(p - 1) in WITH_ARGUMENTS:
            p = tokens.partner.get(p, p)
        else:
            yield p
        p += 1
