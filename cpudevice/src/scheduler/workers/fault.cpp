// A fault ends the launch, not the process: the handler notes what it can, jumps back to where the
// worker took up the launch, and the launching thread prints the report when all workers have left.
#include "scheduler/workers/fault.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "diagnostics/call_stack.h"
#include "diagnostics/observer.h"
#include "driver_types.h"
#include "scheduler/threads/stop.h"
#include "scheduler/threads/yield.h"

namespace cudacpu {
namespace {

constexpr int kFaultSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr int kFaults = sizeof kFaultSignals / sizeof kFaultSignals[0];
// Ignored by default, left alone by debuggers, used by hardly any program.
constexpr int kTimeSlice = SIGURG;
// For how many yields of all threads one of the watchdog's ticks counts.
constexpr unsigned kTickRounds = 5;
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
  const CodeRange& code = worker.launch->code;
  failure.frame_count = code.has(reinterpret_cast<uintptr_t>(failure.frames[0]));
  // The stack of a thread that overflowed it is too long to walk, and tells nothing more.
  if (!failure.stack_overflow) note_frames(failure, code);
}

void on_fault(int signal, siginfo_t* info, void* where) {
  Worker* worker = context.worker;
  const auto& at = *static_cast<ucontext_t*>(where);
  if (worker && signal == SIGSEGV && info->si_code == SEGV_ACCERR &&
      worker->fibers.grow_stack(info->si_addr)) {
    return;
  }
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
  worker->abandon();
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
  if (!worker->launch->code.has(reinterpret_cast<uintptr_t>(pc))) return;
  set_busy(1);
  if (worker->launch->timed_out.load()) stop_late(*worker, nullptr);
  if (worker->launch->failed.load()) worker->abandon();
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
  prepare_call_stack();
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

}  // namespace cudacpu
