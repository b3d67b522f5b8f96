// Keeps the outputs of every timed repeat, so that the grader can choose one to judge afterwards.
#pragma once

#include <cstddef>
#include <vector>

#include "problem.h"

class OutputArchive {
 public:
  // Makes room for the outputs of another repeat: on the device while memory suffices, else on the
  // host. Throws CudaError.
  void reserve(const std::vector<Region>& outputs);
  // Queues a copy of the outputs in the default stream, into the room reserved last, so that
  // nothing runs between a call and its copy. Throws CudaError.
  void take(const std::vector<Region>& outputs);

  // The size in bytes of a repeat's outputs. Throws std::out_of_range.
  size_t bytes(size_t repeat) const;
  // Copies a repeat's outputs, one after the other, to host memory of bytes(repeat) bytes. Throws
  // CudaError and std::out_of_range.
  void copy_to(size_t repeat, unsigned char* to) const;
  // A number that differs between different output bytes (fingerprint.h). Throws CudaError and
  // std::out_of_range.
  uint64_t fingerprint(size_t repeat) const;

 private:
  struct Copy {
    DeviceArray<unsigned char> device;
    std::vector<unsigned char> host;
    size_t bytes() const { return device.size() + host.size(); }
    void* data() { return device.size() > 0 ? device.data() : host.data(); }
    const void* data() const { return device.size() > 0 ? device.data() : host.data(); }
  };
  static Copy room_for(const Region& region);

  std::vector<std::vector<Copy>> repeats_;
};
