#include "scheduler/threads/worker.h"

namespace cudacpu {

void Worker::enter(Block& next) {
  block = &next;
  blockIdx = next.index;
  context.shared = next.memory.of_kernel().begin;
  context.dynamic_shared = next.memory.dynamic();
  context.function_shared = next.memory.of_functions().begin;
  observe::block_resume(next);
}

bool Worker::start_block() {
  uint64_t number;
  if (!take_cluster(&number)) return false;
  if (launch->cluster_blocks == 1) {
    Block& started = blocks.add(*launch);
    started.begin(*launch, number);
    enter(started);
    observe::block_begin(started);
    return true;
  }
  const auto cluster = std::make_shared<Cluster>(number);
  while (cluster->blocks().size() < launch->cluster_blocks) {
    Block& started = blocks.add(*launch);
    started.begin(*launch, cluster);
    enter(started);
    observe::block_begin(started);
  }
  observe::cluster_begin(*cluster);
  enter(*cluster->blocks()[0]);
  return true;
}

void Worker::retire_block() {
  observe::block_end(*block);
  block->copies.end();
  release_parked(*block);
  if (launch->cooperative) GridMember::end(*launch);
  if (block->cluster) block->cluster.end();
  blocks.remove(block);
}

void Worker::abandon() {
  siglongjmp(recover, kAbandon);
}

void Worker::replay() {
  replaying = true;
  siglongjmp(recover, kReplay);
}

}  // namespace cudacpu
