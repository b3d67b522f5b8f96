// Copies and fills, between memory, arrays and variables.
#include <algorithm>

#include "base/call.h"
#include "base/devices.h"
#include "memory/copy_box.h"
#include "memory/location.h"
#include "memory/variables.h"
#include "streams/call_in_stream.h"
#include "textures/array.h"

using namespace cudacpu;

namespace {

cudaError_t copy(void* destination, const void* source, size_t bytes, cudaMemcpyKind kind,
                 const char* function) {
  return copy_box(destination, {bytes, bytes}, source, {bytes, bytes}, {bytes, 1, 1}, kind,
                  function);
}

cudaError_t copy_rows(void* destination, size_t destination_pitch, const void* source,
                      size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                      const char* function) {
  return copy_box(destination, {destination_pitch, 0}, source, {source_pitch, 0},
                  {width, height, 1}, kind, function);
}

// A copy from or to pageable memory is done when the call returns, as on a GPU.
cudaError_t wait_if_pageable(cudaStream_t stream, const void* destination, const void* source) {
  const Ticket before = pending_before(stream);
  const auto is_pageable = [](const void* end) { return locate(end).place == Place::kPageable; };
  if (!before || (!is_pageable(destination) && !is_pageable(source))) return cudaSuccess;
  return wait_for(before);
}

// One side of cudaMemcpy3D: an array, which is measured in elements, or pitched memory, which is
// measured in bytes.
struct VolumeSide {
  void* start;
  Layout layout;
};

cudaError_t volume_side(cudaArray_t array, const cudaPitchedPtr& pointer, const cudaPos& position,
                        const cudaExtent& elements, const char* function, VolumeSide* side) {
  if (array) return array_box(array, position, elements, function, &side->start, &side->layout);
  side->layout = {pointer.pitch, pointer.pitch * pointer.ysize};
  side->start = static_cast<char*>(pointer.ptr) + position.z * side->layout.slice +
                position.y * side->layout.pitch + position.x;
  return cudaSuccess;
}

cudaError_t copy_volume(const cudaMemcpy3DParms* p, const char* function) {
  if (!p || (p->srcArray && p->srcPtr.ptr) || (p->dstArray && p->dstPtr.ptr))
    return cudaErrorInvalidValue;
  VolumeSide to, from;
  if (cudaError_t error = volume_side(p->dstArray, p->dstPtr, p->dstPos, p->extent, function, &to))
    return error;
  if (cudaError_t error =
          volume_side(p->srcArray, p->srcPtr, p->srcPos, p->extent, function, &from))
    return error;
  const size_t unit = array_element_bytes(p->srcArray ? p->srcArray : p->dstArray);
  if (p->srcArray && p->dstArray && array_element_bytes(p->dstArray) != unit)
    return cudaErrorInvalidValue;
  return copy_box(to.start, to.layout, from.start, from.layout,
                  {p->extent.width * unit, p->extent.height, p->extent.depth}, p->kind, function);
}

cudaError_t fill_volume(const cudaPitchedPtr& pointer, int value, const cudaExtent& extent,
                        const char* function) {
  return fill_box(pointer.ptr, {pointer.pitch, pointer.pitch * pointer.ysize}, value,
                  {extent.width, extent.height, extent.depth}, function);
}

// Finds the bytes of the variable that a symbol function names, or returns an error.
cudaError_t part_of_symbol(const void* symbol, size_t bytes, size_t offset, const char* function,
                           char** part) {
  const DeviceVariable* variable = find_variable(symbol);
  if (!variable || variable->address != symbol) {
    explain("%s: %p is not a __device__, __constant__ or __managed__ variable", function, symbol);
    return cudaErrorInvalidSymbol;
  }
  if (offset > variable->bytes || bytes > variable->bytes - offset) {
    explain("%s: %zu bytes at offset %zu are more than the %zu bytes of %s", function, bytes,
            offset, variable->bytes, variable->name);
    return cudaErrorInvalidValue;
  }
  *part = static_cast<char*>(const_cast<void*>(symbol)) + offset;
  return cudaSuccess;
}

cudaError_t copy_to_symbol(const void* symbol, const void* source, size_t bytes, size_t offset,
                           cudaMemcpyKind kind, const char* function) {
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
    return cudaErrorInvalidMemcpyDirection;
  char* part;
  if (cudaError_t error = part_of_symbol(symbol, bytes, offset, function, &part)) return error;
  return copy(part, source, bytes, kind, function);
}

cudaError_t copy_from_symbol(void* destination, const void* symbol, size_t bytes, size_t offset,
                             cudaMemcpyKind kind, const char* function) {
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
    return cudaErrorInvalidMemcpyDirection;
  char* part;
  if (cudaError_t error = part_of_symbol(symbol, bytes, offset, function, &part)) return error;
  return copy(destination, part, bytes, kind, function);
}

}  // namespace

cudaError_t cudaMemcpy(void* destination, const void* source, size_t bytes, cudaMemcpyKind kind) {
  return api_in_default_stream(
      [&] { return copy(destination, source, bytes, kind, "cudaMemcpy"); });
}

cudaError_t cudaMemcpyAsync(void* destination, const void* source, size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  if (cudaError_t error = wait_if_pageable(stream, destination, source)) return error;
  return api_in_stream(stream, "cudaMemcpyAsync", [=](const char* name) {
    return copy(destination, source, bytes, kind, name);
  });
}

cudaError_t cudaMemcpy2D(void* destination, size_t destination_pitch, const void* source,
                         size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return api_in_default_stream([&] {
    return copy_rows(destination, destination_pitch, source, source_pitch, width, height, kind,
                     "cudaMemcpy2D");
  });
}

cudaError_t cudaMemcpy2DAsync(void* destination, size_t destination_pitch, const void* source,
                              size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  if (cudaError_t error = wait_if_pageable(stream, destination, source)) return error;
  return api_in_stream(stream, "cudaMemcpy2DAsync", [=](const char* name) {
    return copy_rows(destination, destination_pitch, source, source_pitch, width, height, kind,
                     name);
  });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return api_in_default_stream([&] { return copy_volume(parameters, "cudaMemcpy3D"); });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  if (!parameters) return api([] { return cudaErrorInvalidValue; });
  const cudaMemcpy3DParms copy = *parameters;
  return api_in_stream(stream, "cudaMemcpy3DAsync",
                       [=](const char* name) { return copy_volume(&copy, name); });
}

cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
                           int source_device, size_t bytes) {
  return api_in_default_stream([&] {
    if (!is_device(destination_device) || !is_device(source_device)) return cudaErrorInvalidDevice;
    return copy(destination, source, bytes, cudaMemcpyDeviceToDevice, "cudaMemcpyPeer");
  });
}

cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
                                int source_device, size_t bytes, cudaStream_t stream) {
  return api_in_stream(stream, "cudaMemcpyPeerAsync", [=](const char* name) {
    if (!is_device(destination_device) || !is_device(source_device)) return cudaErrorInvalidDevice;
    return copy(destination, source, bytes, cudaMemcpyDeviceToDevice, name);
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return api_in_default_stream(
      [&] { return copy_to_symbol(symbol, source, bytes, offset, kind, "cudaMemcpyToSymbol"); });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return api_in_stream(stream, "cudaMemcpyToSymbolAsync", [=](const char* name) {
    return copy_to_symbol(symbol, source, bytes, offset, kind, name);
  });
}

cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return api_in_default_stream([&] {
    return copy_from_symbol(destination, symbol, bytes, offset, kind, "cudaMemcpyFromSymbol");
  });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, size_t bytes,
                                      size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return api_in_stream(stream, "cudaMemcpyFromSymbolAsync", [=](const char* name) {
    return copy_from_symbol(destination, symbol, bytes, offset, kind, name);
  });
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return api([&] {
    char* part;
    if (!pointer) return cudaErrorInvalidValue;
    if (cudaError_t error = part_of_symbol(symbol, 0, 0, "cudaGetSymbolAddress", &part))
      return error;
    *pointer = part;
    return cudaSuccess;
  });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return api([&] {
    char* part;
    if (!bytes) return cudaErrorInvalidValue;
    if (cudaError_t error = part_of_symbol(symbol, 0, 0, "cudaGetSymbolSize", &part)) return error;
    *bytes = find_variable(symbol)->bytes;
    return cudaSuccess;
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  return api_in_default_stream([&] {
    return fill_box(pointer, {bytes, bytes}, value, {bytes, 1, 1}, "cudaMemset");
  });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return api_in_stream(stream, "cudaMemsetAsync", [=](const char* name) {
    return fill_box(pointer, {bytes, bytes}, value, {bytes, 1, 1}, name);
  });
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return api_in_default_stream([&] {
    return fill_box(pointer, {pitch, 0}, value, {width, height, 1}, "cudaMemset2D");
  });
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return api_in_stream(stream, "cudaMemset2DAsync", [=](const char* name) {
    return fill_box(pointer, {pitch, 0}, value, {width, height, 1}, name);
  });
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return api_in_default_stream([&] { return fill_volume(pointer, value, extent, "cudaMemset3D"); });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return api_in_stream(stream, "cudaMemset3DAsync",
                       [=](const char* name) { return fill_volume(pointer, value, extent, name); });
}
