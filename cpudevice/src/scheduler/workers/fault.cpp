// A fault ends the launch, not the process: the handler records the details and jumps back to where
// the worker began the launch, and the launching thread prints the report when all workers have
// left.
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
// This signal is ignored by default, left alone by debuggers, and used by hardly any program.
constexpr int kTimeSlice = SIGURG;
// One tick of the watchdog counts as this many yields of all threads.
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

const void* stack_pointer(const ucontext_t& at) {
#ifdef __x86_64__
  return reinterpret_cast<const void*>(at.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(at.uc_mcontext.sp);
#endif
}

#if defined(__aarch64__)

// Whether this instruction, which accesses memory, stores. The groups are those of the Arm
// Architecture Reference Manual's encoding index, "Loads and stores" and "SVE encodings".
bool stores(uint32_t instruction) {
  const auto bit = [=](int number) { return (instruction >> number & 1) != 0; };
  const uint32_t group = instruction >> 27 & 7;
  const bool loads = bit(22), is_vector = bit(26);
  if ((instruction >> 25 & 15) == 2) return instruction >> 29 == 7;  // SVE
  if (group == 1 && !is_vector) {                                    // exclusive, compare and swap
    const bool compares = bit(21) && (bit(23) || !bit(31));
    return compares || !loads;
  }
  if (group == 3 && !bit(24)) return false;  // a load at an address relative to the code
  if (group != 7) return !loads;             // pairs, structures of vectors
  constexpr uint32_t kAcquiringLoad = 12;    // among the atomic operations
  const bool is_atomic = !bit(24) && bit(21) && (instruction >> 10 & 3) == 0 && !is_vector &&
                         (instruction >> 12 & 15) != kAcquiringLoad;
  const bool extends_sign = bit(23) && !is_vector;
  return is_atomic || (!loads && !extends_sign);
}

#endif

char access_kind(const ucontext_t& at) {
#if defined(__x86_64__)
  constexpr long long kWrite = 2;  // of the page fault's error code
  return at.uc_mcontext.gregs[REG_ERR] & kWrite ? 'w' : 'r';
#else
  // Not every system passes the processor's report of the fault to the signal handler.
  return stores(*static_cast<const uint32_t*>(program_counter(at))) ? 'w' : 'r';
#endif
}

#if defined(__x86_64__)

// What wanted_alignment() returns for an instruction in the form that AVX has brought: a prefix of
// two or three bytes, and then the operation. Only moves want an alignment.
unsigned alignment_of_avx(const unsigned char* prefix) {
  const bool is_short = prefix[0] == 0xC5;
  if (!is_short && (prefix[1] & 0x1F) != 1) return 0;
  const unsigned char last = prefix[is_short ? 1 : 2], operation = prefix[is_short ? 2 : 3];
  const bool is_integer = (last & 3) == 1;  // vmovdqa and vmovntdq; vmovdqu has another value
  const bool aligned = operation == 0x28 || operation == 0x29 || operation == 0x2B ||
                       (is_integer && (operation == 0x6F || operation == 0x7F)) ||
                       operation == 0xE7;
  const bool is_long = last & 4;
  return !aligned ? 0 : is_long ? 32 : 16;
}

#endif

// The multiple at which alone this instruction accesses a vector, in bytes; 0 if it may do so
// everywhere. The processor does not say why it refuses an address; that of a vector is more likely
// misaligned than invalid.
unsigned wanted_alignment(const void* pc) {
#if defined(__x86_64__)
  const auto* byte = static_cast<const unsigned char*>(pc);
  if (*byte == 0xC4 || *byte == 0xC5) return alignment_of_avx(byte);
  bool scalar = false;
  for (; *byte == 0x66 || *byte == 0xF2 || *byte == 0xF3; ++byte)
    scalar |= *byte != 0x66;
  if ((*byte & 0xF0) == 0x40) ++byte;  // REX
  if (scalar || *byte != 0x0F) return 0;
  const unsigned char operation = byte[1];
  // movaps, movntps; arithmetic, comparisons, shuffles and moves of packed numbers.
  const bool aligned = operation == 0x28 || operation == 0x29 || operation == 0x2B ||
                       (operation >= 0x51 && operation <= 0x7F) || operation == 0xC2 ||
                       operation == 0xC6 || operation >= 0xD0;
  return aligned ? 16 : 0;
#else
  (void)pc;
  return 0;  // arm64 takes vectors from any address
#endif
}

#if !CUDACPU_DIAGNOSTICS

// After a division by zero or a division that overflows a GPU continues; the result of the first
// has all bits set. This function does the same: writes the results to the instruction's
// registers and continues with the next instruction.
bool go_on_behind_division(ucontext_t& at) {
#if defined(__x86_64__)
  auto& registers = at.uc_mcontext.gregs;
  const auto* byte = reinterpret_cast<const unsigned char*>(registers[REG_RIP]);
  const auto* const start = byte;
  while (*byte == 0x66 || *byte == 0x2E || *byte == 0x3E)
    ++byte;
  unsigned rex = 0;
  if ((*byte & 0xF0) == 0x40) rex = *byte++;
  if (*byte != 0xF7) return false;  // of 8 bits, which no compiler divides
  const unsigned modrm = byte[1], mode = modrm >> 6, memory = modrm & 7;
  const bool is_signed = (modrm >> 3 & 7) == 7;
  if (!is_signed && (modrm >> 3 & 7) != 6) return false;
  byte += 2;
  if (mode != 3) {
    const bool only_displacement = mode == 0 && memory == 5;
    if (memory == 4 && (*byte++ & 7) == 5 && mode == 0) byte += 4;
    byte += only_displacement || mode == 2 ? 4 : mode == 1 ? 1 : 0;
  }
  const bool wide = rex & 8;
  const auto low = static_cast<uint64_t>(registers[REG_RAX]);
  const uint64_t least = wide ? uint64_t{1} << 63 : uint64_t{1} << 31;
  const uint64_t mask = wide ? ~uint64_t{0} : 0xFFFFFFFF;
  // Only the quotient of the smallest number and -1 is too large. A divisor in memory is assumed to
  // be -1 then.
  static const int kRegisters[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                   REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                   REG_R12, REG_R13, REG_R14, REG_R15};
  const bool overflows =
      is_signed && (low & mask) == least &&
      (mode != 3 ||
       (static_cast<uint64_t>(registers[kRegisters[memory + (rex & 1 ? 8 : 0)]]) & mask));
  registers[REG_RAX] = static_cast<long long>(overflows ? least : mask);
  registers[REG_RDX] = static_cast<long long>(overflows ? 0 : low & mask);
  registers[REG_RIP] += byte - start;
  return true;
#else
  (void)at;
  return false;  // arm64 has no such fault
#endif
}

#endif

// The processor refuses such an address without a page fault, and does not report it.
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
      return is_refused(signal, info) && wanted_alignment(program_counter(at))
                 ? cudaErrorMisalignedAddress
                 : cudaErrorIllegalAddress;
  }
}

void note_fault(Failure& failure, Worker& worker, int signal, const siginfo_t* info,
                const ucontext_t& at) {
  failure.signal = signal;
  failure.address = info->si_addr;
  failure.unknown_address = is_refused(signal, info);
  failure.alignment = wanted_alignment(program_counter(at));
  failure.access = access_kind(at);
  failure.stack_overflow = worker.fibers.in_guard_page(info->si_addr);
  failure.shared = worker.block->memory.of_kernel().begin;
  failure.shared_bytes = worker.block->memory.of_kernel().bytes;
  if (worker.block->cluster) {
    for (const Block* block : worker.block->cluster->blocks()) {
      if (block->memory.map().has(failure.address))
        failure.shared = block->memory.of_kernel().begin;
    }
  }
  failure.frames[0] = program_counter(at);
  const CodeRange& code = worker.launch->code;
  failure.frame_count = code.has(reinterpret_cast<uintptr_t>(failure.frames[0]));
  // An overflowed stack is too long to walk, and would show nothing more.
  if (!failure.stack_overflow) note_frames(failure, code);
}

void on_fault(int signal, siginfo_t* info, void* where) {
  Worker* worker = context.worker;
  const auto& at = *static_cast<ucontext_t*>(where);
  if (worker && signal == SIGSEGV && info->si_code == SEGV_ACCERR &&
      worker->fibers.grow_stack(info->si_addr)) {
    return;
  }
  // Another signal came when its frame did not fit: the system drops the signal and sends SIGSEGV.
  // A signal that comes again and again at the same place is a fault of the instruction.
  constexpr int kMostLetGo = 16;
  thread_local const void* let_go_at = nullptr;
  thread_local int let_go = 0;
  if (worker && signal == SIGSEGV && info->si_code == SI_KERNEL) {
    let_go = program_counter(at) == let_go_at ? let_go + 1 : 0;
    let_go_at = program_counter(at);
    if (let_go < kMostLetGo && worker->fibers.make_room_for_signal(stack_pointer(at))) return;
  }
#if !CUDACPU_DIAGNOSTICS
  if (worker && signal == SIGFPE && go_on_behind_division(*static_cast<ucontext_t*>(where))) return;
#else
  const bool repaired =
      signal == SIGSEGV &&
      observe::repair_fault(info->si_addr, access_kind(at) == 'w', program_counter(at));
  if (!worker && repaired) return;
#endif
  if (!worker) {
    // A fault of the host: the previous handler decides, when the instruction runs again.
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

// The watchdog has seen no progress: ends a launch that has failed or taken too long, and otherwise
// lets other threads run. Does so only if the student's own code was interrupted: other code may
// hold a lock.
void on_time_slice(int, siginfo_t*, void* where) {
  Worker* worker = context.worker;
  // The diagnostic modes count and yield at volatile accesses instead, so that each run is the
  // same.
  if (!worker || context.busy || (CUDACPU_DIAGNOSTICS && !worker->launch->timed_out.load())) return;
  const void* pc = program_counter(*static_cast<ucontext_t*>(where));
  if (!worker->launch->code.has(reinterpret_cast<uintptr_t>(pc))) return;
  set_busy(1);
  if (worker->launch->failed.load()) worker->abandon();
  // There is no fiber to switch from between two threads, in a simple kernel and in lock-step.
  const bool has_fiber =
      context.thread || !(threadIdx.x == kBetweenThreads || worker->launch->body.in_lockstep);
  if (worker->launch->timed_out.load()) {
    look_at_late(*worker);
  } else if (has_fiber) {
    int saved = errno;
    yield_now(*worker, kTickRounds);
    errno = saved;
  }
  set_busy(0);
}

}  // namespace

void install_fault_handlers() {
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  // A switch to another fiber would leave the fault's signal blocked on the new fiber, and the
  // system ends a program that faults then.
  sigaddset(&action.sa_mask, kTimeSlice);
  for (int i = 0; i < kFaults; ++i)
    sigaction(kFaultSignals[i], &action, &previous[i]);
  action.sa_sigaction = on_time_slice;
  sigemptyset(&action.sa_mask);
  // The handler runs on the interrupted thread's own stack, and the signal is not blocked while the
  // thread waits for its next turn.
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  sigaction(kTimeSlice, &action, nullptr);
  prepare_call_stack();
}

void prepare_os_thread() {
  stack_t stack;
  if (sigaltstack(nullptr, &stack) == 0 && !(stack.ss_flags & SS_DISABLE)) return;
  // Kept as long as the process, because the thread may fault while it ends.
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
