// What each basic block of the program holds: the records that compiler/counts/assembly.py writes
// into the student's object files.
#pragma once

#include <cstdint>
#include <vector>

namespace cudacpu::profile {

// One record; its layout is known to compiler/counts/assembly.py.
struct BasicBlock {
  int32_t code;  // distance from here to the address that names the block
  uint32_t integer, fp32, fp64, special, control;
  uint32_t loop;     // for a loop's counter, comparison and branch; unrolling removes most
  uint32_t cached;   // lines of the L1 cache that accesses without instrumentation look up
  uint32_t waits;    // 1: the branch at its end depends on a loaded value
  uint32_t longest;  // the most instructions that must follow one another
};
static_assert(sizeof(BasicBlock) == 40);

// How many of a block's instructions for the special function unit belong to one line of the
// source; its layout is known there, too.
struct SpecialRecord {
  int32_t code;  // as above
  int32_t file;  // distance from here to the file's name
  uint32_t line, count;
};
static_assert(sizeof(SpecialRecord) == 16);

// Code addresses are counted from the beginning of the loaded file, so that they are the same in
// each run.
uintptr_t code_base();

// The records, by code address.
class BlockTable {
 public:
  BlockTable();
  // The estimate for a block without a record.
  const BasicBlock& find(uint32_t code) const {
    return code < index_.size() ? blocks_[index_[code]] : blocks_[0];
  }

 private:
  std::vector<BasicBlock> blocks_;  // the first is the guess
  std::vector<uint32_t> index_;     // by code address
};

// The same record with addresses instead of distances.
struct SpecialLine {
  uint32_t code;  // of the block
  const char* file;
  int line;
  uint64_t count;
};
// Of the whole program.
std::vector<SpecialLine> special_lines();

}  // namespace cudacpu::profile
