#include "optimizer/convex/norm_cuts.hpp"

#include <algorithm>
#include <cmath>

#include "optimizer/convex/problem.hpp"

namespace counterpoise {
namespace {

using Vector = Eigen::VectorXd;
using Eigen::Index;

constexpr Index chunk_count = 24;  // of the samples of a sum
constexpr std::size_t peaks = 4;   // rows per round of a largest
constexpr Index looked_over = 64;  // samples of a largest that are compared at once

/// Entries of a row: -factor * slopes, in the program's columns of these unknowns.
void subtract(LinearProgram& program, const std::vector<int>& variables, double factor,
              const Eigen::Ref<const Vector>& slopes) {
  for (Index c = 0; c < slopes.size(); ++c) {
    program.entry(variables[c], -factor * slopes[c]);
  }
}

/// max |r_k|: each cut is one sample with its sign.
class LargestCuts : public NormCuts {
 public:
  LargestCuts(const ScaledNorm& norm, LinearColumns& columns) : norm_(norm) {
    columns_ = {columns.add_epigraph()};
  }

  double evaluate(const Vector& u) override {
    r_ = norm_.at(u);
    return norm_of(NormKind::max, r_);
  }

  int cut(LinearProgram& program, double tolerance) override {
    const double known = program.x()[columns_[0]];
    std::vector<Index> found;
    for (Index first = 0; first < r_.size(); first += looked_over) {
      const Index count = std::min(looked_over, r_.size() - first);
      if (!(r_.segment(first, count).lpNorm<Eigen::Infinity>() - known > tolerance)) continue;
      for (Index k = first; k < first + count; ++k) {
        if (std::abs(r_[k]) - known > tolerance && is_peak(k)) found.push_back(k);
      }
    }
    const std::size_t count = std::min(peaks, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
                      found.end(), [&](Index a, Index b) {
                        const double difference = std::abs(r_[a]) - std::abs(r_[b]);
                        return difference > 0.0 || (difference == 0.0 && a < b);
                      });
    for (std::size_t i = 0; i < count; ++i) add(program, found[i]);
    return static_cast<int>(count);
  }

  [[nodiscard]] Vector witnesses(const LinearProgram& program, double weight) const override {
    Vector y = Vector::Zero(norm_.constant.size());
    for (const Cut& cut : cuts_) y[cut.sample] += cut.sign * program.multiplier(cut.row);
    const double size = y.lpNorm<1>();
    return size > weight ? Vector(y * (weight / size)) : y;
  }

 private:
  struct Cut {
    int row = 0;
    Index sample = 0;
    double sign = 1.0;
  };

  [[nodiscard]] bool is_peak(Index k) const {
    const double size = std::abs(r_[k]);
    return (k == 0 || size > std::abs(r_[k - 1])) &&
           (k + 1 == r_.size() || size >= std::abs(r_[k + 1]));
  }

  void add(LinearProgram& program, Index k) {
    const double sign = r_[k] < 0.0 ? -1.0 : 1.0;
    cuts_.push_back({program.add_row(sign * norm_.constant[k]), k, sign});
    program.entry(columns_[0], 1.0);
    if (norm_.variables.empty()) return;
    subtract(program, norm_.variables, sign, norm_.coefficients.row(k).transpose());
  }

  const ScaledNorm& norm_;
  Vector r_;
  std::vector<Cut> cuts_;
};

/// sum of |r_k|: there is a column for each of some chunks of the samples, and each cut is a
/// pattern of signs.
class SumCuts : public NormCuts {
 public:
  SumCuts(const ScaledNorm& norm, LinearColumns& columns) : norm_(norm) {
    const Index samples = norm.constant.size();
    const Index chunks = std::min(chunk_count, samples);
    for (Index c = 0; c <= chunks; ++c) first_.push_back(samples * c / std::max<Index>(1, chunks));
    for (Index c = 0; c < chunks; ++c) columns_.push_back(columns.add_epigraph());
  }

  double evaluate(const Vector& u) override {
    r_ = norm_.at(u);
    return norm_of(NormKind::l1, r_);
  }

  int cut(LinearProgram& program, double tolerance) override {
    int count = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (!(chunk(r_, c).lpNorm<1>() - program.x()[columns_[c]] > tolerance)) continue;
      add(program, c);
      ++count;
    }
    return count;
  }

  [[nodiscard]] Vector witnesses(const LinearProgram& program, double weight) const override {
    Vector y = Vector::Zero(norm_.constant.size());
    std::size_t sign = 0;
    for (const Cut& cut : cuts_) {
      const double multiplier = program.multiplier(cut.row);
      for (Index k = first_[cut.chunk]; k < first_[cut.chunk + 1]; ++k, ++sign) {
        if (multiplier != 0.0) y[k] += multiplier * signs_[sign];
      }
    }
    return y.cwiseMax(-weight).cwiseMin(weight);
  }

 private:
  struct Cut {
    int row = 0;
    std::size_t chunk = 0;
  };

  [[nodiscard]] Eigen::Ref<const Vector> chunk(const Vector& numbers, std::size_t c) const {
    return numbers.segment(first_[c], first_[c + 1] - first_[c]);
  }

  void add(LinearProgram& program, std::size_t c) {
    const Index first = first_[c], count = first_[c + 1] - first;
    pattern_ = (r_.segment(first, count).array() < 0.0).select(Vector::Constant(count, -1.0), 1.0);
    const std::size_t known = signs_.size();
    signs_.resize(known + static_cast<std::size_t>(count));
    for (Index k = 0; k < count; ++k)
      signs_[known + static_cast<std::size_t>(k)] = static_cast<signed char>(pattern_[k]);
    cuts_.push_back({program.add_row(pattern_.dot(chunk(norm_.constant, c))), c});
    program.entry(columns_[c], 1.0);
    for (std::size_t j = 0; j < norm_.variables.size(); ++j) {
      const auto column = norm_.coefficients.col(static_cast<Index>(j));
      program.entry(norm_.variables[j], -pattern_.dot(column.segment(first, count)));
    }
  }

  const ScaledNorm& norm_;
  std::vector<Index> first_;  // sample of each chunk, and the end
  Vector r_;
  Vector pattern_;  // of the cut that is added
  std::vector<Cut> cuts_;
  std::vector<signed char> signs_;  // of each cut's samples, one cut after the other
};

/// L2 norm s of a few numbers z, which are affine in u. In terms of v_i >= z_i^2 / s with sum of
/// v_i <= s, each cut is a tangent of one of them,
///   v_i >= 2 a z_i - a^2 s,
/// so that cuts are found for each component separately.
class LengthCuts : public NormCuts {
 public:
  LengthCuts(const ScaledNorm& norm, Eigen::Index unknowns, LinearColumns& columns)
      : reduced_(norm, unknowns) {
    for (Index j = 0; j < unknowns; ++j) all_.push_back(static_cast<int>(j));
    columns_ = {columns.add(0.0, infinity, 0.0)};
    for (Index i = 0; i < reduced_.constant().size(); ++i) {
      squares_.push_back(columns.add_epigraph());
    }
  }

  void prepare(LinearProgram& program) override {
    program.add_row(0.0);
    program.entry(columns_[0], 1.0);
    for (const int column : squares_) program.entry(column, -1.0);
  }

  double evaluate(const Vector& u) override {
    z_ = reduced_.constant() + reduced_.slopes() * u;
    return z_.norm();
  }

  int cut(LinearProgram& program, double tolerance) override {
    const double length = z_.norm();
    const double known = program.x()[columns_[0]];
    if (!(length - known > tolerance)) return 0;
    int count = 0;
    for (Index i = 0; i < z_.size(); ++i) {
      const double a = z_[i] / length;
      const double missing = 2.0 * a * z_[i] - a * a * known - program.x()[square(i)];
      if (missing > tolerance / static_cast<double>(z_.size())) {
        add(program, i, a);
        ++count;
      }
    }
    return count;
  }

  [[nodiscard]] Vector witnesses(const LinearProgram& program, double weight) const override {
    Vector y = Vector::Zero(reduced_.constant().size());
    for (const Cut& cut : cuts_) y[cut.component] += 2.0 * cut.a * program.multiplier(cut.row);
    const double size = y.norm();
    return reduced_.samples(size > weight ? Vector(y * (weight / size)) : y);
  }

 private:
  struct Cut {
    int row = 0;
    Index component = 0;
    double a = 0.0;
  };

  [[nodiscard]] int square(Index i) const { return squares_[i]; }

  void add(LinearProgram& program, Index i, double a) {
    cuts_.push_back({program.add_row(2.0 * a * reduced_.constant()[i]), i, a});
    program.entry(square(i), 1.0);
    program.entry(columns_[0], a * a);
    subtract(program, all_, 2.0 * a, reduced_.slopes().row(i).transpose());
  }

  ReducedLength reduced_;
  std::vector<int> all_;  // unknowns
  Vector z_;
  std::vector<int> squares_;  // columns
  std::vector<Cut> cuts_;
};

}  // namespace

std::unique_ptr<NormCuts> cuts_of(const ScaledNorm& norm, Eigen::Index unknowns,
                                  LinearColumns& columns) {
  if (norm.kind == NormKind::max) return std::make_unique<LargestCuts>(norm, columns);
  if (norm.kind == NormKind::l1) return std::make_unique<SumCuts>(norm, columns);
  return std::make_unique<LengthCuts>(norm, unknowns, columns);
}

ReducedLength::ReducedLength(const ScaledNorm& norm, Eigen::Index unknowns)
    : count_(norm.constant.size()) {
  const Eigen::Index columns = norm.coefficients.cols();
  const Eigen::Index rows = std::min(count_, columns + 1);
  slopes_.setZero(rows, unknowns);
  constant_.setZero(rows);
  if (rows == 0) return;
  Eigen::MatrixXd all(count_, columns + 1);
  all << norm.coefficients, norm.constant;
  qr_.compute(all);
  const Eigen::MatrixXd upper = qr_.matrixQR().topRows(rows).triangularView<Eigen::Upper>();
  for (Eigen::Index c = 0; c < columns; ++c) {
    slopes_.col(norm.variables[c]) = upper.col(c);
  }
  constant_ = upper.col(columns);
}

Eigen::VectorXd ReducedLength::samples(const Eigen::VectorXd& z) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(count_);
  if (z.size() == 0) return result;
  result.head(z.size()) = z;
  result.applyOnTheLeft(qr_.householderQ());
  return result;
}

}  // namespace counterpoise
