// Memory and events that several processes use.
//
// A handle of memory names the process and the file that holds the memory's pages; another process
// opens the file through /proc. An event needs no more than a name: work is done when its call
// returns, so in another process an event has always happened.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

#include "base/call.h"
#include "base/error.h"
#include "diagnostics/observer.h"
#include "memory/arena.h"
#include "streams/stream_state.h"

using namespace cudacpu;

namespace {

constexpr uint64_t kMemory = 0x6d65'6d6f'7279'0001, kEvent = 0x6576'656e'7400'0001;

struct Name {
  uint64_t kind;  // kMemory or kEvent
  pid_t process;
  SharedPages pages;  // of memory
  ino_t file;         // descriptors are used again, inodes are not
};
static_assert(sizeof(Name) <= CUDA_IPC_HANDLE_SIZE);

template <typename Handle>
Name name_of(const Handle& handle) {
  Name name;
  memcpy(&name, handle.reserved, sizeof name);
  return name;
}

template <typename Handle>
void write_name(Handle* handle, const Name& name) {
  memset(handle->reserved, 0, sizeof handle->reserved);
  memcpy(handle->reserved, &name, sizeof name);
}

// Memory that the process has opened: opening the same memory again gives the same address.
struct Opened {
  ino_t file;
  int times;
};
std::mutex opened_mutex;
std::map<void*, Opened>& opened() {
  static auto* all = new std::map<void*, Opened>;
  return *all;
}

ino_t number_of(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? status.st_ino : 0;
}

void* open_again(const Name& name) {
  for (auto& [pointer, memory] : opened()) {
    if (memory.file != name.file) continue;
    ++memory.times;
    return pointer;
  }
  return nullptr;
}

}  // namespace

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return api([&] {
    if (!handle) return cudaErrorInvalidValue;
    Name name{kMemory, getpid(), {}, 0};
    if (cudaError_t error = share(pointer, &name.pages)) return error;
    name.file = number_of(name.pages.file);
    write_name(handle, name);
    return cudaSuccess;
  });
}

cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags) {
  return api([&] {
    if (!pointer || (flags & ~unsigned{cudaIpcMemLazyEnablePeerAccess}))
      return cudaErrorInvalidValue;
    const Name name = name_of(handle);
    if (name.kind != kMemory) return cudaErrorInvalidResourceHandle;
    if (name.process == getpid()) {
      explain("cudaIpcOpenMemHandle: a process cannot open a handle of its own memory");
      return cudaErrorDeviceUninitialized;
    }
    std::lock_guard<std::mutex> lock(opened_mutex);
    *pointer = open_again(name);
    if (*pointer) return cudaSuccess;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", static_cast<int>(name.process), name.pages.file);
    SharedPages pages = name.pages;
    pages.file = open(path, O_RDWR | O_CLOEXEC);
    if (pages.file < 0 || number_of(pages.file) != name.file) {
      if (pages.file >= 0) close(pages.file);
      explain("cudaIpcOpenMemHandle: process %d has freed the memory, or has ended",
              static_cast<int>(name.process));
      return cudaErrorMapBufferObjectFailed;
    }
    *pointer = map_shared(pages, "cudaIpcOpenMemHandle");
    close(pages.file);
    if (!*pointer) return cudaErrorMemoryAllocation;
    opened()[*pointer] = {name.file, 1};
    // The other process has written the memory.
    observe::Transfer written = {};
    written.function = "cudaIpcOpenMemHandle";
    written.destination = *pointer;
    written.width = written.destination_pitch = written.destination_slice = pages.used;
    written.height = written.depth = 1;
    observe::transferring(written);
    return cudaSuccess;
  });
}

cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  return api([&] {
    std::lock_guard<std::mutex> lock(opened_mutex);
    const auto found = opened().find(pointer);
    if (found == opened().end()) {
      explain("cudaIpcCloseMemHandle: %p did not come from cudaIpcOpenMemHandle", pointer);
      return cudaErrorInvalidValue;
    }
    if (--found->second.times > 0) return cudaSuccess;
    opened().erase(found);
    return release_shared(pointer, "cudaIpcCloseMemHandle");
  });
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return api([&] {
    if (!handle) return cudaErrorInvalidValue;
    if (cudaError_t error = check_event(event, "cudaIpcGetEventHandle")) return error;
    constexpr unsigned kFlags = cudaEventInterprocess | cudaEventDisableTiming;
    if ((event->flags & kFlags) != kFlags) {
      explain(
          "cudaIpcGetEventHandle: the event needs cudaEventInterprocess and "
          "cudaEventDisableTiming");
      return cudaErrorInvalidResourceHandle;
    }
    write_name(handle, {kEvent, getpid(), {}, 0});
    return cudaSuccess;
  });
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return api([&] {
    if (!event) return cudaErrorInvalidValue;
    const Name name = name_of(handle);
    if (name.kind != kEvent) return cudaErrorInvalidResourceHandle;
    if (name.process == getpid()) {
      explain("cudaIpcOpenEventHandle: a process cannot open a handle of its own event");
      return cudaErrorDeviceUninitialized;
    }
    *event = events().add({cudaEventInterprocess | cudaEventDisableTiming, false, {}, {}});
    return cudaSuccess;
  });
}
