"""Writes a kernel with barriers as loops over the threads between them: see __init__.py."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..tokens import Tokens
from .calls import Calls
from .per_thread import EACH_THREAD, END, MOST_KEPT, arrays, hidden, keeps
from .pointers import Pointers
from .statements import LOOPS, Block, NotInLockstep, Reader, Split, Statement, Variable
from .uniform import Uniform


def plan_at_barriers(code: Tokens, calls: Calls, parameters: int, opening: int) -> Plan:
    """What to write, for a kernel that waits at barriers only."""
    if calls.unnamed_changes_operands:
        raise NotInLockstep
    reader = Reader(code)
    body = reader.block(opening)
    uniform = Uniform(reader, calls, (parameters, code.partner[parameters]), body)
    plan = Plan(code, reader, uniform)
    plan.block(body, {}, is_last=True)
    if sum(len(loop.kept) for loop in plan.loops) > MOST_KEPT:
        raise NotInLockstep
    return plan


@dataclass
class Loop:
    """Statements between two barriers, which each thread executes."""

    first: int
    last: int
    read: list[Variable]  # those that an earlier loop has kept
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
                for name in (*item.shared, *(variable.name for variable in item.variables)):
                    visible.pop(name, None)
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
        read = [variable for name, variable in visible.items() if name in used]
        declared = [v for statement in run for v in statement.variables]
        kept = [v for v in declared if self.is_used(v.name, last + 1, block.closing)]
        outlive = {v.name for v in kept}
        if any(word in v.type for v in kept for word in ("auto", "decltype", "&", "[]")):
            raise NotInLockstep
        if last + 1 < block.closing:
            pointers = Pointers(self.code, self.reader, self.uniform)
            values = pointers.values(first, last, {v.name for v in declared} - outlive)
            if any(pointers.is_pointed_at(v, first, last, values) for v in declared):
                raise NotInLockstep
        for variable in declared:
            visible.pop(variable.name, None)
        visible.update((v.name, v) for v in kept)
        self.loops.append(Loop(first, last, read, kept, ends))

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
        for barrier in self.barriers:
            self.code.erase(barrier.first, barrier.last)
        for loop in self.loops:
            reads = "".join(
                f"[[maybe_unused]] auto& {v.name} = {hidden(v)}[__cudacpu_t]; " for v in loop.read
            )
            kept = keeps(loop.kept)
            # The second brace: the code may declare a variable of a name that it reads before.
            self.code.token(
                loop.first
            ).before += f"{arrays(loop.kept, count)}{EACH_THREAD}{reads}{{ "
            # An empty statement first, for Clang's warning of misleading indentation.
            self.code.token(loop.last).after += f"{';' if kept else ''}{kept} }}{END}"
            for p in loop.ends:
                self.code.token(p).out = "return"
