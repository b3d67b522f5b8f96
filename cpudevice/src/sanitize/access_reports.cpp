#include "sanitize/access_reports.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <unordered_set>

#include "memory/variables.h"
#include "sanitize/findings/findings.h"
#include "sanitize/findings/thread_names.h"
#include "sanitize/memory/allocations.h"
#include "sanitize/order/epochs.h"
#include "sanitize/order/order.h"
#include "sanitize/order/streams.h"
#include "scheduler/threads/worker.h"

namespace cudacpu::sanitize {
namespace {

// Whether the address is mapped; true where the system does not say.
bool is_mapped(uintptr_t address) {
  const auto page_bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident;
  void* page = reinterpret_cast<void*>(address & ~(page_bytes - 1));
  return mincore(page, 1, &resident) == 0 || errno != ENOMEM;
}

std::string bytes_text(size_t n) {
  return std::to_string(n) + (n == 1 ? " byte" : " bytes");
}

std::string triple(uint3 v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

uint3 block_index(const dim3& grid, uint64_t linear) {
  return {static_cast<unsigned>(linear % grid.x), static_cast<unsigned>(linear / grid.x % grid.y),
          static_cast<unsigned>(linear / grid.x / grid.y)};
}

// "12 bytes past the end of ".
std::string offset_text(uintptr_t address, size_t n, uintptr_t base, size_t size) {
  if (address < base) return bytes_text(base - address) + " before ";
  if (address + n <= base + size) return bytes_text(address - base) + " into ";
  if (address < base + size) return "across the end of ";
  return address == base + size ? "just past the end of "
                                : bytes_text(address - base - size) + " past the end of ";
}

std::string running_thread() {
  return thread_name(now.thread, context.worker->launch->block, blockIdx);
}

std::string block_text(Instance block) {
  return triple(block_index(operation(block.operation).grid, block.block));
}

// "block (1,0,0)'s shared memory", or "the block's".
std::string shared_text(const std::string& bytes) {
  const std::string whose =
      now.owner ? "block " + block_text(instance_at(now.owner->serial)) + "'s " : "the block's ";
  return whose + (bytes.empty() ? "" : bytes + " of ") + "shared memory";
}

constexpr dim3 kFlat{1024};  // of a launch that has ended: names threads by number

// Where asynchronous copies were started.
std::unordered_set<const void*>& copy_sites() {
  static auto* const sites = new std::unordered_set<const void*>;
  return *sites;
}

struct CopyUnderWay {
  const void* site = nullptr;  // null: no copy
  std::string name, advice;
};

// The asynchronous copy that has yet to write this byte of the block's shared memory.
CopyUnderWay copy_to(const Block& block, uintptr_t address) {
  const PendingCopies::Copy copy = block.copies.copy_to(address);
  if (!copy.site) return {};
  if (copy.is_bulk)
    return {copy.site, "a bulk copy", "the phase of its mbarrier has to be over first"};
  const std::string thread = "thread " + thread_number(copy.thread, context.worker->launch->block);
  return {copy.site, "an asynchronous copy of " + thread,
          thread + " has to commit it and to wait for it first"};
}

constexpr const char* kCheckIndex = ": is the index checked against the size?";

// How far the running thread is from the thread of the earlier access.
enum Distance { kSameWarp = 1, kSameBlock, kSameLaunch, kOtherLaunch };
Distance distance_to(Record earlier) {
  if (instance_of(earlier).operation != current_operation()) return kOtherLaunch;
  if (epoch_of(earlier) != now.epoch) return kSameLaunch;
  return thread_of(earlier) / kWarpSize == now.thread / kWarpSize ? kSameWarp : kSameBlock;
}

// What identifies a race: its two places, and the distance of its threads.
Report race_between(Record earlier, bool shared, const void* site) {
  const Distance distance = distance_to(earlier);
  Report report;
  report.cause = Cause::kRace;
  report.place.pc = site;
  report.other.pc = pc_of_site(site_of(earlier));
  report.shared = shared;
  if (distance <= kSameBlock) report.since = now.block->passed_site;
  report.detail = distance == kOtherLaunch ? instance_of(earlier).operation << 8
                                           : static_cast<unsigned>(distance);
  return report;
}

}  // namespace

Report race_report(Record earlier, uintptr_t address, bool write, bool earlier_write, bool shared,
                   const void* site) {
  Report report = race_between(earlier, shared, site);
  const Instance other = instance_of(earlier);
  const Distance distance = distance_to(earlier);
  if (!shared) report.allocation = find_allocation_number(address);
  const DeviceVariable* variable =
      shared ? nullptr : find_variable(reinterpret_cast<const void*>(address));
  if (variable) report.allocation = -1;
  const std::string what = shared     ? "shared memory"
                           : variable ? std::string(variable->name)
                                      : "global memory";
  const bool copies = write && copy_sites().count(site) != 0;
  const bool other_copies = earlier_write && copy_sites().count(report.other.pc) != 0;
  const char* const kOfCopy = "the asynchronous copy of ";
  const std::string me = (copies ? kOfCopy : "") + running_thread();
  const std::string verb = write ? " writes" : " reads",
                    other_verb = earlier_write ? " writes" : " reads";
  const dim3& shape = distance != kOtherLaunch ? context.worker->launch->block : kFlat;
  const std::string other_thread = (other_copies ? kOfCopy : "") + std::string("thread ") +
                                   thread_number(thread_of(earlier), shape);
  // Two writes by the same line are more often a wrong index than a missing barrier.
  const bool same_write = write && earlier_write && report.other.pc == site;
  const std::string guess = same_write ? ": do both compute the same index? " : "";
  std::string text;
  if (distance == kOtherLaunch) {
    const Operation& operation = sanitize::operation(other.operation);
    report.other_trace = operation.trace;
    report.against = operation.name;
    text = me + verb + " what " + (operation.kernel ? "kernel " + operation.name : operation.name) +
           other_verb + " at {other}, in " + what +
           ", and no event, stream or synchronisation orders the two";
  } else if (distance == kSameWarp) {
    text = me + verb + " what " + other_thread + other_verb + " at {other}, in " + what +
           ": lanes of a warp need not run in lockstep, so a __syncwarp() or __syncthreads() has "
           "to stand between";
  } else if (distance == kSameBlock) {
    text = me + verb + " what " + other_thread + other_verb + " at {other}, in " + what +
           (same_write ? guess + "No" : ", and no") + " __syncthreads() stands between";
  } else {
    text = me + verb + " what " + other_thread + " of block " + block_text(other) + other_verb +
           " at {other}, in " + what;
    if (shared) {
      text += (same_write ? guess + "No" : ", and no") + " sync() of the cluster stands between";
    } else {
      text += (same_write ? guess + "Blocks" : ": blocks") +
              " run in any order or at once, so this needs an atomic, a fence and a flag, or a "
              "second kernel";
    }
  }
  if (copies || other_copies) text += "; a copy is under way until it has been waited for";
  report.sentence = text + (report.allocation >= 0 ? "; {allocation}" : "");
  return report;
}

void report_race(Record earlier, uintptr_t address, bool write, bool earlier_write, bool shared,
                 const void* site) {
  NoPreemption guard;
  const Report race = race_between(earlier, shared, site);
  if (seen_before(race.cause, race.place, race.other, race.detail)) return;
  add_finding(race_report(earlier, address, write, earlier_write, shared, site));
}

void note_copy_site(const void* site) {
  static const void* last;
  if (site == last) return;
  last = site;
  copy_sites().insert(site);
}

void report_bounds(uintptr_t address, size_t n, bool write, bool shared, const void* site) {
  NoPreemption guard;
  Report report;
  report.cause = Cause::kBadAccess;
  report.place.pc = site;
  report.shared = shared;
  std::string text = running_thread() + (write ? " writes " : " reads ") + bytes_text(n) + ", ";
  if (shared) {
    const SharedRange& owned = (now.owner ? now.owner : now.block)->block->memory.of_kernel();
    if (seen_before(report.cause, report.place, report.other, 0)) return;
    text += offset_text(address, n, reinterpret_cast<uintptr_t>(owned.begin), owned.bytes) +
            shared_text(bytes_text(owned.bytes));
    text += owned.bytes ? kCheckIndex : std::string(": ") + kNoSharedMemory;
  } else {
    report.allocation = find_allocation_number(address);
    report.detail = static_cast<uint64_t>(report.allocation + 1);
    if (seen_before(report.cause, report.place, report.other, report.detail)) return;
    if (report.allocation < 0) {
      text += "in no allocation: was the pointer ever given a value?";
    } else {
      const AllocationInfo info = allocation_info(report.allocation);
      const uintptr_t base = info.base + info.inner;
      const size_t size = std::min(info.bytes, info.inner_bytes);
      if (!info.live && address >= info.base && address < info.base + info.bytes) {
        text += "in memory that was freed: {allocation}; free it after its last use";
      } else {
        text += offset_text(address, n, base, size);
        text += size < info.bytes ? "an array of " + bytes_text(size) : "{allocation}";
        text += kCheckIndex;
      }
    }
  }
  report.sentence = text;
  add_finding(report);
}

void report_uninitialised(uintptr_t address, size_t n, bool shared, const void* site) {
  NoPreemption guard;
  Report report;
  report.cause = Cause::kUninitialised;
  report.place.pc = site;
  report.shared = shared;
  if (!shared) report.allocation = find_allocation_number(address);
  report.detail = static_cast<uint64_t>(report.allocation + 1);
  if (seen_before(report.cause, report.place, report.other, report.detail)) return;
  report.sentence = running_thread() + " reads " + bytes_text(n) + " that ";
  const CopyUnderWay copy =
      shared ? copy_to(*(now.owner ? now.owner : now.block)->block, address) : CopyUnderWay{};
  if (copy.site) {
    report.other.pc = copy.site;
    report.sentence += copy.name + ", started at {other}, has yet to write: " + copy.advice;
    add_finding(report);
    return;
  }
  report.sentence += "nothing has written, ";
  if (shared) {
    // Variables of device functions lie in a region of their own.
    const BlockState& owner = now.owner ? *now.owner : *now.block;
    const bool of_function = owner.function_shared.has(address);
    const uintptr_t begin =
        of_function ? owner.function_shared.begin
                    : reinterpret_cast<uintptr_t>(owner.block->memory.of_kernel().begin);
    report.sentence +=
        bytes_text(address - begin) + " into " +
        (of_function ? "the __shared__ variables of device functions" : shared_text("")) +
        ": a thread has to store it first";
  } else {
    report.sentence += bytes_text(address - allocation_info(report.allocation).base) +
                       " into {allocation}: allocating does not clear memory";
  }
  add_finding(report);
}

namespace {

constexpr const char* kEndTogether =
    ": its memory ends with it, so all blocks of the cluster have to wait for each other by sync() "
    "of the cluster before they end";

// Begins the report of an access to another block's shared memory; returns false if the same
// finding exists.
bool begin_remote(Report& report, const void* site) {
  report.cause = Cause::kBadAccess;
  report.place.pc = site;
  report.shared = true;
  return !seen_before(report.cause, report.place, report.other, 0);
}

std::string remote_text(bool write, const BlockState& owner) {
  return running_thread() + (write ? " writes to" : " reads from") +
         " the shared memory of block " + block_text(instance_at(owner.serial));
}

}  // namespace

void report_ended_block(const BlockState& owner, bool write, const void* site) {
  NoPreemption guard;
  Report report;
  if (!begin_remote(report, site)) return;
  report.sentence = remote_text(write, owner) + ", which has ended" + kEndTogether;
  add_finding(report);
}

void report_early_end(const BlockState& owner, Record access) {
  NoPreemption guard;
  Report report;
  if (!begin_remote(report, pc_of_site(site_of(access)))) return;
  const Launch& launch = *context.worker->launch;
  ThreadSet threads;
  threads.add(thread_of(access));
  report.sentence = "thread " + thread_number(thread_of(access), launch.block) +
                    " uses the shared memory of block " + block_text(instance_at(owner.serial)) +
                    ", which may have ended by then" + kEndTogether;
  add_launch_finding(report, launch, block_index(launch.grid, instance_of(access).block), threads);
}

void report_unbegun_block(const BlockState& owner, bool write, const void* site) {
  NoPreemption guard;
  Report report;
  if (!begin_remote(report, site)) return;
  report.sentence = remote_text(write, owner) +
                    ", which may not have begun: a sync() of the cluster has to stand before the "
                    "first such access";
  add_finding(report);
}

void report_host_pointer(uintptr_t address, size_t n, bool write, const void* site) {
  constexpr uintptr_t kNullPages = 64 * 1024;
  NoPreemption guard;
  Report report;
  report.place.pc = site;
  const bool of_host = address >= kNullPages && is_mapped(address);
  report.cause = of_host ? Cause::kHostDevice : Cause::kBadAccess;
  std::string text = running_thread() + (write ? " writes " : " reads ") + bytes_text(n);
  if (address < kNullPages) {
    text += address == 0 ? " at the null pointer"
                         : ", " + bytes_text(address) + " behind the null pointer";
    text += ": was it ever allocated?";
  } else if (!of_host) {
    text +=
        " at an address without memory: is the index negative or too large, or was the pointer "
        "never given a value?";
  } else if (const DeviceVariable* variable =
                 find_variable_on_host(reinterpret_cast<void*>(address))) {
    text += std::string(" at the address that the host has of the ") + variable->kind +
            " variable " + variable->name +
            ": the kernel can name the variable, and cudaGetSymbolAddress gives its address";
  } else {
    text +=
        " of host memory: a kernel needs a pointer from cudaMalloc, cudaMallocManaged or "
        "cudaMallocHost";
  }
  report.sentence = text;
  add_finding(report);
}

void report_local_of_another(size_t n, bool write, const void* site) {
  NoPreemption guard;
  Report report;
  report.cause = Cause::kBadAccess;
  report.place.pc = site;
  report.sentence = running_thread() + (write ? " writes " : " reads ") + bytes_text(n) +
                    " of another thread's local variable: on a GPU each thread has other memory at "
                    "that address; use __shared__ for what threads share";
  add_finding(report);
}

void report_constant_write(const DeviceVariable& variable, size_t n, const void* site) {
  NoPreemption guard;
  Report report;
  report.cause = Cause::kBadAccess;
  report.place.pc = site;
  report.sentence = "thread " + std::to_string(now.thread) + " writes " + bytes_text(n) +
                    " of the __constant__ variable " + variable.name +
                    ": a kernel can only read it, and the host sets it by cudaMemcpyToSymbol";
  add_finding(report);
}

void report_device_pointer(uintptr_t address, size_t n, bool write, int allocation,
                           const DeviceVariable* variable, const void* site) {
  Report report;
  report.cause = Cause::kHostDevice;
  report.place.pc = site;
  report.allocation = allocation;
  report.detail = static_cast<uint64_t>(allocation + 1);
  report.sentence = std::string("the host ") + (write ? "writes " : "reads ") + bytes_text(n);
  if (variable) {
    report.sentence += std::string(" of the ") + variable->kind + " variable " + variable->name +
                       ": that takes cudaMemcpyToSymbol or cudaMemcpyFromSymbol";
  } else if (allocation < 0) {
    report.sentence += " of device memory that belongs to no allocation";
  } else {
    const AllocationInfo info = allocation_info(allocation);
    const bool inside = address >= info.base && address < info.base + info.bytes;
    if (info.live && inside) {
      report.sentence += " of device memory: that takes cudaMemcpy; {allocation}";
    } else {
      report.cause = Cause::kBadAccess;
      report.sentence +=
          inside ? " that were freed: {allocation}"
                 : ", " + offset_text(address, n, info.base, info.bytes) + "{allocation}";
    }
  }
  add_finding(report);
}

}  // namespace cudacpu::sanitize
