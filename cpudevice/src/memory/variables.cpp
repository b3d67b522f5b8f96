#include "memory/variables.h"

namespace cudacpu {
namespace {

// Constant-initialised: constructors of other files use it before main().
DeviceVariable* first_variable = nullptr;

}  // namespace

DeviceVariable::DeviceVariable(const void* address, size_t bytes, const char* name,
                               const char* kind)
    : address(address), bytes(bytes), name(name), kind(kind), next(first_variable) {
  first_variable = this;
}

const DeviceVariable* device_variables() {
  return first_variable;
}

const DeviceVariable* find_variable(const void* address) {
  for (const DeviceVariable* v = first_variable; v; v = v->next) {
    const char* base = static_cast<const char*>(v->address);
    if (address >= base && address < base + v->bytes) return v;
  }
  return nullptr;
}

}  // namespace cudacpu
