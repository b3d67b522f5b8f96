// NVIDIA's own occupancy arithmetic, for test_occupancy.py: a question a line on standard input,
// the resident blocks of a multiprocessor a line on standard output.
//
//   architecture threads blocks registers shared reserved   of the multiprocessor
//   block_threads block_registers block_shared              of the kernel
#include <cstddef>
#include <cstdio>

#include "cuda_occupancy.h"

int main() {
  int architecture, threads, blocks, registers, block_threads, block_registers;
  size_t shared, reserved, block_shared;
  while (scanf("%d %d %d %d %zu %zu %d %d %zu", &architecture, &threads, &blocks, &registers,
               &shared, &reserved, &block_threads, &block_registers, &block_shared) == 9) {
    cudaOccDeviceProp device;
    device.computeMajor = architecture / 10;
    device.computeMinor = architecture % 10;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = threads;
    device.regsPerBlock = device.regsPerMultiprocessor = registers;
    device.warpSize = 32;
    device.sharedMemPerBlock = 48 * 1024;
    device.sharedMemPerMultiprocessor = shared;
    device.sharedMemPerBlockOptin = shared - reserved;
    device.reservedSharedMemPerBlock = reserved;
    device.numSms = 1;

    cudaOccFuncAttributes function;
    function.maxThreadsPerBlock = 1024;
    function.numRegs = block_registers;
    function.sharedSizeBytes = 0;
    function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    function.maxDynamicSharedSizeBytes = block_shared;
    function.numBlockBarriers = 1;

    cudaOccDeviceState state;
    cudaOccResult result;
    const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
        &result, &device, &function, &state, block_threads, block_shared);
    if (error != CUDA_OCC_SUCCESS) return 1;
    // The most blocks of a multiprocessor is a number that the arithmetic knows without a query.
    int known_blocks = 0;
    cudaOccMaxBlocksPerMultiprocessor(&known_blocks, &device);
    if (known_blocks != blocks) return 2;
    printf("%d %d\n", result.activeBlocksPerMultiprocessor, result.limitingFactors);
  }
  return 0;
}
