"""The parts of CUDA's syntax, each with the C++ that it becomes; translate.py walks through a file.

Each module uses only the modules above:

settings.py            for what the C++ is made
attributes.py          __device__, __forceinline__, __align__ … of functions and variables
declarators.py         where declarations end, and the names that they declare
function_templates.py  calls that need the word `template`
scopes.py              the namespaces, classes and functions around a place
launches.py            kernel<<<grid, block>>>(x)
kernel_pointers.py     kernels as values: (void*)kernel
kernel_bodies.py       what can be said of a kernel by its body
kernels.py             __global__
shared_variables.py    __shared__
device_variables.py    __device__, __constant__ and __managed__ variables
assembly.py            asm
lenient.py             what nvcc takes and g++ does not
own_names.py           built-in variables that a program defines itself
diagnostics.py         what only the diagnostic modes need
"""
