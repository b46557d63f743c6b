#include "studies/exact/optimum/shadow_prices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/study_units.hpp"
#include "studies/exact/problem/problem_writer.hpp"

namespace counterpoise {
namespace {

constexpr double nothing =
    1e-9;  // relative to the objective: a shadow price below this is rounding
constexpr double same_limit = 1e-9;  // relative, of limits that say the same

bool near(double a, double b, double size) {
  return std::abs(a - b) <= same_limit * size;
}

/// Whether two limits are one: the same sum and the same bound.
bool alike(const WrittenProblem& written, std::size_t i, std::size_t j) {
  const ConvexLimit &a = written.problem.limits[i], &b = written.problem.limits[j];
  const LimitWords &of_a = written.limits[i], &of_b = written.limits[j];
  const auto terms_alike = [](const auto& some, const auto& others) {
    return some.size() == others.size() &&
           std::equal(some.begin(), some.end(), others.begin(),
                      [](const ConvexSum::Term& one, const ConvexSum::Term& other) {
                        return one.index == other.index &&
                               near(one.weight, other.weight, std::abs(one.weight));
                      });
  };
  return of_a.times == of_b.times && of_a.unit == of_b.unit &&
         near(a.bound, b.bound, std::abs(a.bound)) &&
         near(a.sum.constant, b.sum.constant, std::abs(a.sum.constant)) &&
         terms_alike(a.sum.linear, b.sum.linear) && terms_alike(a.sum.norms, b.sum.norms);
}

/// Limits that are loosened together, because they have one name or are alike.
struct LimitGroup {
  std::vector<std::string> names;
  std::vector<std::size_t> limits;
};

/// Shadow prices of limits that are not bounds of variables.
std::vector<LimitGroup> groups_of(const WrittenProblem& written) {
  std::vector<LimitGroup> groups;
  for (std::size_t l = 0; l < written.limits.size(); ++l) {
    const std::string& name = written.limits[l].name;
    if (written.limits[l].product >= 0) continue;
    const auto belongs = [&](const LimitGroup& group) {
      return std::find(group.names.begin(), group.names.end(), name) != group.names.end() ||
             std::any_of(group.limits.begin(), group.limits.end(),
                         [&](std::size_t other) { return alike(written, l, other); });
    };
    const auto at = std::find_if(groups.begin(), groups.end(), belongs);
    LimitGroup& group = at != groups.end() ? *at : groups.emplace_back();
    group.limits.push_back(l);
    if (std::find(group.names.begin(), group.names.end(), name) == group.names.end())
      group.names.push_back(name);
  }
  return groups;
}

/// Shadow prices of bounds of variables, from bounds and limits of the unknowns that stand for
/// them.
class BoundWorths {
 public:
  BoundWorths(const Study& study, const SpringRoles& roles, const WrittenProblem& written,
              const Certificate& certificate, const std::vector<double>& x)
      : study_(study),
        roles_(roles),
        problem_(written.problem),
        certificate_(certificate),
        x_(x),
        rates_(written.rates),
        prices_(roles.sized.size()) {
    for (std::size_t i = 0; i < rates_.size(); ++i) add_slope(i);
    for (std::size_t l = 0; l < written.limits.size(); ++l)
      if (written.limits[l].product >= 0) take(written.limits[l], certificate.limits[l]);
  }

  /// The bounds that have a shadow price, in the order of the variables.
  [[nodiscard]] std::vector<ShadowPrice> all() const {
    std::vector<ShadowPrice> found;
    for (std::size_t i = 0; i < prices_.size(); ++i)
      for (const bool upper : {false, true}) {
        const double per_unit = upper ? prices_[i].upper : prices_[i].lower;
        const Variable& own = variable(i);
        const double bound = upper ? own.high : own.low;
        const std::string unit = unit_of(study_, own);
        const double size = bound != 0.0 ? bound : own.high - own.low;
        found.push_back({bound_name(study_, own, upper, bound), !upper, bound, unit, per_unit,
                         small_step(unit, size), roles_.sized[i]});
      }
    return found;
  }

 private:
  struct Price {
    double lower = 0.0, upper = 0.0;
  };

  [[nodiscard]] const Variable& variable(std::size_t sized) const {
    return study_.variables[static_cast<std::size_t>(roles_.sized[sized])];
  }
  double& price(std::size_t sized, bool upper) {
    return upper ? prices_[sized].upper : prices_[sized].lower;
  }
  /// A limit that stands for the bound of a free length.
  void take(const LimitWords& limit, double multiplier) {
    price(static_cast<std::size_t>(limit.product), !limit.at_least) +=
        multiplier * x_[static_cast<std::size_t>(limit.times)];
  }

  /// Slopes are > 0 at a lower bound and < 0 at an upper one.
  void add_slope(std::size_t i) {
    const double slope = certificate_.slopes[i];
    const bool upper = slope < 0.0;
    const double bound = upper ? problem_.upper[i] : problem_.lower[i];
    const Variable& own = variable(i);
    const std::string unit = rates_[i] < 0 ? unit_of(study_, own) : "N";
    const double near = near_end(unit, problem_.lower[i], problem_.upper[i], bound);
    if (slope == 0.0 || std::abs(x_[i] - bound) > near) return;
    if (rates_[i] < 0) {
      price(i, upper) += std::abs(slope);
      return;
    }
    // bound = length * rate at one end of each
    const auto r = static_cast<std::size_t>(rates_[i]);
    const Variable& rate = variable(r);
    const double length = upper ? own.high : own.low;
    const bool upper_rate = (length > 0.0) == upper;
    const double factor = upper_rate ? rate.high : rate.low;
    price(i, upper) += std::abs(slope) * factor;
    price(r, upper_rate) += std::abs(slope * length);
  }

  const Study& study_;
  const SpringRoles& roles_;
  const ConvexProblem& problem_;
  const Certificate& certificate_;
  const std::vector<double>& x_;
  const std::vector<int>& rates_;  // per sized variable
  std::vector<Price> prices_;      // per sized variable
};

}  // namespace

std::vector<ShadowPrice> shadow_prices(const Study& study, const SpringRoles& roles,
                                       const WrittenProblem& written,
                                       const Certificate& certificate,
                                       const std::vector<double>& x) {
  const ConvexProblem& problem = written.problem;
  const BoundWorths bounds(study, roles, written, certificate, x);
  std::vector<ShadowPrice> prices;
  for (const LimitGroup& group : groups_of(written)) {
    const LimitWords& words = written.limits[group.limits.front()];
    const double bound = problem.limits[group.limits.front()].bound;
    ShadowPrice price;
    price.name = fmt::format("{}", fmt::join(group.names, " and "));
    price.less = words.at_least;
    price.unit = words.unit;
    if (words.bound == LimitWords::Bound::own) price.bound = price.less ? -bound : bound;
    price.step = small_step(price.unit, words.bound == LimitWords::Bound::other ? 0.0 : bound);
    for (const std::size_t l : group.limits) {
      const int times = written.limits[l].times;
      price.per_unit +=
          certificate.limits[l] * (times < 0 ? 1.0 : x[static_cast<std::size_t>(times)]);
    }
    prices.push_back(std::move(price));
  }
  for (ShadowPrice& price : bounds.all()) prices.push_back(std::move(price));
  const double size = std::abs(objective_of(problem, x)) +
                      std::abs(objective_of(problem, std::vector<double>(x.size(), 0.0)));
  std::erase_if(prices, [&](const ShadowPrice& price) {
    return price.per_unit * price.step <= nothing * size;
  });
  std::stable_sort(prices.begin(), prices.end(), [](const ShadowPrice& a, const ShadowPrice& b) {
    return a.per_unit * a.step > b.per_unit * b.step;
  });
  return prices;
}

}  // namespace counterpoise
