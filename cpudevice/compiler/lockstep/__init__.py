"""Rewrites kernels so that a block runs as loops over its threads between the barriers.

    int i = threadIdx.x;              PerThread<int> i_;
    tile[i] = x[i];                   each_thread([&] { int i = ...; tile[i] = x[i]; i_.keep(i); });
    __syncthreads();
    for (int s = 1; s < n; s *= 2) {  for (int s = 1; s < n; s *= 2) {
      y[i] += tile[i ^ s];              each_thread([&] { auto& i = i_[t]; y[i] += tile[i ^ s]; });
      __syncthreads();
    }                                 }

Such a barrier costs nothing, and the compiler sees ordinary loops. All barriers must stand in the
kernel's own body, and all threads of a block must take the same path to them. So the conditions on
that path must be uniform: computed from the arguments, constants and the block's index alone
(uniform.py). A uniform variable exists once for the block, outside the loops over the threads. Any
other variable that is used on both sides of a barrier becomes an array, which holds its value only.
A thread that returns before a barrier, or does not enter an `if` with the last barriers, is left
out of the loops from there on. An argument that each thread changes becomes an array as well. Three
kinds of kernels stay unchanged, and their threads run on fibers: those that call a function in
which a thread may wait (calls.py), those in which a pointer to a local variable may be used behind
a barrier (barriers.py), and those with code that statements.py does not understand.

Threads run in the same order as on fibers, with one exception: a statement that computes a uniform
variable also divides the loops. Only a program with a data race can see the difference.

A kernel without a barrier is written differently, so that its threads take turns in loops that jump
through memory: strips.py.
"""
