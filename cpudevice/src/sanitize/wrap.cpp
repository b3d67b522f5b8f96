// malloc, memcpy and the like as the program calls them: in the objects that cudacc compiles it
// gives these names the prefix __cudacpu_, so that our own calls and those of other libraries stay
// what they are.
#include <cstdlib>
#include <cstring>
#include <new>

#include "sanitize/access.h"
#include "sanitize/allocation_events.h"

using namespace cudacpu;
using namespace cudacpu::sanitize;

#define SITE __builtin_return_address(0)

namespace {

void* allocate_in_kernel(size_t bytes, const void* site) {
  return device_malloc(bytes, site);
}

void free_in_kernel(void* pointer, const void* site) {
  if (pointer) device_free(pointer, site);
}

}  // namespace

extern "C" {

void* __cudacpu_malloc(size_t bytes) {
  return in_kernel() ? allocate_in_kernel(bytes, SITE) : malloc(bytes);
}

void __cudacpu_free(void* pointer) {
  in_kernel() ? free_in_kernel(pointer, SITE) : free(pointer);
}

void* __cudacpu_memcpy(void* to, const void* from, size_t bytes) {
  access_range(from, bytes, false, SITE);
  access_range(to, bytes, true, SITE);
  return memcpy(to, from, bytes);
}

void* __cudacpu_memmove(void* to, const void* from, size_t bytes) {
  access_range(from, bytes, false, SITE);
  access_range(to, bytes, true, SITE);
  return memmove(to, from, bytes);
}

void* __cudacpu_memset(void* to, int value, size_t bytes) {
  access_range(to, bytes, true, SITE);
  return memset(to, value, bytes);
}

// new and delete: of one and of many, and of a known size.
void* __cudacpu__Znwm(size_t bytes) {
  return in_kernel() ? allocate_in_kernel(bytes, SITE) : ::operator new(bytes);
}
void* __cudacpu__Znam(size_t bytes) {
  return in_kernel() ? allocate_in_kernel(bytes, SITE) : ::operator new[](bytes);
}
void __cudacpu__ZdlPv(void* pointer) {
  in_kernel() ? free_in_kernel(pointer, SITE) : ::operator delete(pointer);
}
void __cudacpu__ZdaPv(void* pointer) {
  in_kernel() ? free_in_kernel(pointer, SITE) : ::operator delete[](pointer);
}
void __cudacpu__ZdlPvm(void* pointer, size_t) {
  in_kernel() ? free_in_kernel(pointer, SITE) : ::operator delete(pointer);
}
void __cudacpu__ZdaPvm(void* pointer, size_t) {
  in_kernel() ? free_in_kernel(pointer, SITE) : ::operator delete[](pointer);
}

}  // extern "C"
