// A volume in device memory and as textures: for the runner and for the figures' programs.
#pragma once

#include <algorithm>
#include <functional>
#include <future>
#include <vector>

#include "device_array.h"
#include "volume.h"
#include "volume_case.h"

// An array on the device and a texture over the array, linearly interpolated and clamped.
class ArrayTexture {
 public:
  // `extent` in elements, with height and depth 0 in one dimension.
  ArrayTexture(const cudaChannelFormatDesc& channels, cudaExtent extent,
               cudaTextureReadMode read_mode, bool normalised_coordinates) {
    CUDA_CHECK(cudaMalloc3DArray(&array_, &channels, extent));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc description = {};
    for (cudaTextureAddressMode& mode : description.addressMode)
      mode = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = read_mode;
    description.normalizedCoords = normalised_coordinates;
    CUDA_CHECK(cudaCreateTextureObject(&object_, &resource, &description, nullptr));
  }
  ArrayTexture(const ArrayTexture&) = delete;
  ArrayTexture& operator=(const ArrayTexture&) = delete;
  ~ArrayTexture() {
    cudaDestroyTextureObject(object_);
    cudaFreeArray(array_);
  }

  cudaTextureObject_t object() const { return object_; }
  // Copies width x height x depth elements of `bytes` bytes from device memory into the array.
  void fill(const void* from, size_t bytes, cudaExtent extent) {
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), extent.width * bytes, extent.width,
                                      extent.height);
    copy.dstArray = array_;
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToDevice;
    CUDA_CHECK(cudaMemcpy3D(&copy));
  }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t object_ = 0;
};

inline cudaExtent cube(int size) {
  const auto side = static_cast<size_t>(size);
  return make_cudaExtent(side, side, side);
}

// The voxels and the table of a case, twice each. Throws CudaError.
class VolumeOnDevice {
 public:
  // Room for `size`^3 voxels.
  explicit VolumeOnDevice(int size)
      : voxels_(static_cast<size_t>(size) * size * size),
        table_(kVolumeColours),
        volume_(cudaCreateChannelDesc<unsigned char>(), cube(size), cudaReadModeNormalizedFloat,
                false),
        transfer_(cudaCreateChannelDesc<float4>(), make_cudaExtent(kVolumeColours, 0, 0),
                  cudaReadModeElementType, true) {}

  // Makes the volume of a case of the size; returns the scene for the student's function.
  VolumeScene fill(const VolumeCase& wanted) {
    upload_voxels(wanted);
    volume_.fill(voxels_.data(), sizeof(unsigned char), cube(wanted.view.size));
    const std::vector<VolumeColour> table = make_transfer(wanted.view.size);
    upload(table, table_);
    transfer_.fill(table_.data(), sizeof(float4), make_cudaExtent(kVolumeColours, 1, 1));
    return {wanted.view,        voxels_.data(),           table_.data(), volume_.object(),
            transfer_.object(), transparent_voxel(table), wanted.shape};
  }

 private:
  // In pieces: the host's memory for 1024^3 voxels would take longer to allocate than to
  // make. The next piece is made while a piece is copied.
  void upload_voxels(const VolumeCase& wanted) {
    constexpr int kSlices = 32;
    const int size = wanted.view.size;
    const size_t slice = static_cast<size_t>(size) * size;
    std::vector<unsigned char> made(kSlices * slice), next(kSlices * slice);
    const auto make_next = [&](int first) {
      return std::async(std::launch::async, make_orbital, std::cref(wanted), first,
                        std::min(kSlices, size - first), next.data());
    };
    std::future<void> making = make_next(0);
    for (int first = 0; first < size; first += kSlices) {
      making.get();
      made.swap(next);
      if (first + kSlices < size) making = make_next(first + kSlices);
      const size_t bytes = std::min(kSlices, size - first) * slice;
      CUDA_CHECK(
          cudaMemcpy(voxels_.data() + first * slice, made.data(), bytes, cudaMemcpyHostToDevice));
    }
  }
  template <class From, class To>
  static void upload(const std::vector<From>& from, DeviceArray<To>& to) {
    static_assert(sizeof(From) == sizeof(To));
    CUDA_CHECK(cudaMemcpy(to.data(), from.data(), to.bytes(), cudaMemcpyHostToDevice));
  }

  DeviceArray<unsigned char> voxels_;
  DeviceArray<float4> table_;
  ArrayTexture volume_;
  ArrayTexture transfer_;
};
