// Functions that code compiled for the diagnostic modes (cudacc --sanitize, --profile) calls in
// addition to the compiler's own instrumentation. In run mode no code calls the functions.
#pragma once

#include <cstddef>

#include "attributes.h"

#if CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING

namespace cudacpu {
namespace observe {

// A thread of the loop in launch.h begins: sets threadIdx.x and calls the observer. The thread
// ends: returns true if the thread has had to wait, and so does not continue the loop. Neither
// function is inlined, because no instruction in them belongs to the program.
void start_thread(unsigned x, unsigned id);
bool stop_thread(unsigned id);

enum class Scope { kBlock, kDevice, kSystem };
void fence(Scope scope);

// Says which barrier of the student's text comes next: two barriers on one line are different. See
// compiler/syntax/diagnostics.py.
void barrier(unsigned token);

#ifdef __CUDACPU_SANITIZE__
// The running thread reaches a `return` in its kernel.
void returning();
#endif

// A lane reads the value of lane `source`, which did not take part in the warp function.
void absent_lane_read(unsigned source);

// The next product of matrices takes `multiplications` multiplications; the types of factors and
// sums are values of Element (device/matrix/matrix.h).
void matrix_product(unsigned factors, unsigned sums, unsigned multiplications);

#ifdef __CUDACPU_PROFILE__
// An atomic operation follows that consists of several on the CPU device: other threads may have to
// go first.
void before_atomic(const void* place);
// The cost of an exchange of the lanes in `present`, beside the meeting, which each lane reports:
// clocks of the exchanging unit, and instructions.
void exchanged(unsigned clocks, unsigned instructions, unsigned present);
// The running thread sleeps.
void sleep(unsigned ns);
#endif

// Reads *value, hidden from the instrumentation: for headers that read data of the run-time
// library.
size_t peek(const size_t* value);

}  // namespace observe
}  // namespace cudacpu

#endif
