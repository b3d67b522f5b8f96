"""Decides which functions a kernel in lock-step may call: those in which no thread can wait."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from .. import host_code
from ..tokens import Tokens
from .statements import BARRIER, KEYWORDS

# Functions and other words before a parenthesis that neither wait nor call the program.
HARMLESS = {
    "if", "for", "while", "switch", "return", "sizeof", "alignof", "alignas", "__attribute__",
    "int", "unsigned", "float", "double", "char", "short", "long", "bool", "size_t", "decltype",
    "int32_t", "uint32_t", "int64_t", "uint64_t", "uint8_t", "uint16_t", "void", "static_assert",
    "static_cast", "const_cast", "reinterpret_cast", "printf", "__assert_fail", "__ldg",
    "min", "max", "abs", "fabs", "fabsf", "fmin", "fminf", "fmax", "fmaxf", "fma", "fmaf",
    "sqrt", "sqrtf", "rsqrt", "rsqrtf", "exp", "expf", "exp2f", "log", "logf", "log2f", "pow",
    "powf", "sin", "sinf", "cos", "cosf", "tanhf", "floor", "floorf", "ceil", "ceilf", "round",
    "roundf", "truncf", "fmodf", "__expf", "__logf", "__sinf", "__cosf", "__powf", "__fdividef",
    "__fmaf_rn", "__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "__brev",
    "__builtin_inff", "__builtin_inf", "__half2float", "__float2half", "__bfloat162float",
    "__float2bfloat16", "__float_as_int", "__int_as_float", "__float_as_uint", "__uint_as_float",
}  # fmt: skip
MAKES_VECTOR = re.compile(r"make_[a-z]+\d$")
# A thread cannot wait in one of these if its result is not used.
ATOMIC = re.compile(r"atomic(Add|Sub|Min|Max|And|Or|Xor)$")
FORBIDDEN = {
    "goto", "volatile", "asm", "__asm__", "__asm", "operator", "new", "delete", "throw", "try",
    "struct", "class", "union", "enum", "typedef", "using", "static", "thread_local",
}  # fmt: skip
MAY_WAIT = re.compile(r"__sync|__shfl|\w*_sync$|atomic|__nanosleep|(sync|wait|volatile|asm)$")
# The type of a variable on which a thread spins has one of these words.
SPUN_ON = {"volatile", "atomic", "atomic_ref"}
CHANGING = {"__device__", "__managed__"}


@dataclass
class Calls:
    code: Tokens
    # The definitions of each name: where the parameters and the body open.
    functions: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    spun_on: set[str] = field(default_factory=set)  # names of variables
    changing: set[str] = field(default_factory=set)  # names of variables in the device's memory
    # The code of classes and operators, which may be called without a name.
    unnamed: list[tuple[int, int]] = field(default_factory=list)
    known: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        text, p = self.code.text, 0
        while p < len(self.code.code):
            if text(p) in SPUN_ON:
                self.spun_on.update(self.declared_behind(p))
            elif text(p) in CHANGING:
                self.changing.update(self.declared_behind(p))
            elif text(p) in ("struct", "class", "union"):
                self.note_class(p)
            # Skip the bodies of functions: other functions do not see their declarations.
            skipped = text(p) == "(" or (text(p) == "{" and self.note_function(p))
            p = self.code.partner.get(p, p) + 1 if skipped else p + 1

    def declared_behind(self, position: int) -> list[str]:
        """The variables that a declaration with this word declares."""
        names = []
        p = position + 1
        while self.code.text(p) not in (";", "{", "(", ""):
            if self.code.is_name(p) and self.code.text(p + 1) in (";", ",", "=", "[", "{"):
                names.append(self.code.text(p))
            p += 1
        return names

    def note_function(self, body: int) -> bool:
        """Notes the function whose body begins here, if one does."""
        text, p = self.code.text, body - 1
        while text(p) in ("const", "noexcept", "override"):
            p -= 1
        if text(p) != ")" or p not in self.code.partner:
            return False
        parameters = self.code.partner[p]
        name = parameters - 1
        if text(name) == ">":
            while name > 0 and text(name) not in ("<", ";", "}"):
                name -= 1
            name -= 1
        if any(text(q) == "operator" for q in range(name - 2, name + 1)):
            self.unnamed.append((body, self.code.partner.get(body, body)))
        elif self.code.is_name(name) and text(name) not in KEYWORDS and not self.is_kernel(name):
            self.functions.setdefault(text(name), []).append((parameters, body))
        return True

    def is_kernel(self, name: int) -> bool:
        p = name
        while p > 0 and self.code.text(p) not in (";", "{", "}"):
            if self.code.text(p) == "__global__":
                return True
            p -= 1
        return False

    def note_class(self, position: int) -> None:
        text, p = self.code.text, position
        while text(p) not in ("{", ";", "(", ")", ">", ""):
            p += 1
        if text(p) == "{" and p in self.code.partner:
            self.unnamed.append((p, self.code.partner[p]))

    @cached_property
    def unnamed_needs_thread(self) -> bool:
        """Whether code that is called without a name, such as a constructor, needs a thread.

        It does if it may wait or reads the thread's index. The block calls it too, for uniform
        variables.
        """
        seen: set[str] = set()
        left = list(self.unnamed)
        while left:
            first, last = left.pop()
            for p in range(first, last + 1):
                word = self.code.text(p)
                if word == "threadIdx" or MAY_WAIT.match(word):
                    return True
                if word in self.functions and word not in seen:
                    seen.add(word)
                    left += [(b, self.code.partner.get(b, b)) for _, b in self.functions[word]]
        return False

    def never_wait(self, first: int, last: int, barriers: bool = False) -> bool:
        """Whether this code neither waits nor spins, except at barriers if those are allowed."""
        text = self.code.text
        for p in range(first, last + 1):
            word = text(p)
            if word in FORBIDDEN or word in self.spun_on or host_code.PART.match(word):
                return False
            if word == "[" and text(p + 1) == "[":
                return False
            if word == "(" and text(p - 1) in (")", "]", "}"):
                opening = self.code.partner.get(p - 1, p)
                if text(p - 1) != ")" or text(opening + 1) == "*":
                    return False
            if not self.code.is_name(p):
                continue
            behind = self.code.skip_angles(p + 1) if text(p + 1) == "<" else p + 1
            is_barrier = barriers and word == BARRIER
            if text(behind) == "(" and not is_barrier and not self.may_be_called(p):
                return False
        return True

    def may_be_called(self, position: int) -> bool:
        name, before = self.code.text(position), self.code.text(position - 1)
        if before in (".", "->"):
            return False
        if ATOMIC.match(name):
            return before in ("{", "}", ";")
        return name in HARMLESS or bool(MAKES_VECTOR.match(name)) or self.never_waits(name)

    def never_waits(self, name: str) -> bool:
        """Whether a function of the file cannot wait; False for a recursive one."""
        if name not in self.known:
            self.known[name] = False
            definitions = self.functions.get(name, [])
            self.known[name] = bool(definitions) and all(
                self.never_wait(parameters, self.code.partner.get(body, body))
                for parameters, body in definitions
            )
        return self.known[name]

    def changes_arguments(self, name: str) -> bool:
        """Whether a function of the file takes an argument by a reference that is not const."""
        return any(
            # `const float*& p` may be changed, whatever it points at.
            "&" in parameter and ("const" not in parameter or "*" in parameter)
            for parameters, _ in self.functions.get(name, [])
            for parameter in self.code.arguments(parameters)
        )
