"""Writes compile_commands.json, so that clangd understands every .cu, .cpp and .h file.

Editors need no GPU and no toolkit: clang's own CUDA mode parses CUDA files with the CPU device's
headers, on both devices, because clang rejects the headers of toolkits newer than clang. The
headers of an installed toolkit come last, for the libraries in peers.cu that cudalibs/ lacks.
"""

import json
import os
from pathlib import Path

from cpudevice.compiler.headers.folders import include_flags
from grader.base.device import find_nvcc

SUFFIXES = (".cu", ".cuh", ".cpp", ".h")
SKIPPED = ("build", "__pycache__")
CUDA = ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib"]
CUDA += [
    "-D__CUDACC__",
    "-D__NVCC__",
    "-D__CUDACC_VER_MAJOR__=13",
    "-D__CUDACC_VER_MINOR__=0",
    "-include",
    "cuda_runtime.h",
]


def source_files(root: Path) -> list[Path]:
    """Every C++ and CUDA file, relative to the root, in a fixed order."""
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in SKIPPED and not f.startswith(".")]
        found += [Path(folder, file).relative_to(root) for file in files if file.endswith(SUFFIXES)]
    return sorted(found)


def command(file: Path, toolkit: Path | None) -> list[str]:
    """The command with which clang parses the file."""
    words = ["clang++", "-std=c++17", "-Wall", "-Wextra"]
    # Only the sources of the CPU device are ordinary C++.
    library = file.parts[:2] == ("cpudevice", "src") or (
        file.parts[0] == "cudalibs" and "include" not in file.parts
    )
    if file.suffix == ".cpp" or library:
        words += ["-x", "c++" if file.suffix == ".cpp" else "c++-header"]
    else:
        words += CUDA
    places = [f"harness/{side}" for side in ("student", "runner", "judge", "shared")]
    places += [*(["cpudevice/src"] if library else []), file.parts[0], str(file.parent)]
    if "grading" in file.parts:
        places.append(f"{file.parts[0]}/grading")
    words += [f"-I{place}" for place in dict.fromkeys(places)]
    words += include_flags()
    if toolkit:
        # CUDA 13 keeps CUB and Thrust in a separate folder.
        for folder in (toolkit / "include", toolkit / "include" / "cccl"):
            words += ["-idirafter", str(folder)]
    if file == Path("harness/runner/runner.cpp"):
        # Compiled once for each part, with the part's name; any part will do for an editor.
        words += ['-DASSIGNMENT="name"', '-DPART="name"']
    return [*words, "-c", str(file)]


def compile_commands(root: Path) -> str:
    nvcc = find_nvcc()
    toolkit = Path(nvcc).resolve().parent.parent if nvcc else None
    entries = [
        {"directory": str(root), "file": str(file), "arguments": command(file, toolkit)}
        for file in source_files(root)
    ]
    return json.dumps(entries, indent=1) + "\n"


def write_compile_commands(root: Path) -> bool:
    """Writes the file unless the content is unchanged; returns whether the file was written."""
    path = root / "compile_commands.json"
    text = compile_commands(root.resolve())
    if path.is_file() and path.read_text() == text:
        return False
    path.write_text(text)
    return True
