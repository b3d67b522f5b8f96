// Library peers of saxpy, each under the part's own contract.
//
//   build/gpu/saxpy/grading/peers/saxpy --n 268435456 --peer cub_transform --repeats 21
//
// cublas_saxpy computes y += scale * x in place, so y is first copied to the result: 20 bytes per
// element instead of 12. copy moves the 12 bytes of the contract, as many in as out.
#include "saxpy.h"

#include <cublas_v2.h>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>

#include "cuda_check.h"
#include "peers.h"

const std::vector<std::string> kPeers = {"cublas_saxpy", "cub_transform", "thrust_transform",
                                         "copy"};

namespace {

struct Saxpy {
  float scale;
  __host__ __device__ float operator()(float x, float y) const { return scale * x + y; }
};

void check_cublas(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw CudaError("cuBLAS failed: %s", cublasGetStatusString(status));
  }
}

cublasHandle_t make_handle() {
  cublasHandle_t handle;
  check_cublas(cublasCreate(&handle));
  return handle;
}

void cublas_saxpy(int n, float scale, const float* x, const float* y, float* result) {
  static const cublasHandle_t handle = make_handle();
  CUDA_CHECK(cudaMemcpyAsync(result, y, n * sizeof(float), cudaMemcpyDeviceToDevice));
  check_cublas(cublasSaxpy(handle, n, &scale, x, 1, result, 1));
}

void cub_transform(int n, float scale, const float* x, const float* y, float* result) {
  CUDA_CHECK(cub::DeviceTransform::Transform(cuda::std::make_tuple(x, y), result, n, Saxpy{scale}));
}

void thrust_transform(int n, float scale, const float* x, const float* y, float* result) {
  thrust::transform(thrust::cuda::par_nosync, x, x + n, y, result, Saxpy{scale});
}

// An array and a half: 6 n bytes read, 6 n bytes written.
void copy(int n, const float* x, const float* y, float* result) {
  const size_t bytes = n * sizeof(float);
  CUDA_CHECK(cudaMemcpyAsync(result, x, bytes, cudaMemcpyDeviceToDevice));
  CUDA_CHECK(cudaMemcpyAsync(result, y, bytes / 2, cudaMemcpyDeviceToDevice));
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (selected_peer() == "cublas_saxpy") cublas_saxpy(n, scale, x, y, result);
  if (selected_peer() == "cub_transform") cub_transform(n, scale, x, y, result);
  if (selected_peer() == "thrust_transform") thrust_transform(n, scale, x, y, result);
  if (selected_peer() == "copy") copy(n, x, y, result);
}
