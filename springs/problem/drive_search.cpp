#include "springs/problem/drive_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace counterpoise {
namespace {

constexpr double tolerance = 1e-9;    // of demands, relative
constexpr double kept = 5e-10;        // by how much springs that are found may break demands
constexpr double cut_from = 1e-10;    // what is beyond a demand by more is cut off
constexpr double inside = 3e-10;      // by how much springs that are improved keep within demands
constexpr int most_rounds = 200;      // of cuts
constexpr double least_width = 1e-5;  // of ranges that are split, relative
constexpr int most_splits = 200;      // of springs' ranges, for one set of pairs

/// The same problem without an objective, and without what only that reads.
ConvexProblem limits_of(const ConvexProblem& all) {
  ConvexProblem limits{all.lower, all.upper, {}, {}, {{}}, all.limits};
  std::vector<int> norm_at(all.norms.size(), -1), series_at(all.series.size(), -1);
  for (ConvexLimit& limit : limits.limits)
    for (ConvexSum::Term& term : limit.sum.norms) {
      int& norm = norm_at[static_cast<std::size_t>(term.index)];
      if (norm < 0) {
        norm = static_cast<int>(limits.norms.size());
        SeriesNorm& own =
            limits.norms.emplace_back(all.norms[static_cast<std::size_t>(term.index)]);
        for (SeriesNorm::Part& part : own.parts) {
          int& series = series_at[static_cast<std::size_t>(part.series)];
          if (series < 0) {
            series = static_cast<int>(limits.series.size());
            limits.series.push_back(all.series[static_cast<std::size_t>(part.series)]);
          }
          part.series = series;
        }
      }
      term.index = norm;
    }
  return limits;
}

}  // namespace

void loads_at(const AffineSeries& load, const std::vector<double>& x, std::vector<double>& out) {
  out = load.constant;
  for (const AffineSeries::Column& column : load.columns) {
    const double value = x[static_cast<std::size_t>(column.variable)];
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += column.coefficients[k] * value;
  }
}

DriveSearch::DriveSearch(const DriveProblem& problem, const ConvexOptions& options)
    : problem_(problem),
      options_(options),
      limits_(limits_of(problem.convex)),
      box_{problem.convex.lower, problem.convex.upper, problem.groups, {}},
      loads_(problem.drives.size()) {
  options_.proof = true;
  for (std::size_t g = 0; g < problem.groups.size(); ++g) {
    std::vector<int>& places = box_.places.emplace_back(problem.groups[g].options.size());
    std::iota(places.begin(), places.end(), 0);
    hull_options(g, box_);
  }
  for (const DriveProblem::Drive& drive : problem.drives) {
    std::vector<LoadInterval>& ranges = ranges_.emplace_back();
    for (std::size_t k = 0; k < drive.samples.size(); ++k)
      ranges.push_back(range_in(box_, drive.load, k));
    double time = 0.0;
    for (const double weight : drive.samples.weight) time += weight;
    times_.push_back(time);
  }
}

LoadInterval DriveSearch::range_in(const SpringBox& box, const AffineSeries& load, std::size_t k) {
  LoadInterval range{load.constant[k], load.constant[k]};
  double size = std::abs(load.constant[k]);
  for (const AffineSeries::Column& column : load.columns) {
    const auto v = static_cast<std::size_t>(column.variable);
    const double a = column.coefficients[k] * box.lower[v];
    const double b = column.coefficients[k] * box.upper[v];
    range.least += std::min(a, b);
    range.most += std::max(a, b);
    size += std::max(std::abs(a), std::abs(b));
  }
  const double rounding = 1e-14 * size;
  return {range.least - rounding, range.most + rounding};
}

/// Pairs with the loads that they allow; nothing if they allow none at some sample.
std::optional<PairSet> DriveSearch::set_of(const std::vector<std::size_t>& drives,
                                           const std::vector<DrivePair>& pairs) const {
  PairSet made{drives, pairs, {}, {}};
  for (std::size_t i = 0; i < drives.size(); ++i) {
    const DriveProblem::Drive& drive = problem_.drives[drives[i]];
    const AllowedLoads& allowed = made.allowed.emplace_back(*drive.choice, pairs[i], drive.samples);
    if (!allowed.fast_enough()) return std::nullopt;
    std::vector<LoadInterval>& ranges = made.ranges.emplace_back(ranges_[drives[i]]);
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      const LoadInterval own = allowed.range(k);
      const double slack = tolerance * allowed.scale();
      if (own.least > ranges[k].most + slack || own.most < ranges[k].least - slack ||
          own.least > own.most + slack)
        return std::nullopt;
      ranges[k].least = std::min(std::max(ranges[k].least, own.least), ranges[k].most);
      ranges[k].most = std::max(std::min(ranges[k].most, own.most), ranges[k].least);
    }
  }
  return made;
}

bool DriveSearch::excluded_before(const PairSet& set, double below) const {
  return std::any_of(exclusions_.begin(), exclusions_.end(), [&](const Exclusion& exclusion) {
    double most = 0.0;
    for (std::size_t d = 0; d < exclusion.norms.size(); ++d) {
      const Exclusion::Norms& norms = exclusion.norms[d];
      if (norms.torque == 0.0 && norms.load == 0.0) continue;
      const auto i = std::find(set.drives.begin(), set.drives.end(), d) - set.drives.begin();
      if (i == std::ssize(set.drives)) return false;
      const AllowedLoads& allowed = set.allowed[static_cast<std::size_t>(i)];
      if (norms.torque > 0.0) most += norms.torque * allowed.bound(AllowedLoads::Mean::torque);
      if (norms.load > 0.0) most += norms.load * allowed.bound(AllowedLoads::Mean::load);
    }
    if (!std::isfinite(most)) return false;
    for (const Exclusion::Term& term : exclusion.terms) {
      const auto i = static_cast<std::size_t>(
          std::find(set.drives.begin(), set.drives.end(), term.drive) - set.drives.begin());
      if (i == set.drives.size()) return false;
      most += set.allowed[i].largest(term.sample, term.slope, term.of_torque, term.of_load,
                                     set.ranges[i][term.sample]);
    }
    if (!exclusion.optimum) return most < exclusion.bound - tolerance * exclusion.size;
    return exclusion.bound - most >= below - tolerance * exclusion.multipliers;
  });
}

void DriveSearch::set_loads(const PairSet& set, const std::vector<double>& x) {
  for (const std::size_t d : set.drives) loads_at(problem_.drives[d].load, x, loads_[d]);
}

/// Whether the pairs keep all demands with the loads that were set, to this share of them.
bool DriveSearch::suffices(const PairSet& set, double slack) {
  for (std::size_t i = 0; i < set.drives.size(); ++i) {
    const DriveProblem::Drive& drive = problem_.drives[set.drives[i]];
    drive.samples.with_loads(loads_[set.drives[i]], samples_);
    if (!(drive.choice->use_of(set.pairs[i], samples_).largest() <= 1.0 + slack)) return false;
  }
  return true;
}

/// Cuts off the samples whose loads are farthest beyond their ranges, to either side.
void DriveSearch::cut_ranges(const PairSet& set, std::size_t i, std::vector<Cut>& cuts) const {
  const std::vector<double>& loads = loads_[set.drives[i]];
  const std::vector<LoadInterval>& ranges = set.ranges[i];
  const double scale = set.allowed[i].scale();
  for (const double sign : {1.0, -1.0}) {
    const auto beyond = [&](std::size_t k) {
      return sign > 0.0 ? loads[k] - ranges[k].most : ranges[k].least - loads[k];
    };
    // the farthest of each stretch of samples that are beyond
    std::vector<std::size_t> farthest;
    bool within = true;
    for (std::size_t k = 0; k < loads.size(); ++k) {
      if (beyond(k) <= cut_from * scale) {
        within = true;
      } else if (within) {
        farthest.push_back(k);
        within = false;
      } else if (beyond(k) > beyond(farthest.back())) {
        farthest.back() = k;
      }
    }
    constexpr std::size_t most = 3;
    const std::size_t kept = std::min(most, farthest.size());
    std::partial_sort(farthest.begin(), farthest.begin() + static_cast<std::ptrdiff_t>(kept),
                      farthest.end(),
                      [&](std::size_t a, std::size_t b) { return beyond(a) > beyond(b); });
    farthest.resize(kept);
    for (const std::size_t k : farthest)
      cuts.push_back({set.drives[i],
                      {{k, sign / scale}},
                      -sign * (sign > 0.0 ? ranges[k].most : ranges[k].least) / scale,
                      {},
                      {}});
  }
}

/// Cuts off loads whose mean is too large: with y in the direction of f, the sum of y f is at most
/// the mean's bound, and each y f is above a line over the range of its sample.
void DriveSearch::cut_mean(const PairSet& set, std::size_t i, AllowedLoads::Mean mean,
                           std::vector<Cut>& cuts) const {
  const std::size_t d = set.drives[i];
  const AllowedLoads& allowed = set.allowed[i];
  const std::vector<double>& time = problem_.drives[d].samples.weight;
  const double bound = allowed.bound(mean);
  if (!std::isfinite(bound) || times_[d] == 0.0) return;
  double squares = 0.0;
  std::vector<double> values(loads_[d].size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = allowed.value(mean, k, loads_[d][k]);
    squares += time[k] * values[k] * values[k];
  }
  if (std::sqrt(squares / times_[d]) <= bound * (1.0 + cut_from)) return;
  Cut made{d, {}, -1.0, mean, std::vector<double>(values.size(), 0.0)};
  const double scale = bound * std::sqrt(times_[d] * squares);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (time[k] == 0.0) continue;
    made.weights[k] = time[k] * values[k] / scale;
    const LoadLine line =
        allowed.line_below(mean, k, made.weights[k], set.ranges[i][k], loads_[d][k]);
    if (line.slope != 0.0) made.slopes.emplace_back(k, line.slope);
    made.constant += line.offset;
  }
  cuts.push_back(std::move(made));
}

/// Adds cuts where the loads that were set break demands. Returns whether one cuts them off.
bool DriveSearch::cut(const PairSet& set, std::vector<Cut>& cuts) const {
  const std::size_t before = cuts.size();
  for (std::size_t i = 0; i < set.drives.size(); ++i) {
    cut_ranges(set, i, cuts);
    cut_mean(set, i, AllowedLoads::Mean::torque, cuts);
    cut_mean(set, i, AllowedLoads::Mean::load, cuts);
  }
  bool any = false;
  for (std::size_t c = before; c < cuts.size(); ++c) {
    cuts[c].sum = sum_of(cuts[c]);
    any = any || value_of(cuts[c]) > 0.5 * cut_from;
  }
  return any;
}

double DriveSearch::value_of(const Cut& cut) const {
  double value = cut.constant;
  for (const auto& [k, slope] : cut.slopes) value += slope * loads_[cut.drive][k];
  return value;
}

ConvexSum DriveSearch::sum_of(const Cut& cut) const {
  const AffineSeries& load = problem_.drives[cut.drive].load;
  ConvexSum sum;
  sum.constant = cut.constant;
  for (const auto& [k, slope] : cut.slopes) sum.constant += slope * load.constant[k];
  for (const AffineSeries::Column& column : load.columns) {
    double weight = 0.0;
    for (const auto& [k, slope] : cut.slopes) weight += slope * column.coefficients[k];
    if (weight != 0.0) sum.linear.push_back({column.variable, weight});
  }
  return sum;
}

/// Keeps what the multipliers of an optimum under cuts, or of their conflict with limits, say of
/// all springs.
void DriveSearch::note_optimum(const std::vector<Cut>& cuts, const ConvexSolution& relaxed) {
  if (cuts.empty()) return;
  // behind the limits of the problem, and before those of relaxed choices
  const auto multipliers =
      std::span(relaxed.certificate.limits).subspan(problem_.convex.limits.size(), cuts.size());
  const double all = std::accumulate(multipliers.begin(), multipliers.end(), 0.0);
  const bool conflict = relaxed.status == ConvexSolution::Status::infeasible;
  note_exclusion(cuts, multipliers, relaxed.certificate.bound - inside * all, !conflict);
}

/// Keeps what multipliers of cuts say of all springs.
void DriveSearch::note_exclusion(const std::vector<Cut>& cuts, std::span<const double> multipliers,
                                 double bound, bool optimum) {
  if (!optimum && !(bound > 0.0)) return;
  Exclusion made;
  made.norms.resize(problem_.drives.size());
  made.bound = bound;
  made.optimum = optimum;
  made.multipliers = std::accumulate(multipliers.begin(), multipliers.end(), 0.0);
  for (std::size_t d = 0; d < problem_.drives.size(); ++d) {
    const std::vector<double>& time = problem_.drives[d].samples.weight;
    std::vector<Exclusion::Term> terms(loads_[d].size(), {d, 0, 0.0, 0.0, 0.0});
    bool any = false;
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      const double piece = multipliers[c];
      if (cuts[c].drive != d || piece == 0.0) continue;
      any = true;
      made.bound -= piece * cuts[c].constant;
      for (const auto& [k, slope] : cuts[c].slopes) terms[k].slope += piece * slope;
      if (cuts[c].weights.empty()) continue;
      for (std::size_t k = 0; k < terms.size(); ++k)
        (cuts[c].mean == AllowedLoads::Mean::torque ? terms[k].of_torque : terms[k].of_load) +=
            piece * cuts[c].weights[k];
    }
    if (!any) continue;
    double torque = 0.0, load = 0.0;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      Exclusion::Term& term = terms[k];
      if (term.slope == 0.0 && term.of_torque == 0.0 && term.of_load == 0.0) continue;
      term.sample = k;
      if (time[k] > 0.0) {
        torque += term.of_torque * term.of_torque / time[k];
        load += term.of_load * term.of_load / time[k];
      }
      const LoadInterval& range = ranges_[d][k];
      made.size += std::abs(term.slope) * std::max(std::abs(range.least), std::abs(range.most));
      made.terms.push_back(term);
    }
    made.norms[d] = {std::sqrt(torque * times_[d]), std::sqrt(load * times_[d])};
  }
  exclusions_.push_back(std::move(made));
}

/// Splits the box of springs at `x`, where loads that change most lie above the lines under their
/// means: `box` keeps one part, `other` gets the rest. Returns false if nothing can be split.
bool DriveSearch::split(const PairSet& set, const std::vector<double>& x, SpringBox& box,
                        SpringBox& other) const {
  std::vector<double> effects(x.size(), 0.0);
  for (std::size_t i = 0; i < set.drives.size(); ++i) {
    const std::size_t d = set.drives[i];
    const std::vector<double>& loads = loads_[d];
    for (const AllowedLoads::Mean mean : {AllowedLoads::Mean::torque, AllowedLoads::Mean::load})
      for (std::size_t k = 0; k < loads.size(); ++k) {
        const LoadInterval& range = set.ranges[i][k];
        const double value = set.allowed[i].value(mean, k, loads[k]);
        const double y = problem_.drives[d].samples.weight[k] * value;
        const LoadLine line = set.allowed[i].line_below(mean, k, y, range, loads[k]);
        const double gap = y * value - (line.slope * loads[k] + line.offset);
        if (!(gap > 0.0)) continue;
        for (const AffineSeries::Column& column : problem_.drives[d].load.columns) {
          const auto v = static_cast<std::size_t>(column.variable);
          const double width = box.upper[v] - box.lower[v];
          if (width > least_width * (box_.upper[v] - box_.lower[v]))
            effects[v] += gap * std::abs(column.coefficients[k]) * width;
        }
      }
  }
  while (true) {
    const auto most = std::max_element(effects.begin(), effects.end());
    if (most == effects.end() || !(*most > 0.0)) return false;
    const auto v = static_cast<std::size_t>(most - effects.begin());
    const double width = box.upper[v] - box.lower[v];
    const double at = std::clamp(x[v], box.lower[v] + 0.2 * width, box.upper[v] - 0.2 * width);
    other = box;
    box.upper[v] = other.lower[v] = at;
    if (take_options(v, box) && take_options(v, other)) return true;
    box = other;  // no option on one side: nothing is split
    *most = 0.0;
  }
}

/// Leaves a box the options of the group of an unknown that are within its bounds, and narrows the
/// bounds to these. Returns false if there are none. Unknowns that are sized keep their bounds.
bool DriveSearch::take_options(std::size_t unknown, SpringBox& box) const {
  for (std::size_t g = 0; g < box.groups.size(); ++g) {
    const std::vector<int>& unknowns = problem_.groups[g].unknowns;
    const auto at = std::find(unknowns.begin(), unknowns.end(), static_cast<int>(unknown));
    if (at == unknowns.end()) continue;
    const auto column = static_cast<std::size_t>(at - unknowns.begin());
    ChoiceGroup left{unknowns, {}};
    std::vector<int> places;
    for (std::size_t o = 0; o < box.groups[g].options.size(); ++o) {
      const double value = box.groups[g].options[o][column];
      if (value < box.lower[unknown] || value > box.upper[unknown]) continue;
      left.options.push_back(box.groups[g].options[o]);
      places.push_back(box.places[g][o]);
    }
    if (left.options.empty()) return false;
    box.groups[g] = std::move(left);
    box.places[g] = std::move(places);
    hull_options(g, box);
  }
  return true;
}

/// Sets the bounds of a group's unknowns to the least and the largest of its options.
void DriveSearch::hull_options(std::size_t g, SpringBox& box) {
  const ChoiceGroup& group = box.groups[g];
  for (std::size_t u = 0; u < group.unknowns.size(); ++u) {
    const auto v = static_cast<std::size_t>(group.unknowns[u]);
    box.lower[v] = box.upper[v] = group.options.front()[u];
    for (const std::vector<double>& option : group.options) {
      box.lower[v] = std::min(box.lower[v], option[u]);
      box.upper[v] = std::max(box.upper[v], option[u]);
    }
  }
}

/// Narrows the loads of pairs to those that springs of a box cause. Returns false if none is left.
bool DriveSearch::narrow(const SpringBox& box, PairSet& set) const {
  for (std::size_t i = 0; i < set.drives.size(); ++i) {
    const std::size_t d = set.drives[i];
    const double slack = tolerance * set.allowed[i].scale();
    for (std::size_t k = 0; k < set.ranges[i].size(); ++k) {
      LoadInterval& range = set.ranges[i][k];
      const LoadInterval own = range_in(box, problem_.drives[d].load, k);
      if (own.least > range.most + slack || own.most < range.least - slack) return false;
      range = {std::min(std::max(range.least, own.least), range.most),
               std::max(std::min(range.most, own.most), range.least)};
    }
  }
  return true;
}

std::optional<Springs> DriveSearch::solved(ConvexProblem convex, const SpringBox& box,
                                           const std::vector<double>& start,
                                           ConvexSolution& relaxed) const {
  convex.lower = box.lower;
  convex.upper = box.upper;
  if (box.groups.empty()) {
    ConvexOptions own = options_;
    own.start = start;
    relaxed = solve(convex, own);
    if (relaxed.x.empty()) return std::nullopt;
    return Springs{relaxed.x, {}, relaxed.value};
  }
  ChoiceSolution choice = choose({std::move(convex), box.groups}, {.convex = options_});
  relaxed = std::move(choice.relaxed);
  if (choice.best.empty()) return std::nullopt;
  Combination& best = choice.best.front();
  for (std::size_t g = 0; g < best.options.size(); ++g)
    best.options[g] = box.places[g][static_cast<std::size_t>(best.options[g])];
  return Springs{std::move(best.x), std::move(best.options), best.value};
}

/// Finds springs for which pairs suffice, from `springs` on, or a proof that there are none.
auto DriveSearch::settle(const PairSet& whole, Springs& springs) -> Answer {
  PairSet set = whole;
  std::vector<Cut> cuts;
  std::vector<Part> parts;
  SpringBox box = box_;
  int splits = 0;
  bool open = false;
  while (true) {
    if (splits == 0 || narrow(box, set)) {
      const Answer answer = settle_in(set, box, splits == 0, springs, cuts);
      if (answer == Answer::suffices) return answer;
      if (answer == Answer::open) {
        Part other;
        set_loads(set, springs.x);
        if (++splits > most_splits || !split(set, springs.x, box, other.box)) {
          open = true;
        } else {
          other.cuts = cuts;
          parts.push_back(std::move(other));
          set = whole;
          continue;
        }
      }
    }
    if (parts.empty()) return open ? Answer::open : Answer::excluded;
    set = whole;
    box = std::move(parts.back().box);
    cuts = std::move(parts.back().cuts);
    parts.pop_back();
  }
}

/// The same within a box of springs and without splitting it; what is proved of the whole box is
/// kept for the pairs that follow.
auto DriveSearch::settle_in(const PairSet& set, const SpringBox& box, bool whole, Springs& springs,
                            std::vector<Cut>& cuts) -> Answer {
  for (int round = 0; round < most_rounds; ++round) {
    set_loads(set, springs.x);
    if (suffices(set, kept)) return Answer::suffices;
    if (!cut(set, cuts) && (round > 0 || whole)) return Answer::open;
    ConvexProblem convex = limits_;
    convex.objective.clear();
    for (const Cut& one : cuts) convex.objective.push_back(one.sum);
    if (cuts.empty()) convex.objective = {{}};
    ConvexSolution relaxed;
    std::optional<Springs> next = solved(std::move(convex), box, springs.x, relaxed);
    if (next) set_loads(set, next->x);
    if (next && (next->value <= cut_from || suffices(set, kept))) {
      if (next->x == springs.x) return Answer::open;  // cuts make no difference any more
      springs = std::move(*next);
      continue;
    }
    if (next && box.groups.empty() && !(relaxed.certificate.bound > 0.0)) return Answer::open;
    if (whole && next)
      note_exclusion(cuts, relaxed.certificate.pieces, relaxed.certificate.bound, false);
    return Answer::excluded;
  }
  return Answer::open;
}

double DriveSearch::improve(const PairSet& whole, Springs& springs) {
  PairSet set = whole;
  std::vector<Part> parts = {{box_, {}}};
  set_loads(set, springs.x);
  cut(set, parts.front().cuts);
  std::optional<Springs> own;  // springs for which the pairs suffice, if some were looked for
  bool asked = false;          // whether they were
  double undecided = infinity;
  int splits = 0;
  while (!parts.empty()) {
    const auto lowest = std::min_element(
        parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.bound < b.bound; });
    std::swap(*lowest, parts.back());
    Part part = std::move(parts.back());
    parts.pop_back();
    if (!(part.bound < springs.value)) break;
    set = whole;
    if (!narrow(part.box, set)) continue;
    bool decided = false;
    double least = part.bound;  // of the objective there
    std::vector<double> last;
    for (int round = 0; round < most_rounds; ++round) {
      ConvexProblem convex = problem_.convex;
      for (const Cut& one : part.cuts) convex.limits.push_back({one.sum, -inside});
      ConvexSolution relaxed;
      std::optional<Springs> next = solved(std::move(convex), part.box, springs.x, relaxed);
      const bool better = next && next->value < springs.value;
      if (better) set_loads(set, next->x);
      const bool found = better && suffices(set, kept);
      const bool proved =
          !problem_.groups.empty() || relaxed.status != ConvexSolution::Status::open;
      if (next) least = std::max(least, proved ? next->value : relaxed.certificate.bound);
      if (found) springs = std::move(*next);
      if (found || !better) {
        decided = proved;
        if (splits == 0) note_optimum(part.cuts, relaxed);
        break;
      }
      if (next->x != last && cut(set, part.cuts)) {
        last = next->x;
        continue;
      }
      // what is as near as rounding allows is no reason to split
      if (!asked && problem_.groups.empty()) {
        asked = true;
        Springs any = *next;
        const Answer answer = settle(whole, any);
        if (answer == Answer::excluded) return springs.value;
        if (answer == Answer::suffices) {
          any.value = objective_of(problem_.convex, any.x);
          own = std::move(any);
        }
      }
      if (own) {
        approach(whole, next->x, *own);
        if (own->value < springs.value) springs = *own;
        decided = agree(springs.value, next->value, 0.0);
        if (decided) break;
      }
      set_loads(set, next->x);
      Part other;
      if (++splits <= most_splits && split(set, next->x, part.box, other.box)) {
        other.cuts = part.cuts;
        other.bound = part.bound = least;
        parts.push_back(std::move(other));
        parts.push_back(std::move(part));
        decided = true;
      }
      break;
    }
    if (!decided) undecided = std::min(undecided, least);
  }
  return std::min(undecided, springs.value);
}

/// Moves springs as far towards others as the pairs allow, if that makes the objective less.
void DriveSearch::approach(const PairSet& set, const std::vector<double>& others,
                           Springs& springs) {
  const auto at = [&](double share) {
    Springs between = springs;
    for (std::size_t i = 0; i < between.x.size(); ++i)
      between.x[i] += share * (others[i] - springs.x[i]);
    return between;
  };
  double reached = 0.0, beyond = 1.0;
  for (int halving = 0; halving < 40; ++halving) {
    const double share = 0.5 * (reached + beyond);
    set_loads(set, at(share).x);
    (suffices(set, 0.0) ? reached : beyond) = share;
  }
  Springs between = at(reached);
  between.value = objective_of(problem_.convex, between.x);
  if (between.value < springs.value) springs = std::move(between);
}

}  // namespace counterpoise
