"""Decides which functions a kernel in lock-step may call: those in which no thread can wait."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from .. import host_code
from ..tokens import Tokens
from .counted import is_in_counted_loops
from .functions import ATOMIC, BETWEEN_THREADS, HARMLESS, MAKES_VECTOR
from .operators import closes_head
from .statements import BARRIER, KEYWORDS, TYPE_WORDS

# The types whose values neither are nor hold addresses, beside TYPE_WORDS.
NUMBERS = {
    "size_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t",
    "uint64_t", "dim3", "half", "half2", "__half", "__half2", "__nv_bfloat16", "__nv_bfloat162",
    "uint", "ushort", "uchar", "ulong",
}  # fmt: skip
VECTOR = re.compile(r"(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]$")
# Words before a parenthesis that call nothing, and cannot be the names of other functions.
WORDS = {
    "if", "else", "for", "while", "switch", "return", "sizeof", "alignof", "alignas",
    "__attribute__", "decltype", "void", "static_assert", "static_cast", "const_cast",
    "reinterpret_cast",
    *TYPE_WORDS, *NUMBERS,
}  # fmt: skip
FORBIDDEN = {
    "goto", "volatile", "asm", "__asm__", "__asm", "operator", "new", "delete", "throw", "try",
    "struct", "class", "union", "enum", "typedef", "using", "static", "thread_local",
}  # fmt: skip
ASSIGNMENT = re.compile(r"(?:[-+*/%&|^]|<<|>>)=$")
MAY_WAIT = re.compile(
    r"__sync|__shfl|__(all|any|ballot)$|\w*_sync$|atomic|__nanosleep|(sync|wait|volatile|asm)$"
)
# The type of a variable on which a thread spins has one of these words.
SPUN_ON = {"volatile", "atomic", "atomic_ref"}
CHANGING = {"__device__", "__managed__"}
# A name behind one of these words is used, not declared.
BEFORE_EXPRESSIONS = {*KEYWORDS, "and", "or", "not", "co_return", "co_yield", "throw"}


@dataclass
class Calls:
    code: Tokens
    # The definitions of each name: where the parameters and the body open.
    functions: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    spun_on: set[str] = field(default_factory=set)  # names of variables
    changing: set[str] = field(default_factory=set)  # names of variables in the device's memory
    own: set[str] = field(default_factory=set)  # names of CUDA's that a namespace of the file has
    classes: dict[str, bool] = field(default_factory=dict)  # whether one may hold addresses
    aliases: dict[str, bool] = field(default_factory=dict)  # whether it is one of numbers
    pointer_types: set[str] = field(default_factory=set)  # aliases of pointers
    type_parameters: set[str] = field(default_factory=set)  # of templates
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
            elif text(p) == "typename" and text(p - 1) in ("<", ",") and text(p + 2) in (",", ">"):
                self.type_parameters.add(text(p + 1))
            elif text(p) in ("using", "typedef"):
                self.note_alias(p)
            elif text(p) in HARMLESS and self.is_declared(p) and not self.is_in_class(p):
                self.own.add(text(p))
            elif text(p) == "(" and text(p + 1) in ("*", "&") and text(p + 2) in HARMLESS:
                self.own.add(text(p + 2))
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
        if text(position - 1) in ("<", ",") and self.code.is_name(position + 1):
            self.type_parameters.add(text(position + 1))
        while text(p) not in ("{", ";", "(", ")", ">", ""):
            p += 1
        if text(p) == "{" and p in self.code.partner:
            self.unnamed.append((p, self.code.partner[p]))
            inside = range(p, self.code.partner[p])
            self.classes[text(position + 1)] = any(
                # A member that is a pointer or reference or of an unknown type, or a base class.
                text(q) in ("*", "&") and self.code.is_name(q + 1)
                for q in inside
            ) or any(text(q) == ":" for q in range(position, p))

    def is_in_class(self, position: int) -> bool:
        return any(first < position < last for first, last in self.unnamed)

    def note_alias(self, position: int) -> None:
        """Notes whether `using Real = float;` or `typedef float Real;` is a type of numbers."""
        text, last = self.code.text, position
        while text(last) not in (";", ""):
            last += 1
        if text(position) == "using":
            name, first, last = position + 1, position + 3, last - 1
        else:
            name, first, last = last - 1, position + 1, last - 2
        if self.code.is_name(name) and first <= last:
            words = [text(p) for p in range(first, last + 1)]
            self.aliases[text(name)] = self.are_numbers(words)
            if "*" in words[-2:] and words[-1] in ("*", "const", "__restrict__", "__restrict"):
                self.pointer_types.add(text(name))

    def are_numbers(self, words: list[str]) -> bool:
        """Whether these words are a type whose values are no addresses."""
        return all(
            word in TYPE_WORDS
            or word in NUMBERS
            or word in ("std", "::", "signed")
            or VECTOR.match(word)
            or self.aliases.get(word, False)
            for word in words
        )

    def are_plain(self, words: list[str]) -> bool:
        """Whether they are a type of numbers or pointers, or one that a template is used with."""
        known = [w for w in words if w not in ("*", "const") and w not in self.type_parameters]
        return self.are_numbers(known) or "*" in words

    def names_pointer(self, last: int) -> bool:
        """Whether the type of a parameter that ends here is a pointer."""
        while self.code.text(last) in ("const", "volatile", "__restrict__", "__restrict"):
            last -= 1
        word = self.code.text(last)
        if word == "*":
            return True
        is_alias = word in self.pointer_types and word not in self.classes
        return is_alias and self.code.text(last - 1) != "::"

    # ---- names -----------------------------------------------------------------------------------

    def is_declared(self, p: int) -> bool:
        """Whether the name of a function of CUDA's is that of something else at this place."""
        text, before, behind = self.code.text, self.code.text(p - 1), self.code.text(p + 1)
        if before in (".", "->", "::"):
            return False
        if behind not in ("(", "<") or (self.code.is_name(p - 1) and before not in KEYWORDS):
            return before not in BEFORE_EXPRESSIONS
        first = p
        while first > 0 and text(first - 1) not in (";", "{", "}", "=", "("):
            first -= 1
        # A function that returns a pointer, a reference or an instance of a template.
        return before in ("*", "&", ">") and text(first - 1) in (";", "{", "}", "")

    def is_of_cuda(self, position: int, first: int, last: int) -> bool:
        """Whether the call of a harmless function cannot be one of the program's own.

        Another function or object of that name may stand in a namespace of the file, or in this
        code, from `first` to `last`.
        """
        text, name = self.code.text, self.code.text(position)
        if text(position - 1) == "::":
            return not self.code.is_name(position - 2) or text(position - 2) == "std"
        if name in self.own:
            return False
        return not any(text(p) == name and self.is_declared(p) for p in range(first, last + 1))

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

    @cached_property
    def unnamed_changes_operands(self) -> bool:
        """Whether a constructor or operator changes an operand, and not as `a += b` changes a."""
        return any(
            self.operator_changes_operands(p)
            if self.code.text(p) == "operator"
            else self.is_constructor(p) and self.has_reference(self.code.arguments(p + 1))
            for p in range(len(self.code.code))
        )

    def operator_changes_operands(self, position: int) -> bool:
        text, opening = self.code.text, position + 1
        while text(opening) != "(" and opening < position + 4:
            opening += 1
        sign = "".join(text(p) for p in range(position + 1, opening))
        if text(opening) != "(" or opening == position + 1:
            return False  # operator()() is called by an object's name, or it is an explicit call
        operands = self.code.arguments(opening)
        changes_first = sign in ("++", "--", "[]", "=") or ASSIGNMENT.match(sign)
        if not self.is_in_class(position):
            return self.has_reference(operands[1 if changes_first else 0 :])
        is_const = text(self.code.partner[opening] + 1) == "const"
        return self.has_reference(operands) or not (changes_first or is_const)

    def is_constructor(self, position: int) -> bool:
        text = self.code.text
        is_one = text(position) in self.classes and text(position + 1) == "("
        return is_one and text(position - 1) != "~" and self.is_in_class(position)

    @staticmethod
    def has_reference(parameters: list[str]) -> bool:
        """Whether one of the parameters is a reference that is not const."""
        # `const float*& p` may be changed, whatever it points at.
        return any(
            "&" in one and "&&" not in one and ("const" not in one or "*" in one)
            for one in parameters
        )

    def never_wait(
        self, first: int, last: int, barriers: bool = False, in_kernel: bool = False
    ) -> bool:
        """Whether this code neither waits nor spins, except at barriers if those are allowed.

        In a kernel it is known which loops an atomic function is in; a function may be called in
        any.
        """
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
            if text(behind) != "(" or is_barrier:
                continue
            is_harmless = in_kernel and BETWEEN_THREADS.match(word)
            if is_harmless and is_in_counted_loops(self.code, p, first):
                continue
            if not self.may_be_called(p, first, last):
                return False
        return True

    def may_be_called(self, position: int, first: int, last: int) -> bool:
        name, before = self.code.text(position), self.code.text(position - 1)
        if before in (".", "->"):
            return False
        if ATOMIC.match(name):
            return self.is_unused(position)
        if name in WORDS or MAKES_VECTOR.match(name):
            return True
        if name in HARMLESS and self.is_of_cuda(position, first, last):
            return True
        return self.never_waits(name)

    def is_unused(self, call: int) -> bool:
        """Whether the call is a statement of its own."""
        before, opening = self.code.text(call - 1), self.code.partner.get(call - 1, 0)
        if before == ")":
            is_void = self.code.text(opening + 1) == "void" and opening + 2 == call - 1
            return is_void or closes_head(self.code, call - 1)
        return before in ("{", "}", ";", "else")

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

    def keeps_addresses(self, name: str) -> bool:
        """Whether a function of the file may return or store the address of an argument."""
        text = self.code.text
        for parameters, body in self.functions.get(name, []):
            if not any("&" in one for one in self.code.arguments(parameters)):
                continue
            first = parameters - 1
            while first > 0 and text(first - 1) not in (";", "{", "}"):
                first -= 1
            result = [text(p) for p in range(first, parameters)]
            if any(word in ("*", "&") or self.holds_addresses(word) for word in result):
                return True
            inside = range(body, self.code.partner.get(body, body))
            if any(
                (text(p) == "&" and not self.code.is_name(p - 1) and text(p - 1) not in (")", "]"))
                or self.holds_addresses(text(p))
                for p in inside
            ):
                return True
        return False

    def holds_addresses(self, word: str) -> bool:
        """Whether it names a type of the file whose objects may hold addresses."""
        return self.classes.get(word, False) or not self.aliases.get(word, True)

    def changes_arguments(self, name: str) -> bool:
        """Whether a function of the file takes an argument by a reference that is not const."""
        return any(
            self.has_reference(self.code.arguments(parameters))
            for parameters, _ in self.functions.get(name, [])
        )
