#include "profile/trace/places.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "memory/arena.h"
#include "memory/variables.h"

namespace cudacpu::profile {
namespace {

// The program's variables in device memory, by address.
struct Variable {
  uintptr_t address;
  size_t bytes;
  uint64_t place;
  Space space;
};
std::vector<Variable> variables;
constexpr size_t kVariableAlignment = 256;

}  // namespace

AddressRange arena_addresses() {
  const char* base;
  size_t bytes;
  arena_range(&base, &bytes);
  return {reinterpret_cast<uintptr_t>(base), bytes};
}

AddressRange place_variables() {
  variables.clear();
  for (const DeviceVariable* v = device_variables(); v; v = v->next) {
    const bool constant = strcmp(v->kind, "__constant__") == 0;
    variables.push_back({reinterpret_cast<uintptr_t>(v->address), v->bytes, 0,
                         constant ? Space::kConstant : Space::kGlobal});
  }
  if (variables.empty()) return {};
  std::sort(variables.begin(), variables.end(),
            [](const Variable& a, const Variable& b) { return a.address < b.address; });
  uint64_t place = kVariables;
  for (Variable& variable : variables) {
    variable.place = place;
    place += (variable.bytes + kVariableAlignment - 1) / kVariableAlignment * kVariableAlignment;
  }
  const uintptr_t first = variables.front().address;
  return {first, variables.back().address + variables.back().bytes - first};
}

bool locate_variable(uintptr_t address, Space* space, uint64_t* place) {
  auto after = std::upper_bound(variables.begin(), variables.end(), address,
                                [](uintptr_t a, const Variable& v) { return a < v.address; });
  if (after == variables.begin()) return false;
  const Variable& variable = *--after;
  if (address >= variable.address + variable.bytes) return false;
  *space = variable.space;
  *place = variable.place + (address - variable.address);
  return true;
}

uint64_t allocation_base(uint64_t place) {
  if (place >= kRegistered) return kRegistered;
  if (place >= kVariables) {
    auto after = std::upper_bound(variables.begin(), variables.end(), place,
                                  [](uint64_t p, const Variable& v) { return p < v.place; });
    return after == variables.begin() ? place : (--after)->place;
  }
  const auto* begin = reinterpret_cast<const char*>(arena_addresses().begin);
  Allocation found;
  if (!find_allocation(begin + place, &found)) return 0;
  return static_cast<uint64_t>(found.base - begin);
}

}  // namespace cudacpu::profile
