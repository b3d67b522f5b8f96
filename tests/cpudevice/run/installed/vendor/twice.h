// A library's header that is installed where the system's headers are.
#pragma once
__host__ __device__ __forceinline__ int vendor_twice(int x) {
  return 2 * x;
}
