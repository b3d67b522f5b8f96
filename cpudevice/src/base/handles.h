// The objects behind the handles of the host API, such as streams and arrays, and which objects
// exist. Objects are few and made seldom: a mutex is enough.
#pragma once

#include <mutex>
#include <set>
#include <utility>

namespace cudacpu {

template <typename Object>
class Handles {
 public:
  Object* add(Object object) {
    std::lock_guard<std::mutex> lock(mutex_);
    return *live_.insert(new Object(std::move(object))).first;
  }
  bool has(const Object* handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    return live_.count(const_cast<Object*>(handle)) != 0;
  }
  bool remove(Object* handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!live_.erase(handle)) return false;
    delete handle;
    return true;
  }
  void remove_all() {
    std::lock_guard<std::mutex> lock(mutex_);
    for (Object* handle : live_)
      delete handle;
    live_.clear();
  }
  template <typename Function>
  void for_each(Function function) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (Object* handle : live_)
      function(*handle);
  }

 private:
  std::mutex mutex_;
  std::set<Object*> live_;
};

}  // namespace cudacpu
