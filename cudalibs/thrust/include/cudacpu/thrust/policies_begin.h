// The macros at the beginning of every form of an algorithm; policies_end.h takes the macros back.
// No include guard: each file of algorithms includes the header for itself.

// The form without a policy: the iterators say where the algorithm runs.
#define CUDACPU_WITHOUT_POLICY(name)                                           \
  template <typename First, typename... Rest,                                  \
            typename = std::enable_if_t<!detail::is_policy<First>::value>>     \
  CUDACPU_HOST_DEVICE auto name(First first, Rest... rest) {                   \
    return ::thrust::name(detail::place_of<First, Rest...>(), first, rest...); \
  }
// The template parameter Policy of the form with a policy.
#define CUDACPU_POLICY \
  typename Policy, typename = std::enable_if_t<detail::is_policy<Policy>::value>
