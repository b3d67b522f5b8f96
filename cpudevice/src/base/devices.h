// The simulated devices: one, or as many as CUDACPU_DEVICES says (2 to 8), with the same
// properties, for programs that divide their work among several. The devices share a memory, so
// each may use the other's allocations as on GPUs with peer access, and each __device__ and
// __constant__ variable has a single copy.
#pragma once

namespace cudacpu {

constexpr int kMostDevices = 8;

int device_count();
bool is_device(int device);
// The device that the calling host thread has chosen, at first 0.
int current_device();
void set_current_device(int device);

}  // namespace cudacpu
