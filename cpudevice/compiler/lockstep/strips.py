"""Writes a kernel without barriers so that the threads of a block take turns in its loops.

    int c = ...;                   each_thread([&] {
    float sum = 0;                   int c = state ? c_[t] : ...;
    for (int i = 0; i < n; ++i)      float sum = state ? sum_[t] : 0;
      sum += a[i * n + c];           int i = state ? i_[t] : 0; state = 0;
    y[c] = sum;                      for (; left-- != 0 && i < n; ++i) sum += a[i * n + c];
                                     if (left == ~0u) { ... keep c, sum, i; state = 1; return; }
                                     y[c] = sum;
                                   });   // again, until no thread has left off

A thread leaves off after 8 rounds, or more if few threads go on. Neighbours read neighbouring
elements in each round, as is right on a GPU. One thread alone would walk down a column of the
matrix, and the lines that it reads would have left the processor's caches before its neighbour
needs them: docs/cpu-device-benchmarks.md.

A thread that goes on skips what it has done: its state is the number of the loop in which it left
off, and 0 from there on. A loop is cut if it jumps through memory and no other loop is in it. One
that reads the elements of rows one after the other is not: caches are made for that. Nor is one
whose places come from an array, or from a search that halves a range: neighbours look elsewhere.
A loop may stand in other loops and in conditions, about which the threads need not agree. Three
kinds of kernels stay unchanged: those that change their arguments, those that print, and those
that have a pointer to one of their variables. While a thread keeps its variables or gets them
back it counts as busy, so that a launch that takes too long is stopped at one of the kernel's own
lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..tokens import Tokens
from .calls import Calls
from .operators import is_assigned_before
from .per_thread import (
    EACH_THREAD,
    END,
    MOST_KEPT,
    arrays,
    begin_with_zeros,
    hidden,
    keeps,
    with_types,
)
from .pointers import Pointers
from .statements import LOOPS, Block, NotInLockstep, Reader, Split, Statement, Variable
from .uniform import Range, Uniform

MOST_LOOPS = 255  # a state is one byte
FEW_ROUNDS = 64  # a loop whose head says that it has no more is not cut
STATE, STATES, LEFT, MOST, AGAIN, MORE = (
    f"__cudacpu_{name}" for name in ("state", "states", "left", "most", "again", "more")
)


def busy(condition: str) -> str:
    return f"::cudacpu::set_busy({condition}); "


@dataclass
class Strip(Statement):
    """A loop that is cut."""

    number: int = 0  # from 1 on


@dataclass
class StripReader(Reader):
    """Divides the statements at loops that can be cut, instead of barriers."""

    count: int = 0

    def divider(self, first: int, last: int) -> Statement | None:
        if not self.is_cut(first, last):
            return None
        self.count += 1
        return Strip(first, last, number=self.count)

    def is_divided(self, first: int, last: int) -> bool:
        text, places = self.code.text, range(first + 1, last + 1)
        return text(first) in ("{", "if", "for", "while") and any(
            text(p) in LOOPS and self.is_cut(p, self.end(p)) for p in places
        )

    def is_cut(self, first: int, last: int) -> bool:
        """Whether this is a loop through memory that may be long and has no other loop in it."""
        text = self.code.text
        if text(first) not in ("for", "while"):
            return False
        if any(text(p) in LOOPS for p in range(first + 1, last + 1)):
            return False
        head = range(first + 2, self.code.partner[first + 1])
        if text(first) == "for" and not any(text(p) == ";" for p in head):
            return False  # a loop over a range
        directive = self.code.directive_before(first)
        if directive and "unroll" in directive.text:
            return False  # nvcc knows the number of rounds
        begin, end = self.condition(first)
        if not self.jumps_through_memory(begin, last) or self.is_search(begin, end, last):
            return False
        words = [text(p) for p in range(begin, end + 1)]
        if len(words) == 3 and words[1] in ("<", "<=", "!=") and words[2].isdigit():
            return int(words[2]) > FEW_ROUNDS
        return bool(words) and not self.declared(begin)

    def jumps_through_memory(self, first: int, last: int) -> bool:
        """Whether an array's element is another one in each round, and not the next one.

        `first` is where the condition of the loop begins.
        """
        text, places = self.code.text, range(first, last + 1)
        changes = [p for p in places if self.code.is_name(p) and self.is_changed(p)]
        changed = {text(p) for p in changes}
        jumping = {text(p) for p in changes if not self.is_counted(p) and not self.is_loaded(p)}
        for opening in places:
            if text(opening) != "[":
                continue
            closing = self.code.partner[opening]
            if text(opening - 1) in jumping:
                return True
            moving = [p for p in range(opening + 1, closing) if text(p) in changed]
            is_row = text(closing + 1) == "["
            if any(is_row or text(p) in jumping or not self.is_term(p) for p in moving):
                return True
        return False

    def is_search(self, first: int, end: int, last: int) -> bool:
        """Whether both sides of the condition change: a range gets smaller, by half at a time.

        That takes few rounds, and neighbours do not look at neighbouring elements.
        """
        names = {self.code.text(p) for p in range(first, end + 1) if self.code.is_name(p)}
        changed = {self.code.text(p) for p in range(end, last + 1) if self.is_changed(p)}
        return len(names) > 1 and names <= changed

    def is_changed(self, place: int) -> bool:
        return is_assigned_before(self.code, place + 1) or self.is_counted(place)

    def is_loaded(self, place: int) -> bool:
        """Whether the name gets an array's element: it is a place that neighbours do not share."""
        text, position = self.code.text, place + 2
        while text(position) not in ("[", ",", ")", ";"):
            position += 1
        return text(place + 1) == "=" and text(position) == "["

    def is_counted(self, place: int) -> bool:
        """Whether the name is changed by 1 here."""
        return any(self.code.text(place + k) in ("++", "--") for k in (-1, 1))

    def is_term(self, place: int) -> bool:
        """Whether the name here is all of an index, or of a term of a sum."""
        before, behind = self.code.text(place - 1), self.code.text(place + 1)
        return before in ("[", "+", "-") and behind in ("]", "+", "-")

    def condition(self, loop: int) -> Range:
        if self.code.text(loop) == "while":
            return loop + 2, self.code.partner[loop + 1] - 1
        first = self.end(loop + 2)
        return first + 1, self.end(first + 1) - 1


def numbers(item: Statement | Split) -> list[int]:
    """The numbers of the loops that are cut in a statement."""
    if isinstance(item, Strip):
        return [item.number]
    if isinstance(item, Split):
        return [number for block in item.blocks for one in block.items for number in numbers(one)]
    return []


def is_among(loops: list[int]) -> str:
    """Whether the thread has left off in one of these loops."""
    return f"({STATE} >= {loops[0]} && {STATE} <= {loops[-1]})" if loops else "false"


@dataclass
class StripPlan:
    code: Tokens
    reader: StripReader
    uniform: Uniform
    kept: list[Variable] = field(default_factory=list)
    added: list[tuple[int, str, str]] = field(default_factory=list)  # before and after a token
    erased: list[int] = field(default_factory=list)

    def add(self, position: int, before: str = "", after: str = "") -> None:
        self.added.append((position, before, after))

    def threads_in(self, block: Block, outer: list[Variable]) -> None:
        """Plans a block; `outer` are the kept variables that exist before it."""
        visible = list(outer)
        loops = [numbers(item) for item in block.items]
        for i, item in enumerate(block.items):
            if not any(loops[i:]):
                return  # no thread that goes on comes here with a state
            if isinstance(item, Strip):
                self.strip(item, visible)
            elif isinstance(item, Split):
                self.split(item, loops[i], visible)
            elif item.variables:
                visible += self.declaration(item.first, item.variables, visible)
            elif not item.is_shared:
                self.add(item.first, f"if (!{STATE}) {{ ")
                self.add(item.last, after=" }")

    def strip(self, item: Strip, visible: list[Variable]) -> None:
        self.add(item.first, f"if (!{STATE} || {STATE} == {item.number}) {{ ")
        begins = f"{STATE} = 0; {busy('false')}"
        own = self.head(item.first, begins, f"{LEFT}-- != 0 &&", visible)
        # An empty statement first, for Clang's warning of misleading indentation.
        self.add(
            item.last,
            after=f"; if ({LEFT} == ~0u) {{ {busy('true')}{keeps([*visible, *own])} "
            f"{STATES}[__cudacpu_t] = {item.number}; "
            f"++{MORE}; return; }} }}",
        )

    def split(self, item: Split, loops: list[int], visible: list[Variable]) -> None:
        first = item.heads[0][0] - 1 if item.heads else item.blocks[0].opening
        self.add(first, f"if (!{STATE} || {is_among(loops)}) {{ ")
        if item.is_loop:
            visible = visible + self.head(first, "", f"{STATE} ||", visible)
        conditions = [] if item.is_loop else item.heads
        for (opening, closing), block in zip(conditions, item.blocks, strict=False):
            # A condition of the compiler's, or one that declares a variable.
            if self.code.text(opening - 1) != "if" or self.reader.declared(opening + 1):
                raise NotInLockstep
            own = [number for one in block.items for number in numbers(one)]
            self.add(opening, after=f"{STATE} ? {is_among(own)} : bool(")
            self.add(closing, before=")")
        for block in item.blocks:
            self.threads_in(block, visible)
        self.add(item.blocks[-1].closing, after=" }")

    def head(
        self, loop: int, before: str, condition: str, visible: list[Variable]
    ) -> list[Variable]:
        """Moves the first part of a `for` before the loop, and `before` behind that.

        `condition` goes before the loop's own. Returns the variables that the head declares.
        """
        begin, end = self.reader.condition(loop)
        if begin > end or self.reader.declared(begin):
            raise NotInLockstep
        is_for = self.code.text(loop) == "for"
        self.add(begin, f"{'' if is_for else '; '}{condition} (")
        self.add(end, after=f"){'' if is_for else '; '}")
        self.erased.append(loop)
        if not is_for:
            self.add(loop, after=f"{before}for ")
            return []
        first, last = loop + 2, begin - 1  # of the first part, with its semicolon
        self.erased.append(loop + 1)
        own = self.reader.declared(first)
        if own:
            own = self.declaration(first, own, visible)
        elif first < last:
            self.add(first, f"if (!{STATE}) {{ ")
            self.add(last, after=" }")
        else:
            self.erased.append(last)
        self.add(last, after=f" {before}for (; ")
        return own

    def declaration(
        self, first: int, variables: list[Variable], visible: list[Variable]
    ) -> list[Variable]:
        """Gives the variables their values back where a thread goes on; returns them."""
        text, end = self.code.text, self.reader.end(first)
        kept = []
        for variable in variables:
            if self.is_constant(first, variable):
                continue
            known = {other.name: other for other in (*visible, *kept)}
            if variable.name in known or not self.can_be_kept(variable):
                raise NotInLockstep
            # The arrays stand before all that the kernel declares.
            unseen = self.uniform.local - self.uniform.arguments.keys()
            (variable,) = with_types(self.code, [variable], unseen, known)
            kept.append(variable)
            array, initial = hidden(variable), variable.initial
            if initial and variable.is_plain:
                value = f"typename decltype({array})::Value"
                before = f"{STATE} ? {array}[__cudacpu_t] : "
                is_assigned = text(initial[0] - 1) == "="
                if is_assigned and text(initial[0]) != "{":
                    self.add(initial[0], f"{before}static_cast<{value}>(")
                    self.add(initial[1], after=")")
                else:
                    self.add(initial[0], f"{'' if is_assigned else ' = '}{before}{value}")
            else:
                if initial and self.has_effects(initial):
                    raise NotInLockstep  # it is evaluated again where a thread goes on
                self.add(end, after=f" if ({STATE}) {array}.restore(__cudacpu_t, {variable.name});")
        self.kept += kept
        return kept

    def has_effects(self, expression: Range) -> bool:
        return any(
            self.reader.is_changed(p) or self.code.text(p) == "("
            for p in range(expression[0], expression[1] + 1)
        )

    def is_constant(self, first: int, variable: Variable) -> bool:
        """Whether other declarations may need its value when they are compiled."""
        if self.code.text(first) == "constexpr":
            return True
        if not variable.initial or "const" not in variable.type.split() or "*" in variable.type:
            return False
        begin, end = variable.initial
        return not any(self.code.is_name(p) for p in range(begin, end + 1))

    def can_be_kept(self, variable: Variable) -> bool:
        """Whether it is a number, a pointer or an array of those, of a size known to the file."""
        calls = self.uniform.calls
        element, *sizes = variable.type.split("[")
        words = re.findall(r"\w+|::|[&*]", element)
        of_sizes = re.findall(r"\w+", " ".join(sizes))
        if not {"&", "decltype"}.isdisjoint(words):
            return False
        if "auto" in words:
            return True  # with_types() decides
        if not self.uniform.local.isdisjoint(of_sizes):
            return False
        return calls.are_plain(words)

    def has_pointers(self) -> bool:
        first, last = self.uniform.body.opening, self.uniform.body.closing
        pointers = Pointers(self.code, self.reader, self.uniform)
        values = pointers.values(first, last, set())
        return any(pointers.is_pointed_at(v, first, last, values) for v in self.kept)

    def write(self) -> None:
        begin_with_zeros(self.code, self.kept)
        body = self.uniform.body
        opening = self.code.token(body.opening + 1)
        opening.before += (
            f"{arrays(self.kept, None)}"
            f"unsigned char {STATES}[__cudacpu_kernel::max_threads()]; "
            f"for (unsigned {AGAIN} = 0, {MORE} = 1; {MORE} != 0; {AGAIN} = {MORE}) {{ {MORE} = 0; "
            f"const unsigned {MOST} = ::cudacpu::rounds(blockDim, {AGAIN}); "
            f"{EACH_THREAD}unsigned {STATE} = 0, {LEFT} = {MOST}; "
            f"if ({AGAIN} && !({STATE} = {STATES}[__cudacpu_t])) return; "
            f"{busy(f'{STATE} != 0')}{STATES}[__cudacpu_t] = 0; "
        )
        for position in self.erased:
            self.code.token(position).out = ""
        for position, before, after in self.added:
            self.code.token(position).before += before
            self.code.token(position).after += after
        self.code.token(body.closing).before += f"{END} }} {busy('false')}"


def plan_strips(code: Tokens, calls: Calls, parameters: int, opening: int) -> StripPlan:
    """What to write, for a kernel that never waits."""
    reader = StripReader(code)
    body = reader.block(opening)
    prints = any(code.text(p) == "printf" for p in range(opening, body.closing))
    if prints or not 0 < reader.count <= MOST_LOOPS:
        raise NotInLockstep
    uniform = Uniform(reader, calls, (parameters, code.partner[parameters]), body)
    if any(
        uniform.is_changed(name, p)
        for name in uniform.arguments
        for p in uniform.places.get(name, ())
    ):
        raise NotInLockstep
    plan = StripPlan(code, reader, uniform)
    plan.threads_in(body, [])
    if len(plan.kept) > MOST_KEPT or plan.has_pointers():
        raise NotInLockstep
    return plan
