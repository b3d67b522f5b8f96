// Stands for NVIDIA's driver, as far as grader/base/probe_gpu.py asks it: an unknown GPU.
// With OLD_DRIVER in the environment it is one that does not know all attributes.
#include <cstddef>
#include <cstdlib>
#include <cstring>

extern "C" {

int cuInit(unsigned) {
  return 0;
}

int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}

int cuDeviceGetName(char* name, int length, int) {
  strncpy(name, "Mock GPU", static_cast<size_t>(length));
  return 0;
}

int cuDeviceGetUuid(unsigned char* identity, int) {
  memset(identity, 7, 16);
  return 0;
}

int cuDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int kInvalidValue = 1;
  switch (attribute) {
    case 38:
      *value = 4 << 20;
      return 0;  // L2 cache
    case 39:
      *value = 1536;
      return 0;  // threads per multiprocessor
    case 75:
      *value = 8;
      return 0;  // compute capability, major
    case 76:
      *value = 9;
      return 0;  // and minor
    case 81:
      *value = 100 << 10;
      return 0;  // shared memory per multiprocessor
    case 82:
      *value = 64 << 10;
      return 0;  // registers per multiprocessor
    case 106:
      *value = 24;
      return 0;  // blocks per multiprocessor
    case 111:    // shared memory reserved per block
      *value = 1024;
      return getenv("OLD_DRIVER") ? kInvalidValue : 0;
    default:
      return kInvalidValue;
  }
}

int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = nullptr;
  return 0;
}

int cuCtxSetCurrent(void*) {
  return 0;
}

int cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  *free_bytes = *total_bytes = size_t{1} << 33;
  return 0;
}

}  // extern "C"
