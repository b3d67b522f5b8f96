// Arrays: allocation and the copies that have functions of their own. cudaMemcpy3D is in
// api/copy.cpp.
#include "textures/array.h"

#include <algorithm>

#include "base/call.h"
#include "base/error.h"
#include "base/handles.h"
#include "diagnostics/observer.h"
#include "memory/arena.h"
#include "streams/call_in_stream.h"

using namespace cudacpu;

namespace cudacpu {
namespace {

constexpr unsigned kKnownFlags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
constexpr size_t kCubeFaces = 6;

Handles<cudaArray>& arrays() {
  static auto* handles = new Handles<cudaArray>;
  return *handles;
}

// The limits of an H200: an array of fewer dimensions may have a longer side.
bool is_extent(const cudaExtent& extent, unsigned int flags) {
  constexpr size_t kLongest = 131072, kHighest = 65536, kDeepest = 16384;
  const bool volume = extent.depth != 0 && !(flags & (cudaArrayLayered | cudaArrayCubemap));
  if (extent.width == 0 || extent.width > (volume ? kDeepest : kLongest) ||
      extent.height > (volume ? kDeepest : kHighest) || extent.depth > kDeepest)
    return false;
  if (flags & cudaArrayCubemap) {
    const bool layered = flags & cudaArrayLayered;
    return extent.width == extent.height &&
           (layered ? extent.depth % kCubeFaces == 0 : extent.depth == kCubeFaces);
  }
  if (flags & cudaArrayLayered) return extent.depth != 0;
  return extent.height != 0 || extent.depth == 0;
}

// A distance no small multiple of which is a multiple of a page.
size_t off_page(size_t bytes) {
  constexpr size_t kPage = 4096, kFew = 8, kLines = 3 * 64;
  return bytes * kFew % kPage == 0 && bytes >= kPage / kFew ? bytes + kLines : bytes;
}

cudaError_t create(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                   const cudaExtent& extent, unsigned int flags, const char* function) {
  if (!array || !channels || (flags & ~kKnownFlags) || !is_extent(extent, flags))
    return cudaErrorInvalidValue;
  const size_t element = element_bytes(*channels);
  if (element == 0) {
    explain("%s: an array's elements have 1, 2 or 4 channels of 8, 16 or 32 bits each", function);
    return cudaErrorInvalidChannelDescriptor;
  }
  cudaArray made{*channels, extent, flags, element, extent.width, 0, 0, nullptr, 0, 0};
  made.height = std::max<size_t>(extent.height, 1);
  made.depth = std::max<size_t>(extent.depth, 1);
  size_t bytes;
  if (__builtin_mul_overflow(made.width, element, &made.pitch) ||
      __builtin_mul_overflow(made.pitch = off_page(made.pitch), made.height, &made.slice) ||
      __builtin_mul_overflow(made.slice = off_page(made.slice), made.depth, &bytes))
    return cudaErrorMemoryAllocation;
  made.data = static_cast<char*>(allocate(bytes, MemoryKind::kDevice, function));
  if (!made.data) {
    explain("%s: the simulated device has no room for an array of %zu bytes", function, bytes);
    return cudaErrorMemoryAllocation;
  }
  *array = arrays().add(made);
  return cudaSuccess;
}

// The part of an array that the older functions name: bytes from `x_bytes` on, in rows from `y` on.
cudaError_t part_of_array(cudaArray_const_t array, size_t x_bytes, size_t y, size_t width,
                          size_t height, const char* function, void** start, Layout* layout) {
  if (cudaError_t error = check_array(array, function)) return error;
  const size_t unit = array->element_bytes;
  if (x_bytes % unit || width % unit) return cudaErrorInvalidValue;
  return array_box(array, {x_bytes / unit, y, 0}, {width / unit, height, 1}, function, start,
                   layout);
}

cudaError_t to_array(cudaArray_t array, size_t x_bytes, size_t y, const void* source, size_t pitch,
                     size_t width, size_t height, cudaMemcpyKind kind, const char* function) {
  void* start;
  Layout layout;
  if (cudaError_t error =
          part_of_array(array, x_bytes, y, width, height, function, &start, &layout))
    return error;
  return copy_box(start, layout, source, {pitch, 0}, {width, height, 1}, kind, function);
}

cudaError_t from_array(void* destination, size_t pitch, cudaArray_const_t array, size_t x_bytes,
                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                       const char* function) {
  void* start;
  Layout layout;
  if (cudaError_t error =
          part_of_array(array, x_bytes, y, width, height, function, &start, &layout))
    return error;
  return copy_box(destination, {pitch, 0}, start, layout, {width, height, 1}, kind, function);
}

// Returns how many of an array's first rows `bytes` bytes are. The two older functions that use
// rows_of() copy whole rows only.
cudaError_t rows_of(cudaArray_const_t array, size_t bytes, const char* function, size_t* width,
                    size_t* height) {
  if (cudaError_t error = check_array(array, function)) return error;
  *width = std::min(bytes, array->row_bytes());
  *height = bytes == 0 ? 0 : bytes / *width;
  return *width * *height == bytes ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

size_t element_bytes(const cudaChannelFormatDesc& c) {
  const int bits = c.x;
  const int count = (c.x != 0) + (c.y != 0) + (c.z != 0) + (c.w != 0);
  const int others[] = {c.y, c.z, c.w};
  for (int i = 0; i < 3; ++i) {
    if (others[i] != (i + 1 < count ? bits : 0)) return 0;
  }
  const bool known =
      c.f == cudaChannelFormatKindFloat
          ? bits == 16 || bits == 32
          : (c.f == cudaChannelFormatKindSigned || c.f == cudaChannelFormatKindUnsigned) &&
                (bits == 8 || bits == 16 || bits == 32);
  if (!known || count == 3) return 0;
  return static_cast<size_t>(bits / 8 * count);
}

cudaError_t check_array(cudaArray_const_t array, const char* function) {
  if (arrays().has(array)) return cudaSuccess;
  explain("%s: there is no such array (not created, or freed)", function);
  return cudaErrorInvalidResourceHandle;
}

size_t array_element_bytes(cudaArray_const_t array) {
  return array ? array->element_bytes : 1;
}

cudaError_t array_box(cudaArray_const_t array, const cudaPos& position, const cudaExtent& elements,
                      const char* function, void** start, Layout* layout) {
  if (cudaError_t error = check_array(array, function)) return error;
  const auto inside = [](size_t from, size_t count, size_t size) {
    return from <= size && count <= size - from;
  };
  if (!inside(position.x, elements.width, array->width) ||
      !inside(position.y, elements.height, array->height) ||
      !inside(position.z, elements.depth, array->depth)) {
    explain(
        "%s: %zu x %zu x %zu elements from (%zu, %zu, %zu) on are not in an array of "
        "%zu x %zu x %zu",
        function, elements.width, elements.height, elements.depth, position.x, position.y,
        position.z, array->width, array->height, array->depth);
    return cudaErrorInvalidValue;
  }
  *layout = {array->pitch, array->slice};
  *start = array->data + position.z * layout->slice + position.y * layout->pitch +
           position.x * array->element_bytes;
  return cudaSuccess;
}

void forget_all_arrays() {
  arrays().remove_all();
}

}  // namespace cudacpu

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, size_t width,
                            size_t height, unsigned int flags) {
  return api([&] {
    if (flags & (cudaArrayLayered | cudaArrayCubemap)) return cudaErrorInvalidValue;
    return create(array, channels, {width, height, 0}, flags, "cudaMallocArray");
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                              cudaExtent extent, unsigned int flags) {
  return api([&] { return create(array, channels, extent, flags, "cudaMalloc3DArray"); });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return api_after_all_work([&] {
    if (!array) return cudaSuccess;
    if (cudaError_t error = check_array(array, "cudaFreeArray")) {
      observe::bad_free(array, true, "cudaFreeArray");
      return error;
    }
    const cudaError_t error = release(array->data, false, "cudaFreeArray");
    arrays().remove(array);
    return error;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent,
                             unsigned int* flags, cudaArray_t array) {
  return api([&] {
    if (cudaError_t error = check_array(array, "cudaArrayGetInfo")) return error;
    if (channels) *channels = array->channels;
    if (extent) *extent = array->extent;
    if (flags) *flags = array->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_const_t array) {
  return api([&] {
    if (cudaError_t error = check_array(array, "cudaGetChannelDesc")) return error;
    if (!channels) return cudaErrorInvalidValue;
    *channels = array->channels;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyToArray(cudaArray_t destination, size_t x_bytes, size_t y, const void* source,
                              size_t bytes, cudaMemcpyKind kind) {
  return api_in_default_stream([&] {
    size_t width, height;
    if (cudaError_t error = rows_of(destination, bytes, "cudaMemcpyToArray", &width, &height))
      return error;
    return to_array(destination, x_bytes, y, source, width, width, height, kind,
                    "cudaMemcpyToArray");
  });
}

cudaError_t cudaMemcpyFromArray(void* destination, cudaArray_const_t source, size_t x_bytes,
                                size_t y, size_t bytes, cudaMemcpyKind kind) {
  return api_in_default_stream([&] {
    size_t width, height;
    if (cudaError_t error = rows_of(source, bytes, "cudaMemcpyFromArray", &width, &height))
      return error;
    return from_array(destination, width, source, x_bytes, y, width, height, kind,
                      "cudaMemcpyFromArray");
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t destination, size_t x_bytes, size_t y,
                                const void* source, size_t pitch, size_t width, size_t height,
                                cudaMemcpyKind kind) {
  return api_in_default_stream([&] {
    return to_array(destination, x_bytes, y, source, pitch, width, height, kind,
                    "cudaMemcpy2DToArray");
  });
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t destination, size_t x_bytes, size_t y,
                                     const void* source, size_t pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return api_in_stream(stream, "cudaMemcpy2DToArrayAsync", [=](const char* name) {
    return to_array(destination, x_bytes, y, source, pitch, width, height, kind, name);
  });
}

cudaError_t cudaMemcpy2DFromArray(void* destination, size_t pitch, cudaArray_const_t source,
                                  size_t x_bytes, size_t y, size_t width, size_t height,
                                  cudaMemcpyKind kind) {
  return api_in_default_stream([&] {
    return from_array(destination, pitch, source, x_bytes, y, width, height, kind,
                      "cudaMemcpy2DFromArray");
  });
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* destination, size_t pitch, cudaArray_const_t source,
                                       size_t x_bytes, size_t y, size_t width, size_t height,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
  return api_in_stream(stream, "cudaMemcpy2DFromArrayAsync", [=](const char* name) {
    return from_array(destination, pitch, source, x_bytes, y, width, height, kind, name);
  });
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t destination, size_t destination_x_bytes,
                                     size_t destination_y, cudaArray_const_t source,
                                     size_t source_x_bytes, size_t source_y, size_t width,
                                     size_t height, cudaMemcpyKind kind) {
  return api_in_default_stream([&] {
    const char* name = "cudaMemcpy2DArrayToArray";
    void *to_start, *from_start;
    Layout to, from;
    if (cudaError_t error = part_of_array(destination, destination_x_bytes, destination_y, width,
                                          height, name, &to_start, &to))
      return error;
    if (cudaError_t error = part_of_array(source, source_x_bytes, source_y, width, height, name,
                                          &from_start, &from))
      return error;
    return copy_box(to_start, to, from_start, from, {width, height, 1}, kind, name);
  });
}
