// The simulated devices. There is one; with CUDACPU_DEVICES=2 (or up to 8) there are as many as
// that, with the same properties, for programs that divide their work among several. They share one
// memory, so each may use the other's as on GPUs with peer access, and there is one copy of each
// __device__ and __constant__ variable.
#pragma once

namespace cudacpu {

constexpr int kMostDevices = 8;

int device_count();
bool is_device(int device);
// The device that the calling host thread has chosen, at first 0.
int current_device();
void set_current_device(int device);

}  // namespace cudacpu
