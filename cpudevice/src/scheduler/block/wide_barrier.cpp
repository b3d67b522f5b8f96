#include "scheduler/block/wide_barrier.h"

namespace cudacpu {

void Cluster::open_if_complete() {
  if (arrived_ == 0 || arrived_ != live_.size()) return;
  observe::cluster_complete(*this);
  ++openings_;
  arrived_ = 0;
  for (ClusterMember* member : live_) {
    BlockThreads& threads = member->threads_;
    member->arrived_ = 0;
    member->waits_ = false;
    threads.alive().each([&](unsigned id) {
      if (threads[id].wait == Wait::kCluster) threads.wake(id);
    });
  }
}

void ClusterMember::join(const std::shared_ptr<Cluster>& cluster, Block* block) {
  cluster_ = cluster;
  cluster->blocks_.push_back(block);
  cluster->live_.push_back(this);
  arrivals_.assign(threads_.count(), 0);
  arrived_ = 0;
  waits_ = false;
}

uint64_t ClusterMember::arrive(unsigned id) {
  const uint64_t opening = cluster_->openings_ + 1;
  if (arrivals_[id] == opening) return 0;
  arrivals_[id] = opening;
  ++arrived_;
  check();
  return opening;
}

void ClusterMember::end_thread(unsigned id) {
  if (!waits_ && arrivals_[id] == cluster_->openings_ + 1) --arrived_;
}

void ClusterMember::end() {
  const std::shared_ptr<Cluster> cluster = std::move(cluster_);
  cluster_ = nullptr;
  if (waits_) --cluster->arrived_;
  auto& live = cluster->live_;
  live.erase(std::find(live.begin(), live.end(), this));
  cluster->open_if_complete();
}

}  // namespace cudacpu
