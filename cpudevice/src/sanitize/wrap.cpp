// malloc, memcpy and the like as the program calls them: cudacc links with --wrap, which turns the program's calls into
// calls of __wrap_malloc, and the C library's function is __real_malloc.
#include <cstring>

#include "sanitize/access.h"
#include "sanitize/allocations.h"
#include "scheduler.h"

using namespace cudacpu;
using namespace cudacpu::sanitize;

namespace {

// The run-time library's own calls pass through here as well.
bool kernel_calls() { return context.worker && !context.busy; }

#define SITE __builtin_return_address(0)

}  // namespace

extern "C" {

void* __real_malloc(size_t bytes);
void* __real_calloc(size_t count, size_t bytes);
void* __real_realloc(void* pointer, size_t bytes);
void __real_free(void* pointer);
void* __real_memcpy(void* to, const void* from, size_t bytes);
void* __real_memmove(void* to, const void* from, size_t bytes);
void* __real_memset(void* to, int value, size_t bytes);

void* __wrap_malloc(size_t bytes) { return kernel_calls() ? device_malloc(bytes, SITE) : __real_malloc(bytes); }

void* __wrap_calloc(size_t count, size_t bytes) { return __real_calloc(count, bytes); }

void* __wrap_realloc(void* pointer, size_t bytes) { return __real_realloc(pointer, bytes); }

void __wrap_free(void* pointer) {
  if (kernel_calls() && pointer) return device_free(pointer, SITE);
  __real_free(pointer);
}

void* __wrap_memcpy(void* to, const void* from, size_t bytes) {
  if (!context.busy) {
    access_range(from, bytes, false, SITE);
    access_range(to, bytes, true, SITE);
  }
  return __real_memcpy(to, from, bytes);
}

void* __wrap_memmove(void* to, const void* from, size_t bytes) {
  if (!context.busy) {
    access_range(from, bytes, false, SITE);
    access_range(to, bytes, true, SITE);
  }
  return __real_memmove(to, from, bytes);
}

void* __wrap_memset(void* to, int value, size_t bytes) {
  if (!context.busy) access_range(to, bytes, true, SITE);
  return __real_memset(to, value, bytes);
}

// new and delete, with and without a size, for one and for many.
void* __real__Znwm(size_t bytes);
void* __real__Znam(size_t bytes);
void __real__ZdlPv(void* pointer);
void __real__ZdaPv(void* pointer);

void* __wrap__Znwm(size_t bytes) { return kernel_calls() ? device_malloc(bytes, SITE) : __real__Znwm(bytes); }
void* __wrap__Znam(size_t bytes) { return kernel_calls() ? device_malloc(bytes, SITE) : __real__Znam(bytes); }
void __wrap__ZdlPv(void* pointer) {
  if (kernel_calls() && pointer) return device_free(pointer, SITE);
  __real__ZdlPv(pointer);
}
void __wrap__ZdaPv(void* pointer) {
  if (kernel_calls() && pointer) return device_free(pointer, SITE);
  __real__ZdaPv(pointer);
}
void __wrap__ZdlPvm(void* pointer, size_t) {
  if (kernel_calls() && pointer) return device_free(pointer, SITE);
  __real__ZdlPv(pointer);
}
void __wrap__ZdaPvm(void* pointer, size_t) {
  if (kernel_calls() && pointer) return device_free(pointer, SITE);
  __real__ZdaPv(pointer);
}

}  // extern "C"
