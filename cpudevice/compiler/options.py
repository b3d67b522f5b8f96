"""The command line: the commonly used options of nvcc and g++."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

DEFAULT_ARCHITECTURE = 800
# nvcc's long names of options, which may also be followed by = and a value.
SHORT = {
    "--compile": "-c", "--device-c": "-dc", "--device-w": "-dw", "--device-link": "-dlink",
    "--link": "-link", "--lib": "-lib", "--run": "-run", "--run-args": "-run-args",
    "--output-file": "-o", "--output-directory": "-odir", "--pre-include": "-include",
    "--library": "-l", "--library-path": "-L", "--define-macro": "-D", "--undefine-macro": "-U",
    "--include-path": "-I", "--system-include": "-isystem", "--preprocess": "-E",
    "--generate-dependencies": "-M", "--generate-nonsystem-dependencies": "-MM",
    "--generate-dependencies-with-compile": "-MD",
    "--generate-nonsystem-dependencies-with-compile": "-MMD", "--dependency-output": "-MF",
    "--generate-dependency-targets": "-MP", "--dependency-target-name": "-MT", "--x": "-x",
    "--std": "-std", "--optimize": "-O", "--debug": "-g", "--device-debug": "-G",
    "--compiler-bindir": "-ccbin", "-cxx": "-ccbin", "--shared": "-shared", "--keep": "-keep",
    "--save-temps": "-keep", "-save-temps": "-keep", "--keep-dir": "-keep-dir",
    "--use_fast_math": "-use_fast_math", "--disable-warnings": "-w", "--verbose": "-v",
    "--help": "-h", "--version": "-V", "--default-stream": "-default-stream",
    "--ptx": "-ptx", "--cubin": "-cubin", "--fatbin": "-fatbin",
    "--forward-unknown-opts": "-forward-unknown-opts",
    "--forward-unknown-to-host-compiler": "-forward-unknown-to-host-compiler",
    "--forward-unknown-to-host-linker": "-forward-unknown-to-host-linker",
    "--options-file": "-optf",
}  # fmt: skip
# Options that control how nvcc makes and shows a GPU's machine code.
IGNORED = {
    "-lineinfo", "-expt-relaxed-constexpr", "-expt-extended-lambda", "-extended-lambda",
    "-res-usage", "-m64", "-pipe", "-allow-unsupported-compiler", "-use-local-env", "-restrict",
    "-dlto", "-lto", "-gen-opt-lto", "-link", "-src-in-ptx", "-extra-device-vectorization",
    "-keep-device-functions", "-objtemp", "-no-compress", "-err-no", "-no-err-no", "-noprof",
    "-clean", "-nodlink", "-ewp", "-noeh", "-reloc-ptx", "-fdevice-syntax-only", "-jobserver",
    "-nohdinitlist", "-nohdmoveforward", "-Wdefault-stream-launch", "-Wmissing-launch-bounds",
    "-Wext-lambda-captures-this", "-Wno-deprecated-gpu-targets",
    "--generate-line-info", "--expt-relaxed-constexpr", "--expt-extended-lambda",
    "--extended-lambda", "--resource-usage", "--allow-unsupported-compiler", "--use-local-env",
    "--restrict", "--dlink-time-opt", "--m64", "--source-in-ptx", "--keep-device-functions",
    "--objdir-as-tempdir", "--display-error-number", "--no-display-error-number",
    "--dont-use-profile", "--clean-targets", "--no-device-link", "--extensible-whole-program",
    "--extra-device-vectorization", "--Wdefault-stream-launch", "--Wmissing-launch-bounds",
    "--Wext-lambda-captures-this", "--Wno-deprecated-gpu-targets", "--gen-opt-lto",
}  # fmt: skip
IGNORED_WITH_VALUE = {
    "-Xptxas", "--ptxas-options", "-Xcudafe", "-Xnvlink", "--nvlink-options", "-nvlink-options",
    "-Xarchive", "--archive-options", "-Xfatbin", "-fatbin-options", "-maxrregcount",
    "--maxrregcount", "-cudart", "--cudart", "-cudadevrt", "--cudadevrt", "-t", "--threads",
    "-diag-suppress", "--diag-suppress", "-diag-warn", "--diag-warn", "-diag-error", "--diag-error",
    "-split-compile", "--split-compile", "-split-compile-extended", "--split-compile-extended",
    "-rdc", "--relocatable-device-code", "-fmad", "--fmad", "-ftz", "--ftz", "-prec-div",
    "--prec-div", "-prec-sqrt", "--prec-sqrt", "-keep-dir", "-m", "--machine", "-opt-info",
    "--optimization-info", "-dopt", "--dopt", "-Ofc", "--Ofast-compile", "-time", "--time",
    "-brief-diag", "--brief-diagnostics", "-fdevice-time-trace", "--fdevice-time-trace", "-ldir",
    "--libdevice-directory", "-target-dir", "--target-directory", "-arbin", "--archiver-binary",
    "-static-global-template-stub", "--static-global-template-stub", "-compress-mode",
    "--compress-mode", "-jtd", "--jump-table-density",
    "-device-entity-has-hidden-visibility", "--device-entity-has-hidden-visibility",
}  # fmt: skip
# A kind follows nvcc's own -Werror; nothing follows g++'s, which only follows -Xcompiler.
WARNING_KINDS = re.compile(
    r"(all-warnings|cross-execution-space-call|reorder|default-stream-launch|missing-launch-bounds"
    r"|ext-lambda-captures-this|deprecated-declarations|,)+"
)
NO_GPU_CODE = {"-ptx", "-cubin", "-fatbin", "-optix-ir", "--optix-ir", "-ltoir", "--ltoir"}
FORWARD = {
    "-forward-unknown-opts", "-forward-unknown-to-host-compiler", "-forward-unknown-to-host-linker",
}  # fmt: skip
VERSION = """cudacc: compiles CUDA programs for the CPU, as nvcc does for a GPU
Cuda compilation tools, release 13.0, V13.0.0"""
CUDA_LIBRARIES = {
    "cudart", "cudart_static", "cuda", "cudadevrt", "curand", "curand_static", "culibos", "cublas",
    "cublas_static", "cublasLt", "cublasLt_static", "cufft", "cufft_static", "cusparse",
    "cusparse_static", "nvToolsExt", "nvtx3",
}  # fmt: skip


MODES = {
    "-c": "compile", "-dc": "compile", "-dw": "compile", "-shared": "shared", "-E": "preprocess",
    "-M": "dependencies", "-MM": "dependencies", "-lib": "archive", "-dlink": "device link",
}  # fmt: skip


class Failure(Exception):
    """Ends the compilation; the message, if any, is for the student."""


@dataclass
class Options:
    """The command line, sorted by the program that each option is for."""

    inputs: list[Path] = field(default_factory=list)
    output: Path | None = None
    mode: str = "link"  # see MODES
    run_arguments: list[str] | None = None  # -run: the arguments for the program
    folder: Path | None = None  # -odir: the folder of the output unless -o names a file
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
    preprocessed_file: Path | None = None  # where to write the preprocessed source
    keep: bool = False
    diagnostic: str = ""  # "sanitize" or "profile"
    uninstrumented: bool = False  # a file without instrumentation in the diagnostic modes
    results_apart: bool = False  # in diagnostic modes: see flags.py
    graded: bool = False
    check: bool = os.environ.get("CUDACC_CHECK", "1") != "0"
    lockstep: bool = True  # kernels may become loops over threads: see lockstep/
    verbose: bool = False
    forward_unknown: bool = False  # unknown options go to the host compiler

    @property
    def instrumented(self) -> str:
        """The diagnostic mode that instruments the file, or "" for none."""
        return "" if self.uninstrumented else self.diagnostic


def parse(arguments: list[str], help_text: str) -> Options:
    options = Options()
    words = list(arguments)

    def value(option: str) -> str:
        if not words:
            raise Failure(f"cudacc: {option} needs a value")
        return words.pop(0)

    while words:
        word = words.pop(0)
        name, equals, rest = word.partition("=")
        if name in SHORT:
            word = SHORT[name]
            words[:0] = [rest] if equals else []
        if word.startswith("@"):
            words[:0] = shlex.split(Path(word[1:]).read_text())
        elif word == "-optf":
            words[:0] = shlex.split(Path(value(word)).read_text())
        elif word == "-o":
            options.output = Path(value(word))
        elif word == "-odir":
            options.folder = Path(value(word))
        elif word in MODES:
            options.mode = MODES[word]
        elif word in NO_GPU_CODE:
            raise Failure(f"cudacc: {word} asks for GPU code, which the CPU device does not make")
        elif word == "-run":
            options.run_arguments = options.run_arguments or []
        elif word == "-run-args":
            options.run_arguments = shlex.split(value(word).replace(",", " "))
        elif word == "-x":
            options.all_cuda = value(word) == "cu"
        elif word in ("-I", "-isystem", "-D", "-U"):
            for one in value(word).split(",") if word in ("-I", "-isystem") else [value(word)]:
                options.preprocessor += [word, one]
        elif word in ("-include", "-iquote"):
            options.preprocessor += [word, value(word)]
        elif word[:2] in ("-I", "-D", "-U") or word.startswith("-isystem"):
            options.preprocessor.append(word)
        elif word in ("-L", "-l"):
            add_library(options, word + value(word))
        elif word[:2] in ("-L", "-l") and word != "-lineinfo":
            add_library(options, word)
        elif word == "-O" and re.fullmatch("[0-3]", "".join(words[:1])):
            options.optimise = f"-O{words.pop(0)}"
        elif re.fullmatch(r"-O([0-3sg]|fast)?", word):
            options.optimise = word
        elif word in ("-g", "-ggdb", "-g3"):
            options.debug = "-g"
        elif word == "-G":
            options.debug, options.optimise = "-g", "-O0"
        elif word.startswith("-std="):
            options.standard = standard(word.split("=", 1)[1])
        elif word == "-std":
            options.standard = standard(value(word))
        elif read_architecture(options, word, words):
            pass
        elif word == "-use_fast_math":
            options.preprocessor.append("-D__USE_FAST_MATH__=1")
            options.compiler.append("-freciprocal-math")
        elif read_pass_through(options, word, words):
            pass
        elif word == "-default-stream":
            if value(word) == "per-thread":
                options.preprocessor.append("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1")
        elif word == "-ccbin":
            options.cxx = value(word)
        elif word.startswith("-ccbin="):
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
        elif word == "-keep":
            options.keep = True
        elif word in ("--sanitize", "--profile"):
            options.diagnostic = word[2:]
        elif word == "--uninstrumented":
            options.uninstrumented = True
        elif word == "--graded":
            options.graded = True
        elif word == "--no-check":
            options.check = False
        elif word == "--no-lockstep":
            options.lockstep = False
        elif word == "-v":
            options.verbose = True
        elif word == "-h":
            print(help_text.strip())
            raise SystemExit(0)
        elif word == "-V":
            print(VERSION)
            raise SystemExit(0)
        elif word in FORWARD:
            options.forward_unknown = True
        elif word in ("-w", "-s", "-static", "-rdynamic", "-pthread", "-fPIC", "-fpic", "-fPIE"):
            (
                options.compiler if word in ("-w", "-fPIC", "-fpic", "-fPIE") else options.linker
            ).append(word)
        elif word in IGNORED or ("=" in word and word.split("=", 1)[0] in IGNORED_WITH_VALUE):
            pass
        elif word in IGNORED_WITH_VALUE:
            value(word)
        elif name in ("-Werror", "--Werror") and WARNING_KINDS.fullmatch(
            rest or "".join(words[:1])
        ):
            del words[: not rest]
        elif re.match(r"-(W(?!l,)|f|m|pedantic)", word):
            options.compiler.append(word)
        elif word.startswith("-Wl,"):
            options.linker.append(word)
        elif word.startswith("-") and options.forward_unknown:
            options.compiler.append(word)
        elif word.startswith("-"):
            raise Failure(f"cudacc: the option {word} is not known; -Xcompiler passes it on to g++")
        else:
            options.inputs.append(Path(word))
    return options


def standard(name: str) -> str:
    """The translated code and the headers are C++17, which also accepts older code."""
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
