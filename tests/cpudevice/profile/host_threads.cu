// Threads that the host starts and joins in turn, and the work of each thread.
#include <future>
#include <thread>

volatile unsigned sink;

void work() {
  unsigned state = 1;
  for (int i = 0; i < 20000; ++i)
    state = state * 1664525u + (state >> 7);
  sink = state;
}

// host thread_start: times=4
// host thread_join: times=4
// host host_work: instructions>320000
// host host_work: instructions<1600000
int main() {
  for (int i = 0; i < 3; ++i) {
    std::thread one(work);
    one.join();
  }
  std::async(std::launch::async, work).get();
}
