// A block's shared memory.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "scheduler/launch/launch.h"

namespace cudacpu {

struct SharedRange {
  char* begin = nullptr;
  size_t bytes = 0;
  bool has(const void* address) const { return address >= begin && address < begin + bytes; }
};

class BlockMemory {
 public:
  BlockMemory() = default;
  BlockMemory(const BlockMemory&) = delete;
  ~BlockMemory();
  // Lays the memory out for the blocks of a launch; the kernel's part ends at a guard page.
  void prepare(const Launch& launch);
  // Overwrites what the block before has left.
  void begin();

  const SharedRange& of_kernel() const { return kernel_; }  // static and dynamic variables
  char* dynamic() const { return dynamic_; }
  const SharedRange& of_functions() const { return functions_; }  // variables of device functions
  const SharedRange& map() const { return map_; }  // the kernel's part, unused memory, the guard
  bool has(const void* address) const { return kernel_.has(address) || functions_.has(address); }

 private:
  SharedRange map_, kernel_, functions_;
  char* dynamic_ = nullptr;
  std::unique_ptr<char, decltype(&free)> function_memory_{nullptr, free};
};

}  // namespace cudacpu
