// The same contract through a library, for comparison. GPU only.
//
//   build/gpu/backwards/grading/peers --peer thrust_reverse_copy --n 67108864 --repeats 21
//
//   thrust_reverse_copy  Thrust
//   copy                 the same bytes in their order: the ceiling
#include "peers.h"

#include <thrust/execution_policy.h>
#include <thrust/reverse.h>

#include "backwards.h"
#include "cuda_check.h"

const std::vector<std::string> kPeers = {"thrust_reverse_copy", "copy"};

void backwards(const int* input, int n, int* output) {
  if (n == 0) return;
  if (selected_peer() == "copy") {
    CUDA_CHECK(cudaMemcpyAsync(output, input, n * sizeof(int), cudaMemcpyDeviceToDevice));
  } else {
    thrust::reverse_copy(thrust::cuda::par_nosync, input, input + n, output);
  }
}
