// Tells the watch over a call of the host (cudacpu_watch.h) of the kernels that the call launches.
#pragma once

namespace cudacpu {

// To be called when the running thread of the host launches a kernel, and when the kernel has
// ended. In between the call is not stopped: kernels have a time limit of their own, and their
// lines are not the host's. A call that takes too long is stopped on the host, before its next
// launch.
void watch_launch_begin();
void watch_launch_end();

}  // namespace cudacpu
