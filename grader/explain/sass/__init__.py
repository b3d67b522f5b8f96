"""`make sass-<name>`: what the compiler made of each kernel, beside the source.

disassembly.py  reads nvdisasm's listing and nvcc's PTX
memory.py       what an instruction moves: its space and bytes a lane
collect.py      compiles, disassembles, puts both beside the source
terminal.py     shows the result; the page is grader/report/templates/sass.html.j2
"""
