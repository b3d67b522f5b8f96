#include "profile/foreign_memory.h"

#include <link.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <string>

#include "diagnostics/source_line.h"
#include "driver_types.h"
#include "memory/location.h"
#include "memory/read_only_image.h"
#include "memory/variables.h"
#include "profile/trace/recorder.h"
#include "scheduler/block/meeting.h"
#include "scheduler/threads/worker.h"

// The linker's names for the ends of the sections in which compiler/graded.py puts a graded file's
// variables; null without a graded file.
extern "C" {
extern char __start_graded_data[] __attribute__((weak));
extern char __stop_graded_data[] __attribute__((weak));
extern char __start_graded_bss[] __attribute__((weak));
extern char __stop_graded_bss[] __attribute__((weak));
}

namespace cudacpu::profile {

AddressRange program_variables;

namespace {

constexpr uintptr_t kNullPages = 64 * 1024;

// The built-in variables of the thread that launches: thread-local, side by side.
AddressRange built_in;
// Is incremented when memory is freed.
std::atomic<uint64_t> generation{1};

bool is_in(const void* begin, size_t bytes, uintptr_t address) {
  return address - reinterpret_cast<uintptr_t>(begin) < bytes;
}

bool belongs_to_launch(const Worker& worker, uintptr_t address, bool write) {
  return running_fiber().has(reinterpret_cast<const void*>(address)) ||
         (!write && built_in.has(address)) || meeting_range.has(address) ||
         is_in(worker.block, sizeof(Block), address) ||
         is_in(worker.launch->body.closure, worker.launch->body.closure_bytes, address);
}

[[noreturn]] void stop_host(const std::string& sentence, uintptr_t caller) {
  const auto* const call = reinterpret_cast<const void*>(caller - 1);
  const std::string line = source_line(&call, 1);
  fflush(stdout);
  fprintf(stderr, "CPU device: %s%sthe host %s\n", line.c_str(), line.empty() ? "" : ": ",
          sentence.c_str());
  // A machine with a GPU ends the program with a segmentation fault as well.
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
  abort();
}

std::string verb(size_t bytes, bool write) {
  return (write ? "writes " : "reads ") + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

}  // namespace

void find_own_memory() {
  refresh_read_only_image();
  const uintptr_t places[] = {
      reinterpret_cast<uintptr_t>(&threadIdx), reinterpret_cast<uintptr_t>(&blockIdx),
      reinterpret_cast<uintptr_t>(&blockDim), reinterpret_cast<uintptr_t>(&gridDim),
      reinterpret_cast<uintptr_t>(&context)};
  const uintptr_t first = *std::min_element(std::begin(places), std::end(places));
  const uintptr_t last = *std::max_element(std::begin(places), std::end(places));
  built_in = {first, last + sizeof(Context) - first};
}

void check_kernel_access(uintptr_t address, bool write) {
  // After a failed launch no worker runs while the library reports the cause, perhaps with the
  // program's instances of templates.
  if (!context.worker || context.busy || belongs_to_launch(*context.worker, address, write)) return;
  if (!write && in_read_only_image(address)) return;
  if (address < kNullPages) return;  // the access faults, and the fault's report explains more
  if (context.worker->fibers.owns(reinterpret_cast<const void*>(address))) {
    kernel_trap(cudaErrorIllegalAddress,
                write ? "writes to a local variable of another thread: use __shared__ for what "
                        "threads share"
                      : "reads a local variable of another thread: use __shared__ for what threads "
                        "share");
  }
  kernel_trap(cudaErrorIllegalAddress,
              write ? "writes to memory of the host: a kernel needs a pointer from cudaMalloc, "
                      "cudaMallocManaged or cudaMallocHost"
                    : "reads memory of the host: a kernel needs a pointer from cudaMalloc, "
                      "cudaMallocManaged or cudaMallocHost");
}

void stop_constant_write() {
  kernel_trap(cudaErrorIllegalAddress,
              "writes to a __constant__ variable, which kernels can only read: the host sets it by "
              "cudaMemcpyToSymbol");
}

void check_host_access(uintptr_t address, size_t bytes, bool write, uintptr_t caller) {
  // The host memory range that was found last: programs mostly use the same range many times in a
  // row.
  static thread_local uintptr_t begin, end;
  static thread_local uint64_t found_in;
  const uint64_t now = generation.load(std::memory_order_relaxed);
  if (found_in == now && address >= begin && address + bytes <= end) return;
  if (context.busy || bytes == 0) return;
  const Location location = locate(reinterpret_cast<const void*>(address));
  switch (location.place) {
    case Place::kPageable:
    case Place::kPinned:
    case Place::kManaged:
      if (!location.base) return;
      begin = reinterpret_cast<uintptr_t>(location.base);
      end = begin + location.bytes;
      found_in = now;
      return;
    case Place::kVariable:
      if (in_read_only_image(address)) return;  // const: the host may use its initial value
      stop_host(verb(bytes, write) + " of the variable " + location.kind +
                    " of the device: that takes cudaMemcpyToSymbol or cudaMemcpyFromSymbol",
                caller);
    case Place::kDevice:
      stop_host(
          verb(bytes, write) + " of device memory (" + location.kind + "): that takes cudaMemcpy",
          caller);
    case Place::kNowhere:
      return;  // the access faults
  }
}

void find_program_variables() {
  if (__start_graded_data == nullptr && __start_graded_bss == nullptr) return;
  // The program itself comes first.
  const auto look = [](dl_phdr_info* info, size_t, void*) {
    uintptr_t begin = UINTPTR_MAX, end = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto& segment = info->dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W)) continue;
      begin = std::min(begin, static_cast<uintptr_t>(info->dlpi_addr + segment.p_vaddr));
      end = std::max(end,
                     static_cast<uintptr_t>(info->dlpi_addr + segment.p_vaddr + segment.p_memsz));
    }
    if (begin < end) program_variables = {begin, end - begin};
    return 1;
  };
  dl_iterate_phdr(look, nullptr);
}

void check_variable_write(uintptr_t address, uintptr_t caller) {
  if (is_in(__start_graded_data, __stop_graded_data - __start_graded_data, address) ||
      is_in(__start_graded_bss, __stop_graded_bss - __start_graded_bss, address)) {
    return;
  }
  if (context.busy) return;
  stop_host("writes to a variable that is not this file's", caller);
}

void forget_host_ranges() {
  generation.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace cudacpu::profile
