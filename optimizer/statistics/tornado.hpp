#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace counterpoise {

/// The values to which one factor is set while all others stay at their centre.
struct TornadoFactor {
  double centre = 0.0;
  std::vector<double> tried;  // if ordered: low end and high end; otherwise every choice
  bool ordered = true;
};

/// One end of a bar: the value of the factor, and the value of the function there.
struct TornadoEnd {
  double at = 0.0;
  double value = 0.0;
  bool known = false;
};

/// The function along one factor. For an ordered factor `low` is at its low end and `high` at its
/// high end; otherwise `low` is at the choice with the smallest value and `high` at that with the
/// largest.
struct TornadoBar {
  std::size_t factor = 0;
  TornadoEnd low, high;
  double swing = 0.0;  // between the smallest and largest of both ends and the centre, if known
};

/// The rows of a tornado: row 0 is the centre of all factors; the rows after it set one factor
/// after the other to each of its values.
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

/// The bars from the values at all rows of the design, NaN where a row has none. The widest swing
/// comes first; of equal swings, the earlier factor.
std::vector<TornadoBar> tornado(const TornadoDesign& design, std::span<const double> values);

/// Evaluates a function of the factors at all rows of the design and returns its bars.
std::vector<TornadoBar> tornado(const TornadoDesign& design,
                                const std::function<double(std::span<const double>)>& function);

}  // namespace counterpoise
