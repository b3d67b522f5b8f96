"""The compiler driver of the CPU device, which ../cudacc runs.

Each module uses only the modules above:

options.py        the command line
tools.py          the paths of the device's files; runs a compiler or another program
flags.py          the compilers' options besides the command line's
tokens.py         the text of a .cu file as tokens
headers/          the folders of headers, and headers that are parsed once
kept.py           archives that all checkouts of a user share
library.py        the run-time library
clang_check.py    the check by Clang
ptx/              inline assembly, rewritten as C++
host_code.py      code for the host only, or for the device only
lockstep/         kernels as loops over the threads of a block
syntax/           the parts of CUDA's syntax, rewritten as C++
warp_synchronous.py  code that expects the lanes of a warp to run in step
graded.py         for --graded: no code hides or replaces code of another file
counts/           for --profile: the instructions of each basic block, in a GPU's terms
translate.py      CUDA rewritten as C++
columns.py        columns of the compiler's messages, in the student's lines
cuda.py           a .cu file, by all of the steps above
driver.py         a whole command
"""
