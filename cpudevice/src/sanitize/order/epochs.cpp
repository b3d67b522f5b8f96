#include "sanitize/order/epochs.h"

#include <vector>

namespace cudacpu::sanitize {
namespace {

std::vector<uint32_t>& epoch_serials() {
  static auto* const list = new std::vector<uint32_t>{0};
  return *list;
}
std::vector<Instance>& instances() {
  static auto* const list = new std::vector<Instance>{{0, 0}};
  return *list;
}

}  // namespace

Instance instance_of(Record record) {
  return instances()[epoch_serials()[epoch_of(record)]];
}

uint32_t serial_of(uint32_t epoch) {
  return epoch_serials()[epoch];
}
Instance instance_at(uint32_t serial) {
  return instances()[serial];
}

uint32_t new_instance(uint32_t operation, uint64_t block) {
  instances().push_back({operation, block});
  return static_cast<uint32_t>(instances().size() - 1);
}

uint32_t next_epoch() {
  return static_cast<uint32_t>(epoch_serials().size());
}

uint32_t new_epoch(uint32_t serial) {
  epoch_serials().push_back(serial);
  return next_epoch() - 1;
}

}  // namespace cudacpu::sanitize
