// Epochs: a number that is new for each block, or copy, and after each barrier of the block, in
// order of execution. Every record of an access names an epoch: see shadow.h.
#pragma once

#include <cstdint>

#include "sanitize/memory/shadow.h"

namespace cudacpu::sanitize {

// A block, or a copy by the host, after its start.
struct Instance {
  uint32_t operation;  // a launch or copy: see streams.h
  uint64_t block;      // linear
};
Instance instance_of(Record record);
// The instance's number, by epoch.
uint32_t serial_of(uint32_t epoch);
Instance instance_at(uint32_t serial);
uint32_t new_instance(uint32_t operation, uint64_t block);
// The next epoch, for an instance.
uint32_t new_epoch(uint32_t serial);
uint32_t next_epoch();

}  // namespace cudacpu::sanitize
