#include "scheduler/workers/failure_report.h"

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "diagnostics/source_line.h"
#include "driver_types.h"
#include "memory/arena.h"
#include "memory/variables.h"

namespace cudacpu {
namespace {

// What a launch that only waited may have waited for. In the diagnostic modes no launch returns to
// the host before it has ended: see streams/stream_thread.h.
constexpr const char* kOnlyWaited =
    CUDACPU_DIAGNOSTICS ? ": all its threads waited; if they wait for what the host does after the "
                          "launch, the program runs only without --sanitize and --profile"
                        : ": all its threads waited, perhaps for the host, which waits for the "
                          "kernel";

std::string triple(uint3 v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string hex(const void* address) {
  char text[32];
  snprintf(text, sizeof text, "%p", address);
  return text;
}

std::string bytes(size_t n) {
  return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}

// "4 bytes past the end of the 4096 bytes from cudaMalloc".
std::string beside(const char* address, const char* base, size_t size, const std::string& whole) {
  if (address < base) return bytes(base - address) + " before " + whole;
  if (address >= base + size) {
    size_t past = address - (base + size);
    return past == 0 ? "just past the end of " + whole : bytes(past) + " past the end of " + whole;
  }
  return bytes(address - base) + " into " + whole;
}

std::string describe_address(const Failure& failure) {
  constexpr uintptr_t kNullPages = 64 * 1024;
  constexpr ptrdiff_t kNear = 64 * 1024;
  const char* address = static_cast<const char*>(failure.address);
  if (failure.unknown_address) {
    return failure.error == cudaErrorMisalignedAddress
               ? "that is not a multiple of " + std::to_string(failure.alignment) +
                     ", as a vector's has to be"
               : "that no memory can have";
  }
  if (reinterpret_cast<uintptr_t>(address) < kNullPages) {
    return hex(address) + (address ? ", next to the null pointer" : ", the null pointer");
  }
  if (failure.shared && address >= failure.shared - kNear &&
      address < failure.shared + failure.shared_bytes + kNear) {
    const std::string text =
        beside(address, failure.shared, failure.shared_bytes,
               "the block's " + bytes(failure.shared_bytes) + " of shared memory");
    return failure.shared_bytes ? text : text + ": " + kNoSharedMemory;
  }
  if (const DeviceVariable* variable = find_variable(address)) {
    return bytes(address - static_cast<const char*>(variable->address)) + " into the " +
           variable->kind + " variable " + variable->name;
  }
  Allocation near;
  if (find_allocation(address, &near)) {
    std::string whole = "the " + bytes(near.bytes) + " from " + near.kind;
    if (near.freed) whole += ", which were freed";
    return hex(address) + ", " + beside(address, near.base, near.bytes, whole);
  }
  return hex(address) + ", which is in no allocation";
}

std::string describe_fault(const Failure& failure) {
  if (failure.stack_overflow) {
    return "overflowed its stack: the recursion is too deep, or its local arrays too large; "
           "cudaDeviceSetLimit(cudaLimitStackSize, bytes) gives more";
  }
  switch (failure.signal) {
    case SIGFPE:
      return "divided an integer by zero";
    case SIGILL:
      return "executed an illegal instruction";
    default:
      break;
  }
  std::string verb = failure.access == 'w'   ? "wrote to "
                     : failure.access == 'r' ? "read "
                                             : "used ";
  return verb + (failure.unknown_address ? "an address " : "address ") + describe_address(failure);
}

std::string thread_range(const Launch& launch, unsigned first, unsigned last) {
  auto name = [&](unsigned id) {
    if (launch.block.y == 1 && launch.block.z == 1) return std::to_string(id);
    unsigned x = launch.block.x, y = launch.block.y;
    return triple({id % x, id / x % y, id / (x * y)});
  };
  if (first == last) return "thread " + name(first) + " waits";
  return "threads " + name(first) + (launch.block.y * launch.block.z == 1 ? "-" : " to ") +
         name(last) + " wait";
}

std::string wait_place(const WaitGroup& group) {
  std::string text = group.what;
  if (group.mask) {
    char mask[32];
    snprintf(mask, sizeof mask, " with mask 0x%08x", group.mask);
    text += mask;
  }
  const void* call = call_of(group.site);
  std::string line = source_line(&call, 1);
  return line.empty() ? text : text + " at " + line;
}

std::string describe_deadlock(const Launch& launch) {
  constexpr size_t kMostGroups = 8;
  const auto& waits = launch.failure.waits;
  std::string text;
  size_t groups = 0, next = 0;
  for (; next < waits.size() && groups < kMostGroups; ++groups) {
    const WaitGroup& group = waits[next];
    const std::string place = wait_place(group);
    unsigned last = group.last;
    // A place in the source may be several places in the program.
    while (++next < waits.size() && waits[next].first == last + 1 &&
           wait_place(waits[next]) == place) {
      last = waits[next].last;
    }
    text += (groups ? "; " : "") + thread_range(launch, group.first, last) + " in " + place;
  }
  if (next < waits.size()) text += "; and others";
  return text;
}

}  // namespace

void choose_place(Failure& failure) {
  const CodePlace* const begin = failure.looks.places;
  const CodePlace* const end = begin + failure.looks.count;
  std::vector<const void*> frames;  // of all looks, for one run of addr2line
  for (const CodePlace* place = begin; place != end; ++place)
    frames.insert(frames.end(), place->frames, place->frames + place->frame_count);
  const auto lines = source_lines(frames);
  std::map<std::string, int> times;
  int most = -1;
  auto frame = lines.begin();
  for (const CodePlace* place = begin; place != end; ++place) {
    const auto last = frame + place->frame_count;
    const auto own = std::find_if(frame, last, [](const auto& found) { return !found.empty(); });
    const int seen = own == last ? 0 : ++times[own->front()];
    if (seen > most) static_cast<CodePlace&>(failure) = *place;
    most = std::max(most, seen);
    frame = last;
  }
}

int report_failure(const Launch& launch) {
  const Failure& failure = launch.failure;
  if (failure.kind == Failure::kAssert) {
    fprintf(stderr, "%s\n", failure.text);
    return failure.error;
  }
  std::string kernel = std::string("kernel ") + launch.info->name;
  std::string text;
  if (failure.kind == Failure::kDeadlock) {
    text = kernel + ", block " + triple(failure.block) +
           ": nothing can run any more: " + describe_deadlock(launch);
  } else {
    std::string line = source_line(failure.frames, failure.frame_count);
    text = kernel + ", block " + triple(failure.block) +
           (failure.thread_known ? ", thread " + triple(failure.thread) : std::string()) +
           (line.empty() ? "" : ", " + line) + ": ";
    if (failure.kind == Failure::kFault) {
      text += describe_fault(failure);
    } else if (failure.kind == Failure::kTimeout) {
      char reason[96];
      snprintf(reason, sizeof reason,
               launch.no_block_began
                   ? "stopped after %g seconds in which no block began (CUDACPU_BLOCK_TIMEOUT)"
                   : "stopped after %g seconds (CUDACPU_TIMEOUT)",
               launch.time_limit);
      text += reason;
      if (launch.only_waited) text += kOnlyWaited;
    } else {
      text += failure.text;
    }
  }
  if (CUDACPU_DIAGNOSTICS) text = repeatable(text);
  fflush(stdout);  // what the kernel printed stands before the report
  fprintf(stderr, "CUDA error in %s (%s)\n", text.c_str(), error_name(failure.error));
  return failure.error;
}

}  // namespace cudacpu
