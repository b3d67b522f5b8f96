// The instructions of each basic block of the program: the records that compiler/counts/assembly.py
// writes into the student's object files.
#pragma once

#include <cstdint>
#include <vector>

namespace cudacpu::profile {

// A record; compiler/counts/assembly.py knows the layout.
struct BasicBlock {
  int32_t code;  // distance from this field to the address that names the block
  uint32_t integer, fp32, fp64, special, control;
  uint32_t loop;     // for a loop's counter, comparison and branch; unrolling removes most
  uint32_t cached;   // lines of the L1 cache that accesses without instrumentation look up
  uint32_t waits;    // 1: the branch at the block's end depends on a loaded value
  uint32_t longest;  // the length of the longest chain of dependent instructions
};
static_assert(sizeof(BasicBlock) == 40);

// How many of a block's instructions for the special function unit belong to a line of the source;
// compiler/counts/assembly.py knows the layout.
struct SpecialRecord {
  int32_t code;  // as in BasicBlock
  int32_t file;  // distance from this field to the file's name
  uint32_t line, count;
};
static_assert(sizeof(SpecialRecord) == 16);

// Code addresses count from the beginning of the loaded file, so that they are the same in each
// run.
uintptr_t code_base();

// The records, by code address.
class BlockTable {
 public:
  BlockTable();
  // The block's record, or the estimate for a block without a record.
  const BasicBlock& find(uint32_t code) const {
    return code < index_.size() ? blocks_[index_[code]] : blocks_[0];
  }

 private:
  std::vector<BasicBlock> blocks_;  // the first is the estimate
  std::vector<uint32_t> index_;     // by code address
};

// A SpecialRecord with addresses instead of distances.
struct SpecialLine {
  uint32_t code;  // of the block
  const char* file;
  int line;
  uint64_t count;
};
// Returns the lines of the whole program.
std::vector<SpecialLine> special_lines();

}  // namespace cudacpu::profile
