// The solution: four elements per thread as a vector, if the vectors of both arrays are aligned.
#include "backwards.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// One thread per output vector; n is a multiple of 4, so that the vectors of both arrays are
// aligned. The elements change order within the vector.
__global__ void backwards_vectors_kernel(const int4* input, size_t vectors, int4* output) {
  const size_t i = blockIdx.x * static_cast<size_t>(kBlockSize) + threadIdx.x;
  if (i >= vectors) return;
  const int4 vector = input[vectors - 1 - i];
  output[i] = make_int4(vector.w, vector.z, vector.y, vector.x);
}

// One thread per output element.
__global__ void backwards_kernel(const int* input, size_t n, int* output) {
  const size_t i = blockIdx.x * static_cast<size_t>(kBlockSize) + threadIdx.x;
  if (i < n) output[i] = input[n - 1 - i];
}

}  // namespace

void backwards(const int* input, int n, int* output) {
  if (n == 0) return;
  if (n % 4 == 0) {
    const int vectors = n / 4;
    backwards_vectors_kernel<<<ceil_div(vectors, kBlockSize), kBlockSize>>>(
        reinterpret_cast<const int4*>(input), vectors, reinterpret_cast<int4*>(output));
  } else {
    backwards_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(input, n, output);
  }
  CUDA_CHECK(cudaGetLastError());
}
