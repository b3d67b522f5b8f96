"""`make registers-<name>`: what nvcc makes of every kernel, and how many of its warps are resident.

ptxas.py    reads nvcc's listing
collect.py  compiles, counts how the kernels are launched, puts both together
table.py    shows it
"""
