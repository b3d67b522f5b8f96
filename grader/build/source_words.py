"""Words of a source that would hide code from the grader, or ask whether it is looking.

What can be asked of a compiler by name is allowed by name: attributes, pragmas, builtins,
inline assembly. Everything is looked for in a text without comments, and all but assembly in one
without strings.
"""

import re
from collections.abc import Iterator

# (what, sentence); {} is what was found.
WORDS = (
    # The CPU device's own names. CUDA has one that looks like them: the processor, where
    # cudaMemPrefetchAsync asks for a device.
    (
        re.compile(
            r"(?i)(?!cudaCpuDeviceId\b)\b\w*cudacpu\w*"
            r"|__SANITIZE_\w+|\w*no_?sanitize\w*|\w*no_instrument\w*"
        ),
        "names {}: the code must be the same everywhere.",
    ),
    (
        # The members of the C library's FILE.
        re.compile(r"\b_(?:fileno|chain|flags2?|markers|lock|offset|IO_\w+|cur_column|mode)\b"),
        "names {}, which belongs to the C library's streams alone.",
    ),
    (re.compile(r"##|%:%:"), "pastes names together with {}: write them out."),
    (re.compile(r"\b__has_(?:include\w*|embed)\b"), "asks with {} which files there are."),
    (
        re.compile(r"^\s*(?:#|%:)\s*(?:line\b|embed\b|\d+)", re.MULTILINE),
        "says {}: lines and files are told as they are.",
    ),
    (
        re.compile(r"\b_mm\d*_\w+|\b__builtin_ia32_\w+|\b\w*mmintrin\b|\bx86intrin\b"),
        "uses {}, an instruction of this machine's processor: write it in C++.",
    ),
    (
        re.compile(
            r"\b__builtin_(?!(?:assume(?:_aligned)?|unreachable|expect\w*|bswap\d+|prefetch"
            r"|(?:popcount|clz|ctz|ffs|parity|clrsb)l{0,2}|mem(?:cpy|set|move|cmp)|bit_cast"
            r"|\w*add_overflow|\w*sub_overflow|\w*mul_overflow|is(?:nan|inf|finite)|nanf?|inff?"
            r"|huge_valf?|fabsf?|sqrtf?|fmaf?|fminf?|fmaxf?|floorf?|ceilf?|align__)\b)\w+"
        ),
        "uses {}, which is not among the builtins that are allowed.",
    ),
    (
        # An attribute of ours by its word would be another one behind such a macro.
        re.compile(r"(?:#|%:)\s*define\s+(?:aligned|always_inline|noinline|unused)\b"),
        "redefines a word of the compiler: {}.",
    ),
)

ATTRIBUTES = re.compile(
    r"(?:gnu::)?_{0,2}(?:aligned|always_inline|cold|const|deprecated|fallthrough|flatten|hot"
    r"|likely|may_alias|maybe_unused|nodiscard|noinline|nonnull|noreturn|packed|pure|restrict"
    r"|unlikely|unused|warn_unused_result)_{0,2}"
)
PRAGMAS = re.compile(r"once|(?:no)?unroll\b.*|GCC\s+(?:ivdep|unroll\b.*|diagnostic\b.*)|nv_\w+\b.*")
# An instruction of PTX has a type or the like behind a dot; of x86's only few forms have a dot.
PTX = re.compile(
    r"(?:@!?%*\w+\s+)?(?:[a-z][a-z0-9]*(?!\.(?:s|d8|d32)\b)(?:\.[\w:]+)+\b.*|\.reg\b.*)"
)
ASSEMBLY = re.compile(r"\b(?:asm|__asm|__asm__)\b")
ASSEMBLY_TEXT = re.compile(
    r'\b\w+\s*(?:(?:volatile|__volatile__)\s*)?\(\s*((?:"(?:\\.|[^"\\])*"\s*)+)[:)]'
)


def offences(text: str, bare: str) -> Iterator[tuple[int, str]]:
    """(place, sentence) for what is not on the lists; `bare` is `text` without its strings."""
    for match in re.finditer(r"\b__attribute(?:__)?\b\s*(\(\s*\()?|\[\s*\[", bare):
        inside = inside_brackets(bare, match.end()) if match.group(0)[-1] in "([" else None
        for name in attribute_names(inside):
            if not ATTRIBUTES.fullmatch(name):
                yield match.start(), f"asks for the attribute {name}, which is not allowed."
    for match in re.finditer(r"(?:^\s*(?:#|%:)\s*pragma|\b_+[Pp]ragma)\b([^\n]*)", bare, re.M):
        asked = text[match.start(1) : match.end(1)].strip(' \t()"')
        if not PRAGMAS.fullmatch(asked):
            yield match.start(), f"has a pragma that is not allowed: {asked[:60]}."
    for match in ASSEMBLY.finditer(bare):
        asked = ASSEMBLY_TEXT.match(text, match.start())
        if not asked or not is_ptx(asked.group(1)):
            yield match.start(), "holds assembly that is not PTX."


def inside_brackets(text: str, begin: int) -> str:
    """What stands between the brackets that were opened before `begin` and their ends."""
    depth = 1
    for place in range(begin, len(text)):
        depth += (text[place] in "([") - (text[place] in ")]")
        if depth == 0:
            return text[begin:place]
    return text[begin:]


def attribute_names(inside: str | None) -> list[str]:
    """The attributes' names without their arguments; where none can be read, what stands there."""
    if inside is None:
        return ["behind a macro"]
    outer = re.sub(r"\([^()]*(?:\([^()]*\)[^()]*)*\)", "", inside)
    return [name.strip() for name in outer.split(",") if name.strip()]


def is_ptx(strings: str) -> bool:
    """Is the assembly in these string literals PTX, every instruction of it?"""
    code = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', strings))
    code = code.replace("\\n", ";").replace("\\t", " ")
    if "\\" in code:
        return False
    for part in code.split(";"):
        statement = re.sub(r"^\s*(?:\{(?!%)|\w+:)?\s*|\s*\}?\s*$", "", part)
        if statement and not PTX.fullmatch(statement):
            return False
    return True
