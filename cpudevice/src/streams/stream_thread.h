// The thread that does the work of streams while the host goes on.
//
// Usually the host does all work itself, within the call, and nothing is ever pending. With a
// kernel that waits for what the host does after the launch, neither would go on. So a launch of a
// kernel that may do that (KernelInfo::may_wait_for_host) is done by this thread, and the host
// waits only until it has ended or all its threads wait. In the second case the host goes on: what
// comes after the launch in its stream, and every further launch, is queued behind it. The thread
// does what is queued one after the other.
//
// In the diagnostic modes there is no such thread.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "cuda_runtime_api.h"
#include "cudacpu/launch.h"

namespace cudacpu {

using Work = std::function<cudaError_t()>;
// The number of a piece of queued work: 1, 2, ... in the order in which it is done.
using Ticket = uint64_t;

// Runs a kernel in its stream, or queues that; returns a cudaError_t.
int launch_in_stream(KernelInfo& info, const Body& body, const LaunchConfiguration& configuration);

// Queues work in a stream. It must hold copies of what it needs.
Ticket queue_in(cudaStream_t stream, Work work);
// Later work in `stream` comes after this.
void come_after(cudaStream_t stream, Ticket ticket);

// Whether queued work has not been done yet.
bool is_pending(Ticket ticket);
// The pending work after which new work in `stream` comes, in any stream; 0 if there is none.
Ticket pending_before(cudaStream_t stream);
Ticket pending_anywhere();
// Queues the work if it comes after pending work; otherwise returns 0.
template <typename Function>
Ticket queue_if_pending(cudaStream_t stream, Function work) {
  return pending_before(stream) ? queue_in(stream, std::move(work)) : 0;
}
// Waits for pending work; returns the first error that queued work has left since the last such
// call.
cudaError_t wait_for(Ticket ticket);

}  // namespace cudacpu
