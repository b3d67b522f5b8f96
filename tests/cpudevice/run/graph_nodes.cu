// Nodes and edges of graphs: lists and pictures, removal, nodes switched off, and other parameters
// before and after the graph is instantiated
// expect: done
// stderr: no edges of a graph with data
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "check.h"

constexpr int kCount = 64;

__global__ void add_kernel(int* x, int value) {
  x[threadIdx.x] += value;
}

void count_call(void* calls) {
  ++*static_cast<int*>(calls);
}

std::string contents(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

size_t find_count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

cudaGraphNodeParams parameters(cudaGraphNodeType type) {
  cudaGraphNodeParams p = {};
  p.type = type;
  return p;
}

struct Parts {
  cudaGraph_t graph;
  cudaGraphNode_t filled, added, copied, called;
};

// fill -> add -> copy -> call
Parts make_graph(int* x, int* back, int* calls) {
  Parts g;
  CHECK_OK(cudaGraphCreate(&g.graph, 0));
  cudaGraphNodeParams p = parameters(cudaGraphNodeTypeMemset);
  p.memset.dst = x;
  p.memset.elementSize = 4;
  p.memset.value = 7;
  p.memset.width = kCount;
  p.memset.height = 1;
  CHECK_OK(cudaGraphAddNode(&g.filled, g.graph, nullptr, nullptr, 0, &p));
  int three = 3;
  void* arguments[] = {&x, &three};
  p = parameters(cudaGraphNodeTypeKernel);
  p.kernel.func = (void*)add_kernel;
  p.kernel.gridDim = 1;
  p.kernel.blockDim = kCount;
  p.kernel.kernelParams = arguments;
  CHECK_OK(cudaGraphAddNode(&g.added, g.graph, &g.filled, 1, &p));
  CHECK_OK(cudaGraphAddMemcpyNode1D(&g.copied, g.graph, &g.added, 1, back, x, kCount * 4,
                                    cudaMemcpyDeviceToHost));
  p = parameters(cudaGraphNodeTypeHost);
  p.host = {count_call, calls};
  CHECK_OK(cudaGraphAddNode(&g.called, g.graph, &g.copied, 1, &p));
  return g;
}

void test_lists(const Parts& g) {
  size_t count;
  CHECK_OK(cudaGraphGetEdges(g.graph, nullptr, nullptr, nullptr, &count));
  CHECK(count == 3);
  cudaGraphNode_t from[4], to[4];
  count = 4;
  CHECK_OK(cudaGraphGetEdges(g.graph, from, to, &count));
  CHECK(count == 3 && from[0] == g.filled && to[0] == g.added && from[2] == g.copied &&
        to[2] == g.called && !from[3]);
  count = 4;
  CHECK_OK(cudaGraphNodeGetDependencies(g.added, from, &count));
  CHECK(count == 1 && from[0] == g.filled && !from[1]);
  CHECK_OK(cudaGraphNodeGetDependentNodes(g.added, nullptr, nullptr, &count));
  CHECK(count == 1);
  CHECK_OK(cudaGraphNodeGetDependentNodes(g.called, nullptr, nullptr, &count));
  CHECK(count == 0);

  const std::string path = "/tmp/graph_nodes." + std::to_string(getpid()) + ".dot";
  CHECK_OK(cudaGraphDebugDotPrint(g.graph, path.c_str(), 0));
  const std::string dot = contents(path.c_str());
  remove(path.c_str());
  CHECK(dot.rfind("digraph dot {", 0) == 0 && find_count(dot, "->") == 3);
  CHECK(find_count(dot, "KERNEL | add_kernel") == 1 && find_count(dot, "MEMSET") == 1);

  cudaGraphEdgeData data = {};
  data.from_port = 1;
  CHECK_ERROR(cudaErrorNotSupported,
              cudaGraphAddDependencies(g.graph, &g.filled, &g.called, &data, 1));
}

int main() {
  int *x, back[kCount], other[kCount], calls = 0, other_calls = 0;
  CHECK_OK(cudaMalloc(&x, sizeof(back)));
  Parts g = make_graph(x, back, &calls);
  test_lists(g);
  cudaGraphExec_t executable;
  CHECK_OK(cudaGraphInstantiate(&executable, g.graph));
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  CHECK(back[5] == 10 && calls == 1);

  // What is instantiated changes, the graph does not.
  CHECK_OK(cudaGraphNodeSetEnabled(executable, g.added, 0));
  unsigned enabled;
  CHECK_OK(cudaGraphNodeGetEnabled(executable, g.added, &enabled));
  CHECK(enabled == 0);
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphNodeSetEnabled(executable, g.called, 0));
  cudaMemsetParams fill = {};
  fill.dst = x;
  fill.elementSize = 4;
  fill.value = 100;
  fill.width = kCount;
  fill.height = 1;
  CHECK_OK(cudaGraphExecMemsetNodeSetParams(executable, g.filled, &fill));
  CHECK_OK(cudaGraphExecMemcpyNodeSetParams1D(executable, g.copied, other, x, sizeof(other),
                                              cudaMemcpyDeviceToHost));
  const cudaHostNodeParams host = {count_call, &other_calls};
  CHECK_OK(cudaGraphExecHostNodeSetParams(executable, g.called, &host));
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  CHECK(back[5] == 10 && other[5] == 100 && calls == 1 && other_calls == 1);
  CHECK_OK(cudaGraphNodeSetEnabled(executable, g.added, 1));
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  CHECK(other[5] == 103 && other_calls == 2);
  CHECK_OK(cudaGraphExecDestroy(executable));

  // The graph changes, and so do graphs instantiated from it afterwards.
  fill.value = 50;
  CHECK_OK(cudaGraphMemsetNodeSetParams(g.filled, &fill));
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphMemsetNodeSetParams(g.added, &fill));
  CHECK_OK(cudaGraphDestroyNode(g.called));
  cudaEvent_t begin, end;
  CHECK_OK(cudaEventCreate(&begin));
  CHECK_OK(cudaEventCreate(&end));
  cudaGraphNode_t node, waiting;
  CHECK_OK(cudaGraphAddEventRecordNode(&node, g.graph, nullptr, 0, begin));
  CHECK_OK(cudaGraphAddEventWaitNode(&waiting, g.graph, &node, 1, begin));
  CHECK_OK(cudaGraphAddDependencies(g.graph, &waiting, &g.filled, 1));
  CHECK_OK(cudaGraphAddEventRecordNode(&node, g.graph, &g.copied, 1, end));
  CHECK_OK(cudaGraphInstantiate(&executable, g.graph));
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  float milliseconds;
  CHECK_OK(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(back[5] == 53 && calls == 1 && milliseconds > 0);
  CHECK_OK(cudaGraphExecDestroy(executable));

  // The edge from the kernel to the copy is turned round: the copy runs first.
  CHECK_OK(cudaGraphRemoveDependencies(g.graph, &g.added, &g.copied, 1));
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphRemoveDependencies(g.graph, &g.added, &g.copied, 1));
  CHECK_OK(cudaGraphAddDependencies(g.graph, &g.copied, &g.added, 1));
  CHECK_OK(cudaGraphAddDependencies(g.graph, &g.filled, &g.copied, 1));
  CHECK_OK(cudaGraphInstantiate(&executable, g.graph));
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  CHECK(back[5] == 50);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(g.graph));
  printf("done\n");
}
