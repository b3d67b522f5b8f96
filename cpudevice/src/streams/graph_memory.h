// Memory that belongs to a graph: lives as long as the graph, and to free the memory is not an
// error.
#pragma once

#include <cstddef>
#include <memory>

#include "streams/capture.h"

namespace cudacpu {

bool is_graph_memory(const void* pointer);
// Lives as long as a node that holds the memory: the address is the same in each run of the graph.
std::shared_ptr<void> allocate_for_graph(size_t bytes);
// The action of a node that only holds memory.
CUgraphNode_st::Action holding(std::shared_ptr<void> block);
// cudaMallocAsync in a stream under capture.
cudaError_t capture_allocation(cudaStream_t stream, void** pointer, size_t bytes);
// Bytes that all graphs own.
size_t graph_memory_in_use();

}  // namespace cudacpu
