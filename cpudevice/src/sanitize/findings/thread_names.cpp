#include "sanitize/findings/thread_names.h"

namespace cudacpu::sanitize {
namespace {

// "(0,4)" or "(0,4,1)".
std::string coordinates(unsigned x, unsigned y, unsigned z, bool three) {
  return "(" + std::to_string(x) + "," + std::to_string(y) +
         (three ? "," + std::to_string(z) : "") + ")";
}

bool is_flat(const dim3& block) {
  return block.y == 1 && block.z == 1;
}

std::string range(unsigned first, unsigned last, const dim3& block) {
  const std::string text = thread_number(first, block);
  return last > first ? text + "-" + thread_number(last, block) : text;
}

}  // namespace

std::string thread_number(unsigned id, const dim3& block) {
  if (is_flat(block)) return std::to_string(id);
  return coordinates(id % block.x, id / block.x % block.y, id / (block.x * block.y), block.z > 1);
}

std::string thread_name(unsigned id, const dim3& block, uint3 index) {
  const std::string text = "thread " + thread_number(id, block);
  if (is_flat(block)) return text;
  return text + " of block " + coordinates(index.x, index.y, index.z, index.z > 0);
}

std::string thread_ranges(const ThreadSet& threads, const dim3& block) {
  std::string text;
  for (int id = threads.next(0); id >= 0;) {
    int last = id;
    while (threads.next(last + 1) == last + 1)
      ++last;
    text += (text.empty() ? "" : ",") + range(id, last, block);
    id = threads.next(last + 1);
  }
  return text;
}

std::string threads_text(const ThreadSet& threads, const dim3& block) {
  int first = threads.next(0), last = first, count = 0;
  for (int id = first; id >= 0; id = threads.next(id + 1)) {
    last = id;
    ++count;
  }
  if (count == 1) return "thread " + thread_number(first, block);
  return (count == last - first + 1 ? "threads " : "some of threads ") + range(first, last, block);
}

}  // namespace cudacpu::sanitize
