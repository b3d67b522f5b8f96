#!/usr/bin/env python3
"""Writes docs/cpu-device-coverage.md: the parts of CUDA that the CPU device has.

    cpudevice/coverage_page.py                      keeps what is still missing of the list
    cpudevice/coverage_page.py --toolkit /opt/cuda  makes that list again, from a toolkit

Functions are read from the headers that programs include; language features from the first sentence
of the programs in tests/cpudevice/run and tests/cudalibs/run, each of which shows one. Missing
functions are found by reading an installed toolkit's cuda_runtime_api.h.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

CPUDEVICE = Path(__file__).resolve().parent
REPOSITORY = CPUDEVICE.parent
INCLUDE = CPUDEVICE / "include"
PAGE = REPOSITORY / "docs" / "cpu-device-coverage.md"
PROGRAMS = REPOSITORY / "tests" / "cpudevice" / "run"
OF_LIBRARIES = REPOSITORY / "tests" / "cudalibs" / "run"
CHAPTER = re.compile(r"^// ---- (.+?) ----$", re.MULTILINE)
LIBRARIES = {
    "driver API": ("cuda.h", r"\b(cu[A-Z]\w+)\("),
    "driver API, contexts": ("cudacpu/driver/contexts.h", r"\b(cu[A-Z]\w+)\("),
    "driver API, mapped memory": ("cudacpu/driver/mapping.h", r"\b(cu[A-Z]\w+)\("),
    "cuBLAS": ("cublas_v2.h", r"\b(cublas[A-Z]\w+|cublas(?:I?##\w##\w+))\("),
    "cuBLASXt": ("cublasXt.h", r"\b(cublasXt[A-Z]\w+|cublasXt##\w##\w+)\("),
    "cuBLASLt": ("cublasLt.h", r"\b(cublasLt[A-Z]\w+)\("),
    "cuFFT": ("cufft*.h", r"\b(cufft[A-Z1-3]\w+)\("),
    "cuSPARSE": ("cudacpu/cusparse/*.h", r"\b(cusparse[A-Z]\w+|cusparse##\w##\w+)\("),
    "CUB, blocks": ("cudacpu/cub/*.h", r"\bclass (Block\w+)"),
    "CUB, warps": ("cudacpu/cub/*.h", r"\bclass (Warp\w+)"),
    "CUB, arrays": ("cudacpu/cub/device/*.h", r"\bstruct (Device\w+)"),
    "cuRAND, host": ("curand.h", r"\b(curand[A-Z]\w+)\("),
    "cuRAND, kernels": ("curand_kernel.h", r"\b(curand_?\w*)\("),
}
# The lines of a program that say how it is tested: tests/cpudevice/test_programs.py.
NOTE = re.compile(r"// (expect|stderr|exit|reject|flags|environment|compilers|needs):")
ABSENT = "## Not there"
# `#define CUDACPU_XT_MM(L, name, T) ... cublasXt##L##name(...)`
NAMING_MACRO = re.compile(r"#define (\w+)\(L, name\b[^)]*\)(.*##name\(.*)")


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def names(text: str, pattern: str = r"\b(cuda[A-Z]\w+)\(") -> list[str]:
    return sorted(set(re.findall(pattern, without_comments(text))))


def runtime_names() -> set[str]:
    """Every function of the runtime API that a header of the CPU device declares."""
    headers = [*INCLUDE.glob("*.h"), *(INCLUDE / "cudacpu").glob("*.h")]
    return {name for header in headers for name in names(header.read_text())}


def chapters() -> dict[str, list[str]]:
    parts = CHAPTER.split((INCLUDE / "cuda_runtime_api.h").read_text())
    found = {title: names(text) for title, text in zip(parts[1::2], parts[2::2], strict=True)}
    listed = {name for some in found.values() for name in some}
    found["kernels, symbols and templates"] = sorted(runtime_names() - listed)
    return found


def with_names(text: str) -> str:
    """The text with each use of a macro that declares functions of several names written out."""
    text = text.replace("\\\n", "")
    for macro, body in NAMING_MACRO.findall(text):
        text = text.replace(body, "")
        uses = set(re.findall(rf"\b{macro}\(\w+, (\w+)", text)) - {"name"}
        text += "".join(body.replace("##name", f"##{name}") for name in uses)
    return text


def headers_named(files: str) -> list[Path]:
    """The headers that fit a pattern, of the core and of CUDA's libraries."""
    folders = [INCLUDE, *REPOSITORY.glob("cudalibs/*/include")]
    return sorted(file for folder in folders for file in folder.glob(files))


def library(files: str, pattern: str) -> list[str]:
    """The functions of headers; for a macro that declares them for several types, the pattern."""
    texts = [with_names(file.read_text()) for file in headers_named(files)]
    found = names("\n".join(texts), pattern)
    return [re.sub(r"##(\w)##", lambda letter: f"<{letter[1].lower()}>", name) for name in found]


def programs(folder: Path) -> list[tuple[str, str]]:
    rows = []
    for file in sorted(folder.glob("*.cu")):
        words = []
        for line in file.read_text().splitlines():
            if not line.startswith("// ") or NOTE.match(line):
                break
            words.append(line[3:])
        sentence = " ".join(words).split(". ")[0].rstrip(".")
        rows.append((file.stem, sentence))
    return rows


def absent_from(toolkit: Path) -> list[str]:
    text = (toolkit / "include" / "cuda_runtime_api.h").read_text(errors="replace")
    declared = re.findall(r"CUDARTAPI\s+(cuda[A-Z]\w+)\s*\(", without_comments(text))
    plain = {re.sub(r"_(v\d+|ptsz)$", "", name) for name in declared}
    have = {re.sub(r"_v\d+$", "", name) for name in runtime_names()}
    return sorted(plain - have)


def listing(some: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in some)


def page(absent: str) -> str:
    lines = [
        "# The parts of CUDA that the CPU device has",
        "",
        "`cpudevice/coverage_page.py` writes this page from the device's headers and tests. If a",
        "program uses anything else, the compiler refuses it and names it with its file and line.",
        "",
        "## The language",
        "",
        "Each row is a program of `tests/cpudevice/run` that uses a feature and checks results.",
        "",
        "| program | what it uses and checks |",
        "|---|---|",
        *(f"| `{name}` | {sentence} |" for name, sentence in programs(PROGRAMS)),
        "",
        "## The runtime API",
        "",
        "| chapter | functions |",
        "|---|---|",
        *(f"| {title} | {listing(some)} |" for title, some in chapters().items()),
        "",
        "## Libraries",
        "",
        "`cudalibs/` has them; each row of the first table is a program of `tests/cudalibs/run`.",
        "",
        "| program | what it uses and checks |",
        "|---|---|",
        *(f"| `{name}` | {sentence} |" for name, sentence in programs(OF_LIBRARIES)),
        "",
        "`<l>` stands for the letter that names the type, such as `S` for `float`.",
        "",
        "| library | functions |",
        "|---|---|",
        *(f"| {title} | {listing(library(*where))} |" for title, where in LIBRARIES.items()),
        "",
    ]
    return "\n".join(lines) + "\n" + absent


def absent_part(toolkit: Path | None) -> str:
    if toolkit is None:
        text = PAGE.read_text() if PAGE.exists() else ""
        if ABSENT not in text:
            return ""
        listed = re.findall(r"`(cuda[A-Z]\w+)`", text[text.index(ABSENT) :])
        some = sorted(set(listed) - runtime_names())
    else:
        some = absent_from(toolkit)
    return (
        f"{ABSENT}\n\nThe runtime API of CUDA 13.0 has {len(some)} more functions. A program that "
        f"calls one does not compile:\n\n{listing(some)}\n"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--toolkit", type=Path, help="the folder of an installed CUDA toolkit")
    arguments = parser.parse_args()
    PAGE.write_text(page(absent_part(arguments.toolkit)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
