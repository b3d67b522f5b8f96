// What the watch over a call of the host (cudacpu_watch.h) must know of the kernels that it
// launches.
#pragma once

namespace cudacpu {

// The running thread of the host launches a kernel, and the kernel has ended. Meanwhile the call is
// not stopped: kernels have a limit of their own, and their lines are not the host's. A call that
// is late is stopped before its next launch, where it is on the host.
void watch_launch_begin();
void watch_launch_end();

}  // namespace cudacpu
