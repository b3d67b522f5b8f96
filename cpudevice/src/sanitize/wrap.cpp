// malloc, memcpy and other C library functions as the program calls them. In the program's objects
// cudacc gives these names the prefix __cudacpu_, so calls from the CPU device and from other
// libraries are not affected.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include "memory/arena.h"
#include "sanitize/access.h"
#include "sanitize/allocation_events.h"

using namespace cudacpu;
using namespace cudacpu::sanitize;

#define SITE __builtin_return_address(0)

namespace {

// False while the CPU device itself checks a kernel, perhaps through instances of templates that
// the program uses too.
bool in_thread_of_kernel() {
  return in_kernel() && !context.busy;
}

void* allocate_in_kernel(size_t bytes, const void* site) {
  return device_malloc(bytes, site);
}

// Frees memory. To free a pointer from CUDA's functions on the host is a mistake, for which the C
// library would only end the program.
template <typename OnHost>
void release_memory(void* pointer, const char* name, OnHost on_host, const void* site) {
  if (in_thread_of_kernel()) {
    if (pointer) device_free(pointer, site);
  } else if (arena.has(reinterpret_cast<uintptr_t>(pointer))) {
    host_free_of_device_memory(pointer, name);
  } else {
    on_host(pointer);
  }
}

using Deleter = void (*)(void*);
constexpr Deleter kDelete = ::operator delete;
constexpr Deleter kDeleteArray = ::operator delete[];

}  // namespace

extern "C" {

void* __cudacpu_malloc(size_t bytes) {
  return in_thread_of_kernel() ? allocate_in_kernel(bytes, SITE) : malloc(bytes);
}

void __cudacpu_free(void* pointer) {
  release_memory(pointer, "free", free, SITE);
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

int __cudacpu_memcmp(const void* a, const void* b, size_t bytes) {
  access_range(a, bytes, false, SITE);
  access_range(b, bytes, false, SITE);
  return memcmp(a, b, bytes);
}

// The functions for text that a kernel may call.
size_t __cudacpu_strlen(const char* text) {
  const size_t length = strlen(text);
  access_range(text, length + 1, false, SITE);
  return length;
}
int __cudacpu_strcmp(const char* a, const char* b) {
  const size_t length = strnlen(a, strlen(b)) + 1;
  access_range(a, length, false, SITE);
  access_range(b, length, false, SITE);
  return strcmp(a, b);
}
char* __cudacpu_strcpy(char* to, const char* from) {
  const size_t bytes = strlen(from) + 1;
  access_range(from, bytes, false, SITE);
  access_range(to, bytes, true, SITE);
  return strcpy(to, from);
}

// Mathematical functions with two results, of which a pointer takes the second.
#define TWO_RESULTS(T, f)                                 \
  T __cudacpu_modf##f(T x, T* whole) {                    \
    access_range(whole, sizeof *whole, true, SITE);       \
    return modf##f(x, whole);                             \
  }                                                       \
  T __cudacpu_frexp##f(T x, int* exponent) {              \
    access_range(exponent, sizeof *exponent, true, SITE); \
    return frexp##f(x, exponent);                         \
  }                                                       \
  T __cudacpu_remquo##f(T x, T y, int* quotient) {        \
    access_range(quotient, sizeof *quotient, true, SITE); \
    return remquo##f(x, y, quotient);                     \
  }                                                       \
  void __cudacpu_sincos##f(T x, T* sine, T* cosine) {     \
    access_range(sine, sizeof *sine, true, SITE);         \
    access_range(cosine, sizeof *cosine, true, SITE);     \
    sincos##f(x, sine, cosine);                           \
  }
TWO_RESULTS(float, f)
TWO_RESULTS(double, )
#undef TWO_RESULTS

// new and delete: for an object, for arrays, and with a known size.
void* __cudacpu__Znwm(size_t bytes) {
  return in_thread_of_kernel() ? allocate_in_kernel(bytes, SITE) : ::operator new(bytes);
}
void* __cudacpu__Znam(size_t bytes) {
  return in_thread_of_kernel() ? allocate_in_kernel(bytes, SITE) : ::operator new[](bytes);
}
void __cudacpu__ZdlPv(void* pointer) {
  release_memory(pointer, "delete", kDelete, SITE);
}
void __cudacpu__ZdaPv(void* pointer) {
  release_memory(pointer, "delete[]", kDeleteArray, SITE);
}
void __cudacpu__ZdlPvm(void* pointer, size_t) {
  release_memory(pointer, "delete", kDelete, SITE);
}
void __cudacpu__ZdaPvm(void* pointer, size_t) {
  release_memory(pointer, "delete[]", kDeleteArray, SITE);
}

}  // extern "C"
