"""Reads the statements of a kernel's body, and divides them, at barriers or in loops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..tokens import OPENERS, Tokens

BARRIER = "__syncthreads"
LOOPS = {"for", "while", "do"}
TYPE_WORDS = {
    "const", "constexpr", "unsigned", "signed", "long", "short", "int", "float", "double", "char",
    "bool",
}  # fmt: skip
NO_TYPE = {"const", "constexpr"}  # no type without another word
POINTER = {"*", "&", "&&", "const", "__restrict__", "__restrict"}
# A declaration does not begin with any of these words.
KEYWORDS = {"return", "else", "case", "default", "break", "continue", "if", "switch", *LOOPS}


class NotInLockstep(Exception):
    """Raised if a kernel cannot be rewritten, or is not understood."""


@dataclass(frozen=True)
class Variable:
    name: str
    position: int
    type: str  # as text, with the sizes of an array
    initial: tuple[int, int] | None  # the first and last token of its first value
    is_plain: bool  # neither an array nor a reference


@dataclass
class Statement:
    first: int
    last: int
    variables: list[Variable] = field(default_factory=list)  # the variables that it declares
    is_barrier: bool = False
    is_shared: bool = False  # declares __shared__ variables
    shared: list[str] = field(default_factory=list)  # their names


@dataclass
class Split:
    """A statement with barriers, or with loops that are cut (strips.py), in it."""

    heads: list[tuple[int, int]]  # the parentheses behind `if`, `for` and `while`
    blocks: list[Block]
    is_loop: bool


@dataclass
class Block:
    opening: int
    closing: int
    items: list[Statement | Split]

    def statements(self) -> Iterator[Statement]:
        for item in self.items:
            if isinstance(item, Statement):
                yield item
            else:
                for block in item.blocks:
                    yield from block.statements()

    def splits(self) -> Iterator[Split]:
        for item in self.items:
            if isinstance(item, Split):
                yield item
                for block in item.blocks:
                    yield from block.splits()


@dataclass
class Reader:
    code: Tokens

    def block(self, opening: int) -> Block:
        closing = self.code.partner[opening]
        items: list[Statement | Split] = []
        p = opening + 1
        while p < closing:
            last = self.end(p)
            items.append(self.item(p, last))
            p = last + 1
        return Block(opening, closing, items)

    def item(self, first: int, last: int) -> Statement | Split:
        divider = self.divider(first, last)
        if divider:
            return divider
        text = self.code.text
        if not self.is_divided(first, last):
            is_shared = any(text(p) == "__shared__" for p in range(first, last + 1))
            if is_shared and text(first) in ("{", *KEYWORDS):
                raise NotInLockstep
            if is_shared:
                return Statement(first, last, is_shared=True)
            return Statement(first, last, self.declared(first))
        if text(first) == "{":
            return Split([], [self.block(first)], is_loop=False)
        if text(first) in ("for", "while"):
            head = (first + 1, self.code.partner[first + 1])
            return Split([head], [self.braces(head[1] + 1)], is_loop=True)
        if text(first) == "if":
            return self.choice(first)
        raise NotInLockstep

    def divider(self, first: int, last: int) -> Statement | None:
        """The statement, if the loops over the threads are divided here: a barrier."""
        is_barrier = self.code.text(first) == BARRIER and last == first + 3
        return Statement(first, last, is_barrier=True) if is_barrier else None

    def is_divided(self, first: int, last: int) -> bool:
        """Whether there is such a statement in this one."""
        return any(self.code.text(p) == BARRIER for p in range(first, last + 1))

    def choice(self, p: int) -> Split:
        found = Split([], [], is_loop=False)
        while self.code.text(p) == "if":
            head = p + 2 if self.code.text(p + 1) == "constexpr" else p + 1
            found.heads.append((head, self.code.partner[head]))
            found.blocks.append(self.braces(found.heads[-1][1] + 1))
            p = found.blocks[-1].closing + 1
            if self.code.text(p) != "else":
                return found
            p += 1
        found.blocks.append(self.braces(p))
        return found

    def braces(self, p: int) -> Block:
        if self.code.text(p) != "{":
            raise NotInLockstep
        return self.block(p)

    def end(self, p: int) -> int:
        """The last token of the statement that begins at `p`."""
        text, partner = self.code.text, self.code.partner
        if text(p) == "{":
            return partner[p]
        if text(p) == "do":
            p = self.end(p + 1)
        elif text(p) in ("if", "for", "while", "switch"):
            opening = p + 2 if text(p + 1) == "constexpr" else p + 1
            if opening not in partner:
                raise NotInLockstep
            last = self.end(partner[opening] + 1)
            return self.end(last + 2) if text(p) == "if" and text(last + 1) == "else" else last
        while text(p) != ";":
            if text(p) in ("}", ""):
                raise NotInLockstep
            p = partner.get(p, p) + 1 if text(p) in OPENERS else p + 1
        return p

    # ---- declarations ----------------------------------------------------------------------------

    def declared(self, first: int) -> list[Variable]:
        """The variables of a declaration, which may also stand in the head of a `for`."""
        text, partner = self.code.text, self.code.partner
        p = self.behind_type(first)
        base = self.code.plain(first + (text(first) == "constexpr"), p - 1)
        variables: list[Variable] = []
        if p > first and self.is_declarator_in_brackets(first, p):
            raise NotInLockstep
        while p > first:
            begin = p
            while text(p) in POINTER:
                p += 1
            if not self.code.is_name(p) or text(p + 1) not in ("=", ";", ",", "[", "{", "("):
                if variables:
                    raise NotInLockstep
                return []
            # std::launder takes no restricted pointers.
            pointer = " ".join(text(q) for q in range(begin, p) if "restrict" not in text(q))
            position, sizes = p, p + 1
            p = sizes
            while text(p) == "[":
                p = partner[p] + 1
            behind = p
            while text(p) not in (",", ";"):
                if text(p) in ("}", ""):
                    raise NotInLockstep
                p = partner.get(p, p) + 1 if text(p) in OPENERS else p + 1
            initial = (behind + (text(behind) == "="), p - 1) if p > behind else None
            variables.append(
                Variable(
                    text(position),
                    position,
                    f"{base} {pointer}{self.code.plain(sizes, behind - 1)}",
                    initial,
                    behind == sizes and "&" not in pointer,
                )
            )
            if text(p) == ";":
                break
            p += 1
        return variables

    def is_declarator_in_brackets(self, first: int, p: int) -> bool:
        """Whether `int (*row)[4]` or `auto [a, b]` may be declared."""
        text, partner = self.code.text, self.code.partner
        if text(p) == "(" and text(p + 1) in ("*", "&"):
            return text(partner[p] + 1) in ("[", "(")
        while text(p) in ("&", "&&"):
            p += 1
        return text(p) == "[" and any(text(q) == "auto" for q in range(first, p))

    def behind_type(self, first: int) -> int:
        """The token behind the type that a declaration begins with; `first` if none does."""
        text, p = self.code.text, first
        if text(first) in KEYWORDS:
            return first
        while text(p) in TYPE_WORDS:
            p += 1
        if any(text(q) not in NO_TYPE for q in range(first, p)):
            return p
        if text(p) == "decltype" and p + 1 in self.code.partner:
            return self.code.partner[p + 1] + 1
        while self.code.is_name(p):
            p += 1
            if text(p) == "<":
                end = self.code.skip_angles(p)
                if end == p:
                    return first
                p = end
            if text(p) != "::":
                return p
            p += 1
        return first

    def inner_variables(self, first: int, last: int) -> Iterator[tuple[str, int, int]]:
        """Variables that are declared within a statement: name, begin and end of their scope."""
        text = self.code.text
        braces = [last]
        for p in range(first, last + 1):
            if text(p) == "{":
                braces.append(self.code.partner[p])
            elif text(p) == "}":
                braces.pop()
            elif p > first and text(p - 1) in ("{", "}", ";", ")", "else", "do", "("):
                end = braces[-1]
                if text(p - 1) == "(":
                    if text(p - 2) not in ("for", "if", "while", "switch"):
                        continue
                    end = self.end(p - 2)
                for variable in self.declared(p):
                    yield variable.name, p, end
