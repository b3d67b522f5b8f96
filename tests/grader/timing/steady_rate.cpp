// What harness/runner/steady_rate.h says of a list of times: compiled and run by
// test_steady_rate.py.
//
//   steady_rate rate 1.00 1.12 ...   1 for each time that is steady, else 0
//   steady_rate retakes 1 0 ...      by attempt, disturbed or not: 1 where it is taken again
#include "steady_rate.h"

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  SteadyRate rate;
  Retakes retakes;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (std::string(argv[1]) == "retakes") {
      std::printf("%d", retakes.again(word == "1"));
    } else if (word[0] == '=') {
      rate.settle_for(std::strtof(word.c_str() + 1, nullptr));
    } else {
      std::printf("%d", rate.is_steady(std::strtof(word.c_str(), nullptr)));
    }
  }
  if (std::string(argv[1]) == "retakes") std::printf(" %d", retakes.count());
}
