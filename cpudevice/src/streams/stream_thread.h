// The thread that does the work of streams while the host goes on.
//
// Usually the host does all work itself, within the call, and nothing is ever pending. But a kernel
// that waits for a later action of the host, and the host that waits for the kernel, would both
// stop. So this thread runs the launches of kernels that may wait for the host
// (KernelInfo::may_wait_for_host), and the host waits only until the launch has ended or all its
// threads wait. In the second case the host goes on: later work of the launch's stream, and every
// further launch, is queued after the launch. The thread does queued work in order.
//
// The diagnostic modes have no stream thread.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "cuda_runtime_api.h"
#include "cudacpu/launch.h"

namespace cudacpu {

using Work = std::function<cudaError_t()>;
// The number of a piece of queued work: 1, 2, ... in the order of execution.
using Ticket = uint64_t;

// Runs a kernel in its stream, or queues the launch; returns a cudaError_t.
int launch_in_stream(KernelInfo& info, const Body& body, const LaunchConfiguration& configuration);

// Queues work in a stream. `work` must hold copies of its data.
Ticket queue_in(cudaStream_t stream, Work work);
// Later work in `stream` comes after the work `ticket`.
void come_after(cudaStream_t stream, Ticket ticket);

// Whether queued work has not been done yet.
bool is_pending(Ticket ticket);
// The pending work that new work in `stream`, or in any stream, comes after; 0 without pending
// work.
Ticket pending_before(cudaStream_t stream);
Ticket pending_anywhere();
// Queues the work if the stream has pending work; otherwise returns 0.
template <typename Function>
Ticket queue_if_pending(cudaStream_t stream, Function work) {
  return pending_before(stream) ? queue_in(stream, std::move(work)) : 0;
}
// Waits for pending work; returns the first error that queued work has left since the last wait.
cudaError_t wait_for(Ticket ticket);

}  // namespace cudacpu
