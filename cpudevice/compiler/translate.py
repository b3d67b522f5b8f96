"""Rewrites preprocessed CUDA C++ as C++ for the CPU device.

Input is the output of `g++ -E` of a .cu file, output is for `g++ -fpreprocessed`. Only text from
the student's files changes, headers of the system and of the CPU device pass through, and every
line keeps its number, so that messages of the compiler and of gdb show the student's source. It is
a rewriting of tokens (tokens.py), not a parser: what is not CUDA stays as it is, right or wrong,
for the compiler to judge.

    kernel<<<grid, block>>>(x);   (::cudacpu::push_launch(grid, block), kernel(x));
    __global__ void k(T x) {...}  void k(T x) { struct tag {...}; launch<tag>([=](...) {...}); }
    __shared__ T a[N], b;         struct S { T a[N], b; }; auto& a = shared<tag, S>().a; ...
    extern __shared__ T s[];      auto& s = dynamic_shared<T>();
    __device__ T x = 1;           T x = 1; static DeviceVariable registration(&x, ...);
    (void*)kernel                 kernel, where an API call takes a kernel; elsewhere a pointer
                                  that is remembered to be that kernel's: kernel_pointer(kernel)
    asm("mov.u32 %0, %laneid;"    do { ... } while (0) of what ptx/ makes
        : "=r"(i))                of the instructions
    v[i] += v[i + 8];             the same, but lanes wait, if v is volatile: warp_synchronous.py
    __syncthreads()               __cudacpu_syncthreads<17>(), for the diagnostic modes only
    return;                       return ::cudacpu::observe::returning(); in kernels, for sanitize

A kernel whose barriers allow it becomes loops over the threads of a block: see lockstep/.

The names it makes up all begin with __cudacpu_; see include/cudacpu/launch.h for what they call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from . import host_code
from .lockstep.calls import Calls
from .lockstep.rewrite import rewrite
from .ptx import statements as ptx
from .tokens import CLOSERS, OPENERS, Tokens
from .unroll import unroll_loops
from .warp_synchronous import keep_in_step

# Attributes of functions and variables that mean nothing once everything runs on the host.
DROPPED = {
    "__host__", "__device__", "__constant__", "__managed__", "__grid_constant__", "__inline_hint__",
    "__device_builtin__", "__device_builtin_texture_type__", "__cudart_builtin__", "__nv_pure__",
    "__tile_global__",
}  # fmt: skip
DROPPED_WITH_ARGUMENTS = {"__cluster_dims__", "__maxnreg__", "__block_size__", "__launch_bounds__"}
VARIABLE_SPACES = {"__device__", "__constant__", "__managed__"}
# API calls that take a kernel as a void*: here its type is needed.
TAKES_KERNEL = re.compile(r"cuda(Launch(Cooperative)?Kernel(ExC)?|Func[A-Z]\w*|Occupancy\w+)$")
TAKES_SYMBOL = re.compile(r"cuda(Memcpy(To|From)Symbol(Async)?|GetSymbol(Address|Size))$")
# Words that may stand before a parenthesis in a kernel that calls nothing of importance.
HARMLESS = {
    "if", "for", "switch", "return", "sizeof", "alignof", "alignas", "__attribute__",
    "int", "unsigned", "float", "double", "char", "short", "long", "bool", "size_t",
    "min", "max", "abs", "fabs", "fabsf", "fmin", "fminf", "fmax", "fmaxf", "sqrt", "sqrtf",
    "rsqrtf", "exp", "expf", "log", "logf", "sinf", "cosf", "powf", "floorf", "ceilf", "fma",
    "fmaf", "__ldg", "__fmaf_rn", "__popc", "__clz", "__ffs",
}  # fmt: skip
MAKES_VECTOR = re.compile(r"make_[a-z]+\d$")
NOT_SIMPLE = {"while", "do", "goto", "volatile", "asm", "__asm__", "operator"}
BARRIER = re.compile(r"__syncthreads(_count|_and|_or)?$")
# Names in assembly that no assembler of a CPU knows.
PTX = re.compile(r"%%|\.(u|s|b|f)(8|16|32|64)\b")
# Words that say how memory is aligned, in the parentheses behind them.
ALIGNED = ("__align__", "alignas", "__attribute__")
# Words between a pointer's star and its name.
POINTER_WORDS = ("const", "volatile", "__restrict__", "__restrict", "restrict")
# Tokens between the names of a type, and words that begin no declaration.
TYPE_SIGNS = ("::", "*", "&")
NOT_A_TYPE = ("return", "else", "do", "case", "goto", "delete", "throw", "sizeof", "not")
# Types that are certainly not void.
VALUES = {
    "bool", "char", "short", "int", "long", "unsigned", "signed", "float", "double", "size_t",
    "int32_t", "uint32_t", "int64_t", "uint64_t", "float2", "float4",
}  # fmt: skip
SHARED_LIMIT = 48 * 1024
INDICES = (
    ("threadIdx", "uint3", "thread"),
    ("blockIdx", "uint3", "block"),
    ("blockDim", "dim3", "block_dim"),
    ("gridDim", "dim3", "grid_dim"),
)
MEMORY_FUNCTIONS = re.compile(r"\b__builtin_(memcpy|memmove|memset|memcmp)\b")


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
class Translator(Tokens):
    diagnostics: str = ""  # "sanitize" or "profile": the barriers are numbered
    always_inline_first: bool = False  # clang++ wants the lambda's attribute before `mutable`
    inline_kernels: bool = True  # a debugger shows only the arguments of a function
    graded: bool = False
    lockstep: bool = False  # whether kernels may become loops over a block's threads
    scopes: list[Scope] = field(default_factory=lambda: [Scope("namespace")])
    kernels: dict[int, Kernel] = field(default_factory=dict)  # by the position of the body's {
    shared_names: dict[str, str] = field(default_factory=dict)  # at namespace scope
    kernel_names: set[str] = field(default_factory=set)
    member_templates: set[str] = field(default_factory=set)
    variable_templates: dict[str, str] = field(default_factory=dict)  # of the device: their kinds
    unique: int = 0

    def translate(self) -> str:
        self.find_member_templates()
        keep_in_step(self)
        if self.diagnostics == "profile":
            unroll_loops(self)
        position = 0
        while position < len(self.code):
            position = self.visit(position)
        return self.printed()

    def find_member_templates(self) -> None:
        """Notes the names of function templates: those of classes need `template` before some."""
        for p in range(len(self.code) - 1):
            if self.text(p) != "template" or self.text(p + 1) != "<":
                continue
            q = self.skip_angles(p + 1)
            while q < len(self.code) and self.text(q) not in ("(", ";", "{", "}", "="):
                q += 1
                if self.text(q) == "(" and self.text(q - 1) in (*ALIGNED, "decltype"):
                    q = self.partner.get(q, q) + 1
            if self.text(q) == "(" and self.is_name(q - 1):
                self.member_templates.add(self.text(q - 1))

    # ---- the walk --------------------------------------------------------------------------------

    def in_function(self) -> bool:
        return any(scope.kind == "function" for scope in self.scopes)

    def words_before_body(self) -> set[str]:
        """The words of the declaration of the function that the walk is in."""
        for scope, outer in zip(self.scopes[:0:-1], self.scopes[-2::-1], strict=True):
            if scope.kind == "function" and outer.kind != "function":
                return {self.text(p) for p in range(*scope.before)}
        return set()

    @cached_property
    def calls(self) -> Calls:
        return Calls(self)

    def kernel(self) -> Kernel | None:
        for scope in reversed(self.scopes):
            if scope.kernel:
                return scope.kernel
        return None

    def visit(self, position: int) -> int:
        """Handles the token at `position`; returns the position after it."""
        text = self.text(position)
        if text == "{":
            self.open_scope(position)
        elif text == "}":
            self.close_scope(position)
        elif text == ";" or (
            text == ":" and self.text(position - 1) in ("public", "private", "protected")
        ):
            self.scopes[-1].declaration = position + 1
        elif text == "(":
            self.keep_kernel_pointer(position)
        elif text == "<":
            if self.text(position - 1) != "operator" and self.is_triple(position, "<"):
                self.launch(position)
                return position + 3
        elif self.token(position).kind == "name":
            return self.visit_name(position, text)
        return position + 1

    def visit_name(self, position: int, name: str) -> int:
        if name in ("__device__", "__global__"):
            self.scopes[-1].marked = position
        if self.scopes[-1].declaration == position and host_code.MARK.match(name):
            self.scopes[-1].declaration = position + 1  # the name of a part belongs to none
        if name == "__global__":
            self.kernel_declaration(position)
        elif name == "__shared__":
            return self.shared_declaration(position)
        elif name in DROPPED:
            if name in VARIABLE_SPACES:
                self.variable_declaration(position, name)
            self.token(position).out = ""
        elif host_code.PART.match(name):
            host_code.choose(self, position, self.in_function(), self.words_before_body())
        elif name in DROPPED_WITH_ARGUMENTS:
            last = self.partner.get(position + 1, position)
            self.erase(position, last)
            return last + 1
        elif name == "__noinline__":
            if self.text(position - 1) != "(" and self.text(position - 1) != ",":
                self.token(position).out = "__attribute__((noinline))"
        elif name == "__forceinline__":
            self.token(position).out = "" if self.is_inline(position) else "inline"
        elif name in ("__align__", "__builtin_align__") and position + 1 in self.partner:
            self.token(position).out = "__attribute__((aligned"
            self.token(self.partner[position + 1]).after += "))"
        elif name in ptx.KEYWORDS:
            self.assembly(position)
        elif name in ("__func__", "__FUNCTION__") and self.kernel():
            self.token(position).out = f'"{self.kernel().name}"'
        elif self.diagnostics and BARRIER.match(name) and self.text(position + 1) == "(":
            self.unique += 1
            self.token(position).out = f"__cudacpu_{name[2:]}<{self.unique}>"
        elif self.diagnostics == "sanitize" and name == "return" and self.leaves_kernel(position):
            self.token(position).after += " ::cudacpu::observe::returning()"
        elif name == "clock" and self.text(position + 1) + self.text(position + 2) == "()":
            # On the host the C library's function, in a kernel a count of clocks.
            before = self.token(position - 1).kind if position else ""
            qualified = self.text(position - 1) in ("::", ".", "->")
            if not qualified and (before != "name" or self.text(position - 1) == "return"):
                self.token(position).out = "__cudacpu_clock"
        elif TAKES_KERNEL.match(name):
            self.keep_kernel_type(position)
        elif name in self.member_templates and (
            self.text(position - 1) in (".", "->") or self.is_member_of_template(position)
        ):
            # nvcc accepts `x.f<3>()` and `X<T>::f<3>()` without `template`, even if the type of x,
            # or X<T>, depends on another.
            self.call_template(position)
        elif name in self.variable_templates and self.text(position + 1) == "<":
            self.symbol_of_template(position)
        elif name == "reinterpret_cast":
            self.keep_kernel_pointer(position)
        elif name in self.shared_names and self.text(position - 1) not in (".", "->", "::"):
            self.use_shared_name(position, name)
        return position + 1

    def use_shared_name(self, position: int, name: str) -> None:
        """Replaces the name of a __shared__ variable of namespace scope where it is not hidden."""
        if not self.in_function():
            return  # a parameter: open_scope hides the variable
        if self.declares(position):
            self.scopes[-1].hidden.add(name)
        elif not any(name in scope.hidden for scope in self.scopes):
            self.token(position).out = self.shared_names[name]

    def declares(self, position: int) -> bool:
        """Whether the statement up to the name is a type, so that it declares a local variable."""
        p = first = self.scopes[-1].declaration
        while p < position:
            if self.text(p) == "<":
                after = self.skip_angles(p)
                if after == p:
                    return False
                p = after
            elif (self.is_name(p) and self.text(p) not in NOT_A_TYPE) or self.text(p) in TYPE_SIGNS:
                p += 1
            else:
                return False
        return p == position > first and self.is_name(first)

    def is_member_of_template(self, position: int) -> bool:
        """Whether a function uses the name behind `X<T>::`; elsewhere that defines a member."""
        return (
            self.text(position - 1) == "::"
            and self.text(position - 2) == ">"
            and self.in_function()
        )

    def call_template(self, position: int) -> None:
        """Writes `template` before the name of a function template that is called by name<…>()."""
        if self.text(self.skip_angles(position + 1)) == "(" and self.text(position + 1) == "<":
            self.token(position).before += "template "

    def open_scope(self, position: int) -> None:
        declaration = self.scopes[-1].declaration
        kernel = self.kernels.get(position)
        if kernel:
            scope = Scope("function", kernel)
            self.token(position).after += self.kernel_opening(kernel)
        else:
            scope = Scope(self.scope_kind(declaration, position))
        scope.declaration = position + 1
        outer = self.scopes[-1]
        scope.before = (declaration, position)
        scope.device = outer.device or outer.marked >= declaration
        if self.in_function():
            scope.shared_end = self.scopes[-1].shared_end
        elif scope.kind == "function" and self.shared_names:
            before = {self.text(p) for p in range(declaration, position)}
            scope.hidden = before & self.shared_names.keys()
        self.scopes.append(scope)

    def close_scope(self, position: int) -> None:
        if len(self.scopes) == 1:
            return
        scope = self.scopes.pop()
        if scope.kernel:
            self.token(position).before += "} }); "
        if scope.kind != "other" or self.scopes[-1].kind in ("function", "other"):
            # In an initializer too: each row of a large table would look through all rows before.
            self.scopes[-1].declaration = position + 1

    def scope_kind(self, first: int, brace: int) -> str:
        """The kind of scope that the brace opens, by the declaration before it."""
        class_key = False
        p = first
        while p < brace:
            text = self.text(p)
            if text == "template" and self.text(p + 1) == "<":
                p = max(self.skip_angles(p + 1), p + 1)
                continue
            if text == "namespace" or (text == "extern" and p + 2 == brace):
                return "namespace"
            if text in ("struct", "class", "union", "enum"):
                class_key = True
            elif text == "(":
                before = self.text(p - 1)
                if before not in ("alignas", "__align__", "__attribute__", "decltype"):
                    return "function"
                p = self.partner.get(p, p)
            elif text == "=":
                return "function" if self.in_function() else "other"
            p += 1
        if class_key:
            return "class"
        return "function" if self.in_function() else "other"

    # ---- launches --------------------------------------------------------------------------------

    def launch(self, position: int) -> None:
        end = position + 3
        while end < len(self.code) and not (self.is_triple(end, ">") and self.text(end + 3) == "("):
            if self.text(end) in (";", "}"):
                raise self.error(
                    position,
                    "this <<< of a kernel launch has no matching >>> with the kernel's "
                    "arguments in parentheses after it",
                )
            end = self.partner.get(end, end) + 1 if self.text(end) in OPENERS else end + 1
        if end == position + 3:
            raise self.error(position, "a launch needs a grid and a block between <<< and >>>")
        configuration = self.plain(position + 3, end - 1)
        self.erase(position, end + 2)
        start = self.callee_start(position)
        self.token(start).before += f"(::cudacpu::push_launch({configuration}), "
        self.token(self.partner[end + 3]).after += ")"

    def callee_start(self, position: int) -> int:
        """The start of the expression for the kernel that ends before `position`."""
        p = position - 1
        while True:
            if self.text(p) == ">":
                depth = 0
                while p > 0:
                    if self.text(p) == ">":
                        depth += 1
                    elif self.text(p) == "<":
                        depth -= 1
                        if depth == 0:
                            break
                    elif self.text(p) in CLOSERS:
                        p = self.partner.get(p, p)
                    p -= 1
                p -= 1
            elif self.text(p) in (")", "]"):
                p = self.partner.get(p, p)
                if self.continues_left(p - 1):
                    p -= 1
                    continue
            if self.text(p - 1) == "template":
                p -= 1
            if self.text(p - 1) == "::":
                p -= 1
                if not self.continues_left(p - 1):
                    return p
                p -= 1
            elif self.text(p - 1) in (".", "->"):
                p -= 2
            else:
                return p

    def continues_left(self, position: int) -> bool:
        """Whether an expression that continues after `position` includes the text before it."""
        text = self.text(position)
        if text == ")":
            opening = self.partner.get(position, position)
            return self.text(opening - 1) not in ("if", "while", "for", "switch")
        if text in ("]", ">"):
            return True
        return self.is_name(position) and text not in ("return", "else", "do")

    def keep_kernel_type(self, position: int) -> None:
        """Removes (void*) and reinterpret_cast<void*> from the arguments of an API call."""
        p = position + 1
        if self.text(p) == "<":
            p = self.skip_angles(p)
        if self.text(p) != "(" or p not in self.partner:
            return
        end = self.partner[p]
        while p < end:
            p += 1
            if self.text(p - 1) not in ("(", ","):
                continue
            if self.text(p) == "(" and self.is_void_pointer(p + 1, self.partner.get(p, p) - 1):
                self.erase(p, self.partner[p])
            elif self.text(p) in ("reinterpret_cast", "static_cast") and self.text(p + 1) == "<":
                close = self.skip_angles(p + 1)
                if self.is_void_pointer(p + 2, close - 2):
                    self.erase(p, close - 1)

    def keep_kernel_pointer(self, position: int) -> None:
        """Makes a cast of a kernel's name to void* one that remembers the kernel."""
        if self.text(position) == "(":
            close = self.partner.get(position, position)
            if not self.is_void_pointer(position + 1, close - 1):
                return
        else:
            close = self.skip_angles(position + 1) - 1
            if not self.is_void_pointer(position + 2, close - 1) or self.text(close + 1) != "(":
                return
            close += 1
        first = last = close + 1
        if self.text(first) == "&":
            first = last = first + 1
        while self.is_name(last) and self.text(last + 1) == "::":
            last += 2
        if self.text(last) not in self.kernel_names or not self.token(position).out:
            return
        if self.text(last + 1) == "<":
            last = self.skip_angles(last + 1) - 1
        self.erase(position, first - 1)
        self.token(first).before += "::cudacpu::kernel_pointer("
        # the bracket at the end of a reinterpret_cast serves as well
        if self.text(position) == "(":
            self.token(last).after += ")"

    def is_void_pointer(self, first: int, last: int) -> bool:
        words = [self.text(p) for p in range(first, last + 1) if self.text(p) != "const"]
        return words == ["void", "*"]

    # ---- kernels ---------------------------------------------------------------------------------

    def kernel_declaration(self, position: int) -> None:
        self.token(position).out = ""
        first = self.scopes[-1].declaration
        attributes: dict[str, list[str]] = {}
        for p in range(first, position):
            if self.text(p) in ("__launch_bounds__", "__cluster_dims__") and p + 1 in self.partner:
                attributes[self.text(p)] = self.arguments(p + 1)
        p = position + 1
        while p < len(self.code) and self.text(p) not in (";", "{", "}"):
            if self.text(p) == "(":
                before = self.text(p - 1)
                if before in ("__launch_bounds__", "__cluster_dims__"):
                    attributes[before] = self.arguments(p)
                elif before not in DROPPED_WITH_ARGUMENTS and before not in (
                    "__attribute__", "alignas", "decltype", "__align__",
                ):  # fmt: skip
                    break
                p = self.partner.get(p, p)
            p += 1
        if self.text(p) != "(" or p not in self.partner:
            return
        name = p - 1
        if self.text(name) == ">":
            name = self.callee_start(p)
        self.kernel_names.add(self.text(name))
        specifiers = {self.text(q) for q in range(first, name)}
        # Another name may be one of void's, which Clang knows.
        if specifiers & VALUES and not specifiers & {"void", "auto"}:
            raise self.error(position, f"kernel '{self.text(name)}' must return void")
        body = self.partner[p] + 1
        while self.text(body) in ("noexcept", "__attribute__"):
            body = (self.partner[body + 1] if self.text(body + 1) == "(" else body) + 1
        if self.text(body) == "->":
            while self.text(body) in ("->", "::") or self.is_name(body):
                body += 1
        if self.text(body) != "{":
            return
        file, line = self.where(name)
        shadow_indices = not self.needs_globals(body)
        self.kernels[body] = Kernel(
            name=self.plain(name, p - 1).strip(),
            line=line,
            file=file,
            bounds=attributes.get("__launch_bounds__", []),
            cluster=attributes.get("__cluster_dims__", []),
            shadow_indices=shadow_indices,
            simple=self.is_simple(p, body),
            in_lockstep=self.lockstep and shadow_indices and rewrite(self, self.calls, p, body),
        )

    def needs_globals(self, body: int) -> bool:
        """Whether the body has a lambda or class, which cannot use local copies of threadIdx."""
        for p in range(body + 1, self.partner.get(body, body)):
            text = self.text(p)
            if text in ("struct", "class", "union"):
                return True
            if text == "[" and self.text(p + 1) != "[" and self.text(p - 1) != "[":
                before = self.token(p - 1)
                if before.kind == "punctuation" and before.text not in (")", "]", ">"):
                    return True
                if before.text == "return":
                    return True
        return False

    def leaves_kernel(self, position: int) -> bool:
        """Whether this `return` ends a thread: in a kernel it may belong to a lambda."""
        kernel = self.kernel()
        return kernel is not None and kernel.shadow_indices and self.text(position + 1) == ";"

    def is_simple(self, parameters: int, body: int) -> bool:
        """Whether the body surely neither waits, nor spins, nor calls what needs threadIdx."""
        if self.needs_globals(body):
            return False
        for p in range(parameters, self.partner.get(body, body)):
            text = self.text(p)
            if text in NOT_SIMPLE:
                return False
            if text == "(" and p > body:
                before = self.text(p - 1)
                if (
                    self.is_name(p - 1)
                    and before not in HARMLESS
                    and not MAKES_VECTOR.match(before)
                ):
                    return False
                if before == ">" or (
                    before == ")" and self.text(self.partner.get(p - 1, p) + 1) == "*"
                ):
                    return False
        return True

    def kernel_opening(self, kernel: Kernel) -> str:
        def constant(kind: str, name: str, value: str) -> str:
            return f"static constexpr {kind} {name}() {{ return {value}; }} "

        threads = kernel.bounds[0] if kernel.bounds else "1024"
        blocks = kernel.bounds[1] if len(kernel.bounds) > 1 else "0"
        # Dimensions that are not stated are 1; without the attribute all are 0.
        sizes = [f"static_cast<unsigned>({size})" for size in kernel.cluster]
        cluster = [*sizes, "1", "1"][:3] if sizes else ["0", "0", "0"]
        name = re.sub(r"\s+", " ", kernel.name)
        tag = (
            "struct __cudacpu_kernel { "
            + constant("const char*", "name", f'"{name}"')
            + constant("const char*", "file", f'"{kernel.file}"')
            + constant("int", "line", str(kernel.line))
            + constant("int", "max_threads", f"({threads})")
            + constant("int", "min_blocks", f"({blocks})")
            + constant("::uint3", "cluster", f"{{{', '.join(cluster)}}}")
            + constant("bool", "simple", "true" if kernel.simple else "false")
            + constant("bool", "in_lockstep", "true" if kernel.in_lockstep else "false")
            + "}; "
        )
        indices, locals_ = "", ""
        if kernel.shadow_indices:
            # Local copies stay in registers; the real variables must be reloaded after each store.
            indices = " __cudacpu_i"
            for variable, kind, member in INDICES[1 if kernel.in_lockstep else 0 :]:
                locals_ += f"[[maybe_unused]] const ::{kind} {variable} = __cudacpu_i.{member}; "
        inline = "__attribute__((always_inline))" if self.inline_kernels else ""
        qualifiers = f"{inline} mutable" if self.always_inline_first else f"mutable {inline}"
        launch = "launch_graded" if self.graded else "launch"
        return (
            f" {tag}::cudacpu::{launch}<__cudacpu_kernel>("
            f"[=](const ::cudacpu::Indices&{indices}) {qualifiers} {{ {locals_}{{"
        )

    def is_inline(self, position: int) -> bool:
        """Whether the specifiers around `position` contain another `inline`."""
        for step in (-1, 1):
            p = position + step
            while self.is_name(p):
                if self.text(p) in ("inline", "__inline__", "__inline"):
                    return True
                if self.text(p) == "__forceinline__" and step < 0:
                    return True
                p += step
        return False

    def assembly(self, position: int) -> None:
        """Turns PTX into C++; an unknown instruction in device code is an error."""
        opening = position + 1
        while self.text(opening) in (*ptx.VOLATILE, "goto", "inline"):
            opening += 1
        end = self.partner.get(opening, opening)
        words = [self.text(p) for p in range(position, end + 1)]
        statement = ptx.read_statement(words, self.graded)
        if statement and statement.hopper:
            raise self.error(
                position,
                f"the CPU device has no '{statement.hopper[:60]}', an instruction of compute "
                "capability 9.0: keep it behind #ifdef __CUDA_ARCH_FEAT_SM90_ALL",
            )
        if statement and statement.template:
            expressions = [
                self.plain(position + one.first, position + one.last) for one in statement.operands
            ]
            self.erase(position, end)
            self.unique += 1
            self.token(position).out = statement.cpp(expressions, self.unique)
        elif not statement and (self.scopes[-1].device or any(map(PTX.search, words))):
            name = ptx.instruction(words)
            raise self.error(
                position,
                f"the CPU device does not know the assembly '{name}': of PTX it has {ptx.KNOWN}",
            )

    # ---- variables -------------------------------------------------------------------------------

    def declarators(self, first: int, end: int) -> list[tuple[int, int]]:
        """(name, first position after the declarator) of each variable declared in [first, end)."""
        found: list[tuple[int, int]] = []
        name, p = -1, first
        naming = True  # until the name's brackets or its initial value begin
        while p <= end:
            text = self.text(p)
            if p == end or text == ",":
                if name >= 0:
                    found.append((name, p))
                name, naming = -1, True
            elif text in ("alignas", "__align__", "__attribute__", "decltype", "__builtin_align__"):
                p = self.partner.get(p + 1, p)
            elif text == "<" and naming and self.is_name(p - 1):
                p = max(self.skip_angles(p) - 1, p)
            elif text == "(" and naming and self.name_in_brackets(p) >= 0:
                name = self.name_in_brackets(p)
                naming = False
                p = self.partner.get(p, p)
            elif text in OPENERS:
                if text == "[" and self.text(p + 1) != "[":
                    naming = False
                if text == "{":
                    # `struct { ... } name` or `name{value}`
                    words = {self.text(q) for q in range(first, p)}
                    naming = naming and bool(words & {"struct", "union", "class", "enum"})
                p = self.partner.get(p, p)
            elif text == "=":
                naming = False
            elif naming and self.token(p).kind == "name":
                name = p
            p += 1
        return found

    def name_in_brackets(self, opening: int) -> int:
        """The name in the brackets of `int (*name)(int)`, `int (&name)[4]` or `int (T::*name)`; -1
        if there is none.
        """
        p = opening + 1
        while self.is_name(p) and self.text(p + 1) == "::":
            p += 2
        if self.text(p) not in ("*", "&"):
            return -1
        inside = range(p, self.partner.get(opening, p))
        names = (q for q in inside if self.is_name(q) and self.text(q) not in POINTER_WORDS)
        return next(names, -1)

    def statement_end(self, position: int) -> int:
        p = position
        while p < len(self.code) and self.text(p) != ";":
            if self.text(p) == "}":
                raise self.error(position, "this declaration does not end with a semicolon")
            p = self.partner.get(p, p) + 1 if self.text(p) in OPENERS else p + 1
        return p

    def variable_declaration(self, position: int, space: str) -> None:
        """Registers a __device__, __constant__ or __managed__ variable of namespace scope."""
        if self.scopes[-1].kind != "namespace":
            return
        first = self.scopes[-1].declaration
        p = position + 1
        while p < len(self.code) and self.text(p) not in ("(", "=", ";", "{", "[", ",", "}"):
            if self.text(p) in ("alignas", "__align__", "__attribute__", "decltype"):
                p = self.partner.get(p + 1, p)
            elif self.text(p) in ("operator", "__global__", "__shared__"):
                return
            elif self.text(p) == "<" and self.is_name(p - 1):
                p = max(self.skip_angles(p) - 1, p)
            p += 1
        words = {self.text(q) for q in range(first, p)}
        if self.text(p) in ("}", "") or words & {"friend", "using", "typedef"}:
            return
        if self.text(p) == "(":
            name = self.name_in_brackets(p)
            if name < 0 or self.text(name + 1) == "(":  # a function, or one that returns a pointer
                return
        if "template" in words:
            if self.is_name(p - 1):
                self.variable_templates[self.text(p - 1)] = space
            return
        end = self.statement_end(p)
        if "extern" in words and not any(self.text(q) == "=" for q in range(first, end)):
            return
        if any(self.text(q) in VARIABLE_SPACES for q in range(first, position)):
            return  # registered at the first of the qualifiers
        kinds = {self.text(q) for q in range(position, p)}
        kind = next((k for k in ("__managed__", "__constant__") if k in kinds), space)
        # With nvcc such a variable is local to its file, so two files may use one name.
        if self.graded and not words & {"extern", "static", "inline", "constexpr"}:
            self.token(position).before += "static "
        for name, _ in self.declarators(first, end):
            self.unique += 1
            variable = self.text(name)
            if kind == "__constant__":
                self.token(end).after += (
                    f" static_assert(sizeof({variable}) <= ::cudacpu::kConstantLimit,"
                    f' "the __constant__ variable {variable} is larger than the 64 KiB of constant'
                    f' memory that a GPU has");'
                )
            self.token(end).after += (
                f" static ::cudacpu::DeviceVariable __cudacpu_variable_{self.unique}("
                f'(const void*)&{variable}, sizeof({variable}), "{variable}", "{kind}");'
            )

    def symbol_of_template(self, position: int) -> None:
        """Registers an instance of a variable template when a copy names it."""
        end = self.skip_angles(position + 1)
        if self.text(position - 1) not in ("(", ",") or self.text(end) not in (")", ","):
            return
        opening = position
        while opening > 0 and (self.text(opening) != "(" or self.partner[opening] < position):
            opening = self.partner.get(opening, opening) if self.text(opening) == ")" else opening
            opening -= 1
        if not TAKES_SYMBOL.match(self.text(opening - 1)):
            return
        name = self.text(position)
        self.token(position).before += "::cudacpu::instance_of("
        self.token(end - 1).after += f', "{name}", "{self.variable_templates[name]}")'

    def shared_declaration(self, position: int) -> int:
        """Rewrites a declaration of __shared__ variables; returns the position after it."""
        first = self.scopes[-1].declaration
        end = self.statement_end(position)
        specifiers = [
            q for q in range(first, end) if self.text(q) in ("extern", "static", "__shared__")
        ]
        # Only the words before the declarators are specifiers.
        is_extern = any(self.text(q) == "extern" for q in specifiers)
        for q in specifiers:
            self.token(q).out = ""
        for q in range(first, end):
            if self.text(q) in DROPPED:
                self.token(q).out = ""
        if is_extern:
            self.dynamic_shared(first, end)
        else:
            self.static_shared(first, end)
        # The rest of the declaration may hold __align__ and the like.
        return position + 1

    def dynamic_shared(self, first: int, end: int) -> None:
        declared = self.declarators(first, end)
        if not declared:
            raise self.error(first, "this extern __shared__ declaration names no array")
        words = []
        q = first
        while q < declared[0][0]:
            if self.text(q) in ALIGNED and q + 1 in self.partner:
                q = self.partner[q + 1] + 1
                continue
            if (
                self.text(q) not in ("extern", "static", "__shared__")
                and self.text(q) not in DROPPED
            ):
                words.append(self.text(q))
            q += 1
        element = " ".join(words)
        text = ""
        for name, behind in declared:
            # The elements of `T name[][4]` are T[4]; the size in `T name[8]` is no limit.
            inner = name + 1
            is_array = self.text(inner) == "["
            if is_array:
                inner = self.partner.get(inner, inner) + 1
            kind = element + self.plain(inner, behind - 1)
            value = f"::cudacpu::dynamic_shared<{kind}>()" + ("" if is_array else "[0]")
            if self.in_function():
                text += f"auto& {self.text(name)} = {value}; "
                self.scopes[-1].hidden.add(self.text(name))
            else:
                self.shared_names[self.text(name)] = f"({value})"
        self.erase(first, end)
        for q in range(first, end):
            self.token(q).text = ""  # nothing left to visit
        self.token(end).before += text

    def static_shared(self, first: int, end: int) -> None:
        self.unique += 1
        struct = f"__cudacpu_shared_{self.unique}"
        declared = [self.text(name) for name, _ in self.declarators(first, end)]
        if any(self.text(q) == "=" for q in range(first, end)):
            raise self.error(first, "a __shared__ variable cannot have an initial value")
        self.begin_struct(struct, first, end)
        after = " };"
        if not self.in_function():
            for name in declared:
                self.shared_names[name] = f"(::cudacpu::shared<void, {struct}>().{name})"
            self.token(end).after += after
            self.hide(first, end)
            return
        scope = self.scopes[-1]
        bytes_ = f"__cudacpu_end_{self.unique}"
        after += (
            f" [[maybe_unused]] constexpr decltype(sizeof(0)) {bytes_} = ::cudacpu::shared_end("
            f"{scope.shared_end or '0'}, sizeof({struct}), alignof({struct})); "
            f"static_assert({bytes_} <= {SHARED_LIMIT}, "
            '"more than 48 KB of static __shared__ memory: use extern __shared__ with '
            'cudaFuncSetAttribute and cudaFuncAttributeMaxDynamicSharedMemorySize");'
        )
        scope.shared_end = bytes_
        tag = "__cudacpu_kernel" if self.kernel() else "void"
        scope.hidden.update(declared)
        for name in declared:
            after += f" auto& {name} = ::cudacpu::shared<{tag}, {struct}>().{name};"
        self.token(end).after += after
        self.hide(first, end)

    def begin_struct(self, struct: str, first: int, end: int) -> None:
        """Opens the struct of a declaration, after a type that the declaration may define."""
        for p in range(first, end):
            if self.text(p) in OPENERS and self.text(p) != "{":
                break
            if self.text(p) not in ("enum", "struct", "union", "class"):
                continue
            opening = next((q for q in range(p, end) if self.text(q) in ("{", ";", "=", "[")), end)
            if self.text(opening) != "{" or opening not in self.partner:
                break
            name = self.name_of_type(p + 1, opening)
            if name < 0 and self.text(p) != "enum":
                break  # a struct without a name has no names to leave outside
            type_name = f"__cudacpu_type_{self.unique}" if name < 0 else self.text(name)
            if name < 0:
                self.token(p).after += f" {type_name}"
            self.token(self.partner[opening]).after += f"; struct {struct} {{ {type_name} "
            return
        self.token(first).before += f"struct {struct} {{ "

    def name_of_type(self, first: int, opening: int) -> int:
        """Where the name is in `union alignas(16) Tile {` or `enum class E {`; -1 without one."""
        q = first
        while q < opening:
            if self.text(q) in ALIGNED and q + 1 in self.partner:
                q = self.partner[q + 1]
            elif self.is_name(q) and self.text(q) not in ("class", "struct"):
                return q
            q += 1
        return -1

    def hide(self, first: int, end: int) -> None:
        """Keeps names declared here from being mistaken for a __shared__ variable."""
        for q in range(first, end):
            if self.text(q) in self.shared_names:
                self.token(q).text = ""


def with_own_memory_functions(text: str) -> str:
    """The text, calling include/cudacpu/memory_functions.h instead of the compiler's functions."""
    return MEMORY_FUNCTIONS.sub(r"__cudacpu_word_\1", text)


def translate(
    source: str,
    clang: bool = False,
    diagnostics: str = "",
    inline_kernels: bool = True,
    graded: bool = False,
    lockstep: bool = False,
) -> str:
    return Translator(source, diagnostics, clang, inline_kernels, graded, lockstep).translate()
