// NVTX for C++: ranges, marks and labels are taken and change nothing
// expect: done
#include <nvtx3/nvtx3.hpp>

#include "../../cpudevice/run/check.h"

struct my_domain {
  static constexpr const char* name{"my domain"};
};
struct my_message {
  static constexpr const char* message{"my message"};
};
struct my_category {
  static constexpr const char* name{"my category"};
  static constexpr uint32_t id{7};
};

__global__ void add_kernel(int* x) {
  atomicAdd(x, 1);
}

void launch(int* x) {
  NVTX3_FUNC_RANGE();
  add_kernel<<<1, 32>>>(x);
}
void launch_in_domain(int* x) {
  NVTX3_FUNC_RANGE_IN(my_domain);
  nvtx3::scoped_range_in<my_domain> range{"launch", nvtx3::rgb{127, 255, 0}, nvtx3::payload{32}};
  add_kernel<<<1, 32>>>(x);
}

int main() {
  int* x;
  CHECK_OK(cudaMallocManaged(&x, sizeof *x));
  *x = 0;
  const nvtx3::scoped_range whole{"main"};
  nvtx3::mark("before", nvtx3::category{3});
  launch(x);
  launch_in_domain(x);
  const nvtx3::event_attributes attributes{nvtx3::payload{1.5}, "labelled",
                                           nvtx3::argb{255, 1, 2, 3},
                                           nvtx3::named_category_in<my_domain>::get<my_category>()};
  CHECK(attributes.get()->color == 0xFF010203 && attributes.get()->category == 7);
  CHECK(attributes.get()->payload.dValue == 1.5);
  nvtx3::mark_in<my_domain>(attributes);
  const auto range = nvtx3::start_range("by hand");
  nvtx3::end_range(range);
  nvtx3::unique_range moved{nvtx3::registered_string::get<my_message>()};
  const nvtx3::unique_range moved_to = std::move(moved);
  const nvtx3::v1::scoped_range named{std::string("text").c_str()};
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(*x == 64);
  CHECK_OK(cudaFree(x));
  printf("done\n");
}
