"""Rewrites kernels so that a block runs as loops over its threads between the barriers.

    int i = threadIdx.x;              PerThread<int> i_;
    tile[i] = x[i];                   each_thread([&] { int i = ...; tile[i] = x[i]; i_.keep(i); });
    __syncthreads();
    for (int s = 1; s < n; s *= 2) {  for (int s = 1; s < n; s *= 2) {
      y[i] += tile[i ^ s];              each_thread([&] { auto& i = i_[t]; y[i] += tile[i ^ s]; });
      __syncthreads();
    }                                 }

Such a barrier costs nothing, and the compiler sees ordinary loops. All barriers must stand in the
kernel's own body, and all threads of a block must take the same way to them. So what decides the
way must be uniform: computed from the arguments, constants and the block's index alone
(uniform.py). A uniform variable exists once for the block, outside of the loops over the threads.
Any other variable that is used on both sides of a barrier becomes an array. A kernel that calls
something that may wait (calls.py), or has code that statements.py does not understand, stays as it
is: its threads run on fibers.

The order in which threads run is that of fibers too, except that the threads take turns where the
block computes a uniform variable. Only a program with a data race can tell.
"""
