#include "memory/copy_box.h"

#include <cstring>
#include <functional>

#include "diagnostics/observer.h"
#include "memory/location.h"

namespace cudacpu {

thread_local CopyStream copy_stream;

namespace {

// Finds the side on which each end of a copy must be; false if `kind` is no direction.
bool sides_of(cudaMemcpyKind kind, Side* destination, Side* source) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      *destination = Side::kHost, *source = Side::kHost;
      return true;
    case cudaMemcpyHostToDevice:
      *destination = Side::kDevice, *source = Side::kHost;
      return true;
    case cudaMemcpyDeviceToHost:
      *destination = Side::kHost, *source = Side::kDevice;
      return true;
    case cudaMemcpyDeviceToDevice:
      *destination = Side::kDevice, *source = Side::kDevice;
      return true;
    case cudaMemcpyDefault:
      *destination = Side::kEither, *source = Side::kEither;
      return true;
  }
  return false;
}

void for_rows(const Box& box, const std::function<void(size_t y, size_t z)>& row) {
  for (size_t z = 0; z < box.depth; ++z) {
    for (size_t y = 0; y < box.height; ++y)
      row(y, z);
  }
}

}  // namespace

cudaError_t copy_box(void* destination, const Layout& to, const void* source, const Layout& from,
                     const Box& box, cudaMemcpyKind kind, const char* function) {
  Side destination_side, source_side;
  if (!sides_of(kind, &destination_side, &source_side)) return cudaErrorInvalidMemcpyDirection;
  if (box.empty()) return cudaSuccess;
  if (box.height > 1 && (to.pitch < box.width || from.pitch < box.width))
    return cudaErrorInvalidPitchValue;
  if (!check_range(function, "destination", destination, to.span(box), destination_side) ||
      !check_range(function, "source", source, from.span(box), source_side)) {
    return cudaErrorInvalidValue;
  }
  observe::transferring({function, destination, source, box.width, box.height, box.depth, to.pitch,
                         to.slice, from.pitch, from.slice, copy_stream.stream, copy_stream.async});
  char* out = static_cast<char*>(destination);
  const char* in = static_cast<const char*>(source);
  for_rows(box, [&](size_t y, size_t z) {
    memmove(out + z * to.slice + y * to.pitch, in + z * from.slice + y * from.pitch, box.width);
  });
  return cudaSuccess;
}

cudaError_t fill_box(void* pointer, const Layout& layout, int value, const Box& box,
                     const char* function) {
  if (box.empty()) return cudaSuccess;
  if (box.height > 1 && layout.pitch < box.width) return cudaErrorInvalidPitchValue;
  if (!check_range(function, "destination", pointer, layout.span(box), Side::kDevice))
    return cudaErrorInvalidValue;
  observe::transferring({function, pointer, nullptr, box.width, box.height, box.depth, layout.pitch,
                         layout.slice, 0, 0, copy_stream.stream, copy_stream.async});
  for_rows(box, [&](size_t y, size_t z) {
    memset(static_cast<char*>(pointer) + z * layout.slice + y * layout.pitch, value, box.width);
  });
  return cudaSuccess;
}

}  // namespace cudacpu
