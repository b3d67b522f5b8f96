"""Writes a kernel's body as loops over the threads: see __init__.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..tokens import Tokens
from .calls import Calls
from .statements import LOOPS, Block, NotInLockstep, Reader, Split, Statement, Variable
from .uniform import Uniform

# At most so many variables become arrays, because the arrays share one stack.
MOST_KEPT = 24


def rewrite(code: Tokens, calls: Calls, parameters: int, opening: int) -> bool:
    """Rewrites the body of a kernel if that is possible; returns whether it was."""
    closing = code.partner.get(opening, opening)
    if not calls.never_wait(parameters, closing, barriers=True):
        return False
    if calls.unnamed_needs_thread:
        return False
    reader = Reader(code)
    try:
        body = reader.block(opening)
        if not any(statement.is_barrier for statement in body.statements()):
            return False
        uniform = Uniform(reader, calls, (parameters, code.partner[parameters]), body)
        plan = Plan(code, reader, uniform)
        plan.block(body, {}, is_last=True)
    except NotInLockstep:
        return False
    plan.write()
    return True


@dataclass
class Loop:
    """Statements between two barriers, which each thread executes."""

    first: int
    last: int
    read: list[str]  # variables that an earlier loop has kept
    kept: list[Variable]  # variables declared here that a later loop reads
    ends: list[int]  # where a `continue` or `return` ends the thread's turn


@dataclass
class Plan:
    code: Tokens
    reader: Reader
    uniform: Uniform
    loops: list[Loop] = field(default_factory=list)
    barriers: list[Statement] = field(default_factory=list)

    def block(
        self, block: Block, outer: dict[str, Variable], is_last: bool, in_loop: bool = False
    ) -> None:
        """Plans the loops of a block; `outer` are the variables that exist as arrays before it."""
        visible = dict(outer)
        items = block.items
        i = 0
        while i < len(items):
            item = items[i]
            i += 1
            if isinstance(item, Split):
                if not self.uniform.heads_are_uniform(item):
                    raise NotInLockstep
                for inner in item.blocks:
                    self.block(inner, visible, is_last=False, in_loop=item.is_loop)
            elif item.is_barrier:
                self.barriers.append(item)
            elif self.uniform.is_of_block(item):
                for variable in item.variables:
                    visible.pop(variable.name, None)
            else:
                run = [item]
                while i < len(items) and self.is_of_threads(items[i]):
                    run.append(items[i])
                    i += 1
                ends = i == len(items)
                self.loop(run, block, visible, is_last and ends, in_loop and ends)

    def is_of_threads(self, item: Statement | Split) -> bool:
        return isinstance(item, Statement) and not self.uniform.is_of_block(item)

    def loop(
        self,
        run: list[Statement],
        block: Block,
        visible: dict[str, Variable],
        may_return: bool,
        may_continue: bool,
    ) -> None:
        first, last = run[0].first, run[-1].last
        ends = self.jumps_out(run)
        for p in ends:
            allowed = {"return": may_return, "continue": may_continue}
            if not allowed.get(self.code.text(p), False):
                raise NotInLockstep
        used = {self.code.text(p) for p in range(first, last + 1)}
        read = [name for name in visible if name in used]
        declared = [v for statement in run for v in statement.variables]
        kept = [v for v in declared if self.is_used(v.name, last + 1, block.closing)]
        if any("auto" in v.type or "&" in v.type or "[]" in v.type for v in kept):
            raise NotInLockstep
        if last + 1 < block.closing and any(self.is_pointed_at(v, first, last) for v in declared):
            raise NotInLockstep
        for variable in declared:
            visible.pop(variable.name, None)
        visible.update((v.name, v) for v in kept)
        self.loops.append(Loop(first, last, read, kept, ends))

    def is_pointed_at(self, variable: Variable, first: int, last: int) -> bool:
        """Whether a pointer to a variable may outlive the loop, which keeps only its value."""
        text, uniform = self.code.text, self.uniform
        is_array = "[" in variable.type
        is_pointer = "*" in variable.type and not is_array
        pointers = list(self.pointer_values(first, last))
        for p in uniform.places.get(variable.name, ()):
            before, behind = text(p - 1), text(p + 1)
            if not first <= p <= last:
                continue
            if before == "&" and uniform.is_prefix(p - 1):
                return True
            if before == "(" and uniform.is_changed_as_a_whole(p - 1):
                return True
            if is_array and p != variable.position and behind != "[":
                return True
            # A row of it or an array in it, as in `float* row = tile[1];`.
            is_part = behind in ("[", ".") and not is_pointer
            if is_part and any(a < p <= b for a, b in pointers):
                return True
        return False

    def pointer_values(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Where pointers get their values: from the name to the end of the statement."""
        for name in self.uniform.pointers:
            for p in self.uniform.places.get(name, ()):
                if first <= p <= last and self.code.text(p + 1) in ("=", "{", "("):
                    yield p, self.reader.end(p)

    def is_used(self, name: str, first: int, last: int) -> bool:
        return any(first <= p <= last for p in self.uniform.places.get(name, ()))

    def jumps_out(self, run: list[Statement]) -> list[int]:
        """Places of jumps that leave the statement in which they stand."""
        text = self.code.text
        found = []
        for statement in run:
            inside = -1  # the end of the outermost loop around p
            choice = -1
            for p in range(statement.first, statement.last + 1):
                if text(p) in LOOPS and p > inside:
                    inside = self.reader.end(p)
                elif text(p) == "switch" and p > choice:
                    choice = self.reader.end(p)
                elif (
                    text(p) == "return"
                    or (text(p) == "continue" and p > inside)
                    or (text(p) == "break" and p > max(inside, choice))
                ):
                    found.append(p)
        return found

    # ---- writing ---------------------------------------------------------------------------------

    def write(self) -> None:
        count = sum(len(loop.kept) for loop in self.loops)
        if count > MOST_KEPT:
            raise NotInLockstep
        for barrier in self.barriers:
            self.code.erase(barrier.first, barrier.last)
        for loop in self.loops:
            arrays = "".join(
                f"::cudacpu::PerThread<{v.type}, __cudacpu_kernel::max_threads(), {count}> "
                f"__cudacpu_kept_{v.name}; "
                for v in loop.kept
            )
            reads = "".join(
                f"[[maybe_unused]] auto& {name} = __cudacpu_kept_{name}[__cudacpu_t]; "
                for name in loop.read
            )
            keeps = "".join(
                f" __cudacpu_kept_{v.name}.keep(__cudacpu_t, {v.name});" for v in loop.kept
            )
            self.code.token(loop.first).before += (
                f"{arrays}::cudacpu::each_thread(blockDim, [&]([[maybe_unused]] const ::uint3& "
                "threadIdx, [[maybe_unused]] const unsigned __cudacpu_t) "
                f"__attribute__((always_inline)) {{ {reads}"
            )
            self.code.token(loop.last).after += f"{keeps} }});"
            for p in loop.ends:
                self.code.token(p).out = "return"
