"""Words of a source that would hide code from the grader, or ask whether the grader runs the code.

Attributes, pragmas and builtins are allowed by name. Inline assembly may hold the PTX that the CPU
device knows, and nothing else. The rules look at tokens, first of the files as written, before
anything is built, then of the preprocessed files (preprocessed.py).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cpudevice.compiler.ptx.statements import KEYWORDS, KNOWN, instruction, read_statement
from grader.build.lexer import Code

# (pattern of a name, sentence); {} is replaced by the name.
NAMES = (
    # The CPU device's own names. A single name of CUDA looks alike: the processor, as the target
    # of cudaMemPrefetchAsync.
    (
        re.compile(r"(?i)(?!cudaCpuDeviceId$)\w*cudacpu\w*|__sanitize_\w+|__TIME(?:STAMP)?__"),
        "names {}: the code must be the same everywhere.",
    ),
    (re.compile(r"__has_(?:include\w*|embed)"), "tests with {} whether a file exists."),
    (
        re.compile(r"_mm\d*_\w+|__builtin_ia32_\w+|\w*mmintrin|x86intrin"),
        "uses {}, an instruction of this machine's processor: write it in C++.",
    ),
    (
        re.compile(r"(?:use|has)_facet|codecvt\w*|w(?:string|buffer)_convert|setg"),
        "uses {}, which runs code of the C++ library that is not profiled.",
    ),
    (
        re.compile(r"_fileno|_chain|_flags2?|_markers|_cur_column|_IO_\w+"),
        "uses {}, which is inside of the C library's streams: print with printf or std::cout.",
    ),
    (
        re.compile(
            r"cudaThread(?:Synchronize|Exit)|cudaDevAttrCooperativeMultiDeviceLaunch|cudaLaunchParams"
            r"|cudaProfilerInitialize|__(?:all|any|ballot|shfl(?:_up|_down|_xor)?)"
        ),
        "uses {}, which CUDA 13 does not have.",
    ),
    (
        re.compile(
            r"__builtin_(?!(?:assume(?:_aligned)?|unreachable|expect\w*|bswap\d+|prefetch"
            r"|(?:popcount|clz|ctz|ffs|parity|clrsb)l{0,2}|mem(?:cpy|set|move|cmp)|bit_cast"
            r"|\w*add_overflow|\w*sub_overflow|\w*mul_overflow|is(?:nan|inf|finite|normal)\w*"
            r"|nan[fls]?|inf[fl]?|huge_val[fl]?|fabsf?|sqrtf?|fmaf?|fminf?|fmaxf?|floorf?|ceilf?"
            r"|signbit[fl]?|is(?:greater|less|unordered)\w*|fpclassify|constant_p|types_compatible_p"
            r"|choose_expr|offsetof|addressof|launder|is_constant_evaluated|va_\w+|alloca|abs|labs"
            r"|llabs|trap|align__|FILE|LINE|FUNCTION|source_location|strlen|strcmp)$)\w+"
        ),
        "uses {}, which is not among the builtins that are allowed.",
    ),
)

ATTRIBUTES = re.compile(
    r"(?:gnu::)?_{0,2}(?:aligned|always_inline|assume|assume_aligned|cold|const|deprecated"
    r"|fallthrough|flatten|format|hot|leaf|likely|may_alias|maybe_unused|no_unique_address|nodiscard"
    r"|noinline|nonnull|noreturn|nothrow|packed|pure|restrict|returns_nonnull|unlikely|unused"
    r"|warn_unused_result)_{0,2}"
    # What nvcc makes of CUDA's qualifiers.
    r"|global|device|host|shared|constant|managed|grid_constant|launch_bounds|cluster_dims|maxnreg"
    r"|block_size|nv_pure|inline_hint"
)
PRAGMAS = re.compile(
    r"once|(?:no)?unroll\b.*|GCC\s+(?:ivdep|unroll\b.*|(?:diagnostic|warning|error)\b.*)|nv_\w+\b.*"
    r"|(?:end)?region\b.*|message\b.*|mark\b.*|clang\s+diagnostic\b.*|STDC\s+\w+\s+\w+"
    r"|pack\s*\([\w\s,]*\)|hd_warning_disable"
)
# The compiler's dump of the program repeats the texts of attributes, quotes included: the
# text of an attribute must not read like an attribute that the compiler looks for in the dump.
PLAIN_STRING = re.compile(r'"(?:[^"\\]|\\[nt"])*"')
# A profile knows the vector classes by name, and joins the accesses to the components of a vector
# (compiler/counts/vectors.py).
VECTORS = re.compile(r"(?:u?(?:char|short|int|long|longlong)|float|double)[1-4](?:_(?:16|32)a)?")
CLASS_KEYS = ("struct", "class", "union")
MOST_ATTRIBUTE_WORDS = 64  # between `struct` and the class's name
# The beginning of a raw string if a macro has the name of the suffix, else the suffix of a literal:
# the difference decides what is text and what is code.
RAW_OR_SUFFIX = re.compile(r'(?:u8|[uUL])?R"')
PRAGMA = re.compile(r"[\s\0]*(?:#|%:)[\s\0]*pragma\b[\s\0]*(.*?)[\s\0]*", re.DOTALL)


@dataclass(frozen=True)
class Offence:
    offset: int  # in the text
    sentence: str  # ends a sentence about the file


def first_offence(code: Code) -> Offence | None:
    return next(offences(code), None)


def offences(code: Code) -> Iterator[Offence]:
    """Everything missing from the lists, in the order of the text."""
    known: dict[str, str] = {}  # a name, and the reason of its refusal
    for token, (kind, word) in enumerate(zip(code.kinds, code.words, strict=True)):
        sentence = ""
        if kind == "name":
            if word not in known:
                known[word] = refused_name(word)
            sentence = known[word] or refused_use(code, token)
        elif kind == "pragma":
            sentence = refused_pragma(PRAGMA.fullmatch(word)[1])
        elif kind == "string" and RAW_OR_SUFFIX.match(code.text, code.starts[token] + len(word)):
            sentence = "has a raw string directly behind a literal: put a blank between the two."
        elif word == "[" and code.words[token + 1 : token + 2] == ["["]:
            sentence = refused_attribute(code, token + 1)
        if sentence:
            yield Offence(code.starts[token], sentence)


def refused_name(name: str) -> str:
    """Why a name may not appear anywhere, "" if allowed."""
    # Whether a non-ASCII character ends a name decides where the next string begins.
    if not name.isascii() and not name.replace("$", "_").isidentifier():
        return f"has {name[:40]} outside of strings and comments, which is no name in C++."
    for pattern, sentence in NAMES:
        if pattern.fullmatch(name):
            return sentence.format(name)
    return ""


def refused_use(code: Code, token: int) -> str:
    word = code.words[token]
    if VECTORS.fullmatch(word) and defines_class(code, token):
        return f"defines {word}, which is a type of CUDA: choose another name."
    if word in ("__attribute__", "__attribute"):
        if code.words[token + 1 : token + 3] != ["(", "("]:
            return "asks for an attribute behind a macro, which is not allowed."
        return refused_attribute(code, token + 2)
    if word in KEYWORDS:
        return refused_assembly(code, token)
    if word in ("_Pragma", "__pragma"):
        string = code.words[token + 2] if code.words[token + 1 : token + 2] == ["("] else ""
        if not re.fullmatch(r'"[^"\\]*(?:\\"[^"\\]*)*"', string):
            return f"has a pragma that is not allowed: {word} of no plain string."
        return refused_pragma(string[1:-1].replace('\\"', '"').strip())
    return ""


def defines_class(code: Code, token: int) -> bool:
    """Whether the name at `token` is the name of a class being defined."""
    before = code.words[token - 1] if token else ""
    behind, after_that, *_ = [*code.words[token + 1 : token + 3], "", ""]
    if behind == "=":  # using float4 = struct { … };
        return before == "using" and after_that in CLASS_KEYS
    if before == "}":  # `typedef struct { … } float4;`
        return behind in (";", ",")
    if behind not in ("{", ":", "final", "<"):
        return False
    # struct alignas(16) float4 : Base { … };
    for word in reversed(code.words[max(0, token - MOST_ATTRIBUTE_WORDS) : token]):
        if word in (";", "{", "}", ":"):  # a colon: a base class
            break
        if word in CLASS_KEYS:
            return True
    return False


def refused_pragma(asked: str) -> str:
    return "" if PRAGMAS.fullmatch(asked) else f"has a pragma that is not allowed: {asked[:60]}."


def refused_attribute(code: Code, opening: int) -> str:
    """Checks the names in the inner bracket, `opening`, of an attribute."""
    depth, name = 0, ""
    if code.words[opening + 1 : opening + 2] in (["["], []):
        return "opens brackets that are no attribute's."
    for token in code.bracket(opening):
        word = code.words[token]
        if code.kinds[token] == "sign" and word in ("(", "["):
            depth += 1
        elif code.kinds[token] == "sign" and word in (")", "]"):
            depth -= 1
        elif code.kinds[token] == "string" and not is_plain(word):
            return "has an attribute with a text that is not a plain string."
        elif depth == 1 and word != ",":
            name += word if word == "::" or name.endswith("::") or not name else f" {word}"
        if name and (depth == 0 or (depth == 1 and word == ",")):
            if not ATTRIBUTES.fullmatch(name.replace(" :: ", "::").replace(" ::", "::")):
                return f"asks for the attribute {name[:60]}, which is not allowed."
            name = ""
    return "has an attribute that is not closed." if depth else ""


def is_plain(string: str) -> bool:
    """Whether the text of an attribute differs from an attribute in every repetition."""
    return bool(PLAIN_STRING.fullmatch(string)) and not ("sanitize" in string and '\\"' in string)


def refused_assembly(code: Code, token: int) -> str:
    """Checks an asm statement; `token` is the word asm."""
    opening = token + 1
    while opening < token + 3 and code.words[opening : opening + 1] != ["("]:
        opening += 1
    words = code.words[token:opening] + [code.words[t] for t in code.bracket(opening)]
    if read_statement(words, graded=True):
        return ""
    name = instruction(words)
    what = f"the assembly '{name}'" if name else "assembly"
    return f"holds {what}, which is not allowed: of PTX you may use {KNOWN}."
