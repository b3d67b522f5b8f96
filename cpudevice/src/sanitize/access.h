// Checks an access of a kernel or of the host before the access happens. The entry points that the
// compiler's instrumentation calls are in access.cpp; memcpy and its kin come here too.
#pragma once

#include <cstddef>

#include "sanitize/memory/shadow.h"

namespace cudacpu::sanitize {

// An access of any length and alignment, at `site`, a return address.
void access_range(const volatile void* pointer, size_t bytes, bool write, const void* site);

// Decides whether the pending accesses of the running thread are races.
void settle_pending();
extern bool any_pending;
inline void settle() {
  if (__builtin_expect(any_pending, 0)) settle_pending();
}

}  // namespace cudacpu::sanitize
