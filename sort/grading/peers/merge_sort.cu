// Library peers of merge_sort, each under the part's own contract.
//
//   build/gpu/sort/grading/peers/merge_sort --n 134217728 --peer cub_merge_sort --repeats 5
//
// Radix sorts are no merge sorts: keys are numbers for a radix sort. copy moves the 16 bytes per
// pair of the contract once.
#include "sort.h"

#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "cuda_check.h"
#include "peers.h"

const std::vector<std::string> kPeers = {"cub_merge_sort", "cub_radix_sort", "thrust_merge_sort",
                                         "copy"};

namespace {

// Thrust's scratch memory comes from the workspace, as CUB's does.
class WorkspaceAllocator {
 public:
  using value_type = char;
  explicit WorkspaceAllocator(Workspace& workspace) : workspace_(workspace) {}
  char* allocate(std::ptrdiff_t bytes) { return workspace_.take<char>(static_cast<size_t>(bytes)); }
  void deallocate(char*, size_t) {}  // the workspace is reset as a whole

 private:
  Workspace& workspace_;
};

// With a comparison of ours, Thrust does not use the radix sort.
struct Before {
  __host__ __device__ bool operator()(unsigned a, unsigned b) const { return a < b; }
};

void cub_merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  size_t bytes = 0;
  const Before before;
  CUDA_CHECK(cub::DeviceMergeSort::StableSortPairs(nullptr, bytes, keys, values, n, before));
  void* scratch = workspace.take<char>(bytes);
  CUDA_CHECK(cub::DeviceMergeSort::StableSortPairs(scratch, bytes, keys, values, n, before));
}

void cub_radix_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  cub::DoubleBuffer<unsigned> both_keys(keys, workspace.take<unsigned>(n));
  cub::DoubleBuffer<unsigned> both_values(values, workspace.take<unsigned>(n));
  size_t bytes = 0;
  CUDA_CHECK(cub::DeviceRadixSort::SortPairs(nullptr, bytes, both_keys, both_values, n));
  void* scratch = workspace.take<char>(bytes);
  CUDA_CHECK(cub::DeviceRadixSort::SortPairs(scratch, bytes, both_keys, both_values, n));
  if (both_keys.Current() == keys) return;
  CUDA_CHECK(cudaMemcpyAsync(keys, both_keys.Current(), n * sizeof(unsigned), cudaMemcpyDefault));
  CUDA_CHECK(
      cudaMemcpyAsync(values, both_values.Current(), n * sizeof(unsigned), cudaMemcpyDefault));
}

void thrust_merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  WorkspaceAllocator allocator(workspace);
  thrust::stable_sort_by_key(thrust::cuda::par_nosync(allocator), keys, keys + n, values, Before());
}

void copy(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  const size_t bytes = n * sizeof(unsigned);
  CUDA_CHECK(cudaMemcpyAsync(workspace.take<unsigned>(n), keys, bytes, cudaMemcpyDeviceToDevice));
  CUDA_CHECK(cudaMemcpyAsync(workspace.take<unsigned>(n), values, bytes, cudaMemcpyDeviceToDevice));
}

}  // namespace

void merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  if (selected_peer() == "cub_merge_sort") cub_merge_sort(keys, values, n, workspace);
  if (selected_peer() == "cub_radix_sort") cub_radix_sort(keys, values, n, workspace);
  if (selected_peer() == "thrust_merge_sort") thrust_merge_sort(keys, values, n, workspace);
  if (selected_peer() == "copy") copy(keys, values, n, workspace);
}
