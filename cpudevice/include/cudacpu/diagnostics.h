// Functions that code compiled for the diagnostic modes (cudacc --sanitize, --profile) calls in
// addition to the compiler's own instrumentation. In run mode no code calls them.
#pragma once

#include <cstddef>

#include "attributes.h"

#if CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING

namespace cudacpu {
namespace observe {

// A thread of the loop in launch.h begins: sets threadIdx.x and calls the observer. The thread
// ends: returns true if it has had to wait, and so does not continue the loop. They are not
// inlined, because nothing in them belongs to the program.
void start_thread(unsigned x, unsigned id);
bool stop_thread(unsigned id);

enum class Scope { kBlock, kDevice, kSystem };
void fence(Scope scope);

// Says which of the barriers in the student's text comes next: two on one line are different. See
// compiler/syntax/diagnostics.py.
void barrier(unsigned token);

#ifdef __CUDACPU_SANITIZE__
// The running thread reaches a `return` in its kernel.
void returning();
#endif

// A lane reads the value of lane `source` in a warp function in which that lane did not take part.
void absent_lane_read(unsigned source);

// The product of matrices that comes next takes this many multiplications; the types of factors and
// sums are those of Element (device/matrix/matrix.h).
void matrix_product(unsigned factors, unsigned sums, unsigned multiplications);

#ifdef __CUDACPU_PROFILE__
// An atomic operation that consists of several here follows: other threads may have to go first.
void before_atomic(const void* place);
// The cost of an exchange of the lanes in `present`, beside the meeting, which each of them
// reports: clocks of the unit that exchanges, and instructions.
void exchanged(unsigned clocks, unsigned instructions, unsigned present);
// The running thread sleeps.
void sleep(unsigned ns);
#endif

// Reads *value, hidden from the instrumentation: for data of the run-time library that its headers
// read.
size_t peek(const size_t* value);

}  // namespace observe
}  // namespace cudacpu

#endif
