#include "memory/location.h"

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <string_view>

#include "base/error.h"
#include "base/map_search.h"
#include "diagnostics/observer.h"
#include "memory/variables.h"

namespace cudacpu {
namespace {

std::mutex registered_mutex;

std::map<uintptr_t, size_t>& registered() {
  static auto* ranges = new std::map<uintptr_t, size_t>;
  return *ranges;
}

// Finds the registered range that holds [p, p + 1), or end().
std::map<uintptr_t, size_t>::iterator find_registered(uintptr_t p) {
  const auto range = at_or_before(registered(), p), none = registered().end();
  return range != none && p < range->first + range->second ? range : none;
}

bool on_device(Place place) {
  return place == Place::kDevice || place == Place::kManaged || place == Place::kVariable ||
         place == Place::kPinned;
}

bool on_host(Place place) {
  return place == Place::kPageable || place == Place::kManaged || place == Place::kPinned;
}

// Explains why a call is refused, and lets sanitize report it.
__attribute__((format(printf, 3, 4))) void refuse(const void* pointer, bool wrong_side,
                                                  const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  explain("%s", text);
  observe::bad_range(pointer, wrong_side, text);
}

void explain_nowhere(const char* function, const char* role, const void* pointer) {
  Allocation near;
  if (!find_allocation(pointer, &near)) {
    refuse(pointer, false, "%s: the %s %p is in no allocation", function, role, pointer);
  } else if (near.freed && pointer >= near.base && pointer < near.base + near.bytes) {
    refuse(pointer, false, "%s: the %s %p was freed (a %zu-byte %s)", function, role, pointer,
           near.bytes, near.kind);
  } else if (pointer >= near.base) {
    refuse(pointer, false, "%s: the %s %p is %zu bytes past the end of the %zu-byte %s at %p",
           function, role, pointer,
           static_cast<size_t>(static_cast<const char*>(pointer) - (near.base + near.bytes)),
           near.bytes, near.kind, static_cast<const void*>(near.base));
  } else {
    refuse(pointer, false, "%s: the %s %p is %zu bytes before the %zu-byte %s at %p", function,
           role, pointer, static_cast<size_t>(near.base - static_cast<const char*>(pointer)),
           near.bytes, near.kind, static_cast<const void*>(near.base));
  }
}

}  // namespace

Location locate(const void* pointer) {
  if (in_arena(pointer)) {
    Allocation found;
    MemoryKind kind;
    if (!find_live_allocation(pointer, &found, &kind)) return {Place::kNowhere, nullptr, 0, ""};
    const Place place = kind == MemoryKind::kPinned    ? Place::kPinned
                        : kind == MemoryKind::kManaged ? Place::kManaged
                                                       : Place::kDevice;
    return {place, found.base, found.bytes, found.kind, found.device};
  }
  if (const DeviceVariable* variable = find_variable(pointer)) {
    const bool managed = variable->kind == std::string_view("__managed__");
    return {managed ? Place::kManaged : Place::kVariable,
            static_cast<const char*>(variable->address), variable->bytes, variable->name};
  }
  std::lock_guard<std::mutex> lock(registered_mutex);
  auto range = find_registered(reinterpret_cast<uintptr_t>(pointer));
  if (range == registered().end()) return {Place::kPageable, nullptr, 0, "host memory"};
  return {Place::kPinned, reinterpret_cast<const char*>(range->first), range->second,
          "cudaHostRegister"};
}

bool check_range(const char* function, const char* role, const void* pointer, size_t bytes,
                 Side side) {
  if (bytes == 0) return true;
  if (!pointer) {
    refuse(pointer, false, "%s: the %s is a null pointer", function, role);
    return false;
  }
  const Location location = locate(pointer);
  if (location.place == Place::kNowhere) {
    explain_nowhere(function, role, pointer);
    return false;
  }
  if (side == Side::kDevice && !on_device(location.place)) {
    if (const DeviceVariable* variable = find_variable_on_host(pointer)) {
      refuse(pointer, true,
             "%s: the %s is the address that the host has of the %s variable %s: "
             "cudaMemcpyToSymbol and cudaMemcpyFromSymbol take the variable itself",
             function, role, variable->kind, variable->name);
      return false;
    }
    refuse(pointer, true, "%s: the %s %p should be device memory, but it is host memory", function,
           role, pointer);
    return false;
  }
  if (side == Side::kHost && !on_host(location.place)) {
    refuse(pointer, true, "%s: the %s %p should be host memory, but it is device memory (%s)",
           function, role, pointer, location.kind);
    return false;
  }
  // Usable memory may continue after the registered range.
  if (location.place == Place::kPageable || !location.base ||
      (location.place == Place::kPinned && !in_arena(pointer)))
    return true;
  const size_t offset = static_cast<size_t>(static_cast<const char*>(pointer) - location.base);
  if (bytes > location.bytes - offset) {
    refuse(pointer, false,
           "%s: the %s has room for %zu bytes of the %zu (%zu bytes into the %zu-byte %s at %p)",
           function, role, location.bytes - offset, bytes, offset, location.bytes, location.kind,
           static_cast<const void*>(location.base));
    return false;
  }
  return true;
}

std::vector<MemoryRange> registered_memory() {
  std::lock_guard<std::mutex> lock(registered_mutex);
  std::vector<MemoryRange> ranges;
  for (const auto& [begin, bytes] : registered())
    ranges.push_back({begin, begin + bytes});
  return ranges;
}

cudaError_t register_host_memory(void* pointer, size_t bytes) {
  if (!pointer || bytes == 0) return cudaErrorInvalidValue;
  if (locate(pointer).place != Place::kPageable) return cudaErrorHostMemoryAlreadyRegistered;
  std::lock_guard<std::mutex> lock(registered_mutex);
  const uintptr_t p = reinterpret_cast<uintptr_t>(pointer);
  auto next = registered().lower_bound(p);
  if (next != registered().end() && next->first < p + bytes)
    return cudaErrorHostMemoryAlreadyRegistered;
  registered()[p] = bytes;
  observe::registered(pointer, bytes);
  return cudaSuccess;
}

cudaError_t unregister_host_memory(void* pointer) {
  std::lock_guard<std::mutex> lock(registered_mutex);
  auto range = registered().find(reinterpret_cast<uintptr_t>(pointer));
  if (range != registered().end()) {
    observe::unregistered(pointer, range->second);
    registered().erase(range);
    return cudaSuccess;
  }
  explain("cudaHostUnregister: %p was not registered", pointer);
  return cudaErrorHostMemoryNotRegistered;
}

void unregister_all_host_memory() {
  std::lock_guard<std::mutex> lock(registered_mutex);
  registered().clear();
}

}  // namespace cudacpu
