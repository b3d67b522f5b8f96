// Kernels of which nvcc has something to say; compiled for ../test_registers.py.
//
// -O3 -arch=sm_90 -Xptxas -v -cubin:      optimised.ptxas
// -O0 -G -arch=sm_90 -Xptxas -v -cubin:   unoptimised.ptxas
namespace {

constexpr int kBlockSize = 128;

// Recursive twice, and so no loop.
__device__ int walk(const int* steps, int depth) {
  if (depth <= 0) return steps[0];
  return 2 * walk(steps + 1, depth - steps[depth]) + walk(steps + 2, depth - 1);
}

// More values than registers under the launch bounds.
template <typename T, bool reverse>
__global__ void __launch_bounds__(1024, 2) spill_kernel(const T* in, T* out) {
  T values[64];
#pragma unroll
  for (int i = 0; i < 64; ++i)
    values[i] = in[i * blockDim.x + threadIdx.x];
  __syncthreads();
  T sum = 0;
#pragma unroll
  for (int i = 0; i < 64; ++i)
    sum = sum * values[i] + values[reverse ? 63 - i : i * 7 % 64];
  out[threadIdx.x] = sum;
}

}  // namespace

__global__ void recurse_kernel(const int* steps, int* out) {
  out[threadIdx.x] = walk(steps + threadIdx.x, 9);
}

__global__ void shared_kernel(const int* in, int* out) {
  __shared__ int tile[kBlockSize];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[kBlockSize - 1 - threadIdx.x];
}

void instantiate(const double* in, double* out) {
  spill_kernel<double, false><<<1, kBlockSize>>>(in, out);
  spill_kernel<double, true><<<1, kBlockSize>>>(in, out);
}
