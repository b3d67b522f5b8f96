"""Rewrites preprocessed CUDA C++ as C++ for the CPU device.

Input is the output of `g++ -E` of a .cu file, output is for `g++ -fpreprocessed`. Only text from
the student's files changes, headers of the system and of the CPU device pass through, and every
line keeps its number, so that messages of the compiler and of gdb show the student's source. The
translator rewrites tokens (tokens.py) and is no parser: text outside CUDA's syntax stays unchanged,
right or wrong, for the compiler to judge. This module walks through the tokens; syntax/ has a
module for each part of CUDA's syntax, which rewrites the part.

    kernel<<<grid, block>>>(x);   (::cudacpu::push_launch(grid, block), kernel(x));
    __global__ void k(T x) {...}  void k(T x) { struct tag {...}; launch<tag>([=](...) {...}); }
    __shared__ T a[N], b;         struct S { T a[N], b; }; auto& a = shared<tag, S>().a; ...
    extern __shared__ T s[];      auto& s = dynamic_shared<T>();
    __device__ T x = 1;           T x = 1; static DeviceVariable registration(&x, ...);
    (void*)kernel                 kernel, where an API call takes a kernel; elsewhere a pointer
                                  remembered as the kernel's: kernel_pointer(kernel)
    asm("mov.u32 %0, %laneid;"    do { ... } while (0) around the C++ that ptx/ makes
        : "=r"(i))                of the instructions
    while (!flag[i]) {}           while (::cudacpu::note_poll(), !flag[i]) {}
    v[i] += v[i + 8];             the same, but lanes wait, if v is volatile: warp_synchronous.py
    __syncthreads()               __cudacpu_syncthreads<17>(), for the diagnostic modes only
    return;                       return ::cudacpu::observe::returning(); in kernels, for sanitize
                                  return 0; in main

A kernel becomes loops over the threads of a block if its barriers allow loops, or if the kernel has
no barrier and jumps through memory: see lockstep/.

All new names begin with __cudacpu_; see include/cudacpu/launch.h for the functions called.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from . import host_code
from .counts.unroll import unroll_loops
from .ptx.statements import EXITS, KEYWORDS
from .syntax import attributes, diagnostics, function_templates, kernels
from .syntax.assembly import translate_assembly
from .syntax.device_variables import COPIES, FILLS, DeviceVariables
from .syntax.kernel_pointers import TAKES_KERNEL, keep_kernel_pointer, keep_kernel_type
from .syntax.launches import launch
from .syntax.lenient import allow_value, name_outer, translate_empty_return
from .syntax.own_names import BUILT_IN, OwnNames
from .syntax.scopes import Scopes
from .syntax.settings import Settings
from .syntax.shared_variables import SharedVariables
from .tokens import Tokens
from .warp_synchronous import keep_in_step


class Translator:
    """Walks through a file's tokens once, and has each part of CUDA's syntax rewritten."""

    def __init__(self, source: str, settings: Settings) -> None:
        self.settings = settings
        self.tokens = Tokens(source)
        self.scopes = Scopes(self.tokens)
        self.numbers: Iterator[int] = count(1)  # for unique names
        in_lockstep = settings.lockstep and not settings.threads_exit
        self.kernels = kernels.Kernels(self.tokens, in_lockstep)
        self.own_names = OwnNames(self.tokens, self.scopes)
        self.shared_variables = SharedVariables(self.tokens, self.scopes, self.numbers)
        self.device_variables = DeviceVariables(self.tokens, self.numbers, settings.graded)
        self.function_templates = function_templates.names_of_templates(self.tokens)

    def translate(self) -> str:
        keep_in_step(self.tokens)
        if self.settings.diagnostics == "profile":
            unroll_loops(self.tokens)
        position = 0
        while position < len(self.tokens.code):
            position = self.visit(position)
        return self.tokens.printed()

    def visit(self, position: int) -> int:
        """Handles the token at `position`; returns the position after it."""
        tokens = self.tokens
        text = tokens.text(position)
        if text == "{":
            self.open_scope(position)
        elif text == "}":
            if self.scopes.close(position):
                tokens.token(position).before += kernels.closing(self.settings)
        elif text == ";" or (
            text == ":" and tokens.text(position - 1) in ("public", "private", "protected")
        ):
            self.scopes.innermost.declaration = position + 1
        elif text == "(":
            keep_kernel_pointer(tokens, position, self.kernels.names)
        elif text == "<":
            if tokens.text(position - 1) != "operator" and tokens.is_triple(position, "<"):
                opening = launch(tokens, position)
                if not self.scopes.innermost.device:
                    self.device_variables.visit_launch(opening)
                return position + 3
        elif tokens.token(position).kind == "name":
            return self.visit_name(position, text)
        return position + 1

    def open_scope(self, position: int) -> None:
        kernel = self.kernels.found.get(position)
        if kernel:
            self.tokens.token(position).after += kernels.opening(kernel, self.settings)
        self.scopes.open(position, kernel)
        self.shared_variables.hide_behind_parameters()

    def visit_name(self, position: int, name: str) -> int:
        tokens, scopes = self.tokens, self.scopes
        here = scopes.innermost
        if name in ("__device__", "__global__"):
            here.marked = position
        if here.declaration == position and host_code.MARK.match(name):
            here.declaration = position + 1  # the name of a part belongs to no declaration
        if name == "__global__":
            self.kernels.declare(here.declaration, position)
        elif name == "__shared__":
            # The rest of the declaration may hold specifiers such as __align__.
            self.shared_variables.declare(position)
        elif name in attributes.DROPPED:
            if name in attributes.VARIABLE_SPACES and here.kind == "namespace":
                self.device_variables.declare(here.declaration, position)
            tokens.token(position).out = ""
        elif name in attributes.DROPPED_WITH_ARGUMENTS:
            return attributes.drop_with_arguments(tokens, position)
        elif name in attributes.CHANGED:
            attributes.change(tokens, position)
        elif host_code.PART.match(name):
            host_code.choose(tokens, position, scopes.in_function(), scopes.words_before_body())
        elif name in KEYWORDS:
            translate_assembly(tokens, position, here.device, self.settings.graded, self.numbers)
        elif name in ("__func__", "__FUNCTION__") and scopes.kernel():
            tokens.token(position).out = f'"{scopes.kernel().name}"'
        elif self.settings.diagnostics and diagnostics.is_barrier(tokens, position):
            diagnostics.number_barrier(tokens, position, next(self.numbers))
        elif name == "return" and self.ends_thread(position):
            diagnostics.note_return(tokens, position)
        elif name == "return" and tokens.text(position + 1) == ";":
            translate_empty_return(tokens, position, scopes)
        elif name == "clock" and tokens.text(position + 1) + tokens.text(position + 2) == "()":
            count_clocks(tokens, position)
        elif name == "while" and here.device and not self.settings.diagnostics:
            note_polling(tokens, position)
        elif name in BUILT_IN:
            self.own_names.visit(position)
        elif name == "static" and here.kind == "class":
            allow_value(tokens, position)
        elif name == "using" and here.kind == "class":
            name_outer(tokens, position, scopes)
        elif COPIES.match(name) or FILLS.match(name):
            if not here.device:
                self.device_variables.visit_copy(position)
        elif TAKES_KERNEL.match(name):
            keep_kernel_type(tokens, position)
        elif name in self.function_templates and function_templates.is_member(
            tokens, position, scopes.in_function()
        ):
            function_templates.call_template(tokens, position)
        elif name in self.device_variables.templates and tokens.text(position + 1) == "<":
            self.device_variables.use_template(position)
        elif name == "reinterpret_cast":
            keep_kernel_pointer(tokens, position, self.kernels.names)
        elif name in self.shared_variables.names:
            self.shared_variables.use(position)
        return position + 1

    def ends_thread(self, position: int) -> bool:
        """Whether sanitize has to note this `return`."""
        return self.settings.diagnostics == "sanitize" and diagnostics.leaves_kernel(
            self.tokens, position, self.scopes.kernel()
        )


def count_clocks(tokens: Tokens, position: int) -> None:
    """Makes clock() CUDA's: the C library's on the host, a count of clocks in a kernel."""
    before = tokens.token(position - 1).kind if position else ""
    qualified = tokens.text(position - 1) in ("::", ".", "->")
    if not qualified and (before != "name" or tokens.text(position - 1) == "return"):
        tokens.token(position).out = "__cudacpu_clock"


def note_polling(tokens: Tokens, position: int) -> None:
    """Lets other threads run in a loop that only polls: `while (flag[i] == 0) {}`.

    In the diagnostic modes the accesses themselves let other threads run.
    """
    opening = position + 1
    closing = tokens.partner.get(opening, opening)
    text = tokens.text
    before, behind = text(position - 1), text(closing + 1)
    is_empty = behind == ";" or (behind == "{" and text(closing + 2) == "}")
    if before == "}":
        block = tokens.partner.get(position - 1, 0)
        is_empty = is_empty and (text(block - 1) != "do" or block == position - 2)
    changes = any(text(p) in ("++", "--", "=") for p in range(opening, closing))
    if is_empty and not changes and closing > opening + 1:
        tokens.token(opening).after += "::cudacpu::note_poll(), "


def translate(
    source: str,
    clang: bool = False,
    diagnostics: str = "",
    inline_kernels: bool = True,
    graded: bool = False,
    lockstep: bool = False,
) -> str:
    settings = Settings(
        always_inline_first=clang,
        diagnostics=diagnostics,
        inline_kernels=inline_kernels,
        graded=graded,
        lockstep=lockstep,
        threads_exit=bool(EXITS.search(source)),
    )
    return Translator(source, settings).translate()
