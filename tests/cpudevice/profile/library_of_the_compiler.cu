// What the C++ library does without a word of the program: exceptions, casts, lists.
#include <list>
#include <map>

struct Base {
  virtual ~Base() = default;
};
struct Derived : Base {
  int value = 1;
};

int caught(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    try {
      throw i;
    } catch (int value) {
      sum += value;
    }
  }
  return sum;
}

// 1000 exceptions, 100,000 casts, 100 reversals of 1000 nodes, and 10,000 keys erased.
// host host_work: instructions>7000000
// host host_work: instructions<12000000
int main() {
  int sum = caught(1000);
  Base* const base = new Derived;
  for (int i = 0; i < 100000; ++i)
    sum += dynamic_cast<Derived*>(base)->value;
  delete base;
  std::list<int> list(1000, 1);
  for (int i = 0; i < 100; ++i)
    list.reverse();
  std::map<int, int> map;
  for (int i = 0; i < 10000; ++i)
    map[i] = i;
  while (!map.empty())
    map.erase(--map.end());
  return sum == 0;
}
