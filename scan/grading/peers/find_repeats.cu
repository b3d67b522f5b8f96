// Library peers of find_repeats, each under the part's own contract.
//
//   build/gpu/scan/grading/peers/find_repeats --n 268435456 --peer cub_flagged --repeats 11
//
// All peers select from the numbers 0, 1, 2 ... those whose element equals the next element.
#include "scan.h"

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_select.cuh>

#include "cuda_check.h"
#include "peers.h"

const std::vector<std::string> kPeers = {"cub_flagged", "cub_if", "thrust_copy_if"};

namespace {

struct IsRepeat {
  const int* input;
  int n;
  __host__ __device__ bool operator()(int i) const { return i + 1 < n && input[i] == input[i + 1]; }
};

// The number that CUB leaves on the device, read back as the contract asks.
int read_back(const int* device_count) {
  int count = 0;
  CUDA_CHECK(cudaMemcpy(&count, device_count, sizeof(int), cudaMemcpyDeviceToHost));
  return count;
}

// The flags are computed when CUB reads them, and never stored.
int cub_flagged(IsRepeat is_repeat, int* output, Workspace& workspace) {
  const thrust::counting_iterator<int> indices(0);
  const auto flags = thrust::make_transform_iterator(indices, is_repeat);
  int* count = workspace.take<int>(1);
  size_t bytes = 0;
  CUDA_CHECK(
      cub::DeviceSelect::Flagged(nullptr, bytes, indices, flags, output, count, is_repeat.n));
  void* scratch = workspace.take<unsigned char>(bytes);
  CUDA_CHECK(
      cub::DeviceSelect::Flagged(scratch, bytes, indices, flags, output, count, is_repeat.n));
  return read_back(count);
}

int cub_if(IsRepeat is_repeat, int* output, Workspace& workspace) {
  const thrust::counting_iterator<int> indices(0);
  int* count = workspace.take<int>(1);
  size_t bytes = 0;
  CUDA_CHECK(cub::DeviceSelect::If(nullptr, bytes, indices, output, count, is_repeat.n, is_repeat));
  void* scratch = workspace.take<unsigned char>(bytes);
  CUDA_CHECK(cub::DeviceSelect::If(scratch, bytes, indices, output, count, is_repeat.n, is_repeat));
  return read_back(count);
}

int thrust_copy_if(IsRepeat is_repeat, int* output) {
  const thrust::counting_iterator<int> indices(0);
  const int* end =
      thrust::copy_if(thrust::device, indices, indices + is_repeat.n, output, is_repeat);
  return static_cast<int>(end - output);
}

}  // namespace

int find_repeats(const int* input, int n, int* output, Workspace& workspace) {
  if (n == 0) return 0;
  const IsRepeat is_repeat = {input, n};
  if (selected_peer() == "cub_flagged") return cub_flagged(is_repeat, output, workspace);
  if (selected_peer() == "cub_if") return cub_if(is_repeat, output, workspace);
  return thrust_copy_if(is_repeat, output);
}
