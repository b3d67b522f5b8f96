"""The compiler driver of the CPU device: what ../cudacc runs.

Each module uses only those above it:

options.py        the command line
files.py          where the device's files lie, and what is made of them once
flags.py          what compilers are told beside what stands on the command line
tools.py          a compiler or another program, run
library.py        the run-time library
precompiled.py    the headers that every .cu file begins with, parsed once
tokens.py         the text of a .cu file in pieces
clang_check.py    the check by Clang
ptx.py            the inline assembly that is known
translate.py      CUDA rewritten as C++
graded.py         for --graded: nothing hides, and nothing takes another's place
vectors.py        for --profile: accesses to the components of a vector, joined
basic_blocks.py   for --profile: what each basic block holds
cuda.py           a .cu file, by all of these steps
driver.py         a whole command
"""
