// Device memory with an owner that frees the memory.
#pragma once

#include <cstddef>
#include <utility>

#include "cuda_check.h"

// `size` elements of T in device memory, uninitialised. Move-only. Throws CudaError if the device
// has too little memory left.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(size_t size) : size_(size) {
    if (size > 0) CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)));
  }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  // A failing free is not reported: the error behind the failure has been reported, and destructors
  // do not throw.
  ~DeviceArray() { cudaFree(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  size_t bytes() const { return size_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};
