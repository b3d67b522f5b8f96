"""Inline assembly in CUDA code: PTX, which becomes C++ or is refused.

instructions.py   the instructions that are known, and what each of them becomes
mbarriers.py      the same for mbarriers and bulk copies
statements.py     an asm statement: its operands, registers, labels and instructions
"""
