// Library peers of exclusive_scan, each under the part's own contract.
//
//   build/gpu/scan/grading/peers/exclusive_scan --n 268435456 --peer cub_exclusive_sum --repeats 21
//
// copy moves the bytes of the contract and does nothing else.
#include "scan.h"

#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <cub/device/device_scan.cuh>

#include "cuda_check.h"
#include "peers.h"

const std::vector<std::string> kPeers = {"cub_exclusive_sum", "thrust_exclusive_scan", "copy"};

namespace {

// Scratch comes from the workspace: the allocation is not timed.
void cub_exclusive_sum(const int* input, int n, int* result, Workspace& workspace) {
  size_t bytes = 0;
  CUDA_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, bytes, input, result, n));
  void* scratch = workspace.take<unsigned char>(bytes);
  CUDA_CHECK(cub::DeviceScan::ExclusiveSum(scratch, bytes, input, result, n));
}

// Thrust allocates its own scratch.
void thrust_exclusive_scan(const int* input, int n, int* result) {
  thrust::exclusive_scan(thrust::cuda::par_nosync, input, input + n, result);
}

}  // namespace

void exclusive_scan(const int* input, int n, int* result, Workspace& workspace) {
  if (n == 0) return;
  const std::string& peer = selected_peer();
  if (peer == "cub_exclusive_sum") cub_exclusive_sum(input, n, result, workspace);
  if (peer == "thrust_exclusive_scan") thrust_exclusive_scan(input, n, result);
  if (peer == "copy") {
    CUDA_CHECK(cudaMemcpyAsync(result, input, n * sizeof(int), cudaMemcpyDeviceToDevice));
  }
}
