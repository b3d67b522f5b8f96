// Surface reads and writes, by surface object. The x coordinate counts bytes.
#pragma once

#include "../../../driver_types.h"
#include "../../runtime.h"
#include "../../standard.h"

namespace cudacpu {

// Returns the address of `bytes` bytes at (x, y, z) of a surface; null outside the surface in mode
// zero. Called by inlined functions only, because the report of a fault names the caller.
CUDACPU_DEVICE void* surface_place(cudaSurfaceObject_t object, int x, int y, int z, unsigned bytes,
                                   cudaSurfaceBoundaryMode mode);

template <typename T>
CUDACPU_DEVICE inline __attribute__((always_inline)) T surface_read(cudaSurfaceObject_t object,
                                                                    int x, int y, int z,
                                                                    cudaSurfaceBoundaryMode mode) {
  T value{};
  const void* place = surface_place(object, x, y, z, sizeof(T), mode);
  if (place) value = *static_cast<const T*>(place);
  return value;
}

template <typename T>
CUDACPU_DEVICE inline __attribute__((always_inline)) void surface_write(
    const T& value, cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  void* place = surface_place(object, x, y, z, sizeof(T), mode);
  if (place) *static_cast<T*>(place) = value;
}

}  // namespace cudacpu

// `parameters` are the coordinates, `arguments` the same as (x, y, z).
#define CUDACPU_SURFACE(name, parameters, ...)                           \
  template <typename T>                                                  \
  CUDACPU_DEVICE inline __attribute__((always_inline))                   \
  T name##read(cudaSurfaceObject_t object, CUDACPU_UNPACK parameters,    \
               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {    \
    return cudacpu::surface_read<T>(object, __VA_ARGS__, mode);          \
  }                                                                      \
  template <typename T>                                                  \
  CUDACPU_DEVICE inline __attribute__((always_inline)) void name##read(  \
      T* result, cudaSurfaceObject_t object, CUDACPU_UNPACK parameters,  \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {             \
    *result = cudacpu::surface_read<T>(object, __VA_ARGS__, mode);       \
  }                                                                      \
  template <typename T>                                                  \
  CUDACPU_DEVICE inline __attribute__((always_inline)) void name##write( \
      T value, cudaSurfaceObject_t object, CUDACPU_UNPACK parameters,    \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {             \
    cudacpu::surface_write(value, object, __VA_ARGS__, mode);            \
  }
#define CUDACPU_UNPACK(...) __VA_ARGS__

CUDACPU_SURFACE(surf1D, (int x), x, 0, 0)
CUDACPU_SURFACE(surf2D, (int x, int y), x, y, 0)
CUDACPU_SURFACE(surf3D, (int x, int y, int z), x, y, z)
CUDACPU_SURFACE(surf1DLayered, (int x, int layer), x, 0, layer)
CUDACPU_SURFACE(surf2DLayered, (int x, int y, int layer), x, y, layer)
CUDACPU_SURFACE(surfCubemap, (int x, int y, int face), x, y, face)
#undef CUDACPU_SURFACE
#undef CUDACPU_UNPACK
