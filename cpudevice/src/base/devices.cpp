#include "base/devices.h"

#include <algorithm>
#include <cstdlib>

namespace cudacpu {
namespace {

thread_local int current = 0;

}  // namespace

int device_count() {
  static const int count = [] {
    const char* text = getenv("CUDACPU_DEVICES");
    return static_cast<int>(
        std::clamp(text ? strtol(text, nullptr, 10) : 1L, 1L, long{kMostDevices}));
  }();
  return count;
}

bool is_device(int device) {
  return device >= 0 && device < device_count();
}

int current_device() {
  return current;
}

void set_current_device(int device) {
  current = device;
}

}  // namespace cudacpu
