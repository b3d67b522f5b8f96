// Finds the memory space of an address: __isShared and similar functions.
#include <string_view>

#include "cudacpu/device/memory_access.h"
#include "memory/variables.h"
#include "scheduler/threads/worker.h"

namespace cudacpu {
namespace {

bool within(const void* pointer, const char* base, size_t bytes) {
  return base && pointer >= base && pointer < base + bytes;
}

}  // namespace

bool is_shared(const void* pointer) {
  if (!in_kernel()) return false;
  const Block& block = *context.worker->block;
  return within(pointer, block.shared, block.shared_bytes) ||
         within(pointer, block.function_shared.get(), block.function_shared_bytes);
}

bool is_constant(const void* pointer) {
  const DeviceVariable* variable = find_variable(pointer);
  return variable && variable->kind == std::string_view("__constant__");
}

// Local variables are on the running fiber's stack.
bool is_local(const void* pointer) {
  if (!in_kernel()) return false;
  const Fiber& fiber = running_fiber();
  return within(pointer, fiber.stack_top - fiber.stack_bytes, fiber.stack_bytes);
}

// The 32-bit offset from the start of shared memory, which is what a shared-space address is on a
// GPU. The shared variables of functions lie after all shared memory that a kernel can have.
constexpr size_t kFunctionShared = size_t{1} << 24;

size_t shared_offset(const void* pointer) {
  const auto* const place = static_cast<const char*>(pointer);
  if (in_kernel()) {
    const Block& block = *context.worker->block;
    const char* const begin = block.function_shared.get();
    if (within(pointer, begin, block.function_shared_bytes))
      return kFunctionShared + static_cast<size_t>(place - begin);
  }
  return static_cast<size_t>(place - context.shared);
}

void* shared_pointer(size_t offset) {
  if (offset >= kFunctionShared && offset < 2 * kFunctionShared && in_kernel())
    return context.worker->block->function_shared.get() + (offset - kFunctionShared);
  // An address before the start is a negative number of 32 bits.
  return context.shared + static_cast<int>(offset);
}

}  // namespace cudacpu
