// Library peers of bitonic_sort, each under the part's own contract, with other algorithms: no
// library has a sorting network for large arrays.
//
//   build/gpu/sort/grading/peers/bitonic_sort --n 134217728 --peer cub_radix_sort --repeats 5
//
// They order floats by <, as which -0 equals +0, and NaNs only where the bits decide; the inputs of
// the speed cases hold neither. copy moves the 16 bytes per pair of the contract once.
#include "sort.h"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "cuda_check.h"
#include "peers.h"

const std::vector<std::string> kPeers = {"cub_merge_sort", "cub_radix_sort", "copy"};

namespace {

struct Before {
  __device__ bool operator()(float a, float b) const { return a < b; }
};

void cub_merge_sort(float* keys, unsigned* indices, int n, Workspace& workspace) {
  size_t bytes = 0;
  CUDA_CHECK(cub::DeviceMergeSort::SortPairs(nullptr, bytes, keys, indices, n, Before()));
  void* scratch = workspace.take<char>(bytes);
  CUDA_CHECK(cub::DeviceMergeSort::SortPairs(scratch, bytes, keys, indices, n, Before()));
}

void cub_radix_sort(float* keys, unsigned* indices, int n, Workspace& workspace) {
  cub::DoubleBuffer<float> both_keys(keys, workspace.take<float>(n));
  cub::DoubleBuffer<unsigned> both_indices(indices, workspace.take<unsigned>(n));
  size_t bytes = 0;
  CUDA_CHECK(cub::DeviceRadixSort::SortPairs(nullptr, bytes, both_keys, both_indices, n));
  void* scratch = workspace.take<char>(bytes);
  CUDA_CHECK(cub::DeviceRadixSort::SortPairs(scratch, bytes, both_keys, both_indices, n));
  if (both_keys.Current() == keys) return;
  CUDA_CHECK(cudaMemcpyAsync(keys, both_keys.Current(), n * sizeof(float), cudaMemcpyDefault));
  CUDA_CHECK(
      cudaMemcpyAsync(indices, both_indices.Current(), n * sizeof(unsigned), cudaMemcpyDefault));
}

void copy(float* keys, unsigned* indices, int n, Workspace& workspace) {
  const size_t bytes = n * sizeof(float);
  CUDA_CHECK(cudaMemcpyAsync(workspace.take<float>(n), keys, bytes, cudaMemcpyDeviceToDevice));
  CUDA_CHECK(
      cudaMemcpyAsync(workspace.take<unsigned>(n), indices, bytes, cudaMemcpyDeviceToDevice));
}

}  // namespace

void bitonic_sort(float* keys, unsigned* indices, int n, Workspace& workspace) {
  if (selected_peer() == "cub_merge_sort") cub_merge_sort(keys, indices, n, workspace);
  if (selected_peer() == "cub_radix_sort") cub_radix_sort(keys, indices, n, workspace);
  if (selected_peer() == "copy") copy(keys, indices, n, workspace);
}
