// The findings of sanitize: one finding per cause, with a count.
#pragma once

#include <cstdint>
#include <string>

#include "sanitize/findings/cause.h"
#include "sanitize/memory/backtrace.h"
#include "scheduler/block/thread_set.h"
#include "scheduler/launch/launch.h"

namespace cudacpu::sanitize {

// A place in the source: an address in the code (a return address counts as the call before the
// address), or a line known from elsewhere.
struct SourcePlace {
  const void* pc = nullptr;
  const char* file = nullptr;
  int line = 0;
};

struct Report {
  Cause cause;
  SourcePlace place;
  SourcePlace other;             // of a race: the earlier access
  Backtrace trace, other_trace;  // for the host's calls, instead of places
  int allocation = -1;           // a number of allocations.h
  // "{other}" stands for the other place.
  std::string sentence;
  ThreadSet threads;            // if not the running thread
  const void* since = nullptr;  // of a race within a block: the barrier that the block passed last
  std::string against;          // of a race with another operation: its name
  bool shared = false;          // in shared memory
  uint64_t detail = 0;  // findings at the same places with different details are different findings
};

// Whether the same finding exists; then counts another occurrence, for the running thread.
bool seen_before(Cause cause, const SourcePlace& place, const SourcePlace& other, uint64_t detail);
// Adds a finding about the running thread, or about the host if no kernel runs.
void add_finding(const Report& report);
// Adds a finding about some threads of a block of a launch that has ended.
void add_launch_finding(const Report& report, const Launch& launch, uint3 block,
                        const ThreadSet& threads);

size_t finding_count();
// Calls `note` with each finding from now on: include/cudacpu_findings.h.
using Note = void (*)(size_t found, const char* lines, size_t bytes, size_t count);
void send_findings_to(Note note);
// Writes the file named by CUDACPU_FINDINGS, or hands the same lines to `note`.
void write_findings();
// At exit: prints the findings, on stderr, or on stdout as JSON.
void print_findings();

}  // namespace cudacpu::sanitize
