"""Kernels: the definition of one is that of a function that launches a lambda.

    __global__ void k(T x) {...}  void k(T x) { struct tag {...}; launch<tag>([=](...) {...}); }

The tag says what the run-time library has to know of the kernel (include/cudacpu/launch.h).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from ..lockstep.calls import Calls
from ..lockstep.kernels import rewrite
from ..tokens import Tokens, escaped
from .attributes import DROPPED_WITH_ARGUMENTS
from .kernel_bodies import is_simple, needs_globals, reads_anew
from .launches import callee_start
from .scopes import Kernel
from .settings import Settings

# Types that are certainly not void.
VALUES = {
    "bool", "char", "short", "int", "long", "unsigned", "signed", "float", "double", "size_t",
    "int32_t", "uint32_t", "int64_t", "uint64_t", "float2", "float4",
}  # fmt: skip
DESCRIBING = ("__launch_bounds__", "__cluster_dims__")
INDICES = (
    ("threadIdx", "uint3", "thread"),
    ("blockIdx", "uint3", "block"),
    ("blockDim", "dim3", "block_dim"),
    ("gridDim", "dim3", "grid_dim"),
)


@dataclass
class Kernels:
    """The kernels of a file, as far as the walk has come."""

    tokens: Tokens
    lockstep: bool  # whether they may become loops over a block's threads
    found: dict[int, Kernel] = field(default_factory=dict)  # by the position of the body's {
    names: set[str] = field(default_factory=set)

    @cached_property
    def calls(self) -> Calls:
        return Calls(self.tokens)

    @cached_property
    def read_anew(self) -> bool:
        return reads_anew(self.tokens)

    def declare(self, first: int, position: int) -> None:
        """Notes the kernel that the declaration from `first` on, with __global__ at `position`,
        declares, and where its body begins, if it has one.
        """
        tokens = self.tokens
        tokens.token(position).out = ""
        parameters, attributes = self.parameters(first, position)
        if tokens.text(parameters) != "(" or parameters not in tokens.partner:
            return
        name = parameters - 1
        if tokens.text(name) == ">":
            name = callee_start(tokens, parameters)
        self.names.add(tokens.text(name))
        specifiers = {tokens.text(q) for q in range(first, name)}
        # Another name may be one of void's, which Clang knows.
        if specifiers & VALUES and not specifiers & {"void", "auto"}:
            raise tokens.error(position, f"kernel '{tokens.text(name)}' must return void")
        body = self.body(parameters)
        if tokens.text(body) != "{":
            return
        file, line = tokens.where(name)
        shadow_indices = not needs_globals(tokens, body)
        simple = is_simple(tokens, parameters, body)
        in_lockstep = (
            self.lockstep and shadow_indices and rewrite(tokens, self.calls, parameters, body)
        )
        self.found[body] = Kernel(
            name=tokens.plain(name, parameters - 1).strip(),
            line=line,
            file=file,
            bounds=attributes.get("__launch_bounds__", []),
            cluster=attributes.get("__cluster_dims__", []),
            shadow_indices=shadow_indices,
            simple=simple,
            in_lockstep=in_lockstep,
            may_wait_for_host=not simple and not in_lockstep and self.read_anew,
        )

    def parameters(self, first: int, position: int) -> tuple[int, dict[str, list[str]]]:
        """Where the parameters open, and the arguments of the attributes before them."""
        tokens = self.tokens
        attributes: dict[str, list[str]] = {}
        for p in range(first, position):
            if tokens.text(p) in DESCRIBING and p + 1 in tokens.partner:
                attributes[tokens.text(p)] = tokens.arguments(p + 1)
        p = position + 1
        while p < len(tokens.code) and tokens.text(p) not in (";", "{", "}"):
            if tokens.text(p) == "(":
                before = tokens.text(p - 1)
                if before in DESCRIBING:
                    attributes[before] = tokens.arguments(p)
                elif before not in DROPPED_WITH_ARGUMENTS and before not in (
                    "__attribute__", "alignas", "decltype", "__align__",
                ):  # fmt: skip
                    break
                p = tokens.partner.get(p, p)
            p += 1
        return p, attributes

    def body(self, parameters: int) -> int:
        """The position behind the declarator, where a definition's body opens."""
        tokens = self.tokens
        p = tokens.partner[parameters] + 1
        while tokens.text(p) in ("noexcept", "__attribute__"):
            p = (tokens.partner[p + 1] if tokens.text(p + 1) == "(" else p) + 1
        if tokens.text(p) == "->":
            while tokens.text(p) in ("->", "::") or tokens.is_name(p):
                p += 1
        return p


def opening(kernel: Kernel, settings: Settings) -> str:
    """What stands behind the { of a kernel's body; behind its } stands closing()."""
    indices, locals_ = "", ""
    if kernel.shadow_indices:
        # Local copies stay in registers; the real variables must be reloaded after each store.
        indices = " __cudacpu_i"
        for variable, kind, member in INDICES[1 if kernel.in_lockstep else 0 :]:
            locals_ += f"[[maybe_unused]] const ::{kind} {variable} = __cudacpu_i.{member}; "
    inline = "__attribute__((always_inline))" if settings.inline_kernels else ""
    qualifiers = f"{inline} mutable" if settings.always_inline_first else f"mutable {inline}"
    launch = "launch_graded" if settings.graded else "launch"
    return (
        f" {tag(kernel)}::cudacpu::{launch}<__cudacpu_kernel>("
        f"[=](const ::cudacpu::Indices&{indices}) {qualifiers} {{ {locals_}"
        f"{'try ' if settings.threads_exit else ''}{{"
    )


def closing(settings: Settings) -> str:
    """What stands behind the } of a kernel's body."""
    return f"}}{' catch (const ::cudacpu::ThreadExit&) {}' if settings.threads_exit else ''} }}); "


def tag(kernel: Kernel) -> str:
    """The struct with what the run-time library has to know of the kernel."""

    def constant(kind: str, name: str, value: str) -> str:
        return f"static constexpr {kind} {name}() {{ return {value}; }} "

    threads = kernel.bounds[0] if kernel.bounds else "1024"
    blocks = kernel.bounds[1] if len(kernel.bounds) > 1 else "0"
    # Dimensions that are not stated are 1; without the attribute all are 0.
    sizes = [f"static_cast<unsigned>({size})" for size in kernel.cluster]
    cluster = [*sizes, "1", "1"][:3] if sizes else ["0", "0", "0"]
    name = re.sub(r"\s+", " ", kernel.name)
    return (
        "struct __cudacpu_kernel { "
        + constant("const char*", "name", f'"{name}"')
        + constant("const char*", "file", f'"{escaped(kernel.file)}"')
        + constant("int", "line", str(kernel.line))
        + constant("int", "max_threads", f"({threads})")
        + constant("int", "min_blocks", f"({blocks})")
        + constant("::uint3", "cluster", f"{{{', '.join(cluster)}}}")
        + constant("bool", "simple", "true" if kernel.simple else "false")
        + constant("bool", "in_lockstep", "true" if kernel.in_lockstep else "false")
        + constant("bool", "may_wait_for_host", "true" if kernel.may_wait_for_host else "false")
        + "}; "
    )
