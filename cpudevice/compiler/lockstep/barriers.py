"""Writes a kernel with barriers as loops over the threads between them: see __init__.py."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..tokens import Tokens
from .calls import Calls
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
from .uniform import Uniform

ENDED = "__cudacpu_ended"  # which threads have, before a barrier of the others
CHOSEN = "__cudacpu_chosen"  # which block of an `if` each thread takes
SOME = "__cudacpu_some"  # whether some thread takes it


def plan_at_barriers(code: Tokens, calls: Calls, parameters: int, opening: int) -> Plan:
    """What to write, for a kernel that waits at barriers only."""
    if calls.unnamed_changes_operands:
        raise NotInLockstep
    reader = Reader(code)
    body = reader.block(opening)
    uniform = Uniform(reader, calls, (parameters, code.partner[parameters]), body)
    plan = Plan(code, reader, uniform)
    if not all(calls.are_plain(v.type.split()) for v in uniform.changing):
        raise NotInLockstep
    plan.block(body, {v.name: v for v in uniform.changing}, is_last=True)
    if len(uniform.changing) + sum(len(loop.kept) for loop in plan.loops) > MOST_KEPT:
        raise NotInLockstep
    return plan


@dataclass
class Loop:
    """Statements between two barriers, which each thread executes."""

    first: int
    last: int
    read: list[Variable]  # those that an earlier loop has kept
    kept: list[Variable]  # variables declared here that a later loop reads
    before: Variable | None  # the last one that exists as an array already
    ends: list[int]  # where a `continue` or `return` ends the thread's turn
    returns: list[int]  # where a thread ends that others do not end with
    branch: int | None  # which block of the choice this is in


@dataclass
class Choice:
    """An `if` with barriers about which the threads may disagree.

    Those that skip it meet no other barrier: a GPU's threads that have ended count at none.
    """

    split: Split
    read: list[Variable]


@dataclass
class Plan:
    code: Tokens
    reader: Reader
    uniform: Uniform
    loops: list[Loop] = field(default_factory=list)
    barriers: list[Statement] = field(default_factory=list)
    chosen: Choice | None = None

    def block(
        self,
        block: Block,
        outer: dict[str, Variable],
        is_last: bool,
        in_loop: bool = False,
        branch: int | None = None,
    ) -> None:
        """Plans the loops of a block; `outer` are the variables that exist as arrays before it."""
        visible = dict(outer)
        items = block.items
        i = 0
        while i < len(items):
            item = items[i]
            i += 1
            if isinstance(item, Split):
                divides = not self.uniform.heads_are_uniform(item)
                if divides:
                    meets = any(isinstance(o, Split) or o.is_barrier for o in items[i:])
                    self.choose(item, visible, is_last and not meets)
                for number, inner in enumerate(item.blocks):
                    self.block(inner, visible, False, item.is_loop, number if divides else branch)
            elif item.is_barrier:
                self.barriers.append(item)
            elif self.uniform.is_of_block(item):
                if branch is not None and self.uniform.jumps(item):
                    raise NotInLockstep  # not all threads of the block come here
                for name in (*item.shared, *(variable.name for variable in item.variables)):
                    visible.pop(name, None)
            else:
                run = [item]
                while i < len(items) and self.is_of_threads(items[i]):
                    run.append(items[i])
                    i += 1
                ends = i == len(items)
                self.loop(run, block, visible, is_last and ends, in_loop and ends, branch)

    def choose(self, split: Split, visible: dict[str, Variable], is_last: bool) -> None:
        """Plans an `if` about which threads disagree; the last one with barriers can be written."""
        first, last = split.heads[0]
        is_plain = not split.is_loop and len(split.heads) == 1
        if not (is_plain and is_last) or self.reader.declared(first + 1):
            raise NotInLockstep
        barriers_of_others = (s for block in split.blocks[1:] for s in block.statements())
        if any(statement.is_barrier for statement in barriers_of_others):
            raise NotInLockstep
        used = {self.code.text(p) for p in range(first, last + 1)}
        self.chosen = Choice(split, [v for name, v in visible.items() if name in used])

    def is_of_threads(self, item: Statement | Split) -> bool:
        return isinstance(item, Statement) and not self.uniform.is_of_block(item)

    def loop(
        self,
        run: list[Statement],
        block: Block,
        visible: dict[str, Variable],
        may_return: bool,
        may_continue: bool,
        branch: int | None,
    ) -> None:
        first, last = run[0].first, run[-1].last
        ends = self.jumps_out(run)
        returns = [p for p in ends if self.code.text(p) == "return" and not may_return]
        allowed = {"return": True, "continue": may_continue}
        if not all(allowed.get(self.code.text(p), False) for p in ends):
            raise NotInLockstep
        used = {self.code.text(p) for p in range(first, last + 1)}
        read = [variable for name, variable in visible.items() if name in used]
        declared = [v for statement in run for v in statement.variables]
        kept = [v for v in declared if self.is_used(v.name, last + 1, block.closing)]
        outlive = {v.name for v in kept}
        if any(word in v.type for v in kept for word in ("decltype", "&", "[]")):
            raise NotInLockstep
        before = next(reversed(visible.values()), None)
        for variable in declared:
            visible.pop(variable.name, None)
        unseen = {*(self.uniform.declared.keys() - self.uniform.names), *self.uniform.inner}
        kept = with_types(self.code, kept, unseen, visible)
        if last + 1 < block.closing:
            pointers = Pointers(self.code, self.reader, self.uniform)
            values = pointers.values(first, last, {v.name for v in declared} - outlive)
            if any(pointers.is_pointed_at(v, first, last, values) for v in declared):
                raise NotInLockstep
        visible.update((v.name, v) for v in kept)
        self.loops.append(Loop(first, last, read, kept, before, ends, returns, branch))

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
        for barrier in self.barriers:
            self.code.erase(barrier.first, barrier.last)
        opening = self.code.token(self.uniform.body.opening + 1)
        if own := self.uniform.changing:
            opening.before += f"{arrays(own, None)}{EACH_THREAD}{keeps(own)}{END} "
        if self.some_end():
            opening.before += f"bool {ENDED}[__cudacpu_kernel::max_threads()]{{}}; "
        if self.chosen:
            self.write_choice(self.chosen)
        for loop in self.loops:
            begin_with_zeros(self.code, loop.kept)
            kept = keeps(loop.kept)
            # The second brace: the code may declare a variable of a name that it reads before.
            self.code.token(
                loop.first
            ).before += f"{arrays(loop.kept, loop.before)}{self.turn(loop.read, loop.branch)}{{ "
            # An empty statement first, for Clang's warning of misleading indentation.
            self.code.token(loop.last).after += f"{';' if kept else ''}{kept} }}{END}"
            for p in loop.ends:
                ended = f" void({ENDED}[__cudacpu_t] = true)" if p in loop.returns else ""
                self.code.token(p).out = f"return{ended}"

    def some_end(self) -> bool:
        return any(loop.returns for loop in self.loops)

    def turn(self, read: list[Variable], branch: int | None) -> str:
        """How each thread's turn begins: with the variables that it reads, or not at all."""
        skips = [f"{ENDED}[__cudacpu_t]"] if self.some_end() else []
        skips += [] if branch is None else [f"{CHOSEN}[__cudacpu_t] != {branch}"]
        skip = f"if ({' || '.join(skips)}) return; " if skips else ""
        reads = "".join(
            f"[[maybe_unused]] auto& {v.name} = {hidden(v)}[__cudacpu_t]; " for v in read
        )
        return f"{EACH_THREAD}{skip}{reads}"

    def write_choice(self, choice: Choice) -> None:
        """Notes which block each thread takes, and skips a block that none takes."""
        first, last = choice.split.heads[0]
        self.code.token(first - 1).out = ""
        self.code.token(first).before += (
            f"unsigned char {CHOSEN}[__cudacpu_kernel::max_threads()]; bool {SOME}[2]{{}}; "
            f"{self.turn(choice.read, None)}{SOME}[{CHOSEN}[__cudacpu_t] = "
        )
        self.code.token(last).after += f" ? 0 : 1] = true; {END} if ({SOME}[0]) "
        for block in choice.split.blocks[1:]:
            self.code.token(block.opening - 1).out = f"if ({SOME}[1])"
