"""Keeps an installed CUDA toolkit's headers from being used in place of the CPU device's.

Programs are built with -I/usr/local/cuda/include, and some systems link the toolkit's headers into
/usr/local/include. A header that the CPU device has is then still the CPU device's, and a missing
header is named in a single error, instead of the hundreds that the toolkit's header would cause.
"""

from __future__ import annotations

import re
from pathlib import Path

from ..options import Failure, Options
from ..tokens import INCLUDED, regions
from ..tools import LIBRARIES
from .folders import include_folders, is_ours

# Only a toolkit's folder of headers contains the file.
MARK = Path("crt") / "host_config.h"
MISSING = re.compile(r"^(.*?:\d+):\d+: fatal error: (\S+): No such file or directory", re.MULTILINE)
OF_CUDA = re.compile(
    r"cu(blas|dnn|dss|fft|pti|rand|solver|sparse|tensor)|(cub|cuda|cute|cutlass|thrust|nvtx3)/"
    r"|cuda([A-Z]|libxt|rt_|_fp\d|_\w+_interop)|cooperative_groups|mma\.h|nccl|npp"
    r"|nv(JitLink|ToolsExt|jpeg|ml|rtc)"
)
# The headers of a toolkit for which the libraries' folder has a counterpart.
OF_LIBRARIES = re.compile(
    r"cu(blas|fft|rand|sparse|Complex)|(cub|cuda|thrust|nvtx3)/|library_types|nvToolsExt"
)
# A function of the driver API in the messages of LLVM's and GNU's linkers.
UNDEFINED = re.compile(r"undefined (?:symbol: |reference to `)(cu[A-Z]\w+)")
CURE = "docs/cpu-device.md has a table of what there is"


def is_toolkit(folder: Path) -> bool:
    return (folder / MARK).is_file()


def ours_first(options: Options) -> None:
    """Searches a toolkit's folders only for headers that are nowhere else."""
    words = options.preprocessor
    for i, word in enumerate(words):
        if word in ("-I", "-isystem") and is_toolkit(Path(words[i + 1])):
            words[i] = "-idirafter"
        elif word.startswith("-I") and word != "-I" and is_toolkit(Path(word[2:])):
            words[i] = f"-idirafter{word[2:]}"


def refuse_its_headers(preprocessed: str, source: Path) -> None:
    """Names the #include that led to the first header of a toolkit."""
    folders: dict[str, bool] = {}
    place, header = str(source), ""  # of the last #include outside the system's headers
    for region in regions(preprocessed):
        if region.file and not region.is_system() and not region.file.startswith("<"):
            for found in INCLUDED.finditer(region.text):
                line = region.line + region.text.count("\n", 0, found.start())
                place, header = f"{region.file}:{line}", found[0].split(None, 1)[1].strip()
            continue
        if not region.file.startswith("/") or is_ours(region.file):
            continue
        folder = str(Path(region.file).parent)
        if folder not in folders:
            real = Path(region.file).resolve()
            folders[folder] = any(is_toolkit(one) for one in list(real.parents)[:5])
        if folders[folder]:
            name = header.strip('<">')
            if lacks_library(name):
                raise Failure(missing_library(place, name))
            raise Failure(
                f"{place}: error: the CPU device has no {header}: the one that was found, "
                f"{region.file}, is a CUDA toolkit's, for GPUs only; {CURE}"
            )


def lacks_library(header: str) -> bool:
    return not LIBRARIES.is_dir() and bool(OF_LIBRARIES.match(header))


def missing_library(place: str, header: str) -> str:
    return (
        f"{place}: error: <{header}> belongs to CUDA's libraries, which this copy of the CPU "
        f"device lacks: the folder {LIBRARIES.name}/ is missing"
    )


def explain_undefined(messages: str) -> str:
    """A linker's messages; where the libraries' folder is missing, with a note."""
    found = UNDEFINED.search(messages)
    if not found or LIBRARIES.is_dir():
        return messages
    return (
        f"{messages}note: {found[1]}() belongs to the driver API, which this copy of the CPU "
        f"device lacks: the folder {LIBRARIES.name}/ is missing\n"
    )


def explain_missing(messages: str) -> str:
    """The message for a header of CUDA that does not exist; otherwise the compiler's message."""
    found = MISSING.search(messages)
    if not found or not OF_CUDA.match(found[2]):
        return messages
    place, name = found.groups()
    if lacks_library(name):
        return f"{missing_library(place, name)}\n"
    if any((folder / name).exists() for folder in include_folders()):
        return messages
    return f"{messages}{place}: note: the CPU device has no <{name}> of CUDA's libraries; {CURE}\n"
