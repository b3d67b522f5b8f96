#include "api/kernel_lookup.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "base/error.h"

namespace cudacpu {
namespace {

__thread bool query_open;
__thread KernelInfo* query_answer;

// The kernels to which the program keeps untyped pointers.
struct KnownKernels {
  std::mutex mutex;
  std::map<const void*, KernelHandle> by_address;
};
KnownKernels& known_kernels() {
  static auto* known = new KnownKernels;
  return *known;
}

}  // namespace

cudaError_t check_kernel(const KernelInfo* info, const char* function) {
  if (info) return cudaSuccess;
  explain("%s: the pointer does not say which kernel it is; pass the kernel's name", function);
  return cudaErrorInvalidDeviceFunction;
}

void remember_kernel(const KernelHandle& kernel) {
  KnownKernels& known = known_kernels();
  std::lock_guard<std::mutex> lock(known.mutex);
  known.by_address[reinterpret_cast<const void*>(kernel.kernel)] = kernel;
}

KernelHandle find_kernel(const void* kernel) {
  KnownKernels& known = known_kernels();
  std::lock_guard<std::mutex> lock(known.mutex);
  const auto found = known.by_address.find(kernel);
  return found == known.by_address.end() ? KernelHandle{} : found->second;
}

void open_query() {
  query_open = true;
  query_answer = nullptr;
}

KernelInfo* close_query() {
  query_open = false;
  if (!query_answer) {
    fprintf(stderr,
            "CPU device: a function that is not a kernel was passed where a kernel belongs\n");
    abort();
  }
  return query_answer;
}

bool answer_query(KernelInfo& info) {
  if (query_open) query_answer = &info;
  return query_open;
}

}  // namespace cudacpu
