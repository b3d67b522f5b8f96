#include "memory/variables.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

namespace cudacpu {
namespace {

// Constant-initialised, because constructors of other files use the list before main().
DeviceVariable* first_variable = nullptr;
size_t constant_bytes = 0;

using HostCopy = std::unique_ptr<char[]>;
std::mutex host_copies_mutex;
std::map<const DeviceVariable*, HostCopy>& host_copies() {
  static auto* const copies = new std::map<const DeviceVariable*, HostCopy>;
  return *copies;
}

// nvcc refuses a program with more. Under cudacc only the loaded program shows how much all its
// files take.
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

// Declared in cudacpu/symbol_api.h. An address outside all variables belongs to another variable of
// the same name.
const void* host_copy_of(const volatile void* named) {
  const auto* const address = const_cast<const char*>(static_cast<const volatile char*>(named));
  const DeviceVariable* const variable = find_variable(address);
  if (!variable || variable->kind == std::string_view("__managed__")) return address;
  const std::lock_guard<std::mutex> lock(host_copies_mutex);
  HostCopy& copy = host_copies()[variable];
  if (!copy) copy = std::make_unique<char[]>(variable->bytes);
  return copy.get() + (address - static_cast<const char*>(variable->address));
}

const DeviceVariable* find_variable_on_host(const void* address) {
  const std::lock_guard<std::mutex> lock(host_copies_mutex);
  for (const auto& [variable, copy] : host_copies()) {
    if (address >= copy.get() && address < copy.get() + variable->bytes) return variable;
  }
  return nullptr;
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
