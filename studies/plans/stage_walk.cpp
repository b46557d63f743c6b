#include "studies/plans/stage_walk.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>

#include "cases/case_evaluator.hpp"
#include "cases/case_points.hpp"
#include "optimizer/sampling/random_bits.hpp"

namespace counterpoise {
namespace {

/// Units of one stage that read the same changing numbers and results: they run together.
struct UnitGroup {
  struct Result {
    std::uint64_t made_from = 0;
    std::int64_t id = 0;  // 0: none
  };

  Stage stage = Stage::coordinates;
  std::int64_t units = 0;
  std::vector<std::size_t> numbers, drives, upstream;  // of those that change at all
  std::vector<Result> results;                         // a ring
  // numbers by which results are not told apart, see is_remembered: how often they changed
  std::vector<std::size_t> others;
  std::uint64_t hash_of_others = 0, changes_of_others = 0;
  std::size_t next = 0, latest = 0;

  std::int64_t runs = 0, baseline_runs = 0;
  std::int64_t visits = 0, baseline_visits = 0;
  std::int64_t last_run = 0;  // in which visit

  /// Whether it never ran after the first case.
  [[nodiscard]] bool settled() const { return last_run <= baseline_visits + 1; }
  [[nodiscard]] bool constant() const {
    return numbers.empty() && others.empty() && drives.empty() && upstream.empty();
  }

  void see(std::uint64_t key) {
    ++visits;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i].id == 0 || results[i].made_from != key) continue;
      latest = i;
      return;
    }
    last_run = visits;
    results[next] = {key, ++runs};
    latest = next;
    next = (next + 1) % results.size();
  }
};

/// The evaluator of one motion.
class MotionWalk {
 public:
  MotionWalk(const Study& study, const LoadCase& load_case)
      : drives_(load_case.motion.nominal.drives.size()) {
    const Model& model = *study.model;
    for (const FieldNumbers& field : model.varying) {
      const NumberGroup group{quantity_of(field.field), field.element};
      if (std::find(varying_.begin(), varying_.end(), group) == varying_.end())
        varying_.push_back(group);
    }
    hashes_.resize(varying_.size());
    for (std::size_t d = 0; d < drives_.size(); ++d) {
      const std::vector<Number>& numbers = load_case.motion.profiles[d].numbers;
      if (!std::all_of(numbers.begin(), numbers.end(), [](const Number& n) { return n.fixed(); }))
        varying_drives_.push_back(d);
    }
    const int samples = load_case.motion.nominal.sample_count();
    const Holding holding = EvaluationOptions().holding;
    remembers_ = holding.holds(samples);
    group_units(stage_units_of(model, load_case), holding.longest(samples));
  }

  void see(const Mechanism& mechanism, const Motion& motion, bool springs) {
    look_at(mechanism, motion);
    if (!remembers_) forget();
    for (UnitGroup& group : groups_) {
      if (!springs && (group.stage == Stage::spring_geometry || group.stage == Stage::loads))
        continue;
      std::uint64_t hash = 0;
      for (const std::size_t i : group.others) hash = mixed(hash ^ hashes_[i]);
      if (hash != group.hash_of_others) ++group.changes_of_others;
      group.hash_of_others = hash;
      std::uint64_t key = mixed(group.changes_of_others);
      for (const std::size_t i : group.numbers) key = mixed(key ^ hashes_[i]);
      for (const std::size_t d : group.drives) key = mixed(key ^ drives_[d].revision);
      for (const std::size_t u : group.upstream) {
        const UnitGroup& read = groups_[u];
        key = mixed(key ^ static_cast<std::uint64_t>(read.results[read.latest].id));
      }
      group.see(key);
    }
  }

  void end_baselines() {
    for (UnitGroup& group : groups_) {
      group.baseline_runs = group.runs;
      group.baseline_visits = group.visits;
    }
  }
  void forget() {
    for (UnitGroup& group : groups_)
      for (UnitGroup::Result& result : group.results) result.id = 0;
  }

  [[nodiscard]] const std::vector<UnitGroup>& groups() const { return groups_; }
  [[nodiscard]] double remembered_bytes() const { return remembered_bytes_; }

 private:
  struct SeenDrive {
    Drive drive;
    std::uint64_t revision = 0;
  };

  void group_units(const StageUnits& declared, int samples) {
    using List = std::vector<std::size_t>;
    using Inputs = std::tuple<Stage, std::size_t, List, List, List, List>;
    std::map<Inputs, std::size_t> known;
    std::vector<std::size_t> group_of;  // per unit
    for (const StageUnit& unit : declared.units) {
      const std::vector<NumberGroup>& numbers = unit.numbers;
      UnitGroup group;
      group.stage = unit.stage;
      group.results.resize(unit.remembered);
      for (std::size_t i = 0; i < varying_.size(); ++i)
        if (std::binary_search(numbers.begin(), numbers.end(), varying_[i]))
          (is_remembered(varying_[i].quantity) ? group.numbers : group.others).push_back(i);
      for (const int drive : unit.drives) {
        const auto d = static_cast<std::size_t>(drive);
        if (std::binary_search(varying_drives_.begin(), varying_drives_.end(), d))
          group.drives.push_back(d);
      }
      for (const std::size_t u : unit.upstream)
        if (!groups_[group_of[u]].constant()) group.upstream.push_back(group_of[u]);
      std::sort(group.upstream.begin(), group.upstream.end());
      const auto doubles = std::unique(group.upstream.begin(), group.upstream.end());
      group.upstream.erase(doubles, group.upstream.end());

      const Inputs inputs{unit.stage,   unit.remembered, group.numbers,
                          group.others, group.drives,    group.upstream};
      const auto [place, is_new] = known.emplace(inputs, groups_.size());
      if (is_new) groups_.push_back(std::move(group));
      ++groups_[place->second].units;
      group_of.push_back(place->second);
      remembered_bytes_ += static_cast<double>(unit.remembered * unit.series * sizeof(double)) *
                           static_cast<double>(samples);
    }
  }

  void look_at(const Mechanism& mechanism, const Motion& motion) {
    for (std::size_t i = 0; i < varying_.size(); ++i) {
      numbers_.clear();
      append_numbers(mechanism, varying_[i], numbers_);
      hashes_[i] = 0;
      for (const double x : numbers_)
        hashes_[i] = mixed(hashes_[i] ^ std::bit_cast<std::uint64_t>(x));
    }
    for (const std::size_t d : varying_drives_) {
      if (drives_[d].revision > 0 && drives_[d].drive == motion.drives[d]) continue;
      drives_[d] = {motion.drives[d], drives_[d].revision + 1};
    }
  }

  std::vector<NumberGroup> varying_;
  std::vector<std::uint64_t> hashes_;  // of their numbers, in this case
  std::vector<double> numbers_;
  std::vector<SeenDrive> drives_;
  std::vector<std::size_t> varying_drives_;
  std::vector<UnitGroup> groups_;
  bool remembers_ = true;  // whether a design finds what an earlier one left
  double remembered_bytes_ = 0.0;
};

}  // namespace

struct StageWalk::Impl {
  explicit Impl(const Study& s) : study(s), design(s) {
    for (const LoadCase& load_case : study.motions) motions.emplace_back(study, load_case);
  }

  void see(int motion, bool springs) {
    if (design.bind()) return;
    const auto count = static_cast<int>(motions.size());
    for (int m = std::max(motion, 0); m < (motion < 0 ? count : motion + 1); ++m) {
      const auto i = static_cast<std::size_t>(m);
      if (design.bind_motion(i)) return;
      motions[i].see(design.mechanism(i), design.motion(i), springs);
    }
  }

  const Study& study;
  CaseDesign design;
  std::vector<MotionWalk> motions;
};

StageWalk::StageWalk(const Study& study) : impl_(new Impl(study)) {}
StageWalk::~StageWalk() = default;

void StageWalk::see_baselines() {
  const Study& study = impl_->study;
  std::vector<int> pairs = {-1};
  if (study.motion_variable >= 0)
    pairs = study.variables[static_cast<std::size_t>(study.motion_variable)].motions;
  impl_->design.set_baseline();
  for (const int motion : pairs)
    for (const bool springs : {true, false}) impl_->see(motion, springs);
  for (MotionWalk& motion : impl_->motions) motion.end_baselines();
}

void StageWalk::forget() {
  for (MotionWalk& motion : impl_->motions) motion.forget();
}

void StageWalk::see(std::span<const double> point) {
  impl_->see(impl_->design.set_point(point), true);
}

StageCounts StageWalk::counts() const {
  return forecast(1.0, 1);
}

StageCounts StageWalk::forecast(double factor, int workers) const {
  StageCounts counts{};
  const auto scaled = [factor](std::int64_t all, std::int64_t baselines) {
    return baselines + std::llround(factor * static_cast<double>(all - baselines));
  };
  for (const MotionWalk& motion : impl_->motions)
    for (const UnitGroup& group : motion.groups()) {
      if (group.visits == 0) continue;
      const std::int64_t visits = scaled(group.visits, group.baseline_visits);
      const std::int64_t runs =
          group.settled() ? group.runs + workers - 1 : scaled(group.runs, group.baseline_runs);
      StageCount& counted = counts[static_cast<std::size_t>(group.stage)];
      counted.runs += group.units * std::min(runs, visits);
      counted.reused += group.units * std::max<std::int64_t>(visits - runs, 0);
    }
  return counts;
}

double StageWalk::remembered_bytes() const {
  double bytes = 0.0;
  for (const MotionWalk& motion : impl_->motions) bytes += motion.remembered_bytes();
  return bytes;
}

}  // namespace counterpoise
