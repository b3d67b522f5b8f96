// Names and texts of errors; errors of a single call, and sticky errors until the device is reset.
// expect: done
// stderr: has no blocks
// stderr: wrote to address
#include <cstring>
#include <thread>

#include "check.h"

__global__ void write_kernel(int* p) {
  *p = 1;
}

int main() {
  CHECK(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  CHECK(strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
  CHECK(strcmp(cudaGetErrorString(cudaErrorIllegalAddress),
               "an illegal memory access was encountered") == 0);
  CHECK(strcmp(cudaGetErrorName(cudaError_t(12345)), "unrecognized error code") == 0);

  // Only the calling host thread sees the error of a failed call, until the error is cleared.
  CHECK(cudaSetDevice(5) == cudaErrorInvalidDevice);
  std::thread([] { CHECK(cudaPeekAtLastError() == cudaSuccess); }).join();
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(cudaGetLastError() == cudaSuccess);  // CHECK_OK cleared the error

  int *p, *kept;
  CHECK_OK(cudaMalloc(&kept, 4));
  write_kernel<<<0, 1>>>(kept);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess);

  CHECK_OK(cudaMalloc(&p, 4));
  CHECK_OK(cudaFree(p));
  write_kernel<<<1, 1>>>(p);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress &&
        cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaMalloc(&p, 4) == cudaErrorIllegalAddress && cudaFree(kept) == cudaErrorIllegalAddress);
  write_kernel<<<1, 1>>>(kept);
  CHECK(cudaStreamSynchronize(0) == cudaErrorIllegalAddress);

  CHECK_OK(cudaDeviceReset());
  CHECK_OK(cudaMalloc(&p, 4));
  write_kernel<<<1, 1>>>(p);
  CHECK_OK(cudaDeviceSynchronize());
  printf("done\n");
}
