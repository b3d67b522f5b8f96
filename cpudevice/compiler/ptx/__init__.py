"""Inline assembly in CUDA code: PTX, which becomes C++ or is refused.

Each module uses only the modules above, and no topic uses another:

types.py          the types of PTX
registers.py      the registers and operands of a statement
rules.py          how a rule says what an instruction becomes; then the rules, by topic:
integers.py       arithmetic, carries, and operations on bits
real_numbers.py   arithmetic and functions of float and double
comparisons.py    comparisons, and the choice between two values
conversions.py    moves and conversions
memory.py         loads, stores, atomics, fences, and addresses by their space
copies.py         asynchronous copies, bulk copies too
warp.py           barriers, votes, shuffles, and other work of a warp
matrices.py       loads and products of matrices
mbarriers.py      arrivals at mbarriers, and waits
instructions.py   the rules of all topics, and the instructions that only Hopper GPUs have
statements.py     an asm statement: its operands, registers, labels and instructions
"""
