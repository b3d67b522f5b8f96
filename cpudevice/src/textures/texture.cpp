// Texture objects: made, described, destroyed. Fetches are in sampling.cpp.
#include "textures/texture.h"

#include "base/call.h"
#include "base/error.h"
#include "base/handles.h"
#include "memory/location.h"
#include "textures/array.h"
#include "textures/sampling.h"

using namespace cudacpu;

namespace cudacpu {
namespace {

Handles<Texture>& textures() {
  static auto* handles = new Handles<Texture>;
  return *handles;
}

Texture* texture_of(cudaTextureObject_t object) {
  auto* texture = reinterpret_cast<Texture*>(object);
  return textures().has(texture) ? texture : nullptr;
}

// The elements that a texture is bound to.
struct Elements {
  const char* data;
  cudaChannelFormatDesc channels;
  size_t width, height, depth, pitch, slice;
  int dimensions;
  bool layered;
};

cudaError_t elements_of(const cudaResourceDesc& r, Elements* e) {
  const char* name = "cudaCreateTextureObject";
  switch (r.resType) {
    case cudaResourceTypeArray: {
      const cudaArray_t array = r.res.array.array;
      if (cudaError_t error = check_array(array, name)) return error;
      const bool layered = array->flags & (cudaArrayLayered | cudaArrayCubemap);
      const int dimensions = array->extent.height == 0             ? 1
                             : layered || array->extent.depth == 0 ? 2
                                                                   : 3;
      *e = {array->data,  array->channels, array->width, array->height, array->depth,
            array->pitch, array->slice,    dimensions,   layered};
      return cudaSuccess;
    }
    case cudaResourceTypeLinear: {
      const auto& linear = r.res.linear;
      const size_t unit = element_bytes(linear.desc);
      if (unit == 0) return cudaErrorInvalidChannelDescriptor;
      if (!check_range(name, "memory", linear.devPtr, linear.sizeInBytes, Side::kDevice))
        return cudaErrorInvalidValue;
      const size_t count = linear.sizeInBytes / unit;
      *e = {static_cast<const char*>(linear.devPtr), linear.desc, count, 1, 1, 0, 0, 1, false};
      return cudaSuccess;
    }
    case cudaResourceTypePitch2D: {
      const auto& rows = r.res.pitch2D;
      const size_t unit = element_bytes(rows.desc);
      if (unit == 0) return cudaErrorInvalidChannelDescriptor;
      if (rows.width == 0 || rows.height == 0) return cudaErrorInvalidValue;
      if (rows.pitchInBytes < rows.width * unit) return cudaErrorInvalidPitchValue;
      const size_t bytes = (rows.height - 1) * rows.pitchInBytes + rows.width * unit;
      if (!check_range(name, "memory", rows.devPtr, bytes, Side::kDevice))
        return cudaErrorInvalidValue;
      *e = {static_cast<const char*>(rows.devPtr),
            rows.desc,
            rows.width,
            rows.height,
            1,
            rows.pitchInBytes,
            0,
            2,
            false};
      return cudaSuccess;
    }
    default:
      explain("%s: the CPU device has no mipmapped arrays", name);
      return cudaErrorNotSupported;
  }
}

// Whether a read mode is defined for these elements.
cudaError_t check_reading(const Elements& e, const cudaTextureDesc& t) {
  const bool floats = e.channels.f == cudaChannelFormatKindFloat;
  const bool normalised = t.readMode == cudaReadModeNormalizedFloat;
  if (t.readMode != cudaReadModeElementType && !normalised) return cudaErrorInvalidValue;
  if (normalised && !floats && e.channels.x == 32) {
    explain("cudaCreateTextureObject: 32-bit integers cannot be read as normalised floats");
    return cudaErrorInvalidNormSetting;
  }
  if (t.filterMode == cudaFilterModeLinear && !floats && !normalised) {
    explain(
        "cudaCreateTextureObject: linear filtering is for floats, or for integers that are "
        "read as normalised floats");
    return cudaErrorInvalidFilterSetting;
  }
  return cudaSuccess;
}

Axis make_axis(size_t size, cudaTextureAddressMode mode, bool normalised) {
  // Coordinates in elements cannot wrap; CUDA takes clamp instead.
  const Addressing addressing = mode == cudaAddressModeBorder                 ? Addressing::kBorder
                                : mode == cudaAddressModeWrap && normalised   ? Addressing::kWrap
                                : mode == cudaAddressModeMirror && normalised ? Addressing::kMirror
                                                                              : Addressing::kClamp;
  const auto extent = static_cast<float>(size);
  return {addressing, static_cast<int>(size), normalised ? extent : 1, extent};
}

cudaError_t create(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                   const cudaTextureDesc* asked) {
  if (!object || !resource || !asked) return cudaErrorInvalidValue;
  cudaTextureDesc filtering = *asked, fetching = *asked;
  fetching.filterMode = cudaFilterModePoint;
  // Linear memory is fetched by index, whatever the requested filter.
  if (resource->resType == cudaResourceTypeLinear) filtering = fetching;
  const cudaTextureDesc* const description = &filtering;
  Elements e;
  if (cudaError_t error = elements_of(*resource, &e)) return error;
  if (cudaError_t error = check_reading(e, *description)) return error;
  Texture made{};
  made.data = e.data;
  made.pitch = e.pitch;
  made.slice = e.slice;
  const bool normalised = description->normalizedCoords;
  made.axis[0] = make_axis(e.width, description->addressMode[0], normalised);
  // An unused setting of the texture is ignored.
  made.axis[1] = e.dimensions >= 2 ? make_axis(e.height, description->addressMode[1], normalised)
                                   : Axis{Addressing::kLayer, 1, 1, 1};
  made.axis[2] = e.dimensions == 3
                     ? make_axis(e.depth, description->addressMode[2], normalised)
                     : Axis{Addressing::kLayer, e.layered ? static_cast<int>(e.depth) : 1, 1, 1};
  static_cast<SamplerOf&>(made) = choose_sampler(e.channels, *description, made.axis, e.dimensions);
  for (int i = 0; i < 4; ++i)
    made.border[i] = description->borderColor[i];
  made.element_bytes = static_cast<unsigned>(element_bytes(e.channels));
  made.is_linear_memory = resource->resType != cudaResourceTypeArray;
  made.resource = *resource;
  made.description = *asked;
  made.point = choose_sampler(e.channels, fetching, made.axis, e.dimensions).sample;
  *object = reinterpret_cast<cudaTextureObject_t>(textures().add(made));
  return cudaSuccess;
}

}  // namespace

void destroy_all_textures() {
  textures().remove_all();
}

}  // namespace cudacpu

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view) {
  return api([&] {
    if (view) return cudaErrorNotSupported;
    return create(object, resource, texture);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return api([&] {
    if (object == 0) return cudaSuccess;
    return textures().remove(reinterpret_cast<Texture*>(object)) ? cudaSuccess
                                                                 : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  return api([&] {
    const Texture* texture = texture_of(object);
    if (!texture || !resource) return cudaErrorInvalidValue;
    *resource = texture->resource;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description,
                                            cudaTextureObject_t object) {
  return api([&] {
    const Texture* texture = texture_of(object);
    if (!texture || !description) return cudaErrorInvalidValue;
    *description = texture->description;
    return cudaSuccess;
  });
}
