#include "cufft/plan.h"

#include <algorithm>
#include <complex>
#include <functional>
#include <numeric>
#include <utility>

namespace cudacpu::fourier {
namespace {

int64_t product_of(const std::vector<int64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), int64_t{1}, std::multiplies<>());
}

// One side of a transform, whose arrays are checked line by line. A line has the elements of the
// last dimension.
struct Lines {
  Lines(const Plan& plan, const Layout& given, bool real, bool in_place)
      : layout(given), dimensions(plan.n), batch(plan.batch) {
    dimensions.back() = plan.width(real);
    if (layout.embed.empty()) {
      layout.embed = dimensions;
      if (real && in_place) layout.embed.back() = 2 * plan.width(false);
      layout.stride = 1;
      layout.distance = product_of(layout.embed);
    }
    count = product_of(dimensions) / width();
  }

  int64_t width() const { return dimensions.back(); }
  int64_t first_of(int64_t array, int64_t line) const {
    int64_t place = 0, step = layout.embed.back();
    for (size_t d = dimensions.size() - 1; d-- > 0;) {
      place += line % dimensions[d] * step;
      line /= dimensions[d];
      step *= layout.embed[d];
    }
    return array * layout.distance + place * layout.stride;
  }
  // From the first element of all arrays to the end of the last element.
  int64_t extent() const {
    return first_of(batch - 1, count - 1) + (width() - 1) * layout.stride + 1;
  }

  // Checks that all arrays are in the device's memory, and reports reads or writes to `call`.
  template <typename T>
  void look(LibraryCall& call, const T* data, bool written) const {
    call.checks(data, extent(), written ? "output" : "input");
    const bool dense = layout.stride == 1 && layout.embed == dimensions;
    for (int64_t array = 0; array < batch; ++array) {
      if (dense) {
        call.transfers(data + first_of(array, 0), count * width(), 1, 1, !written, written);
        continue;
      }
      for (int64_t line = 0; line < count; ++line)
        call.transfers(data + first_of(array, line), 1, width(), layout.stride, !written, written);
    }
  }

  Layout layout;
  std::vector<int64_t> dimensions;
  int64_t batch;
  int64_t count;  // of lines in an array
};

void set(double* element, Complex value) {
  *element = value.real();
}
void set(float* element, Complex value) {
  *element = static_cast<float>(value.real());
}
template <typename T>
void set(std::complex<T>* element, Complex value) {
  *element = std::complex<T>(static_cast<T>(value.real()), static_cast<T>(value.imag()));
}

// The transforms of one array at a time. Real numbers take the last dimension first, or last, and
// the other dimensions have only half as many elements.
class Execution {
 public:
  Execution(const Plan& plan, int sign)
      : plan_(plan),
        sign_(plan.from_real() ? -1
              : plan.to_real() ? 1
                               : sign),
        width_(static_cast<size_t>(plan.width(false))),
        work_(static_cast<size_t>(product_of(plan.n) / plan.n.back()) * width_) {
    for (const Transform& one : plan.transforms)
      scratch_.resize(std::max(scratch_.size(), one.scratch_size()));
  }

  template <typename In>
  void load(const Lines& lines, const In* data, int64_t array) {
    std::vector<Complex> line(static_cast<size_t>(lines.width()));
    for (int64_t i = 0; i < lines.count; ++i) {
      const In* const first = data + lines.first_of(array, i);
      for (size_t k = 0; k < line.size(); ++k)
        line[k] = Complex(first[k * lines.layout.stride]);
      if (!plan_.to_real()) transform(plan_.n.size() - 1, line.data());
      std::copy_n(line.begin(), width_, work_.begin() + i * width_);
    }
  }

  void transform_other_dimensions() {
    size_t step = width_;
    for (size_t d = plan_.n.size() - 1; d-- > 0;) {
      const auto n = static_cast<size_t>(plan_.n[d]);
      std::vector<Complex> line(n);
      for (size_t i = 0; i < work_.size() / n; ++i) {
        Complex* const first = &work_[i / step * step * n + i % step];
        for (size_t k = 0; k < n; ++k)
          line[k] = first[k * step];
        transform(d, line.data());
        for (size_t k = 0; k < n; ++k)
          first[k * step] = line[k];
      }
      step *= n;
    }
  }

  // Overwrites the input with the results of the other dimensions' transforms.
  template <typename T>
  void store_between(const Lines& lines, T* data, int64_t array) const {
    for (int64_t i = 0; i < lines.count; ++i) {
      T* const first = data + lines.first_of(array, i);
      for (size_t k = 0; k < width_; ++k)
        set(&first[k * lines.layout.stride], work_[i * width_ + k]);
    }
  }

  template <typename Out>
  void store(const Lines& lines, Out* data, int64_t array) {
    std::vector<Complex> line(static_cast<size_t>(lines.width()));
    for (int64_t i = 0; i < lines.count; ++i) {
      const Complex* const from = &work_[i * width_];
      std::copy_n(from, width_, line.begin());
      if (plan_.to_real()) {
        // The other half are the conjugates; elements that are their own partner are real.
        for (size_t k = width_; k < line.size(); ++k)
          line[k] = std::conj(from[line.size() - k]);
        line[0] = line[0].real();
        if (line.size() % 2 == 0) line[line.size() / 2] = line[line.size() / 2].real();
        transform(plan_.n.size() - 1, line.data());
      }
      Out* const first = data + lines.first_of(array, i);
      for (size_t k = 0; k < line.size(); ++k)
        set(&first[k * lines.layout.stride], line[k]);
    }
  }

 private:
  void transform(size_t dimension, Complex* line) {
    plan_.transforms[dimension].run(line, sign_, scratch_.data());
  }

  const Plan& plan_;
  int sign_;
  size_t width_;               // of a line of work_
  std::vector<Complex> work_;  // an array of complex numbers, densely
  std::vector<Complex> scratch_;
};

template <typename In, typename Out>
void execute_as(const Plan& plan, LibraryCall& call, void* in, void* out, int sign) {
  const Lines from(plan, plan.in, plan.from_real(), in == out);
  const Lines to(plan, plan.out, plan.to_real(), in == out);
  auto* const input = static_cast<In*>(in);
  auto* const output = static_cast<Out*>(out);
  // Programs must not rely on the overwritten input: an H200 overwrites the input, too.
  const bool overwrites_input = plan.to_real() && plan.n.size() > 1 && in != out;
  from.look(call, input, false);
  if (overwrites_input) from.look(call, input, true);
  to.look(call, output, true);
  if (!call.valid) return;
  Execution execution(plan, sign);
  for (int64_t array = 0; array < plan.batch; ++array) {
    execution.load(from, input, array);
    execution.transform_other_dimensions();
    if (overwrites_input) execution.store_between(from, input, array);
    execution.store(to, output, array);
  }
}

template <typename Real>
void execute_in(const Plan& plan, LibraryCall& call, void* in, void* out, int sign) {
  if (plan.from_real()) {
    execute_as<Real, std::complex<Real>>(plan, call, in, out, sign);
  } else if (plan.to_real()) {
    execute_as<std::complex<Real>, Real>(plan, call, in, out, sign);
  } else {
    execute_as<std::complex<Real>, std::complex<Real>>(plan, call, in, out, sign);
  }
}

}  // namespace

size_t Plan::bytes() const {
  const int64_t lines = product_of(n) / n.back() * batch;
  const size_t element = is_double() ? sizeof(cufftDoubleComplex) : sizeof(cufftComplex);
  return static_cast<size_t>(lines * width(false)) * element;
}

void Plan::prepare() {
  for (const int64_t size : n)
    transforms.emplace_back(static_cast<size_t>(size));
}

void Plan::execute(LibraryCall& call, void* in, void* out, int sign) const {
  is_double() ? execute_in<double>(*this, call, in, out, sign)
              : execute_in<float>(*this, call, in, out, sign);
}

}  // namespace cudacpu::fourier
