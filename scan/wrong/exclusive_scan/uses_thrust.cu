// verdict: =forbidden
// from: scan.h
// Lets a library do it.
#include "scan.h"

#include <thrust/execution_policy.h>
#include <thrust/scan.h>

void exclusive_scan(const int* input, int n, int* result, Workspace&) {
  thrust::exclusive_scan(thrust::device, input, input + n, result);
}
