// verdict: cpu=timeout gpu=timeout
//
// Polls for an event that was never recorded in a stream with work, and mistakes its answer.
#include "saxpy.h"

#include "cuda_check.h"

void saxpy_host(int n, float, const float*, const float*, float*) {
  if (n == 0) return;
  cudaEvent_t done;
  CUDA_CHECK(cudaEventCreate(&done));
  while (cudaEventQuery(done) != cudaErrorNotReady) {
  }
}
