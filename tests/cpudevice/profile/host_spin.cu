// Only a loop that waits counts as waiting: a thread that goes through memory, or that waits for
// no other thread, works, however often the thread reads a volatile.
#include <atomic>
#include <thread>

volatile int flag;
int memory[1 << 16];

// 200,000 rounds beside a sleeping thread, and as many alone.
// host host_work: instructions>2000000
int main() {
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done)
      std::this_thread::yield();
  });
  int sum = 0;
  for (int i = 0; i < 200000; ++i)
    sum += memory[(i * 7 + flag) % (1 << 16)] ^ sum;
  done = true;
  other.join();
  unsigned state = sum;
  for (int i = 0; i < 200000; ++i)
    state = state * 1664525u + flag;
  return state == 1;
}
