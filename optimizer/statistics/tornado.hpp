#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace counterpoise {

/// What one factor is set to while all others stay at their centre.
struct TornadoFactor {
  double centre = 0.0;
  std::vector<double> tried;  // ordered: low end and high end; else every choice
  bool ordered = true;
};

/// One end of a bar: where the factor stands, and the value of the function there.
struct TornadoEnd {
  double at = 0.0;
  double value = 0.0;
  bool known = false;
};

/// The function along one factor. Ordered: `low` at its low end, `high` at its high end. Not
/// ordered: `low` at the choice with the smallest value, `high` at that with the largest.
struct TornadoBar {
  std::size_t factor = 0;
  TornadoEnd low, high;
  double swing = 0.0;  // between the smallest and largest of both ends and the centre, if known
};

/// Row 0 is the centre of all factors; then, factor by factor, what each is set to.
class TornadoDesign {
 public:
  explicit TornadoDesign(std::vector<TornadoFactor> factors);

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] const std::vector<TornadoFactor>& factors() const { return factors_; }
  void row(std::int64_t row, std::span<double> out) const;

 private:
  std::vector<TornadoFactor> factors_;
  std::int64_t rows_ = 1;
};

/// From the values at all rows of the design, NaN where there is none: the bars by falling swing,
/// of equal ones the earlier factor first.
std::vector<TornadoBar> tornado(const TornadoDesign& design, std::span<const double> values);

/// The same of a function of the factors.
std::vector<TornadoBar> tornado(const TornadoDesign& design,
                                const std::function<double(std::span<const double>)>& function);

}  // namespace counterpoise
