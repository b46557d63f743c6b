#include "springs/problem/best_springs.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "springs/problem/drive_search.hpp"

namespace counterpoise {
namespace {

/// Branches over the pairs of drives, one drive after the other.
class PairTree {
 public:
  PairTree(const DriveProblem& problem, const DrivenSprings& start, const ConvexOptions& options);

  DrivenSprings find();

 private:
  /// Pairs for some of the drives, in the order in which they were taken.
  struct Node {
    std::vector<std::size_t> drives;
    std::vector<DrivePair> pairs;
    double cost = 0.0;
  };
  /// The cheapest pairs that suffice for some springs.
  struct Chosen {
    std::vector<std::optional<DrivePair>> pairs;  // one per drive
    double cost = 0.0;                            // of all
    bool lacks = false;                           // whether a drive has none
  };

  Chosen choose_for(const Springs& springs);
  [[nodiscard]] double cost_of(std::size_t drive, const DrivePair& pair) const {
    return problem_.drives[drive].choice->cost_of(pair).first;
  }
  [[nodiscard]] double least_cost(std::size_t drive) const;
  [[nodiscard]] std::size_t next_drive(const Node& node, const Chosen& chosen) const;
  [[nodiscard]] double spare_cost(const Node& node, std::size_t drive) const;
  const std::vector<DrivePair>& in_order(std::size_t drive, const Springs& springs);
  bool look_at(const Node& node, Springs springs);
  void branch(const Node& node, const Springs& springs, double bound);

  const DriveProblem& problem_;
  const Interruption interruption_;
  DriveSearch search_;
  std::vector<DriveChoice> choices_;             // of the drives
  std::vector<std::vector<DrivePair>> ordered_;  // pairs of each drive, once they were needed
  std::vector<double> open_;                     // bounds of what could not be decided
  std::vector<double> loads_;
  ShaftSamples samples_;
  DrivenSprings best_;
};

PairTree::PairTree(const DriveProblem& problem, const DrivenSprings& start,
                   const ConvexOptions& options)
    : problem_(problem),
      interruption_(options.interruption),
      search_(problem, options),
      ordered_(problem.drives.size()),
      best_(start) {
  for (const DriveProblem::Drive& drive : problem.drives) choices_.push_back(*drive.choice);
  best_.lacking = -1;
  best_.value = start.pairs.empty() ? infinity : objective_of(problem.convex, start.x);
  best_.excluded = best_.open = 0;
}

/// The choice that an evaluation of these springs makes.
auto PairTree::choose_for(const Springs& springs) -> Chosen {
  Chosen made;
  for (std::size_t d = 0; d < choices_.size(); ++d) {
    const DriveProblem::Drive& drive = problem_.drives[d];
    loads_at(drive.load, springs.x, loads_);
    drive.samples.with_loads(loads_, samples_);
    const std::optional<ChosenDrive> chosen = choices_[d].choose(samples_, 0.0);
    const bool may_have = chosen && !drive.pairs.empty() &&
                          cost_of(d, chosen->pair) <= cost_of(d, drive.pairs.back());
    made.pairs.push_back(may_have ? std::optional(chosen->pair) : std::nullopt);
    made.lacks = made.lacks || !may_have;
    if (may_have) made.cost += cost_of(d, chosen->pair);
  }
  return made;
}

double PairTree::least_cost(std::size_t drive) const {
  const std::vector<DrivePair>& pairs = problem_.drives[drive].pairs;
  return pairs.empty() ? infinity : cost_of(drive, pairs.front());
}

/// The drive whose pair is taken next: one that has none, else the one that could save most.
std::size_t PairTree::next_drive(const Node& node, const Chosen& chosen) const {
  std::size_t best = problem_.drives.size();
  double most = -infinity;
  for (std::size_t d = 0; d < problem_.drives.size(); ++d) {
    if (std::find(node.drives.begin(), node.drives.end(), d) != node.drives.end()) continue;
    const double saved = chosen.pairs[d] ? cost_of(d, *chosen.pairs[d]) - least_cost(d) : infinity;
    if (best < problem_.drives.size() && !(saved > most)) continue;
    best = d;
    most = saved;
  }
  return best;
}

/// What a pair of this drive may cost beside those of a node and the cheapest of all others.
double PairTree::spare_cost(const Node& node, std::size_t drive) const {
  double others = node.cost;
  for (std::size_t d = 0; d < problem_.drives.size(); ++d)
    if (d != drive && std::find(node.drives.begin(), node.drives.end(), d) == node.drives.end())
      others += least_cost(d);
  constexpr double rounding = 1e-14;  // of sums in another order
  return problem_.most_cost + rounding * others - others;
}

/// The pairs of a drive, those first that are used least by the springs for which it was first
/// asked: they are likely to allow the best springs.
const std::vector<DrivePair>& PairTree::in_order(std::size_t drive, const Springs& springs) {
  std::vector<DrivePair>& ordered = ordered_[drive];
  const DriveProblem::Drive& of = problem_.drives[drive];
  if (!ordered.empty() || of.pairs.empty()) return ordered;
  loads_at(of.load, springs.x, loads_);
  of.samples.with_loads(loads_, samples_);
  std::vector<std::pair<double, std::size_t>> uses;
  for (std::size_t p = 0; p < of.pairs.size(); ++p)
    uses.emplace_back(of.choice->use_of(of.pairs[p], samples_).largest(), p);
  std::sort(uses.begin(), uses.end());
  for (const auto& [use, p] : uses) ordered.push_back(of.pairs[p]);
  return ordered;
}

/// Looks for springs better than the best so far with the pairs of a node. Returns false if it is
/// proved that no springs suffice for these pairs.
bool PairTree::look_at(const Node& node, Springs springs) {
  const std::optional<PairSet> set = search_.set_of(node.drives, node.pairs);
  if (!set || search_.excluded_before(*set, best_.value)) {
    ++best_.excluded;
    return set && best_.value < infinity;
  }
  springs.value = best_.value;
  const double bound = search_.improve(*set, springs);
  if (springs.value < best_.value) {
    branch(node, springs, bound);
    return true;
  }
  if (bound < best_.value)
    open_.push_back(bound);
  else
    ++best_.excluded;
  return bound < infinity;
}

/// Takes the best springs of a node where drives suffice for them, else one more drive's pairs.
void PairTree::branch(const Node& node, const Springs& springs, double bound) {
  interruption_.poll();
  const Chosen chosen = choose_for(springs);
  if (!chosen.lacks && chosen.cost <= problem_.most_cost) {
    best_.pairs.clear();
    for (const std::optional<DrivePair>& pair : chosen.pairs) best_.pairs.push_back(*pair);
    best_.x = springs.x;
    best_.options = springs.options;
    best_.value = springs.value;
    best_.cost = chosen.cost;
    if (bound < springs.value) open_.push_back(bound);
    return;
  }
  const std::size_t drive = next_drive(node, chosen);
  if (drive == problem_.drives.size()) {  // rounding decides
    open_.push_back(bound);
    return;
  }
  const double spare = spare_cost(node, drive);
  bool any = false;
  for (const DrivePair& pair : in_order(drive, springs)) {
    const double cost = cost_of(drive, pair);
    if (cost > spare) continue;
    Node next = node;
    next.drives.push_back(drive);
    next.pairs.push_back(pair);
    next.cost += cost;
    any = look_at(next, springs) || any;
  }
  if (node.drives.empty() && !any && best_.pairs.empty()) best_.lacking = static_cast<int>(drive);
}

DrivenSprings PairTree::find() {
  Springs springs{best_.x, best_.options, best_.value};
  const double before = best_.value;
  const double bound = search_.improve(*search_.set_of({}, {}), springs);
  if (springs.value < before)
    branch({}, springs, bound);
  else if (bound < before)
    open_.push_back(bound);
  best_.open =
      std::count_if(open_.begin(), open_.end(), [&](double least) { return least < best_.value; });
  return std::move(best_);
}

}  // namespace

DrivenSprings best_springs(const DriveProblem& problem, const DrivenSprings& start,
                           const ConvexOptions& options) {
  return PairTree(problem, start, options).find();
}

}  // namespace counterpoise
