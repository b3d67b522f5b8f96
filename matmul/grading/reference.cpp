// The product in double precision, of fp32 numbers and of bf16 numbers, and what counts as right:
// every element within the bound of the contract.
//
// A product of large matrices takes longer to judge than to compute. The judge then compares some
// rows in full, the first and the last among them, and an element of each square of kSquare x
// kSquare. The squares show a tile that is left out or taken from elsewhere, the rows a wrong
// column. Rows and elements are drawn from the seed.
#include <cmath>

#include "judge.h"
#include "random.h"

namespace {

constexpr size_t kProductsInFull = size_t{1} << 28;  // of m * n * k: more are judged by samples
constexpr size_t kSampledRows = 32;
constexpr size_t kSquare = 64;
// What is computed together: their sums stay in the L1 cache.
constexpr size_t kRows = 32;
constexpr size_t kCols = 64;

// (seed, index) -> an element of A or of B.
using Factor = float (*)(uint64_t, uint64_t);

template <Factor number>
struct Product {
  size_t m;
  size_t n;
  size_t k;
  uint64_t a_seed;
  uint64_t b_seed;

  float a(size_t row, size_t l) const { return number(a_seed, row * k + l); }
  float b(size_t l, size_t col) const { return number(b_seed, l * n + col); }
};

// What an element should be, and how far off a result may be.
struct Element {
  double value = 0;
  double bound = 0;

  // `<=` so that a NaN does not match.
  bool allows(float got) const { return std::abs(got - value) <= bound; }
};

std::string show(const Element& element) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9g within %.2g", element.value, element.bound);
  return text;
}

// The sum of k products; `absolute` is the sum of the absolute values.
Element element(size_t k, double value, double absolute) {
  return {value, std::ldexp(static_cast<double>(k) * absolute, -23)};
}

template <Factor number>
Element element_at(const Product<number>& product, size_t i) {
  const size_t row = i / product.n;
  const size_t col = i % product.n;
  double value = 0;
  double absolute = 0;
  for (size_t l = 0; l < product.k; ++l) {
    const double term = static_cast<double>(product.a(row, l)) * product.b(l, col);
    value += term;
    absolute += std::abs(term);
  }
  return element(product.k, value, absolute);
}

// The first index with a wrong element among `rows` and the columns [first, last), or kNowhere.
// `a` holds the rows of A, row behind row.
template <Factor number>
size_t first_wrong(const Product<number>& product, const float* a, const std::vector<size_t>& rows,
                   size_t first, size_t last, const float* got) {
  double values[kRows][kCols] = {};
  double absolutes[kRows][kCols] = {};
  double b[kCols];
  const size_t cols = last - first;
  for (size_t l = 0; l < product.k; ++l) {
    for (size_t col = 0; col < cols; ++col)
      b[col] = product.b(l, first + col);
    for (size_t row = 0; row < rows.size(); ++row) {
      const double factor = a[row * product.k + l];
      for (size_t col = 0; col < cols; ++col) {
        values[row][col] += factor * b[col];
        absolutes[row][col] += std::abs(factor * b[col]);
      }
    }
  }
  for (size_t row = 0; row < rows.size(); ++row) {
    for (size_t col = 0; col < cols; ++col) {
      const size_t i = rows[row] * product.n + first + col;
      if (!element(product.k, values[row][col], absolutes[row][col]).allows(got[i])) return i;
    }
  }
  return kNowhere;
}

// The same among all columns of any number of rows.
template <Factor number>
size_t first_wrong_of(const Product<number>& product, const std::vector<size_t>& rows,
                      const float* got) {
  const size_t strips = (product.n + kCols - 1) / kCols;
  const size_t groups = (rows.size() + kRows - 1) / kRows;
  std::vector<size_t> found(strips * groups, kNowhere);
  std::vector<float> a(rows.size() * product.k);
  parallel_for(static_cast<int>(rows.size()), [&](int row) {
    for (size_t l = 0; l < product.k; ++l)
      a[row * product.k + l] = product.a(rows[row], l);
  });
  parallel_for(static_cast<int>(found.size()), [&](int task) {
    const size_t group = task / strips * kRows;
    const size_t end = std::min(group + kRows, rows.size());
    const std::vector<size_t> mine(rows.begin() + group, rows.begin() + end);
    const size_t first = task % strips * kCols;
    const size_t last = std::min(first + kCols, product.n);
    found[task] = first_wrong(product, &a[group * product.k], mine, first, last, got);
  });
  return found.empty() ? kNowhere : *std::min_element(found.begin(), found.end());
}

// One row of each of kSampledRows stretches: the first, the last, and of the others any.
template <Factor number>
std::vector<size_t> sampled_rows(const Product<number>& product, uint64_t seed) {
  std::vector<size_t> rows = {0};
  for (size_t i = 1; i + 1 < kSampledRows; ++i) {
    const size_t begin = product.m * i / kSampledRows;
    const size_t end = product.m * (i + 1) / kSampledRows;
    if (begin < end) rows.push_back(begin + random_bits(seed, i) % (end - begin));
  }
  rows.push_back(product.m - 1);
  return rows;
}

template <Factor number>
std::vector<size_t> all_rows(const Product<number>& product) {
  std::vector<size_t> rows(product.m);
  for (size_t row = 0; row < product.m; ++row)
    rows[row] = row;
  return rows;
}

// The first index of a wrong element among one of each square, or kNowhere.
template <Factor number>
size_t first_wrong_of_squares(const Product<number>& product, uint64_t seed, const float* got) {
  const size_t across = (product.n + kSquare - 1) / kSquare;
  const size_t down = (product.m + kSquare - 1) / kSquare;
  std::vector<size_t> found(down, kNowhere);
  parallel_for(static_cast<int>(down), [&](int y) {
    for (size_t x = 0; x < across && found[y] == kNowhere; ++x) {
      const uint64_t drawn = random_bits(seed, y * across + x);
      const size_t height = std::min(kSquare, product.m - y * kSquare);
      const size_t width = std::min(kSquare, product.n - x * kSquare);
      const size_t row = y * kSquare + drawn % height;
      const size_t col = x * kSquare + (drawn >> 32) % width;
      const size_t i = row * product.n + col;
      if (!element_at(product, i).allows(got[i])) found[y] = i;
    }
  });
  return *std::min_element(found.begin(), found.end());
}

template <Factor number>
void judge_product(const Options& options, uint64_t seed, Submission& submission) {
  const Product<number> product = {
      static_cast<size_t>(options.count("m", 256)), static_cast<size_t>(options.count("n", 256)),
      static_cast<size_t>(options.count("k", 256)), stream_seed(seed, 0), stream_seed(seed, 1)};
  const float* got = submission.take<float>("c", product.m * product.n);
  if (product.m == 0 || product.n == 0) return;
  const bool in_full = product.m * product.n * product.k <= kProductsInFull;
  size_t i = first_wrong_of(
      product, in_full ? all_rows(product) : sampled_rows(product, stream_seed(seed, 2)), got);
  if (i == kNowhere && !in_full) i = first_wrong_of_squares(product, stream_seed(seed, 3), got);
  if (i == kNowhere) return;
  mismatch(i, got[i], element_at(product, i),
           "row " + std::to_string(i / product.n) + ", column " + std::to_string(i % product.n));
}

}  // namespace

const std::vector<PartJudge> kPartJudges = {{"sgemm", judge_product<random_float>},
                                            {"tensor", judge_product<random_bf16>}};
