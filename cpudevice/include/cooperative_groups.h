// Cooperative groups: thread_block, thread_block_tile, coalesced_group, cluster_group, grid_group,
// and the functions that partition groups.
//
// A group within a warp is a mask of lanes; collectives are exchanges among the lanes. Groups of
// several devices are not offered.
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"
#include "cudacpu/device/lanes.h"

namespace cooperative_groups {

namespace details {

// Returns the lanes of the thread's tile of `size` lanes.
CUDACPU_DEVICE inline unsigned tile_mask(unsigned lane, unsigned size) {
  return (size == 32 ? ~0u : (1u << size) - 1) << (lane & ~(size - 1));
}

CUDACPU_DEVICE inline unsigned block_threads() {
  return blockDim.x * blockDim.y * blockDim.z;
}

template <typename T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

}  // namespace details

// Any group within a block: the block itself, or lanes of a warp.
class thread_group {
 public:
  CUDACPU_DEVICE void sync() const {
    if (lanes_) {
      cudacpu::warp_barrier(lanes_, "sync() of a group");
    } else {
      cudacpu::block_barrier("sync() of a thread_block");
    }
  }
  CUDACPU_DEVICE unsigned long long size() const { return num_threads(); }
  CUDACPU_DEVICE unsigned long long num_threads() const {
    return lanes_ ? static_cast<unsigned>(__builtin_popcount(lanes_)) : details::block_threads();
  }
  CUDACPU_DEVICE unsigned long long thread_rank() const {
    if (!lanes_) return cudacpu::linear_thread();
    return static_cast<unsigned>(
        __builtin_popcount(lanes_ & cudacpu::lanes_below(cudacpu::lane_id())));
  }
  CUDACPU_DEVICE bool is_valid() const { return true; }

 protected:
  // `lanes` is 0 for the whole block.
  CUDACPU_DEVICE explicit thread_group(unsigned lanes) : lanes_(lanes) {}
  CUDACPU_DEVICE static thread_group of_lanes(unsigned lanes) { return thread_group(lanes); }
  unsigned lanes_;

  friend CUDACPU_DEVICE thread_group tiled_partition(const thread_group& parent, unsigned size);
};

class thread_block : public thread_group {
 public:
  struct arrival_token {};

  CUDACPU_DEVICE static void sync() { cudacpu::block_barrier("sync() of a thread_block"); }
  // arrive() does nothing: a thread that arrives also waits, and all threads meet in the wait.
  CUDACPU_DEVICE arrival_token barrier_arrive() const { return {}; }
  CUDACPU_DEVICE void barrier_wait(arrival_token&&) const { sync(); }
  CUDACPU_DEVICE static unsigned int thread_rank() { return cudacpu::linear_thread(); }
  CUDACPU_DEVICE static dim3 group_index() { return blockIdx; }
  CUDACPU_DEVICE static dim3 thread_index() { return threadIdx; }
  CUDACPU_DEVICE static dim3 group_dim() { return blockDim; }
  CUDACPU_DEVICE static dim3 dim_threads() { return blockDim; }
  CUDACPU_DEVICE static unsigned int size() { return details::block_threads(); }
  CUDACPU_DEVICE static unsigned int num_threads() { return details::block_threads(); }

 private:
  CUDACPU_DEVICE thread_block() : thread_group(0) {}
  friend CUDACPU_DEVICE thread_block this_thread_block();
};

CUDACPU_DEVICE inline thread_block this_thread_block() {
  return thread_block();
}

// The blocks of a cluster; the block alone if the launch has no clusters.
class cluster_group {
 public:
  struct arrival_token {};

  CUDACPU_DEVICE static void sync() { cudacpu::cluster_sync("sync() of a cluster_group"); }
  CUDACPU_DEVICE static arrival_token barrier_arrive() {
    cudacpu::cluster_arrive();
    return {};
  }
  CUDACPU_DEVICE static void barrier_wait() {
    cudacpu::cluster_wait("barrier_wait() of a cluster_group");
  }
  CUDACPU_DEVICE static void barrier_wait(arrival_token&&) { barrier_wait(); }
  CUDACPU_DEVICE static unsigned int query_shared_rank(const void* pointer) {
    return __cluster_query_shared_rank(pointer);
  }
  template <typename T>
  CUDACPU_DEVICE static T* map_shared_rank(T* pointer, int rank) {
    return static_cast<T*>(__cluster_map_shared_rank(pointer, static_cast<unsigned>(rank)));
  }
  CUDACPU_DEVICE static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  CUDACPU_DEVICE static unsigned int block_rank() { return cudacpu::rank_in_cluster(); }
  CUDACPU_DEVICE static dim3 dim_blocks() { return __clusterDim(); }
  CUDACPU_DEVICE static unsigned int num_blocks() { return __clusterSizeInBlocks(); }
  CUDACPU_DEVICE static dim3 thread_index() {
    const dim3 block = block_index();
    return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
            block.z * blockDim.z + threadIdx.z};
  }
  CUDACPU_DEVICE static dim3 dim_threads() {
    const dim3 size = dim_blocks();
    return {size.x * blockDim.x, size.y * blockDim.y, size.z * blockDim.z};
  }
  CUDACPU_DEVICE static unsigned int num_threads() {
    return num_blocks() * details::block_threads();
  }
  CUDACPU_DEVICE static unsigned int size() { return num_threads(); }
  CUDACPU_DEVICE static unsigned int thread_rank() {
    return block_rank() * details::block_threads() + cudacpu::linear_thread();
  }

 private:
  CUDACPU_DEVICE cluster_group() {}
  friend CUDACPU_DEVICE cluster_group this_cluster();
};

CUDACPU_DEVICE inline cluster_group this_cluster() {
  return cluster_group();
}

// All blocks of a cooperative launch.
class grid_group {
 public:
  struct arrival_token {};

  CUDACPU_DEVICE static void sync() { cudacpu::grid_barrier("sync() of a grid_group"); }
  CUDACPU_DEVICE arrival_token barrier_arrive() const { return {}; }
  CUDACPU_DEVICE void barrier_wait(arrival_token&&) const { sync(); }
  CUDACPU_DEVICE bool is_valid() const { return cudacpu::grid_is_cooperative(); }
  CUDACPU_DEVICE static dim3 group_dim() { return gridDim; }
  CUDACPU_DEVICE static dim3 dim_blocks() { return gridDim; }
  CUDACPU_DEVICE static dim3 block_index() { return blockIdx; }
  CUDACPU_DEVICE static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  CUDACPU_DEVICE static unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
           blockIdx.x;
  }
  CUDACPU_DEVICE static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
  CUDACPU_DEVICE static dim3 cluster_index() { return __clusterIdx(); }
  CUDACPU_DEVICE static unsigned long long num_clusters() {
    return num_blocks() / __clusterSizeInBlocks();
  }
  CUDACPU_DEVICE static unsigned long long cluster_rank() {
    const dim3 place = cluster_index(), size = dim_clusters();
    return (static_cast<unsigned long long>(place.z) * size.y + place.y) * size.x + place.x;
  }
  CUDACPU_DEVICE static unsigned long long num_threads() {
    return num_blocks() * details::block_threads();
  }
  CUDACPU_DEVICE static unsigned long long size() { return num_threads(); }
  CUDACPU_DEVICE static unsigned long long thread_rank() {
    return block_rank() * details::block_threads() + cudacpu::linear_thread();
  }

 private:
  CUDACPU_DEVICE grid_group() {}
  friend CUDACPU_DEVICE grid_group this_grid();
};

CUDACPU_DEVICE inline grid_group this_grid() {
  return grid_group();
}

namespace details {

// The common part of tiles and coalesced groups. Ranks count the lanes of the mask, the lowest
// first.
class lane_group : public thread_group {
 public:
  CUDACPU_DEVICE void sync() const { cudacpu::warp_barrier(lanes_, "sync() of a group"); }
  CUDACPU_DEVICE unsigned int thread_rank() const { return rank_; }
  CUDACPU_DEVICE unsigned int meta_group_rank() const { return meta_rank_; }
  CUDACPU_DEVICE unsigned int meta_group_size() const { return meta_size_; }

  template <typename T>
  CUDACPU_DEVICE Plain<T> shfl(T&& value, int source) const {
    // Modulo the size, as the hardware does for tiles.
    const unsigned rank =
        static_cast<unsigned>(source) % static_cast<unsigned>(__builtin_popcount(lanes_));
    return from_rank<Plain<T>>(value, rank, true, "shfl() of a group");
  }
  template <typename T>
  CUDACPU_DEVICE Plain<T> shfl_up(T&& value, unsigned int delta) const {
    return from_rank<Plain<T>>(value, rank_ - delta, delta <= rank_, "shfl_up() of a group");
  }
  template <typename T>
  CUDACPU_DEVICE Plain<T> shfl_down(T&& value, unsigned int delta) const {
    const unsigned size = static_cast<unsigned>(__builtin_popcount(lanes_));
    return from_rank<Plain<T>>(value, rank_ + delta, delta < size - rank_,
                               "shfl_down() of a group");
  }
  CUDACPU_DEVICE int any(int predicate) const { return __any_sync(lanes_, predicate); }
  CUDACPU_DEVICE int all(int predicate) const { return __all_sync(lanes_, predicate); }
  CUDACPU_DEVICE unsigned int ballot(int predicate) const {
    return cudacpu::by_rank(__ballot_sync(lanes_, predicate), lanes_);
  }
  template <typename T>
  CUDACPU_DEVICE unsigned int match_any(T value) const {
    return cudacpu::by_rank(__match_any_sync(lanes_, value), lanes_);
  }
  template <typename T>
  CUDACPU_DEVICE unsigned int match_all(T value, int& all_equal) const {
    return cudacpu::by_rank(__match_all_sync(lanes_, value, &all_equal), lanes_);
  }
  // For the collectives of other headers.
  CUDACPU_DEVICE unsigned int _lanes() const { return lanes_; }

 protected:
  CUDACPU_DEVICE lane_group(unsigned lanes, unsigned meta_rank, unsigned meta_size)
      : thread_group(lanes),
        rank_(static_cast<unsigned>(
            __builtin_popcount(lanes & cudacpu::lanes_below(cudacpu::lane_id())))),
        meta_rank_(meta_rank),
        meta_size_(meta_size) {}

  template <typename T>
  CUDACPU_DEVICE T from_rank(const T& value, unsigned rank, bool in_range, const char* what) const {
    const cudacpu::LaneValues<T> values(lanes_, value, what);
    if (!in_range) return value;
    const unsigned lane = cudacpu::lane_of_rank(lanes_, rank);
    return values.present() >> lane & 1 ? values[lane] : value;
  }

  unsigned rank_, meta_rank_, meta_size_;
};

}  // namespace details

// The threads of a warp that execute the same code together, or a part of such a group.
class coalesced_group : public details::lane_group {
 public:
  CUDACPU_DEVICE unsigned long long size() const { return num_threads(); }
  CUDACPU_DEVICE unsigned long long num_threads() const {
    return static_cast<unsigned>(__builtin_popcount(lanes_));
  }

 private:
  CUDACPU_DEVICE coalesced_group(unsigned lanes, unsigned meta_rank, unsigned meta_size)
      : lane_group(lanes, meta_rank, meta_size) {}

  friend CUDACPU_DEVICE coalesced_group coalesced_threads();
  friend CUDACPU_DEVICE coalesced_group tiled_partition(const coalesced_group& parent,
                                                        unsigned size);
  template <typename Group, typename Label>
  friend CUDACPU_DEVICE coalesced_group labeled_partition(const Group& group, Label label);
};

CUDACPU_DEVICE inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask(), 0, 1);
}

// A fixed number of neighbouring lanes. Parent is the group from which the tile was made, or void
// where the parent does not matter.
template <unsigned int Size, typename Parent = void>
class thread_block_tile : public details::lane_group {
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0,
                "the CPU device offers tiles of 1, 2, 4, 8, 16 or 32 threads");

 public:
  template <typename OtherParent>
  CUDACPU_DEVICE thread_block_tile(const thread_block_tile<Size, OtherParent>& other)
      : lane_group(other._lanes(), other.meta_group_rank(), other.meta_group_size()) {}

  CUDACPU_DEVICE static constexpr unsigned int size() { return Size; }
  CUDACPU_DEVICE static constexpr unsigned int num_threads() { return Size; }

  template <typename T>
  CUDACPU_DEVICE details::Plain<T> shfl_xor(T&& value, unsigned int lane_mask) const {
    return from_rank<details::Plain<T>>(value, rank_ ^ lane_mask, (rank_ ^ lane_mask) < Size,
                                        "shfl_xor() of a group");
  }

 private:
  CUDACPU_DEVICE thread_block_tile(unsigned meta_rank, unsigned meta_size)
      : lane_group(details::tile_mask(cudacpu::lane_id(), Size), meta_rank, meta_size) {}

  template <unsigned int TileSize, typename Group>
  friend CUDACPU_DEVICE thread_block_tile<TileSize, Group> tiled_partition(const Group& parent);
};

template <unsigned int Size, typename Group>
CUDACPU_DEVICE thread_block_tile<Size, Group> tiled_partition(const Group& parent) {
  const unsigned parent_size = static_cast<unsigned>(parent.num_threads());
  return thread_block_tile<Size, Group>(static_cast<unsigned>(parent.thread_rank()) / Size,
                                        (parent_size + Size - 1) / Size);
}

// A tile whose size is known only at run time: a power of two up to 32.
CUDACPU_DEVICE inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (size == 0 || size > 32 || (size & (size - 1)) != 0) {
    cudacpu::kernel_trap(cudaErrorInvalidValue,
                         "called tiled_partition() with a size other than 1, 2, 4, 8, 16 or 32");
  }
  const unsigned mask = details::tile_mask(cudacpu::lane_id(), size);
  return thread_group::of_lanes(parent.lanes_ ? mask & parent.lanes_ : mask);
}

CUDACPU_DEVICE inline coalesced_group tiled_partition(const coalesced_group& parent,
                                                      unsigned size) {
  const unsigned first = parent.thread_rank() / size * size;
  unsigned lanes = 0;
  for (unsigned rank = first; rank < first + size && rank < parent.num_threads(); ++rank) {
    lanes |= 1u << cudacpu::lane_of_rank(parent._lanes(), rank);
  }
  const unsigned parts = (static_cast<unsigned>(parent.num_threads()) + size - 1) / size;
  return coalesced_group(lanes, parent.thread_rank() / size, parts);
}

// Makes a group for each different label, in the order of the groups' first members.
template <typename Group, typename Label>
CUDACPU_DEVICE coalesced_group labeled_partition(const Group& group, Label label) {
  const cudacpu::LaneValues<Label> labels(group._lanes(), label, "labeled_partition()");
  unsigned own = 0, groups = 0, own_group = 0;
  for (unsigned left = labels.present(); left; ++groups) {
    const Label first = labels[__builtin_ctz(left)];
    unsigned same = 0;
    for (unsigned lanes = left; lanes; lanes &= lanes - 1) {
      if (labels[__builtin_ctz(lanes)] == first) same |= lanes & -lanes;
    }
    if (first == label) own = same, own_group = groups;
    left &= ~same;
  }
  return coalesced_group(own, own_group, groups);
}

template <typename Group>
CUDACPU_DEVICE coalesced_group binary_partition(const Group& group, bool predicate) {
  return labeled_partition(group, static_cast<int>(predicate));
}

template <typename Group>
CUDACPU_DEVICE void sync(const Group& group) {
  group.sync();
}
template <typename Group>
CUDACPU_DEVICE auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <typename Group>
CUDACPU_DEVICE auto group_size(const Group& group) {
  return group.size();
}

// The first thread calls the function; invoke_one_broadcast hands the result to all.
template <typename Group, typename Function, typename... Arguments>
CUDACPU_DEVICE void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
template <typename Group, typename Function, typename... Arguments>
CUDACPU_DEVICE auto invoke_one_broadcast(const Group& group, Function&& function,
                                         Arguments&&... arguments) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups

#include "cudacpu/device/multi_warp_tile.h"

#endif
