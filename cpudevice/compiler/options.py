"""The command line: what people use of the options of nvcc and g++."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

DEFAULT_ARCHITECTURE = 800
IGNORED = {
    "-lineinfo", "--generate-line-info", "-rdc=true", "-rdc=false",
    "--relocatable-device-code=true", "--relocatable-device-code=false", "-dc", "--device-c",
    "-dlink", "--expt-relaxed-constexpr", "-expt-relaxed-constexpr", "--expt-extended-lambda",
    "-expt-extended-lambda", "--extended-lambda", "-extended-lambda", "--ptxas-options=-v",
    "-res-usage", "--resource-usage", "-m64", "-pipe", "--threads=0",
    "-allow-unsupported-compiler", "--allow-unsupported-compiler", "-cudart=static",
    "-cudart=shared", "--use-local-env", "-fmad=false", "--fmad=false", "-fmad=true",
    "--fmad=true", "-restrict", "-Wno-deprecated-gpu-targets", "-ftz=true", "-ftz=false",
    "-prec-div=true", "-prec-div=false", "-prec-sqrt=true", "-prec-sqrt=false",
}  # fmt: skip
IGNORED_WITH_VALUE = {
    "-Xptxas", "--ptxas-options", "-Xcudafe", "-Xnvlink", "-Xarchive", "-maxrregcount",
    "--maxrregcount", "-cudart", "--cudart", "-t", "--threads", "-diag-suppress", "--diag-suppress",
    "-diag-warn", "--diag-warn", "-Xfatbin", "-fatbin-options", "-nvlink-options", "-split-compile",
}  # fmt: skip
CUDA_LIBRARIES = {"cudart", "cudart_static", "cuda", "cudadevrt", "curand", "nvToolsExt"}


class Failure(Exception):
    """Ends the compilation; the message, if any, is for the student."""


@dataclass
class Options:
    """The command line, sorted by who is to see what."""

    inputs: list[Path] = field(default_factory=list)
    output: Path | None = None
    mode: str = "link"  # "link", "shared", "compile" or "preprocess"
    preprocessor: list[str] = field(default_factory=list)
    compiler: list[str] = field(default_factory=list)
    linker: list[str] = field(default_factory=list)
    optimise: str = "-O2"
    debug: str = "-g1"
    standard: str = "-std=c++17"
    architecture: int = DEFAULT_ARCHITECTURE
    cxx: str = os.environ.get("CUDACC_CXX", "g++")
    all_cuda: bool = False  # -x cu
    dependencies: bool = False
    dependency_file: Path | None = None
    dependency_targets: list[str] = field(default_factory=list)
    phony_headers: bool = False
    preprocessed_file: Path | None = None  # where to leave what the preprocessor made of the source
    keep: bool = False
    diagnostic: str = ""  # "sanitize" or "profile"
    graded: bool = False
    check: bool = os.environ.get("CUDACC_CHECK", "1") != "0"
    verbose: bool = False


def parse(arguments: list[str], help_text: str) -> Options:
    options = Options()
    words = list(arguments)

    def value(option: str) -> str:
        if not words:
            raise Failure(f"cudacc: {option} needs a value")
        return words.pop(0)

    while words:
        word = words.pop(0)
        if word.startswith("@"):
            words[:0] = shlex.split(Path(word[1:]).read_text())
        elif word == "-o" or word == "--output-file":
            options.output = Path(value(word))
        elif word in ("-c", "--compile", "-dc", "--device-c"):
            options.mode = "compile"
        elif word in ("-shared", "--shared"):
            options.mode = "shared"
        elif word in ("-E", "--preprocess"):
            options.mode = "preprocess"
        elif word == "-x":
            options.all_cuda = value(word) == "cu"
        elif word in ("-I", "-D", "-U", "-isystem", "-include", "-iquote"):
            options.preprocessor += [word, value(word)]
        elif word[:2] in ("-I", "-D", "-U") or word.startswith("-isystem"):
            options.preprocessor.append(word)
        elif word in ("-L", "-l"):
            add_library(options, word + value(word))
        elif word[:2] in ("-L", "-l") and word != "-lineinfo":
            add_library(options, word)
        elif re.fullmatch(r"-O([0-3sg]|fast)?", word):
            options.optimise = word
        elif word in ("-g", "-ggdb", "--debug", "-g3"):
            options.debug = "-g"
        elif word in ("-G", "--device-debug"):
            options.debug, options.optimise = "-g", "-O0"
        elif word.startswith(("-std=", "--std=")):
            options.standard = standard(word.split("=", 1)[1])
        elif word in ("-std", "--std"):
            options.standard = standard(value(word))
        elif read_architecture(options, word, words):
            pass
        elif word in ("-use_fast_math", "--use_fast_math"):
            options.preprocessor.append("-D__USE_FAST_MATH__=1")
            options.compiler.append("-freciprocal-math")
        elif read_pass_through(options, word, words):
            pass
        elif word in ("-ccbin", "-cxx", "--compiler-bindir"):
            options.cxx = value(word)
        elif word.startswith(("-ccbin=", "-cxx=", "--compiler-bindir=")):
            options.cxx = word.split("=", 1)[1]
        elif word in ("-MMD", "-MD"):
            options.dependencies = True
        elif word == "-MP":
            options.phony_headers = True
        elif word == "-MF":
            options.dependency_file = Path(value(word))
        elif word in ("-MT", "-MQ"):
            options.dependency_targets.append(value(word))
        elif word.startswith("--preprocessed="):
            options.preprocessed_file = Path(word.split("=", 1)[1])
        elif word in ("-keep", "--keep"):
            options.keep = True
        elif word in ("--sanitize", "--profile"):
            options.diagnostic = word[2:]
        elif word == "--graded":
            options.graded = True
        elif word == "--no-check":
            options.check = False
        elif word in ("-v", "--verbose"):
            options.verbose = True
        elif word in ("-h", "--help"):
            print(help_text.strip())
            raise SystemExit(0)
        elif word in ("-w", "-s", "-static", "-rdynamic", "-pthread", "-fPIC", "-fpic", "-fPIE"):
            (
                options.compiler if word in ("-w", "-fPIC", "-fpic", "-fPIE") else options.linker
            ).append(word)
        elif word in IGNORED or ("=" in word and word.split("=", 1)[0] in IGNORED_WITH_VALUE):
            pass
        elif word in IGNORED_WITH_VALUE:
            value(word)
        elif re.match(r"-(W(?!l,)|f|m|pedantic)", word):
            options.compiler.append(word)
        elif word.startswith("-Wl,"):
            options.linker.append(word)
        elif word.startswith("-"):
            raise Failure(f"cudacc: the option {word} is not known")
        else:
            options.inputs.append(Path(word))
    return options


def standard(name: str) -> str:
    """The translated code and the headers are C++17: code for an older one stays valid."""
    older = re.fullmatch(r"(c|gnu)\+\+(98|03|0x|11|1y|14)", name)
    return "-std=" + (f"{older[1]}++17" if older else name)


def is_clang(options: Options) -> bool:
    return "clang" in Path(options.cxx).name


def add_library(options: Options, word: str) -> None:
    if word.startswith("-l") and word[2:] in CUDA_LIBRARIES:
        return
    options.linker.append(word)


def read_architecture(options: Options, word: str, rest: list[str]) -> bool:
    """-arch=sm_80, -gencode arch=compute_80,code=sm_80 and their other spellings."""
    match = re.fullmatch(
        r"(-arch|--gpu-architecture|-gencode|--generate-code|-code|--gpu-code)(=.*)?", word
    )
    if not match:
        return False
    text = match[2] or (rest.pop(0) if rest else "")
    number = re.search(r"(?:compute|sm|lto)_(\d+)", text)
    if number and "code" not in match[1].split("-")[-1]:
        options.architecture = int(number[1]) * 10
    return True


def read_pass_through(options: Options, word: str, rest: list[str]) -> bool:
    """-Xcompiler -Wall,-O3 and --compiler-options=...: for the host compiler; -Xlinker likewise."""
    match = re.fullmatch(
        r"(-Xcompiler|--compiler-options|-Xlinker|--linker-options)(?:=(.*))?", word
    )
    if not match:
        return False
    text = match[2] if match[2] is not None else (rest.pop(0) if rest else "")
    words = [w.strip("\"'") for w in re.split(r"[,\s]+", text) if w]
    if "inker" in match[1]:
        options.linker += [f"-Wl,{w}" for w in words]
        return True
    for w in words:
        if re.fullmatch(r"-O[0-3sg]", w):
            options.optimise = w
        elif w[:2] in ("-D", "-U", "-I"):
            options.preprocessor.append(w)
        else:
            options.compiler.append(w)
    return True


def dependency_path(target: Path, options: Options) -> Path:
    return options.dependency_file or (options.output or target).with_suffix(".d")
