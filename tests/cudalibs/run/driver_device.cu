// The driver API: the device, its attributes, memory and the ranges of allocations.
// expect: done
#include <cuda.h>

#include "../../cpudevice/run/check.h"

void check_driver_attributes(CUdevice device) {
  int value, major, minor;
  CHECK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, device) == CUDA_SUCCESS &&
        value != CU_COMPUTEMODE_PROHIBITED);
  CHECK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS,
                             device) == CUDA_SUCCESS &&
        value == 2048);
  CHECK(cuDeviceComputeCapability(&major, &minor, device) == CUDA_SUCCESS);
  CHECK(major == 8 && minor == 0);
  CHECK(cuDeviceCanAccessPeer(&value, device, device) == CUDA_SUCCESS && value == 0);
}

void check_address_range() {
  CUdeviceptr memory, base;
  size_t bytes;
  CHECK(cuMemAlloc(&memory, 100) == CUDA_SUCCESS);
  CHECK(cuMemGetAddressRange(&base, &bytes, memory + 50) == CUDA_SUCCESS);
  CHECK(base == memory && bytes == 100);
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);
  CHECK(cuMemGetAddressRange(&base, &bytes, memory) == CUDA_ERROR_NOT_FOUND);
}

int main() {
  char name[64];
  CUdevice device;
  CUdeviceptr memory;
  int value, back = 0;
  const int seven = 7;
  CHECK(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS);
  CHECK(cuDeviceGetName(name, sizeof(name), device) == CUDA_SUCCESS && name[0] == 'C');
  CHECK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device) == CUDA_SUCCESS &&
        value == 32);
  CHECK(cuMemAlloc(&memory, 4) == CUDA_SUCCESS && cuMemcpyHtoD(memory, &seven, 4) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoH(&back, memory, 4) == CUDA_SUCCESS && back == 7 &&
        cuMemFree(memory) == CUDA_SUCCESS);
  check_driver_attributes(device);
  check_address_range();
  printf("done\n");
}
