#include "sanitize/memory/program_memory.h"

#include <algorithm>
#include <vector>

#include "memory/read_only_image.h"
#include "memory/variables.h"

namespace cudacpu::sanitize {

uintptr_t variables_begin, variables_end;

namespace {

std::vector<VariableRegion>& variables() {
  static auto* const list = new std::vector<VariableRegion>;
  return *list;
}

}  // namespace

VariableRegion* find_variable_region(uintptr_t address) {
  for (VariableRegion& v : variables()) {
    if (v.region.has(address)) return &v;
  }
  return nullptr;
}

void find_new_variables() {
  static const DeviceVariable* known_variables;
  if (device_variables() == known_variables) return;
  known_variables = device_variables();
  for (const DeviceVariable* v = known_variables; v; v = v->next) {
    const auto begin = reinterpret_cast<uintptr_t>(v->address);
    const auto known =
        std::find_if(variables().begin(), variables().end(),
                     [&](const VariableRegion& r) { return r.region.begin == begin; });
    if (known != variables().end()) continue;
    Region region;
    region.begin = begin / kWord * kWord;
    region.bytes = v->bytes + begin % kWord;
    region.map_shadow();
    region.set_state(begin, v->bytes, kAllValid);
    variables().push_back({region, v});
    variables_begin = variables_begin ? std::min(variables_begin, begin) : begin;
    variables_end = std::max(variables_end, begin + v->bytes);
  }
  refresh_read_only_image();
}

void refresh_address_ranges() {
  // The built-in variables: thread-local, side by side.
  const uintptr_t ends[] = {
      reinterpret_cast<uintptr_t>(&threadIdx), reinterpret_cast<uintptr_t>(&blockIdx),
      reinterpret_cast<uintptr_t>(&blockDim), reinterpret_cast<uintptr_t>(&gridDim),
      reinterpret_cast<uintptr_t>(&context)};
  now.built_in = *std::min_element(std::begin(ends), std::end(ends));
  now.built_in_bytes =
      *std::max_element(std::begin(ends), std::end(ends)) + sizeof(Context) - now.built_in;
  find_new_variables();
  refresh_read_only_image();
}

}  // namespace cudacpu::sanitize
