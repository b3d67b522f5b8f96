// Which nodes and edges a graph has: lists, changes, and a picture for the program dot.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/call.h"
#include "base/error.h"
#include "cudacpu/kernel_api.h"
#include "graphs/steps.h"

namespace cudacpu {
namespace {

// Gives how many there are, or the first *count of them.
cudaError_t list(const std::vector<cudaGraphNode_t>& all, cudaGraphNode_t* nodes, size_t* count) {
  if (!count) return cudaErrorInvalidValue;
  if (nodes) {
    for (size_t i = 0; i < *count; ++i)
      nodes[i] = i < all.size() ? all[i] : nullptr;
  }
  *count = all.size();
  return cudaSuccess;
}

cudaGraph_t graph_of(cudaGraphNode_t node) {
  cudaGraph_t found = nullptr;
  graphs().for_each([&](CUgraph_st& graph) {
    for (const auto& own : graph.nodes) {
      if (own.get() == node) found = &graph;
    }
  });
  return found;
}

struct Edge {
  cudaGraphNode_t from, to;
};

std::vector<Edge> edges_of(const CUgraph_st& graph) {
  std::vector<Edge> edges;
  for (const auto& node : graph.nodes) {
    for (cudaGraphNode_t other : node->after)
      edges.push_back({other, node.get()});
  }
  return edges;
}

const char* type_name(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "KERNEL";
    case cudaGraphNodeTypeMemcpy:
      return "MEMCPY";
    case cudaGraphNodeTypeMemset:
      return "MEMSET";
    case cudaGraphNodeTypeHost:
      return "HOST";
    case cudaGraphNodeTypeGraph:
      return "GRAPH";
    case cudaGraphNodeTypeEmpty:
      return "EMPTY";
    case cudaGraphNodeTypeWaitEvent:
      return "EVENT_WAIT";
    case cudaGraphNodeTypeEventRecord:
      return "EVENT_RECORD";
    case cudaGraphNodeTypeMemAlloc:
      return "MEM_ALLOC";
    case cudaGraphNodeTypeMemFree:
      return "MEM_FREE";
    default:
      return "CONDITIONAL";
  }
}

// The graphs are numbered in the order in which they are written.
void write_dot(FILE* file, const CUgraph_st& graph, int* graphs_written) {
  const int number = (*graphs_written)++;
  const auto index = [&graph](cudaGraphNode_t node) {
    size_t i = 0;
    while (i < graph.nodes.size() && graph.nodes[i].get() != node)
      ++i;
    return i;
  };
  fprintf(file, "subgraph cluster_%d {\n  label=\"graph_%d\"\n", number, number);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const CUgraphNode_st& node = *graph.nodes[i];
    const KernelHandle kernel = node.kernel.func ? find_kernel(node.kernel.func) : KernelHandle{};
    fprintf(file, "  \"graph_%d_node_%zu\" [shape=record, label=\"{%zu | %s%s%s}\"];\n", number, i,
            i, type_name(node.type), kernel.info ? " | " : "",
            kernel.info ? kernel.info->name : "");
  }
  for (const Edge& edge : edges_of(graph)) {
    fprintf(file, "  \"graph_%d_node_%zu\" -> \"graph_%d_node_%zu\";\n", number, index(edge.from),
            number, index(edge.to));
  }
  fprintf(file, "}\n");
  for (const auto& node : graph.nodes) {
    if (!node->conditional) continue;
    for (cudaGraph_t body : node->conditional->bodies) {
      const int child = *graphs_written;
      write_dot(file, *body, graphs_written);
      if (body->nodes.empty()) continue;
      fprintf(file, "\"graph_%d_node_%zu\" -> \"graph_%d_node_0\" [style=dashed];\n", number,
              index(node.get()), child);
    }
  }
}

}  // namespace
}  // namespace cudacpu

using namespace cudacpu;

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api([&] {
    if (!graphs().has(graph)) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> all;
    for (const auto& node : graph->nodes)
      all.push_back(node.get());
    return list(all, nodes, count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api([&] {
    if (!graphs().has(graph)) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> roots;
    for (const auto& node : graph->nodes) {
      if (node->after.empty()) roots.push_back(node.get());
    }
    return list(roots, nodes, count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, size_t* count) {
  return api([&] {
    if (!graphs().has(graph) || !count || !from != !to) return cudaErrorInvalidValue;
    const std::vector<Edge> edges = edges_of(*graph);
    for (size_t i = 0; from && i < *count; ++i) {
      from[i] = i < edges.size() ? edges[i].from : nullptr;
      to[i] = i < edges.size() ? edges[i].to : nullptr;
      if (data) data[i] = {};
    }
    *count = edges.size();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* data, size_t* count) {
  return api([&] {
    if (!graph_of(node) || !count) return cudaErrorInvalidValue;
    if (data) std::fill(data, data + *count, cudaGraphEdgeData{});
    return list(node->after, dependencies, count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* data, size_t* count) {
  return api([&] {
    const cudaGraph_t graph = graph_of(node);
    if (!graph || !count) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> all;
    for (const Edge& edge : edges_of(*graph)) {
      if (edge.from == node) all.push_back(edge.to);
    }
    if (data) std::fill(data, data + *count, cudaGraphEdgeData{});
    return list(all, dependents, count);
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                     size_t count) {
  return api([&] {
    if (!graphs().has(graph) || (count && (!from || !to))) return cudaErrorInvalidValue;
    if (!plain_edges(data, count)) return cudaErrorNotSupported;
    for (size_t i = 0; i < count; ++i) {
      if (graph_of(from[i]) != graph || graph_of(to[i]) != graph) return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < count; ++i)
      to[i]->after.push_back(from[i]);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* data,
                                        size_t count) {
  return api([&] {
    if (!graphs().has(graph) || (count && (!from || !to))) return cudaErrorInvalidValue;
    if (!plain_edges(data, count)) return cudaErrorNotSupported;
    for (size_t i = 0; i < count; ++i) {
      if (graph_of(to[i]) != graph) return cudaErrorInvalidValue;
      auto& after = to[i]->after;
      const auto edge = std::find(after.begin(), after.end(), from[i]);
      if (edge == after.end()) return cudaErrorInvalidValue;
      after.erase(edge);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return api([&] {
    const cudaGraph_t graph = graph_of(node);
    if (!graph) return cudaErrorInvalidValue;
    for (const auto& other : graph->nodes) {
      auto& after = other->after;
      after.erase(std::remove(after.begin(), after.end(), node), after.end());
    }
    if (node->conditional) {
      for (cudaGraph_t body : node->conditional->bodies)
        destroy_graph(body);
    }
    auto& nodes = graph->nodes;
    nodes.erase(std::find_if(nodes.begin(), nodes.end(),
                             [node](const auto& own) { return own.get() == node; }));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return api([&] {
    if (!type || !graph_of(node)) return cudaErrorInvalidValue;
    *type = node->type;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int) {
  return api([&] {
    if (!graphs().has(graph) || !path) return cudaErrorInvalidValue;
    const std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(path, "w"), fclose);
    if (!file) {
      explain("cudaGraphDebugDotPrint: %s cannot be written", path);
      return cudaErrorOperatingSystem;
    }
    fprintf(file.get(), "digraph dot {\n");
    int written = 0;
    write_dot(file.get(), *graph, &written);
    fprintf(file.get(), "}\n");
    return cudaSuccess;
  });
}
