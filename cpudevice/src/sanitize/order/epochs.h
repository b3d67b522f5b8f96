// Epochs: a number that is new for each block, or copy, and again after each of its barriers, in
// the order of execution. Every record of an access names one: see shadow.h.
#pragma once

#include <cstdint>

#include "sanitize/memory/shadow.h"

namespace cudacpu::sanitize {

// One block, or one copy by the host, that has run.
struct Instance {
  uint32_t operation;  // a launch or copy: see streams.h
  uint64_t block;      // linear
};
Instance instance_of(Record record);
// Its number, by epoch.
uint32_t serial_of(uint32_t epoch);
Instance instance_at(uint32_t serial);
uint32_t new_instance(uint32_t operation, uint64_t block);
// The next epoch, for this instance.
uint32_t new_epoch(uint32_t serial);
uint32_t next_epoch();

}  // namespace cudacpu::sanitize
