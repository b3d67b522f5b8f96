// Work of functions of the C and C++ libraries for the host is counted: by price for functions that
// no compiler has instrumented, and in the program's own copies of the library's templates.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

struct Row {
  int values[1000];
};
Row rows[2];
using Vector = float __attribute__((vector_size(64)));
Vector sums[2];
int keys[1 << 16];

// Merging 2^16 keys on 16 levels.
// host host_work: instructions>16000000
// 10,000 rows of 4,000 bytes, loaded and stored; 100,000 vectors of 16 floats, multiplied and
// added; 4 MB of characters, appended one by one and searched. host host_work:
// instructions>40000000 host host_work: instructions<200000000
int main() {
  qsort(keys, 1 << 16, sizeof(int), [](const void* a, const void* b) {
    return *static_cast<const int*>(a) - *static_cast<const int*>(b);
  });
  for (int i = 0; i < 10000; ++i)
    rows[i % 2] = rows[(i + 1) % 2];
  for (int i = 0; i < 100000; ++i)
    sums[0] = sums[0] * sums[1] + sums[1];
  std::string text;
  for (int i = 0; i < 1 << 20; ++i)
    text += 'a';
  size_t found = text.find("ab");
  for (int i = 0; i < 3; ++i)
    found += std::strlen(text.c_str());
  return found == 0;
}
