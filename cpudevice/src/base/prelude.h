// The headers of the C++ library that the run-time library uses most, for the compiler to parse
// once: most of the text of every source without a prelude. Each source still includes its own
// headers.
#ifndef CUDACPU_PRELUDE_H
#define CUDACPU_PRELUDE_H

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#endif
