// Host memory that the device can reach, and the API's attributes of an address.
#include "base/call.h"
#include "memory/location.h"
#include "streams/call_in_stream.h"

using namespace cudacpu;

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int) {
  return api([&] { return register_host_memory(pointer, bytes); });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return api_after_all_work([&] { return unregister_host_memory(pointer); });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return api([&] {
    if (!attributes) return cudaErrorInvalidValue;
    void* address = const_cast<void*>(pointer);
    *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, nullptr, {}};
    const Location location = locate(pointer);
    switch (location.place) {
      case Place::kPageable:
        attributes->hostPointer = address;
        break;
      case Place::kPinned:
        *attributes = {cudaMemoryTypeHost, location.device, address, address, {}};
        break;
      case Place::kManaged:
        *attributes = {cudaMemoryTypeManaged, location.device, address, address, {}};
        break;
      case Place::kDevice:
      case Place::kVariable:
        *attributes = {cudaMemoryTypeDevice, location.device, address, nullptr, {}};
        break;
      case Place::kNowhere:
        break;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer,
                                     unsigned int flags) {
  return api([&] {
    if (!device_pointer || flags != 0) return cudaErrorInvalidValue;
    const Place place = locate(host_pointer).place;
    if (place != Place::kPinned && place != Place::kManaged) {
      explain("cudaHostGetDevicePointer: %p is neither from cudaHostAlloc nor registered",
              host_pointer);
      return cudaErrorInvalidValue;
    }
    *device_pointer = host_pointer;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer) {
  return api([&] {
    if (!flags || locate(pointer).place != Place::kPinned) return cudaErrorInvalidValue;
    *flags = cudaHostAllocMapped;  // the CPU device maps all pinned memory
    return cudaSuccess;
  });
}
