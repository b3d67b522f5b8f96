"""The compiler driver of the CPU device: what ../cudacc runs.

Each module uses only those above it:

options.py        the command line
tools.py          where the device's files lie; a compiler or another program, run
flags.py          what compilers are told beside what stands on the command line
library.py        the run-time library
precompiled.py    the headers that every .cu file begins with, parsed once
tokens.py         the text of a .cu file in pieces
toolkit.py        an installed CUDA toolkit: its headers are not taken for ours
clang_check.py    the check by Clang
ptx/              inline assembly: what it becomes in C++
translate.py      CUDA rewritten as C++
graded.py         for --graded: nothing hides, and nothing takes another's place
known_loops.py    for --profile: what the variables of a loop are in each round
vectors.py        for --profile: accesses to the components of a vector, joined
basic_blocks.py   for --profile: what each basic block holds
cuda.py           a .cu file, by all of these steps
driver.py         a whole command
"""
