#include "output_archive.h"

#include "fingerprint.h"
#include "random.h"

namespace {

// The student's function may allocate between repeats, so half of the free memory stays free.
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

size_t OutputArchive::bytes(size_t repeat) const {
  size_t sum = 0;
  for (const Copy& copy : repeats_.at(repeat))
    sum += copy.bytes();
  return sum;
}

void OutputArchive::copy_to(size_t repeat, unsigned char* to) const {
  for (const Copy& copy : repeats_.at(repeat)) {
    CUDA_CHECK(cudaMemcpy(to, copy.data(), copy.bytes(), cudaMemcpyDefault));
    to += copy.bytes();
  }
}

uint64_t OutputArchive::fingerprint(size_t repeat) const {
  uint64_t all = 0;
  for (const Copy& copy : repeats_.at(repeat))
    all = random_bits(all, ::fingerprint({const_cast<void*>(copy.data()), copy.bytes()}));
  return all;
}
