#include "api/allocate_to.h"

#include "base/error.h"

namespace cudacpu {

cudaError_t allocate_to(void** pointer, size_t bytes, MemoryKind kind, const char* function) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  *pointer = allocate(bytes, kind, function);
  if (*pointer) return cudaSuccess;
  const size_t total = total_memory(), used = memory_in_use();
  if (bytes > total - used) {
    explain("%s of %zu bytes: the simulated device has %zu bytes, of which %zu are in use",
            function, bytes, total, used);
  } else {
    explain(
        "%s of %zu bytes: the system has no more memory for this process (a limit set with "
        "ulimit?)",
        function, bytes);
  }
  return cudaErrorMemoryAllocation;
}

}  // namespace cudacpu
