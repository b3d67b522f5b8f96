// Surface objects, and the address arithmetic of their reads and writes.
#include "textures/surface.h"

#include <cstdio>

#include "base/call.h"
#include "base/error.h"
#include "base/handles.h"
#include "cudacpu/device/textures/surface.h"
#include "textures/array.h"

using namespace cudacpu;

namespace cudacpu {
namespace {

// A copy of the array's description: the handle is the copy's address, and each access reads the
// copy.
struct Surface {
  cudaArray array;
};

Handles<Surface>& surfaces() {
  static auto* handles = new Handles<Surface>;
  return *handles;
}

inline bool outside(int i, size_t size) {
  return static_cast<size_t>(static_cast<long>(i)) >= size;
}

inline int nearest_inside(int i, size_t size) {
  return i < 0 ? 0 : outside(i, size) ? static_cast<int>(size - 1) : i;
}

// Ends the launch: a GPU, too, reports such an error only by the end of the launch.
[[noreturn]] __attribute__((noinline)) void refuse(const char* sentence) {
  kernel_trap(cudaErrorIllegalAddress, sentence);
}

[[noreturn]] __attribute__((noinline)) void refuse_outside(const cudaArray& array, int x, int y,
                                                           int z) {
  char text[160];
  snprintf(text, sizeof text,
           "used a surface of %zu x %zu x %zu elements of %zu bytes at byte %d, row %d, slice %d",
           array.width, array.height, array.depth, array.element_bytes, x, y, z);
  refuse(text);
}

}  // namespace

void* surface_place(cudaSurfaceObject_t object, int x, int y, int z, unsigned bytes,
                    cudaSurfaceBoundaryMode mode) {
  const cudaArray& array = reinterpret_cast<const Surface*>(object)->array;
  if (x % static_cast<int>(bytes) != 0)
    refuse("used a surface at a misaligned x, which counts bytes");
  const size_t whole = array.row_bytes() / bytes * bytes;
  if (outside(x, whole) || outside(y, array.height) || outside(z, array.depth)) {
    if (mode == cudaBoundaryModeZero) return nullptr;
    if (mode == cudaBoundaryModeTrap) refuse_outside(array, x, y, z);
    x = nearest_inside(x, whole) / static_cast<int>(bytes) * static_cast<int>(bytes);
    y = nearest_inside(y, array.height);
    z = nearest_inside(z, array.depth);
  }
  const auto row = static_cast<size_t>(y), slice = static_cast<size_t>(z);
  return array.data + slice * array.slice + row * array.pitch + x;
}

void destroy_all_surfaces() {
  surfaces().remove_all();
}

}  // namespace cudacpu

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return api([&] {
    const char* name = "cudaCreateSurfaceObject";
    if (!object || !resource || resource->resType != cudaResourceTypeArray)
      return cudaErrorInvalidValue;
    const cudaArray_t array = resource->res.array.array;
    if (cudaError_t error = check_array(array, name)) return error;
    if (!(array->flags & cudaArraySurfaceLoadStore)) {
      explain("%s: the array was not made with cudaArraySurfaceLoadStore", name);
      return cudaErrorInvalidValue;
    }
    *object = reinterpret_cast<cudaSurfaceObject_t>(surfaces().add({*array}));
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return api([&] {
    if (object == 0) return cudaSuccess;
    return surfaces().remove(reinterpret_cast<Surface*>(object)) ? cudaSuccess
                                                                 : cudaErrorInvalidResourceHandle;
  });
}
