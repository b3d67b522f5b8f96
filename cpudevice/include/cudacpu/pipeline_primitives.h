// Asynchronous copies to shared memory by C functions: __pipeline_memcpy_async() and related
// functions.
#pragma once

#ifdef __CUDACC__
#include "cuda_runtime.h"

// Copies `bytes` (4, 8 or 16), with zeros in place of the last `zeros` bytes.
CUDACPU_DEVICE CUDACPU_INLINED void __pipeline_memcpy_async(void* to, const void* from,
                                                            size_t bytes, size_t zeros = 0) {
  cudacpu::start_copy(to, from, static_cast<unsigned>(bytes),
                      static_cast<unsigned>(bytes - (zeros < bytes ? zeros : bytes)));
}
CUDACPU_DEVICE inline void __pipeline_commit() {
  cudacpu::commit_copies();
}
// For all groups of copies but the last `left`.
CUDACPU_DEVICE inline void __pipeline_wait_prior(size_t left) {
  cudacpu::wait_for_copies(static_cast<unsigned>(left));
}
#endif
