// Functions that code compiled for the diagnostic modes (cudacc --sanitize, --profile) calls in
// addition to the compiler's own instrumentation. In run mode no code calls them.
#pragma once

#include <cstddef>

#include "attributes.h"

#if CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING

namespace cudacpu {
namespace observe {

// A thread of the loop in launch.h begins: sets threadIdx.x and tells the observer. It ends: true
// if it has had to wait, and so does not go on with the loop. Not inlined, since nothing in them is
// the program's.
void start_thread(unsigned x, unsigned id);
bool stop_thread(unsigned id);

enum class Scope { kBlock, kDevice, kSystem };
void fence(Scope scope);

// Which of the barriers in the student's text comes next: two that stand on one line are two. See
// compiler/translate.py.
void barrier(unsigned token);

#ifdef __CUDACPU_SANITIZE__
// The running thread comes to a `return` that stands in its kernel.
void returning();
#endif

// A lane asks for what lane `source` left in a warp function, though that lane was not there.
void absent_lane_read(unsigned source);

// The product of matrices that comes next takes this many multiplications; the types of factors and
// sums are those of Element (device/matrix/matrix.h).
void matrix_product(unsigned factors, unsigned sums, unsigned multiplications);

#ifdef __CUDACPU_PROFILE__
// An atomic operation that is several here follows: others may have to go first.
void before_atomic(const void* place);
// What an exchange of the lanes in `present` costs beside the meeting, of which each of them tells:
// clocks of the unit that exchanges, and instructions.
void exchanged(unsigned clocks, unsigned instructions, unsigned present);
// The running thread sleeps.
void sleep(unsigned ns);
#endif

// *value, unseen by the instrumentation: for data of the run-time library that its headers read.
size_t peek(const size_t* value);

}  // namespace observe
}  // namespace cudacpu

#endif
