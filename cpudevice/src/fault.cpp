// What can go wrong in a kernel: bad accesses, traps, asserts, time-outs; and the sentence each
// gets.
//
// A fault ends the launch, not the process: the handler notes what it can, jumps back to where the
// worker took up the launch, and the launching thread prints the report when all workers have left.
#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "api.h"
#include "cuda_runtime_api.h"
#include "observer.h"
#include "switch.h"

namespace cudacpu {
namespace {

constexpr int kFaultSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr int kFaults = sizeof kFaultSignals / sizeof kFaultSignals[0];
// Ignored by default, left alone by debuggers, used by hardly any program.
constexpr int kTimeSlice = SIGURG;
constexpr unsigned kTickRounds =
    5;  // for how many yields of all threads one of the watchdog's ticks counts
constexpr size_t kAlternateStack = 64 * 1024;

struct sigaction previous[kFaults];

const void* program_counter(const ucontext_t& at) {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(at.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(at.uc_mcontext.pc);
#else
#error "the CPU device knows x86-64 and arm64"
#endif
}

char access_kind(const ucontext_t& at) {
#if defined(__x86_64__)
  constexpr long long kWrite = 2;  // of the page fault's error code
  return at.uc_mcontext.gregs[REG_ERR] & kWrite ? 'w' : 'r';
#else
  (void)at;
  return 0;
#endif
}

// Is this an instruction that takes 16 bytes at once and only at a multiple of 16? The processor
// does not say why it refuses an address; a vector's is then likelier misaligned than wild.
bool wants_alignment(const void* pc) {
#if defined(__x86_64__)
  const auto* byte = static_cast<const unsigned char*>(pc);
  bool scalar = false;
  for (; *byte == 0x66 || *byte == 0xF2 || *byte == 0xF3; ++byte)
    scalar |= *byte != 0x66;
  if ((*byte & 0xF0) == 0x40) ++byte;  // REX
  if (scalar || *byte != 0x0F) return false;
  const unsigned char operation = byte[1];
  // movaps, movntps; arithmetic, comparisons, shuffles and moves of packed numbers.
  return operation == 0x28 || operation == 0x29 || operation == 0x2B ||
         (operation >= 0x51 && operation <= 0x7F) || operation == 0xC2 || operation == 0xC6 ||
         operation >= 0xD0;
#else
  (void)pc;
  return false;  // arm64 takes vectors from any address
#endif
}

struct Trace {
  Failure* failure;
  CodeRange code;
};

_Unwind_Reason_Code keep_frame(_Unwind_Context* at, void* data) {
  auto* trace = static_cast<Trace*>(data);
  int exact = 0;
  uintptr_t pc = _Unwind_GetIPInfo(at, &exact);
  if (!exact) --pc;  // a return address: the call stands before it
  if (trace->code.has(pc)) {
    trace->failure->frames[trace->failure->frame_count++] = reinterpret_cast<const void*>(pc);
  }
  return trace->failure->frame_count < Failure::kMaxFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void note_frames(Failure& failure) {
  Trace trace{&failure, launch_code()};
  _Unwind_Backtrace(keep_frame, &trace);
}

// The processor refuses an address without a page fault, and does not tell it.
bool is_refused(int signal, const siginfo_t* info) {
  return signal == SIGSEGV && info->si_code == SI_KERNEL;
}

int fault_error(int signal, const siginfo_t* info, const ucontext_t& at) {
  switch (signal) {
    case SIGFPE:
      return cudaErrorLaunchFailure;
    case SIGILL:
      return cudaErrorIllegalInstruction;
    default:
      return is_refused(signal, info) && wants_alignment(program_counter(at))
                 ? cudaErrorMisalignedAddress
                 : cudaErrorIllegalAddress;
  }
}

void note_fault(Failure& failure, Worker& worker, int signal, const siginfo_t* info,
                const ucontext_t& at) {
  failure.signal = signal;
  failure.address = info->si_addr;
  failure.unknown_address = is_refused(signal, info);
  failure.access = access_kind(at);
  failure.stack_overflow = worker.fibers.in_guard_page(info->si_addr);
  failure.shared = worker.block->shared;
  failure.shared_bytes = worker.block->shared_bytes;
  failure.frames[0] = program_counter(at);
  failure.frame_count = launch_code().has(reinterpret_cast<uintptr_t>(failure.frames[0]));
  // The stack of a thread that overflowed it is too long to walk, and tells nothing more.
  if (!failure.stack_overflow) note_frames(failure);
}

void on_fault(int signal, siginfo_t* info, void* where) {
  Worker* worker = context.worker;
  const auto& at = *static_cast<ucontext_t*>(where);
#if CUDACPU_DIAGNOSTICS
  const bool repaired =
      signal == SIGSEGV &&
      observe::repair_fault(info->si_addr, access_kind(at) == 'w', program_counter(at));
  if (!worker && repaired) return;
#endif
  if (!worker) {
    // Not ours: what was there before decides, when the instruction runs again.
    for (int i = 0; i < kFaults; ++i) {
      if (kFaultSignals[i] == signal) sigaction(signal, &previous[i], nullptr);
    }
    return;
  }
  Launch& launch = *worker->launch;
#if CUDACPU_DIAGNOSTICS
  if (repaired) {
    if (launch.repaired.kind == Failure::kNone) {
      launch.repaired.kind = Failure::kFault;
      launch.repaired.error = fault_error(signal, info, at);
      launch.repaired.block = blockIdx;
      launch.repaired.thread = threadIdx;
      launch.repaired.thread_known = true;
      note_fault(launch.repaired, *worker, signal, info, at);
    }
    return;
  }
#endif
  Failure* failure = claim_failure(launch, Failure::kFault, fault_error(signal, info, at));
  if (failure && !failure->thread_known) {
    note_fault(*failure, *worker, signal, info, at);
    worker->replay();
  }
  if (!failure && worker->replaying) {
    failure = &launch.failure;
    failure->thread = threadIdx;
    failure->thread_known = threadIdx.x != kBetweenThreads;
  }
  if (failure) note_fault(*failure, *worker, signal, info, at);
  end_launch(*worker);
}

// The watchdog has seen no progress: ends a launch that has failed or taken too long, else lets
// other threads run. Only where the student's own code is interrupted: elsewhere a lock may be
// held.
void on_time_slice(int, siginfo_t*, void* where) {
  Worker* worker = context.worker;
  // The diagnostic modes count and yield at volatile accesses instead, so that a run repeats
  // itself.
  if (!worker || context.busy || (CUDACPU_DIAGNOSTICS && !worker->launch->timed_out.load())) return;
  const void* pc = program_counter(*static_cast<ucontext_t*>(where));
  if (!launch_code().has(reinterpret_cast<uintptr_t>(pc))) return;
  set_busy(1);
  if (worker->launch->timed_out.load()) report_timeout(*worker, nullptr);
  if (worker->launch->failed.load()) end_launch(*worker);
  // Between two threads, and in a simple kernel, nobody is there who could be left.
  if (!context.thread && threadIdx.x == kBetweenThreads) {
    set_busy(0);
    return;
  }
  int saved = errno;
  yield_now(*worker, kTickRounds);
  errno = saved;
  set_busy(0);
}

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

// "4 bytes past the end of the 4096 bytes that cudaMalloc gave at 0x7f...".
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
               ? "that is not a multiple of 16, as a vector's has to be"
               : "that no memory can have";
  }
  if (reinterpret_cast<uintptr_t>(address) < kNullPages) {
    return hex(address) + (address ? ", next to the null pointer" : ", the null pointer");
  }
  if (failure.shared_bytes && address >= failure.shared - kNear &&
      address < failure.shared + failure.shared_bytes + kNear) {
    return beside(address, failure.shared, failure.shared_bytes,
                  "the block's " + bytes(failure.shared_bytes) + " of shared memory");
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
    // One place in the source may be several in the program.
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

void install_fault_handlers() {
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < kFaults; ++i)
    sigaction(kFaultSignals[i], &action, &previous[i]);
  action.sa_sigaction = on_time_slice;
  // On the interrupted thread's own stack, and not blocked while it waits for its next turn.
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigaction(kTimeSlice, &action, nullptr);
  // The first unwinding loads and allocates; a handler must not.
  _Unwind_Backtrace([](_Unwind_Context*, void*) { return _URC_NO_REASON; }, nullptr);
}

void prepare_os_thread() {
  stack_t stack;
  if (sigaltstack(nullptr, &stack) == 0 && !(stack.ss_flags & SS_DISABLE)) return;
  // Kept as long as the process: the thread may fault in its last moments.
  stack = {};
  stack.ss_sp =
      mmap(nullptr, kAlternateStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack.ss_size = kAlternateStack;
  if (stack.ss_sp != MAP_FAILED) sigaltstack(&stack, nullptr);
}

void signal_worker(Worker& worker) {
  pthread_kill(worker.os_thread, kTimeSlice);
}

void report_timeout(Worker& worker, const void* site) {
  if (Failure* failure = claim_failure(*worker.launch, Failure::kTimeout, cudaErrorLaunchTimeout)) {
    if (site) {
      failure->frames[failure->frame_count++] = site;
    } else {
      note_frames(*failure);  // in a signal handler: the interrupted function may be ours
    }
  }
  end_launch(worker);
}

void kernel_trap(int cuda_error, const char* sentence) {
  Worker* worker = context.worker;
  if (!worker) {
    fprintf(stderr, "CPU device: host code %s\n", sentence);
    abort();
  }
  set_busy(1);
  if (Failure* failure = claim_failure(*worker->launch, Failure::kTrap, cuda_error)) {
    snprintf(failure->text, sizeof failure->text, "%s", sentence);
    note_frames(*failure);
  }
  end_launch(*worker);
}

int report_failure(const Launch& launch) {
  const Failure& failure = launch.failure;
  if (failure.kind == Failure::kAssert) {
    fprintf(stderr, "%s\n", failure.text);
    return failure.error;
  }
  auto error = static_cast<cudaError_t>(failure.error);
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
      char seconds[64];
      snprintf(seconds, sizeof seconds, "stopped after %g seconds (CUDACPU_TIMEOUT)",
               timeout_seconds());
      text += seconds;
    } else {
      text += failure.text;
    }
  }
  if (CUDACPU_DIAGNOSTICS) text = repeatable(text);
  fflush(stdout);  // what the kernel printed stands before the report
  fprintf(stderr, "CUDA error in %s (%s)\n", text.c_str(), cudaGetErrorName(error));
  return failure.error;
}

}  // namespace cudacpu

// The C library's assert() ends here, in kernels and on the host.
extern "C" [[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line,
                                           const char* function) noexcept {
  using namespace cudacpu;
  Worker* worker = context.worker;
  if (!worker) {
    using Original = void (*)(const char*, const char*, unsigned, const char*);
    auto original = reinterpret_cast<Original>(dlsym(RTLD_NEXT, "__assert_fail"));
    if (original) original(expression, file, line, function);
    abort();
  }
  set_busy(1);
  if (Failure* failure = claim_failure(*worker->launch, Failure::kAssert, cudaErrorAssert)) {
    // A kernel's body is a lambda here: its name ends where the lambda's begins.
    const char* lambda = strstr(function, "::<lambda");
    int length = static_cast<int>(lambda ? lambda - function : strlen(function));
    uint3 b = blockIdx, t = threadIdx;
    snprintf(failure->text, sizeof failure->text,
             "%s:%u: %s%.*s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.", file,
             line, lambda ? "void " : "", length, function, b.x, b.y, b.z, t.x, t.y, t.z,
             expression);
  }
  end_launch(*worker);
}
