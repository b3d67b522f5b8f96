#include "memory/variables.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace cudacpu {
namespace {

// Constant-initialised, because constructors of other files use it before main().
DeviceVariable* first_variable = nullptr;
size_t constant_bytes = 0;

// nvcc refuses such a program. Here only the loaded program shows how much all its files take.
void check_constant_memory() {
  if (constant_bytes <= kConstantLimit) return;
  fprintf(stderr,
          "CPU device: the __constant__ variables of this program take %zu bytes, and a GPU has "
          "%zu: move the largest of them to device memory\n",
          constant_bytes, kConstantLimit);
  _Exit(1);
}

}  // namespace

DeviceVariable::DeviceVariable(const void* address, size_t bytes, const char* name,
                               const char* kind)
    : address(address), bytes(bytes), name(name), kind(kind), next(first_variable) {
  first_variable = this;
  if (kind == std::string_view("__constant__")) {
    constant_bytes += bytes;
    check_constant_memory();
  }
}

// Declared in cudacpu/symbol_api.h.
void register_instance(const void* address, size_t bytes, const char* name, const char* kind) {
  // Kept as long as the variable, until the end of the program.
  if (!find_variable(address)) new DeviceVariable(address, bytes, name, kind);
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
