// Wrong uses of mbarriers and bulk copies.
// flags: -arch=sm_90
// expect: cudaErrorLaunchFailure
// expect: cudaErrorLaunchFailure
// expect: cudaErrorMisalignedAddress
// stderr: kernel not_initialised, block (0,0,0), thread (0,0,0), tests/cpudevice/fault/mbarriers.cu:@a: uses an mbarrier that was not initialised
// stderr: kernel arrives_too_often, block (0,0,0), thread (0,0,0), tests/cpudevice/fault/mbarriers.cu:@b: arrives at an mbarrier more often than its phase expects
// stderr: kernel misaligned, block (0,0,0), thread (0,0,0), tests/cpudevice/fault/mbarriers.cu:@c: starts a bulk copy whose address or size is not a multiple of 16
#include <cstdint>
#include <cstdio>

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__global__ void not_initialised() {
  __shared__ uint64_t barrier;
  barrier = 0;
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(&barrier)));  // @a
}

__global__ void arrives_too_often() {
  __shared__ uint64_t barrier;
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&barrier)));
  asm volatile("mbarrier.arrive.shared.b64 _, [%0], 2;" ::"r"(shared_address(&barrier)));  // @b
}

__global__ void misaligned(const int* in) {
  __shared__ uint64_t barrier;
  __shared__ __align__(16) int tile[8];
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&barrier)));
  asm volatile(  // @c
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" ::
          "r"(shared_address(tile)),
      "l"(in + 1), "r"(shared_address(&barrier))
      : "memory");
}

int main() {
  int* in;
  for (int kind = 0; kind < 3; ++kind) {
    cudaMallocManaged(&in, 64);
    if (kind == 0) not_initialised<<<1, 1>>>();
    if (kind == 1) arrives_too_often<<<1, 1>>>();
    if (kind == 2) misaligned<<<1, 1>>>(in);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
  }
}
