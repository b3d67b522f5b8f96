"""__device__, __constant__ and __managed__ variables: each is registered with the run-time library.

    __device__ T x = 1;           T x = 1; static DeviceVariable registration(&x, ...);

So copies to and from symbols find them. Of a variable template the instances are registered that a
copy names.

    cudaMemcpy(table, p, n, cudaMemcpyHostToDevice)    cudaMemcpy(host_address(table), ...)
    kernel<<<grid, block>>>(table)                     kernel(host_address(table))

On the host nvcc's name of such a variable is a copy of its own, which kernels do not see: a GPU
refuses such copies, where cudaMemcpyToSymbol was meant. Here host and device share the variable, so
the call would succeed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..tokens import Tokens
from .attributes import VARIABLE_SPACES
from .declarators import CLASS_KEYS, declarators, name_in_brackets, statement_end

TAKES_SYMBOL = re.compile(r"cuda(Memcpy(To|From)Symbol(Async)?|GetSymbol(Address|Size))$")
COPIES = re.compile(r"cudaMemcpy(2D)?(Async)?$")
FILLS = re.compile(r"cudaMemset(2D)?(Async)?$")
TO_DEVICE = {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToDevice"}
FROM_DEVICE = {"cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"}


@dataclass
class DeviceVariables:
    tokens: Tokens
    numbers: Iterator[int]  # for names that must be unique
    graded: bool
    templates: dict[str, str] = field(default_factory=dict)  # of variables: their kinds
    names: set[str] = field(default_factory=set)  # of variables that only kernels can use

    def declare(self, first: int, position: int) -> None:
        """Registers the variables of a declaration of namespace scope that begins at `first`."""
        tokens, text = self.tokens, self.tokens.text
        space = text(position)
        p = behind_type(tokens, position)
        if p is None:
            return
        words = {text(q) for q in range(first, p)}
        if text(p) in ("}", "") or words & {"friend", "using", "typedef"}:
            return
        if text(p) == ";" and text(p - 2) in CLASS_KEYS:
            return  # `__device__ class C;` declares no variable
        if text(p) == "(":
            name = name_in_brackets(tokens, p)
            if name < 0 or text(name + 1) == "(":  # a function, or one that returns a pointer
                return
        if "template" in words:
            if tokens.is_name(p - 1):
                self.templates[text(p - 1)] = space
            return
        end = statement_end(tokens, p)
        kinds = {text(q) for q in range(position, p)} | {space}
        if "__managed__" not in kinds:
            self.names.update(text(name) for name, _ in declarators(tokens, first, end))
        if "extern" in words and not any(text(q) == "=" for q in range(first, end)):
            return
        if any(text(q) in VARIABLE_SPACES for q in range(first, position)):
            return  # registered at the first of the qualifiers
        kind = next((k for k in ("__managed__", "__constant__") if k in kinds), space)
        # With nvcc such a variable is local to its file, so two files may use one name.
        if self.graded and not words & {"extern", "static", "inline", "constexpr"}:
            tokens.token(position).before += "static "
        for name, _ in declarators(tokens, first, end):
            tokens.token(end).after += self.registration(text(name), kind)

    def registration(self, variable: str, kind: str) -> str:
        limit = ""
        if kind == "__constant__":
            limit = (
                f" static_assert(sizeof({variable}) <= ::cudacpu::kConstantLimit,"
                f' "the __constant__ variable {variable} is larger than the 64 KiB of constant'
                f' memory that a GPU has");'
            )
        return (
            f"{limit} static ::cudacpu::DeviceVariable __cudacpu_variable_{next(self.numbers)}("
            f'(const void*)&{variable}, sizeof({variable}), "{variable}", "{kind}");'
        )

    def use_template(self, position: int) -> None:
        """Registers an instance of a variable template when a copy names it."""
        tokens, text = self.tokens, self.tokens.text
        end = tokens.skip_angles(position + 1)
        if text(position - 1) not in ("(", ",") or text(end) not in (")", ","):
            return
        opening = position
        while opening > 0 and (text(opening) != "(" or tokens.partner[opening] < position):
            opening = tokens.partner.get(opening, opening) if text(opening) == ")" else opening
            opening -= 1
        if not TAKES_SYMBOL.match(text(opening - 1)):
            return
        name = text(position)
        tokens.token(position).before += "::cudacpu::instance_of("
        tokens.token(end - 1).after += f', "{name}", "{self.templates[name]}")'

    def visit_copy(self, position: int) -> None:
        """Rewrites the arguments of a copy or fill by the host whose name is at `position`."""
        tokens = self.tokens
        opening = position + 1
        if tokens.text(opening) != "(" or opening not in tokens.partner:
            return
        arguments = list(tokens.argument_ranges(opening))
        wrong = arguments[:1]
        if COPIES.match(tokens.text(position)):
            words = {tokens.text(p) for first, last in arguments[3:] for p in range(first, last)}
            source = 2 if "2D" in tokens.text(position) else 1
            wrong = wrong if words & TO_DEVICE else []
            wrong += arguments[source : source + 1] if words & FROM_DEVICE else []
        self.rewrite(wrong)

    def visit_launch(self, opening: int) -> None:
        """Rewrites the arguments of a kernel that the host launches, behind the bracket."""
        self.rewrite(self.tokens.argument_ranges(opening))

    def rewrite(self, arguments: Iterable[tuple[int, int]]) -> None:
        tokens = self.tokens
        for first, last in arguments:
            if names_address(tokens, first, last, self.names):
                tokens.token(first).before += "::cudacpu::host_address("
                tokens.token(last - 1).after += ")"


def behind_type(tokens: Tokens, position: int) -> int | None:
    """The position behind the first name that is declared; None if it is surely no variable."""
    p = position + 1
    while p < len(tokens.code) and tokens.text(p) not in ("(", "=", ";", "{", "[", ",", "}"):
        if tokens.text(p) in ("alignas", "__align__", "__attribute__", "decltype"):
            p = tokens.partner.get(p + 1, p)
        elif tokens.text(p) in ("operator", "__global__", "__shared__"):
            return None
        elif tokens.text(p) == "<" and tokens.is_name(p - 1):
            p = max(tokens.skip_angles(p) - 1, p)
        p += 1
    return p


def names_address(tokens: Tokens, first: int, last: int, variables: set[str]) -> bool:
    """Whether an argument is the address of a variable or of a part of it, perhaps with a cast."""
    p = first
    while tokens.text(p) == "(" and tokens.text(tokens.partner.get(p, p) - 1) == "*":
        p = tokens.partner[p] + 1
    if tokens.text(p) == "&":
        p += 1
    return (
        p < last
        and tokens.text(p) in variables
        and (p + 1 == last or tokens.text(p + 1) in ("[", "+"))
    )
