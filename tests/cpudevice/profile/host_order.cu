// The order of the host's work, besides starts and joins of threads: an event recorded by another
// thread, and the place of a host function in its stream.
#include <thread>

#include "cuda_runtime.h"

volatile unsigned sink;

void work(void*) {
  unsigned state = 1;
  for (int i = 0; i < 20000; ++i)
    state = state * 1664525u + (state >> 7);
  sink = state;
}

// The other thread waits for the second record of the main thread, whose stream waits for the other
// thread's first record. The work of the host function belongs to a third thread.
// host event_record: times=3
// host event_sync: times=2 recorder=0 record=1
// host stream_wait: times=1 recorder=1 record=0
// host host_function: times=1 child=2
// host host_work: instructions>80000
int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t first, second;
  cudaEventCreate(&first);
  cudaEventCreate(&second);
  cudaEventRecord(first, stream);
  cudaEventRecord(second, stream);
  cudaEventSynchronize(first);
  std::thread other([&] {
    cudaEventSynchronize(second);
    cudaEventRecord(second, nullptr);
  });
  other.join();
  cudaStreamWaitEvent(stream, second);
  cudaLaunchHostFunc(stream, work, nullptr);
  cudaStreamSynchronize(stream);
}
