"""__shared__ variables: references into the block's shared memory.

    __shared__ T a[N], b;         struct S { T a[N], b; }; auto& a = shared<tag, S>().a; ...
    extern __shared__ T s[];      auto& s = dynamic_shared<T>();

At namespace scope there is no block yet: functions then have the expression instead of the name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..tokens import OPENERS, Tokens
from .attributes import ALIGNED, DROPPED
from .declarators import CLASS_KEYS, declarators, declares, statement_end
from .scopes import Scopes

SHARED_LIMIT = 48 * 1024
SPECIFIERS = ("extern", "static", "__shared__")


@dataclass
class SharedVariables:
    tokens: Tokens
    scopes: Scopes
    numbers: Iterator[int]  # for names that must be unique
    names: dict[str, str] = field(default_factory=dict)  # of namespace scope: their expressions

    def declare(self, position: int) -> None:
        """Rewrites the declaration that has __shared__ at `position`."""
        tokens = self.tokens
        first = self.scopes.innermost.declaration
        end = statement_end(tokens, position)
        specifiers = [q for q in range(first, end) if tokens.text(q) in SPECIFIERS]
        # Only the words before the declarators are specifiers.
        is_extern = any(tokens.text(q) == "extern" for q in specifiers)
        for q in specifiers:
            tokens.token(q).out = ""
        for q in range(first, end):
            if tokens.text(q) in DROPPED:
                tokens.token(q).out = ""
        if is_extern:
            self.declare_dynamic(first, end)
        else:
            self.declare_static(first, end)

    def declare_dynamic(self, first: int, end: int) -> None:
        tokens = self.tokens
        declared = declarators(tokens, first, end)
        if not declared:
            raise tokens.error(first, "this extern __shared__ declaration names no array")
        element = element_type(tokens, first, declared[0][0])
        text = ""
        for name, behind in declared:
            # The elements of `T name[][4]` are T[4]; the size in `T name[8]` is no limit.
            inner = name + 1
            is_array = tokens.text(inner) == "["
            if is_array:
                inner = tokens.partner.get(inner, inner) + 1
            kind = element + tokens.plain(inner, behind - 1)
            value = f"::cudacpu::dynamic_shared<{kind}>()" + ("" if is_array else "[0]")
            if self.scopes.in_function():
                text += f"auto& {tokens.text(name)} = {value}; "
                self.scopes.innermost.hidden.add(tokens.text(name))
            else:
                self.names[tokens.text(name)] = f"({value})"
        tokens.erase(first, end)
        for q in range(first, end):
            tokens.token(q).text = ""  # nothing left to visit
        tokens.token(end).before += text

    def declare_static(self, first: int, end: int) -> None:
        tokens = self.tokens
        number = next(self.numbers)
        struct = f"__cudacpu_shared_{number}"
        declared = [tokens.text(name) for name, _ in declarators(tokens, first, end)]
        if any(tokens.text(q) == "=" for q in range(first, end)):
            raise tokens.error(first, "a __shared__ variable cannot have an initial value")
        begin_struct(tokens, number, first, end)
        after = " };"
        if not self.scopes.in_function():
            for name in declared:
                self.names[name] = f"(::cudacpu::shared<void, {struct}>().{name})"
        else:
            after += self.count_bytes(struct, f"__cudacpu_end_{number}")
            tag = "__cudacpu_kernel" if self.scopes.kernel() else "void"
            self.scopes.innermost.hidden.update(declared)
            for name in declared:
                after += f" auto& {name} = ::cudacpu::shared<{tag}, {struct}>().{name};"
        tokens.token(end).after += after
        self.pass_over(first, end)

    def count_bytes(self, struct: str, total: str) -> str:
        """Defines the constant `total`: the bytes of this scope's variables so far."""
        scope = self.scopes.innermost
        before, scope.shared_end = scope.shared_end or "0", total
        return (
            f" [[maybe_unused]] constexpr decltype(sizeof(0)) {total} = ::cudacpu::shared_end("
            f"{before}, sizeof({struct}), alignof({struct})); "
            f"static_assert({total} <= {SHARED_LIMIT}, "
            '"more than 48 KB of static __shared__ memory: use extern __shared__ with '
            'cudaFuncSetAttribute and cudaFuncAttributeMaxDynamicSharedMemorySize");'
        )

    def pass_over(self, first: int, end: int) -> None:
        """Keeps names declared here from being mistaken for a __shared__ variable."""
        for q in range(first, end):
            if self.tokens.text(q) in self.names:
                self.tokens.token(q).text = ""

    # ---- names of namespace scope ----------------------------------------------------------------

    def hide_behind_parameters(self) -> None:
        """Where a function's body has begun: its parameters hide variables of their names."""
        scope = self.scopes.innermost
        if self.names and self.scopes.function_begins():
            words = {self.tokens.text(p) for p in range(*scope.before)}
            scope.hidden = words & self.names.keys()

    def use(self, position: int) -> None:
        """Replaces the name of a variable of namespace scope where it is not hidden."""
        if self.tokens.text(position - 1) in (".", "->", "::"):
            return
        if not self.scopes.in_function():
            return  # a parameter: see hide_behind_parameters
        name, scope = self.tokens.text(position), self.scopes.innermost
        if declares(self.tokens, scope.declaration, position):
            scope.hidden.add(name)
        elif not self.scopes.hides(name):
            self.tokens.token(position).out = self.names[name]


def element_type(tokens: Tokens, first: int, name: int) -> str:
    """The words before the first name that are the type."""
    words = []
    q = first
    while q < name:
        if tokens.text(q) in ALIGNED and q + 1 in tokens.partner:
            q = tokens.partner[q + 1] + 1
            continue
        if tokens.text(q) not in SPECIFIERS and tokens.text(q) not in DROPPED:
            words.append(tokens.text(q))
        q += 1
    return " ".join(words)


def begin_struct(tokens: Tokens, number: int, first: int, end: int) -> None:
    """Opens the struct of a declaration, after a type that the declaration may define."""
    struct = f"__cudacpu_shared_{number}"
    for p in range(first, end):
        if tokens.text(p) in OPENERS and tokens.text(p) != "{":
            break
        if tokens.text(p) not in CLASS_KEYS:
            continue
        opening = next((q for q in range(p, end) if tokens.text(q) in ("{", ";", "=", "[")), end)
        if tokens.text(opening) != "{" or opening not in tokens.partner:
            break
        name = name_of_type(tokens, p + 1, opening)
        if name < 0 and tokens.text(p) != "enum":
            break  # a struct without a name has no names to leave outside
        type_name = f"__cudacpu_type_{number}" if name < 0 else tokens.text(name)
        if name < 0:
            tokens.token(p).after += f" {type_name}"
        tokens.token(tokens.partner[opening]).after += f"; struct {struct} {{ {type_name} "
        return
    tokens.token(first).before += f"struct {struct} {{ "


def name_of_type(tokens: Tokens, first: int, opening: int) -> int:
    """Where the name is in `union alignas(16) Tile {` or `enum class E {`; -1 without one."""
    q = first
    while q < opening:
        if tokens.text(q) in ALIGNED and q + 1 in tokens.partner:
            q = tokens.partner[q + 1]
        elif tokens.is_name(q) and tokens.text(q) not in ("class", "struct"):
            return q
        q += 1
    return -1
