// From the pointers that the API takes to kernels. remember_kernel(), find_kernel(), open_query()
// and close_query() are declared in cudacpu/, where the templates call them.
#pragma once

#include "cuda_runtime_api.h"
#include "cudacpu/kernel_api.h"

namespace cudacpu {

// Returns cudaSuccess if `info` names a kernel.
cudaError_t check_kernel(const KernelInfo* info, const char* function);

// While a query is open, a call of a kernel on the OS thread only reports the kernel, and
// answer_query() returns true.
bool answer_query(KernelInfo& info);

}  // namespace cudacpu
