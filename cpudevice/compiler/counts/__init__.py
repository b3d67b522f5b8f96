"""For --profile: the instructions of each basic block, in a GPU's terms.

In profile mode the compiler puts a call of __sanitizer_cov_trace_pc() at the head of every basic
block, so the run-time library sees which blocks a thread runs. This package counts how many
instructions a GPU would need for a block, from GCC's last dump of the program before registers
(-fdump-tree-optimized): the dump, unlike the machine code, hardly depends on the processor that the
CPU device runs on. Each module uses only the modules above:

dump.py            the compiler's dump, function by function
uninstrumented.py  calls whose results or arguments the compiler does not instrument; sanitize
                   uses this module as well
prices.py          what an operation or a call costs on a GPU
known_loops.py     the variables of a loop in each round
addresses.py       addresses that cost nothing: a load or store adds the constant
values.py          the types and the known values of a function's operands
operations.py      the instructions of a statement
branches.py        branches that wait for a loaded value
hidden_memory.py   accesses to local arrays and constant tables, which are not instrumented
chains.py          the longest chain of dependent instructions in a block
unroll.py          loops that nvcc unrolls
vectors.py         joins accesses to the components of a vector
basic_blocks.py    the instructions and the accesses of each basic block
assembly.py        writes the counts into the assembly file, where the run-time library finds them
"""
