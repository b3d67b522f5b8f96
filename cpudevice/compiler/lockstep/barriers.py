"""Writes a kernel with barriers as loops over the threads between them: see __init__.py."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..tokens import Tokens
from .calls import Calls
from .statements import LOOPS, Block, NotInLockstep, Reader, Split, Statement, Variable
from .uniform import Uniform

# At most so many variables become arrays, because the arrays share one stack.
MOST_KEPT = 24


def rewrite_at_barriers(code: Tokens, calls: Calls, parameters: int, opening: int) -> bool:
    """Rewrites the body of a kernel if that is possible; returns whether it was."""
    closing = code.partner.get(opening, opening)
    if not calls.never_wait(parameters, closing, barriers=True):
        return False
    if calls.unnamed_needs_thread or calls.unnamed_changes_operands:
        return False
    reader = Reader(code)
    try:
        body = reader.block(opening)
        if not any(statement.is_barrier for statement in body.statements()):
            return False
        uniform = Uniform(reader, calls, (parameters, code.partner[parameters]), body)
        plan = Plan(code, reader, uniform)
        plan.block(body, {}, is_last=True)
        if sum(len(loop.kept) for loop in plan.loops) > MOST_KEPT:
            raise NotInLockstep
    except NotInLockstep:
        return False
    plan.write()
    return True


def hidden(variable: Variable) -> str:
    """The name of the array; two variables of one name may exist at a time."""
    return f"__cudacpu_kept_{variable.name}_{variable.position}"


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
            pointers = self.pointer_values(first, last, {v.name for v in declared} - outlive)
            if any(self.is_pointed_at(v, first, last, pointers) for v in declared):
                raise NotInLockstep
        for variable in declared:
            visible.pop(variable.name, None)
        visible.update((v.name, v) for v in kept)
        self.loops.append(Loop(first, last, read, kept, ends))

    def is_pointed_at(
        self, variable: Variable, first: int, last: int, pointers: list[tuple[int, int, bool]]
    ) -> bool:
        """Whether a pointer to a variable may outlive the loop, which keeps only its value."""
        text, uniform = self.code.text, self.uniform
        dimensions = variable.type.count("[")
        for p in uniform.places.get(variable.name, ()):
            before, behind = text(p - 1), p + 1
            if not first <= p <= last:
                continue
            if before == "&" and uniform.is_prefix(p - 1):
                return True
            if before == "(" and uniform.is_changed_as_a_whole(p - 1):
                return True
            if dimensions and p != variable.position and text(behind) != "[":
                return True
            if self.is_argument_that_is_kept(p, first):
                return True
            within = [binds for a, b, binds in pointers if a < p <= b]
            if not within or p == variable.position:
                continue
            subscripts = 0
            while text(behind) == "[":
                behind, subscripts = self.code.partner[behind] + 1, subscripts + 1
            # A row of an array or an array in a class, as in `float* row = tile[1];`.
            if subscripts < dimensions:
                return True
            if text(behind) == "." and variable.name in uniform.holders:
                return True
            # A reference in a class, as in `Reference r{value};`.
            if any(within):
                return True
        return False

    def is_argument_that_is_kept(self, place: int, first: int) -> bool:
        """Whether it stands in a call of a function that may keep its argument's address."""
        code = self.code
        return any(
            code.text(p) == "("
            and code.partner.get(p, p) > place
            and self.uniform.calls.keeps_addresses(code.text(p - 1))
            for p in range(first, place)
        )

    def pointer_values(
        self, first: int, last: int, short_lived: set[str]
    ) -> list[tuple[int, int, bool]]:
        """Where variables that may hold addresses behind the loop get their values.

        Each is the name's place, the end of the statement, and whether it may bind references.
        """
        text = self.code.text
        found = []
        holders = {**dict.fromkeys(self.uniform.pointers, False), **self.uniform.holders}
        for name in holders.keys() - short_lived:
            for p in self.uniform.places.get(name, ()):
                behind = p + 1
                while text(behind) in ("[", ".", "->"):
                    behind = self.code.partner[behind] + 1 if text(behind) == "[" else behind + 2
                if first <= p <= last and text(behind) in ("=", "{", "("):
                    found.append((p, self.reader.end(p), holders[name]))
        return found

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
            arrays = "".join(
                f"::cudacpu::PerThread<{v.type}, __cudacpu_kernel::max_threads(), {count}> "
                f"{hidden(v)}; "
                for v in loop.kept
            )
            reads = "".join(
                f"[[maybe_unused]] auto& {v.name} = {hidden(v)}[__cudacpu_t]; " for v in loop.read
            )
            keeps = "".join(f" {hidden(v)}.keep(__cudacpu_t, {v.name});" for v in loop.kept)
            self.code.token(loop.first).before += (
                f"{arrays}::cudacpu::each_thread(blockDim, [&]([[maybe_unused]] const ::uint3& "
                "threadIdx, [[maybe_unused]] const unsigned __cudacpu_t) "
                # The second brace: the code may declare a variable of a name that it reads before.
                f"__attribute__((always_inline)) {{ {reads}{{ "
            )
            # An empty statement first, for Clang's warning of misleading indentation.
            self.code.token(loop.last).after += f"{';' if keeps else ''}{keeps} }} }});"
            for p in loop.ends:
                self.code.token(p).out = "return"
