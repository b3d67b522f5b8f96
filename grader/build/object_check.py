"""Looks at what was compiled from a student's file: what it calls, and what it defines.

The student's code shares a process with the clock and, on the CPU device, with the counters. So its
object file may call only what an honest solution could need, and may define only names of C++: a
function called cudaEventElapsedTime or memcpy would take the place of the real one. Symbols are
read with nm and c++filt; nothing is run.
"""

import functools
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from grader.base.errors import GraderError

# C names that may be called, beside those of CUDA. Mathematical functions come with f or l, too.
MATHEMATICS = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp2 "
    "exp10 expm1 fabs fdim finite floor fma fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp "
    "lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter "
    "nexttoward pow remainder remquo rint round roundeven scalb scalbln scalbn significand sin "
    "sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn __fpclassify __signbit __isnan __isinf "
    "__finite"
)
C_LIBRARY = (
    "abort abs aligned_alloc atexit atof atoi atol atoll bsearch calloc clock clock_getres "
    "clock_gettime difftime div drand48 erand48 exit fflush fprintf fputc fputs free fwrite "
    "gettimeofday isalnum isalpha iscntrl isdigit isgraph islower isprint ispunct isspace isupper "
    "isxdigit labs ldiv llabs lldiv lrand48 malloc memchr memcmp memcpy memmove memrchr memset "
    "mrand48 nanosleep nrand48 perror posix_memalign printf pthread_cond_clockwait pthread_create "
    "pthread_equal pthread_join pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock "
    "pthread_once pthread_rwlock_rdlock pthread_rwlock_unlock pthread_rwlock_wrlock pthread_self "
    "putc putchar puts qsort rand rand_r random realloc sched_yield snprintf sprintf srand srand48 "
    "srandom stderr stdout strcat strchr strcmp strcpy strcspn strdup strerror strlen strncat "
    "strncmp strncpy strnlen strpbrk strrchr strspn strstr strtod strtof strtok strtok_r strtol "
    "strtold strtoll strtoul strtoull time tolower toupper usleep vfprintf vprintf vsnprintf "
    "vsprintf wcslen wmemchr wmemcmp wmemcpy wmemmove wmemset __assert_fail __ctype_b_loc "
    "__ctype_tolower_loc __ctype_toupper_loc "
    "__errno_location __isoc99_sscanf __isoc23_sscanf __isoc23_strtol __isoc23_strtoll "
    "__isoc23_strtoul __isoc23_strtoull"
)
# Functions of the CPU device's headers that have names of C: an object that calls them has its own.
INTRINSICS = "__cosf __expf __exp10f __logf __log2f __log10f __powf __sinf __sincosf __tanf __tanhf"
# What the CPU device's headers call of its library, in namespace cudacpu.
DEVICE_LIBRARY = (
    "DeviceVariable::DeviceVariable accept_kernel active_blocks active_mask arrive_at_barrier "
    "arrive_at_barrier_reduce arrive_in_warp available_shared barrier_result bessel_i0 bessel_i1 "
    "best_block_size close_query commit_copies context cosine_of_pi_times find_kernel "
    "finish_thread get_attributes get_name grid_barrier grid_is_cooperative inverse_erf "
    "inverse_erfc is_constant is_local is_shared kernel_trap launch_body launch_kernel "
    "many_atomics observe::absent_lane_read observe::active_mask observe::barrier "
    "observe::barrier_arrive observe::before_atomic observe::exchanged observe::fence "
    "observe::peek observe::returning "
    "observe::sleep observe::start_thread observe::stop_thread open_query push_launch queue_copy "
    "remember_kernel reserve_shared scaled_erfc set_attribute shared_offset shared_pointer "
    "sine_of_pi_times surface_place wait_for_all_copies wait_for_copies yield"
)
ALLOWED_C = {f"{name}{suffix}" for name in MATHEMATICS.split() for suffix in ("", "f", "l")}
ALLOWED_C |= set(C_LIBRARY.split())
# Of these the diagnostic builds call the CPU device's own (cpudevice/compiler/tools.py).
ALLOWED_C |= {f"__cudacpu_{name}" for name in C_LIBRARY.split()}
# Names of compilers, of CUDA's runtime and of the CPU device's headers.
ALLOWED = re.compile(
    rf"""cudacpu::(?:{"|".join(DEVICE_LIBRARY.split())})(?:\(.*)?
    | cuda[A-Z]\w* | __cuda[A-Z]\w* | cu(rand)?[A-Z]\w*
    | threadIdx | blockIdx | blockDim | gridDim | warpSize
    | __cudacpu_\w+
    | (vtable|typeinfo|typeinfo\ name|VTT|guard\ variable|construction\ vtable)\b.*
    | (non-virtual\ |virtual\ )?thunk\ to\ .*
    | std::.* | (bool|void|int|char|unsigned|long|float|double|auto|decltype)\b.*\ std::.*
    | operator\ (new|delete)(\[\])?\(.*
    | __cxa_\w+ | __dynamic_cast | __gxx_\w+ | _Unwind_\w+ | __dso_handle | __tls_get_addr
    | _GLOBAL_OFFSET_TABLE_
    | __once_proxy | __libc_single_threaded | __stack_chk_fail | __(u|)(div|mod|mul)(ti|di)\w+
    | __(popcount|clz|ctz|ffs|bswap|parity)\w+ | __(float|fix|extend|trunc)\w+
    | __(memcpy|memmove|memset|v?f?printf|v?sn?printf|str(cpy|cat|ncpy|ncat))_chk
    | __tsan_\w+ | __ubsan_handle_\w+ | __sanitizer_cov_trace_pc | __builtin_\w+
    """,
    re.VERBOSE,
)
# Of what the pattern above allows: ways to the files of the machine and to threads that outlive a
# call, what would change how the harness writes numbers, and buffers in which the C++ library
# works where nobody counts it.
REFUSED = re.compile(
    r"""\bstd::(__cxx11::)?(basic_[io]?fstream|basic_filebuf|__basic_file|filesystem)\b
    | \bstd::(__cxx11::)?(ctype|codecvt|collate|messages|num_get|num_put|time_get|time_put)<.*>::
      ~?(ctype|codecvt|collate|messages|num_get|num_put|time_get|time_put)\(
    | \bstd::thread::detach\b | \bstd::locale::global\b | \bstd::[io]?strstream(buf)?\b
    """,
    re.VERBOSE,
)
# What an object may not define though it is C++: everybody's memory, and the library's functions,
# which others would get too. Templates are in every object: of them the linker takes ours.
SHARED = re.compile(r"operator (new|delete)(\[\])?\(.*|(std|__gnu_cxx|__cxxabiv1|cudacpu)::.*")
TEMPLATES = set("VWu")
LIBRARY_HEADER = re.compile(r"/include/(?:[\w.-]+/)*?((?:cub|thrust)/[\w./-]+)")
REASONS = {
    "getenv": "the environment holds nothing for it",
    "cudacpu_profile_reset": "the counters are the grader's",
    "cudacpu_profile_pause": "the counters are the grader's",
    "cudacpu_profile_write": "the counters are the grader's",
    "cudacpu_watch_begin": "the time limit is the grader's",
    "cudacpu_watch_end": "the time limit is the grader's",
}
# A line of nm: a name, a letter, and place and size of what is defined.
SYMBOL = re.compile(r"(\S+) ([A-Za-z])((?: [0-9a-f]+){0,2}) *")
# Letters of nm for symbols that others can see: code, data, read-only data, common, unique, chosen
# at load time.
DEFINED = set("TDBRCVWGSui")


@dataclass(frozen=True)
class Symbols:
    wanted: list[str]  # undefined: to be found elsewhere
    defined: list[str]  # visible to other objects
    strong: list[str]  # of these, what is no template's


def read_symbols(path: Path) -> Symbols:
    """The symbols of an object file, as written in the source."""
    lines = tool(["nm", "--format=posix", str(path)])
    entries = [entry for entry in map(SYMBOL.fullmatch, lines) if entry]
    # Demangled only now: such names may hold blanks, and a size of one digit looks like a letter.
    # Those of C++ alone: names of other languages may even hold ends of lines.
    mangled = "".join(f"{entry[1]}\n" for entry in entries)
    names = tool(["c++filt", "--format=gnu-v3"], mangled)
    # No compiler makes a name with a blank: it stands on no list of what may be called.
    wanted, defined, strong = [line for line in lines if not SYMBOL.fullmatch(line)], [], []
    for (_, letter, place), name in zip(map(re.Match.groups, entries), names, strict=True):
        if letter in "Uwv" and not place:
            wanted.append(name)
        elif letter in DEFINED:
            defined.append(name)
            if letter not in TEMPLATES:
                strong.append(name)
    return Symbols(wanted, defined, strong)


def tool(command: list[str], text: str = "") -> list[str]:
    """The lines that a program of binutils prints when it is given `text`."""
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GraderError(f"{command[0]} failed: {error}") from error
    return done.stdout.decode(errors="replace").split("\n")[:-1]


def first_offence(symbols: Symbols, ours: Iterable[str] = ()) -> str | None:
    """What is not allowed, as the end of a sentence about the file, or None."""
    for name in symbols.wanted:
        allowed = name in ALLOWED_C or ALLOWED.fullmatch(name)
        if not allowed or REFUSED.search(name):
            reason = REASONS.get(name, "a student's file may call CUDA, C++ and mathematics only")
            return f"calls {name}: {reason}."
    for name in symbols.defined:
        if re.fullmatch(r"\w+", name) and name not in INTRINSICS.split():
            return f"defines {name}, a name of C: make it static or put it into a namespace."
    for name in symbols.strong:
        if SHARED.fullmatch(name):
            return f"defines {name}, which the programs that grade it use as well."
        # The linker prefers it to an inline function or a template of ours.
        if name in ours:
            return f"defines {name}, which the programs that grade it define: choose another name."
    return None


def check_dependencies(path: Path) -> str | None:
    """What is not allowed of the headers that the compiler has read, listed for make in `path`.

    The text was looked at before; this is for what the compiler saw and that look did not.
    """
    words = path.read_text(errors="replace").split() if path.is_file() else []
    for word in words:
        if library := LIBRARY_HEADER.search(word):
            return f"includes {library[1]}: write the work of CUB and Thrust yourself."


def check_object(path: Path, ours: frozenset[str] = frozenset()) -> str | None:
    """What is not allowed in the object file at `path`, or None.

    `ours` are the names that our own objects in the same program define.
    """
    return first_offence(read_symbols(path), ours)


def names_beside(program: Path) -> frozenset[str]:
    """What our own objects in a program define: build/<device>/<assignment>/..., as it was made."""
    tree = next(path for path in program.parents if path.parent.name == "build")
    assignment = tree / program.relative_to(tree).parts[0]
    objects = [tree / "libharness.a", tree / "harness" / "runner" / "runner.o"]
    objects += assignment.glob("*.names.o")
    objects += [*assignment.glob("grading/runner.o"), *assignment.glob("grading/runner/*.o")]
    dates = tuple((path, path.stat().st_mtime_ns) for path in objects if path.is_file())
    return defined_in(dates)


@functools.cache
def defined_in(objects: tuple[tuple[Path, int], ...]) -> frozenset[str]:
    return frozenset(name for path, _ in objects for name in read_symbols(path).defined)
