#include "optimizer/statistics/tornado.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace counterpoise {

TornadoDesign::TornadoDesign(std::vector<TornadoFactor> factors) : factors_(std::move(factors)) {
  for (const TornadoFactor& factor : factors_)
    rows_ += static_cast<std::int64_t>(factor.tried.size());
}

void TornadoDesign::row(std::int64_t row, std::span<double> out) const {
  for (std::size_t i = 0; i < factors_.size(); ++i) out[i] = factors_[i].centre;
  auto left = static_cast<std::size_t>(row);
  if (left == 0) return;
  --left;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    if (left < factors_[i].tried.size()) {
      out[i] = factors_[i].tried[left];
      return;
    }
    left -= factors_[i].tried.size();
  }
}

namespace {

TornadoEnd end_of(double at, double value) {
  if (std::isnan(value)) return {at, 0.0, false};
  return {at, value, true};
}

/// The choices with the smallest and the largest value.
void take_extremes(const TornadoFactor& factor, std::span<const double> values, TornadoBar& bar) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const TornadoEnd end = end_of(factor.tried[k], values[k]);
    if (!end.known) continue;
    if (!bar.low.known || end.value < bar.low.value) bar.low = end;
    if (!bar.high.known || end.value > bar.high.value) bar.high = end;
  }
}

double swing_of(const TornadoBar& bar, double centre) {
  double low = centre, high = centre;
  for (const TornadoEnd& end : {bar.low, bar.high}) {
    if (!end.known) continue;
    low = std::isnan(low) ? end.value : std::min(low, end.value);
    high = std::isnan(high) ? end.value : std::max(high, end.value);
  }
  return std::isnan(low) ? 0.0 : high - low;
}

}  // namespace

std::vector<TornadoBar> tornado(const TornadoDesign& design, std::span<const double> values) {
  std::vector<TornadoBar> bars;
  std::size_t at = 1;
  for (std::size_t i = 0; i < design.factors().size(); ++i) {
    const TornadoFactor& factor = design.factors()[i];
    const std::span<const double> own = values.subspan(at, factor.tried.size());
    at += own.size();
    TornadoBar& bar = bars.emplace_back();
    bar.factor = i;
    if (factor.ordered) {
      bar.low = end_of(factor.tried.front(), own.front());
      bar.high = end_of(factor.tried.back(), own.back());
    } else {
      take_extremes(factor, own, bar);
    }
    bar.swing = swing_of(bar, values.front());
  }
  std::stable_sort(bars.begin(), bars.end(),
                   [](const TornadoBar& a, const TornadoBar& b) { return a.swing > b.swing; });
  return bars;
}

std::vector<TornadoBar> tornado(const TornadoDesign& design,
                                const std::function<double(std::span<const double>)>& function) {
  std::vector<double> values(static_cast<std::size_t>(design.rows()));
  std::vector<double> point(design.factors().size());
  for (std::size_t row = 0; row < values.size(); ++row) {
    design.row(static_cast<std::int64_t>(row), point);
    values[row] = function(point);
  }
  return tornado(design, values);
}

}  // namespace counterpoise
