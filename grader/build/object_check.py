"""Checks the object file of a student's file: the symbols that the object calls and defines.

The student's code shares a process with the clock and, on the CPU device, with the counters. So the
object file may call only what a solution could need, and may define only C++ names: a function
called cudaEventElapsedTime or memcpy would replace the real function. Symbols are read with nm and
c++filt; nothing is run.
"""

import functools
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from grader.base.errors import GraderError

# C functions that may be called, besides CUDA's. Mathematical functions also end in f or l.
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
# Functions of the CPU device's headers with C names: each object has its own copy.
INTRINSICS = "__cosf __expf __exp10f __logf __log2f __log10f __powf __sinf __sincosf __tanf __tanhf"
# Functions in namespace cudacpu that the CPU device's headers call.
DEVICE_LIBRARY = (
    "DeviceVariable::DeviceVariable accept_kernel active_blocks active_mask arrive_at_barrier "
    "arrive_at_barrier_reduce arrive_in_warp available_shared barrier_result bessel_i0 bessel_i1 "
    "best_block_size check_instructions close_query commit_bulk_stores commit_copies context "
    "cosine_of_pi_times exchange_rows_for_all find_kernel finish_bulk_loads finish_thread "
    "get_attributes get_name "
    "grid_barrier grid_is_cooperative host_copy_of inverse_erf "
    "inverse_erfc is_constant is_local is_shared kernel_trap launch_body launch_kernel "
    "many_atomics multiply_for_all named_barrier observe::absent_lane_read observe::active_mask "
    "observe::barrier observe::barrier_arrive observe::before_atomic observe::exchanged "
    "observe::fence observe::matrix_product observe::peek observe::returning "
    "observe::sleep observe::start_thread observe::stop_thread open_query push_launch queue_copy "
    "remember_kernel reserve_shared scaled_erfc set_attribute shared_offset shared_pointer "
    "sine_of_pi_times start_bulk_load start_bulk_store surface_place wait_for_all_copies "
    "wait_for_bulk_stores wait_for_copies wait_for_phase yield"
)
ALLOWED_C = {f"{name}{suffix}" for name in MATHEMATICS.split() for suffix in ("", "f", "l")}
ALLOWED_C |= set(C_LIBRARY.split())
# The diagnostic builds call the CPU device's versions (cpudevice/compiler/tools.py).
ALLOWED_C |= {f"__cudacpu_{name}" for name in C_LIBRARY.split()}
# Names from compilers, CUDA's runtime and the CPU device's headers.
ALLOWED = re.compile(
    rf"""cudacpu::(?:{"|".join(DEVICE_LIBRARY.split())})(?:\(.*)?
    | cuda[A-Z]\w* | __cuda[A-Z]\w*
    | threadIdx | blockIdx | blockDim | gridDim | warpSize
    | __cudacpu_\w+
    | (vtable|typeinfo|typeinfo\ name|VTT|guard\ variable|construction\ vtable)\b.*
    | (non-virtual\ |virtual\ )?thunk\ to\ .*
    | std::.* | (bool|void|int|char|unsigned|long|float|double|auto|decltype)\b.*\ std::.*
    | operator\ (new|delete)(\[\])?\(.*
    | __cxa_\w+ | __dynamic_cast | __gxx_\w+ | _Unwind_\w+ | __dso_handle | __tls_get_addr
    | _GLOBAL_OFFSET_TABLE_
    | __once_proxy | __libc_single_threaded | __stack_chk_fail | __(u|)(div|mod|mul)(ti|di)\w+
    | __(mul|div)[sd]c3
    | __(popcount|clz|ctz|ffs|bswap|parity)\w+ | __(float|fix|extend|trunc)\w+
    | __(memcpy|memmove|memset|v?f?printf|v?sn?printf|str(cpy|cat|ncpy|ncat))_chk
    | __tsan_\w+ | __ubsan_handle_\w+ | __sanitizer_cov_trace_pc | __builtin_\w+
    """,
    re.VERBOSE,
)
# Exceptions from the pattern above: access to the machine's files, threads that outlive a call, the
# formatting of numbers by the harness, and buffers in which the C++ library's work is not profiled.
REFUSED = re.compile(
    r"""\bstd::(__cxx11::)?(basic_[io]?fstream|basic_filebuf|__basic_file|filesystem)\b
    | \bstd::(__cxx11::)?(ctype|codecvt|collate|messages|num_get|num_put|time_get|time_put)<.*>::
      ~?(ctype|codecvt|collate|messages|num_get|num_put|time_get|time_put)\(
    | \bstd::thread::detach\b | \bstd::locale::global\b | \bstd::[io]?strstream(buf)?\b
    """,
    re.VERBOSE,
)
# C++ names that an object may not define: operators new and delete, and functions of the library,
# which other objects would get too. Templates are in every object: the linker takes ours.
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
# CUDA's driver API and cuRAND's, cuBLAS's, … host functions. The CPU device has many of the
# functions; the programs that grade a file on a GPU are linked without the libraries.
OTHER_LIBRARIES = re.compile(r"cu(blas|fft|rand|solver|sparse)?[A-Z]\w*")
# A line of nm: a name, a letter, and the place and size of a definition.
SYMBOL = re.compile(r"(\S+) ([A-Za-z])((?: [0-9a-f]+){0,2}) *")
# A fortifying compiler's replacement for a function of the C library.
FORTIFIED = re.compile(r"^__(\w+)_chk$")
# nm's letters for symbols visible to other objects: code, data, read-only data, common, unique,
# chosen at load time.
DEFINED = set("TDBRCVWGSui")


@dataclass(frozen=True)
class Symbols:
    wanted: list[str]  # undefined in the object
    defined: list[str]  # visible to other objects
    strong: list[str]  # of the defined, all but templates


def read_symbols(path: Path) -> Symbols:
    """The symbols of an object file, as written in the source."""
    lines = tool(["nm", "--format=posix", str(path)])
    entries = [entry for entry in map(SYMBOL.fullmatch, lines) if entry]
    # Demangled only now: names in C++ may contain blanks, and a one-digit size looks like a letter.
    # Only C++ names: names of other languages may even contain ends of lines.
    mangled = "".join(f"{entry[1]}\n" for entry in entries)
    names = tool(["c++filt", "--format=gnu-v3"], mangled)
    # No compiler makes a name with a blank, so no list of allowed names has the line.
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
    """The lines that a program of binutils prints for the input `text`."""
    try:
        done = subprocess.run(
            command, input=text.encode(), capture_output=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GraderError(f"{command[0]} failed: {error}") from error
    return done.stdout.decode(errors="replace").split("\n")[:-1]


def first_offence(symbols: Symbols, ours: Iterable[str] = ()) -> str | None:
    """What is forbidden, as the end of a sentence about the file, or None."""
    for name in symbols.wanted:
        allowed = name in ALLOWED_C or ALLOWED.fullmatch(name)
        if not allowed or REFUSED.search(name):
            plain = FORTIFIED.sub(r"\1", name)
            return f"calls {plain}: {refusal(plain)}."
    for name in symbols.defined:
        if re.fullmatch(r"\w+", name) and name not in INTRINSICS.split():
            return f"defines {name}, a name of C: make it static or put it into a namespace."
    for name in symbols.strong:
        if SHARED.fullmatch(name):
            return f"defines {name}, which the programs that grade it use as well."
        # The linker prefers the student's definition to our inline function or template.
        if name in ours:
            return f"defines {name}, which the programs that grade it define: choose another name."
    return None


def refusal(name: str) -> str:
    """Why a function may not be called."""
    if OTHER_LIBRARIES.fullmatch(name):
        return "of CUDA's libraries, a student's file may call the runtime (cuda…) only"
    return REASONS.get(name, "a student's file may call CUDA, C++ and mathematics only")


def check_dependencies(path: Path) -> str | None:
    """The forbidden header among the headers that the compiler read, which make listed in `path`.

    Finds headers that the earlier check of the text could not see.
    """
    words = path.read_text(errors="replace").split() if path.is_file() else []
    for word in words:
        if library := LIBRARY_HEADER.search(word):
            return f"includes {library[1]}: write the work of CUB and Thrust yourself."


def check_object(path: Path, ours: frozenset[str] = frozenset()) -> str | None:
    """The forbidden part of the object file at `path`, or None.

    `ours` are the names that the repository's own objects in the same program define.
    """
    return first_offence(read_symbols(path), ours)


def names_beside(program: Path) -> frozenset[str]:
    """The names that the repository's own objects in a program define, once they are built."""
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
