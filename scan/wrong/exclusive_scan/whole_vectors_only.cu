// verdict: cpu=misaligned,bad_access,wrong gpu=wrong,cuda_error
// from: ladder/exclusive_scan/01_one_thread.cu
// Reads and writes vectors of four whatever n is and wherever the arrays begin.
#include "scan.h"

#include "cuda_check.h"

namespace {

// A single thread.
__global__ void scan_kernel(const int4* input, size_t vectors, int4* result) {
  unsigned sum = 0;
  for (size_t i = 0; i < vectors; ++i) {
    const int4 four = input[i];
    result[i] = make_int4(sum, sum + four.x, sum + four.x + four.y, sum + four.x + four.y + four.z);
    sum += four.x + four.y + four.z + four.w;
  }
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  if (n == 0) return;
  scan_kernel<<<1, 1>>>(reinterpret_cast<const int4*>(input), ceil_div(n, 4),
                        reinterpret_cast<int4*>(result));
  CUDA_CHECK(cudaGetLastError());
}
