// The sources of the vectors' memory: on the device, pinned or managed.
#pragma once

#include <new>

#include "pointer.h"

namespace thrust {

// What the allocators have in common. `Memory::get(&pointer, bytes)` and `Memory::give(pointer)`.
template <typename T, typename Pointer, typename Memory, template <typename> class Derived>
struct basic_allocator {
  using value_type = T;
  using pointer = Pointer;
  using const_pointer = Pointer;
  using reference = decltype(*std::declval<Pointer>());
  using const_reference = reference;
  using size_type = size_t;
  using difference_type = std::ptrdiff_t;
  template <typename U>
  struct rebind {
    using other = Derived<U>;
  };

  pointer allocate(size_type n) {
    void* memory = nullptr;
    if (Memory::get(&memory, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return pointer(static_cast<T*>(memory));
  }
  void deallocate(pointer place, size_type = 0) { Memory::give(raw_pointer_cast(place)); }
  size_type max_size() const { return ~size_type{0} / sizeof(T); }
  friend bool operator==(const Derived<T>&, const Derived<T>&) { return true; }
  friend bool operator!=(const Derived<T>&, const Derived<T>&) { return false; }
};

namespace detail {
struct DeviceMemory {
  static cudaError_t get(void** memory, size_t bytes) { return cudaMalloc(memory, bytes); }
  static void give(void* memory) { cudaFree(memory); }
};
struct PinnedMemory {
  static cudaError_t get(void** memory, size_t bytes) { return cudaMallocHost(memory, bytes); }
  static void give(void* memory) { cudaFreeHost(memory); }
};
struct ManagedMemory {
  static cudaError_t get(void** memory, size_t bytes) {
    return cudaMallocManaged(memory, bytes, cudaMemAttachGlobal);
  }
  static void give(void* memory) { cudaFree(memory); }
};
}  // namespace detail

#define CUDACPU_ALLOCATOR(name, Pointer, Memory)                    \
  template <typename T>                                             \
  struct name : basic_allocator<T, Pointer, detail::Memory, name> { \
    name() = default;                                               \
    template <typename U>                                           \
    name(const name<U>&) {}                                         \
  };
CUDACPU_ALLOCATOR(device_allocator, device_ptr<T>, DeviceMemory)
CUDACPU_ALLOCATOR(device_malloc_allocator, device_ptr<T>, DeviceMemory)
CUDACPU_ALLOCATOR(device_new_allocator, device_ptr<T>, DeviceMemory)
CUDACPU_ALLOCATOR(universal_allocator, T*, ManagedMemory)
namespace cuda {
template <typename T>
using allocator = device_allocator<T>;
template <typename T>
using universal_allocator = thrust::universal_allocator<T>;
template <typename T>
using pointer = device_ptr<T>;
inline pointer<void> malloc(size_t bytes) {
  return device_malloc(bytes);
}
template <typename T>
pointer<T> malloc(size_t count) {
  return device_malloc<T>(count);
}
template <typename T>
void free(pointer<T> place) {
  device_free(place);
}
namespace experimental {
CUDACPU_ALLOCATOR(pinned_allocator, T*, PinnedMemory)
}  // namespace experimental
}  // namespace cuda
#undef CUDACPU_ALLOCATOR
namespace system {
namespace cuda {
using thrust::cuda::free;
using thrust::cuda::malloc;
using thrust::cuda::pointer;
namespace experimental {
using thrust::cuda::experimental::pinned_allocator;
}  // namespace experimental
}  // namespace cuda
}  // namespace system

}  // namespace thrust
