#include "output_archive.h"

#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

namespace {

// The student's function may allocate between repeats, so half of what is free stays free.
bool fits_on_device(size_t bytes) {
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  return bytes < free_bytes / 2;
}

}  // namespace

OutputArchive::Copy OutputArchive::room_for(const Region& region) {
  Copy copy;
  if (fits_on_device(region.bytes)) {
    copy.device = DeviceArray<unsigned char>(region.bytes);
  } else {
    copy.host.resize(region.bytes);
  }
  return copy;
}

void OutputArchive::reserve(const std::vector<Region>& outputs) {
  std::vector<Copy> copies;
  for (const Region& region : outputs)
    copies.push_back(room_for(region));
  repeats_.push_back(std::move(copies));
}

void OutputArchive::take(const std::vector<Region>& outputs) {
  std::vector<Copy>& copies = repeats_.back();
  for (size_t i = 0; i < outputs.size(); ++i)
    CUDA_CHECK(
        cudaMemcpyAsync(copies[i].data(), outputs[i].data, outputs[i].bytes, cudaMemcpyDefault));
}

size_t OutputArchive::write(size_t repeat, int file) const {
  size_t size = 0;
  for (const Copy& copy : repeats_.at(repeat))
    size += copy.bytes();
  if (ftruncate(file, static_cast<off_t>(size)) != 0) {
    throw std::runtime_error("the output file cannot be resized");
  }
  if (size == 0) return 0;
  void* mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) throw std::runtime_error("the output file cannot be mapped");
  auto* next = static_cast<unsigned char*>(mapped);
  for (const Copy& copy : repeats_.at(repeat)) {
    CUDA_CHECK(cudaMemcpy(next, copy.data(), copy.bytes(), cudaMemcpyDefault));
    next += copy.bytes();
  }
  munmap(mapped, size);
  return size;
}
