// The built-in variables and the running thread's state, a set per OS thread.
#include "cudacpu/runtime.h"

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread dim3 blockDim;
__thread dim3 gridDim;

namespace cudacpu {

__thread Context context;

}  // namespace cudacpu
