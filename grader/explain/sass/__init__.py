"""`make sass-<name>`: the instructions that nvcc generates for each kernel, beside the source.

disassembly.py  reads nvdisasm's listing and nvcc's PTX
memory.py       the memory space of an access, and the bytes per lane
collect.py      compiles, disassembles, and assigns PTX and SASS to the lines of the source
terminal.py     shows the result; the page is grader/report/templates/sass.html.j2
"""
