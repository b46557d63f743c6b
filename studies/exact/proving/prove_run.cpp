#include "studies/exact/proving/prove_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "studies/exact/problem/exact_goals.hpp"
#include "studies/exact/proof/certificate_text.hpp"
#include "studies/exact/proving/mount_search.hpp"
#include "studies/exact/proving/mount_setup.hpp"
#include "studies/running/searches.hpp"
#include "studies/stored/stored_mounts.hpp"
#include "studies/text/compressed.hpp"

namespace counterpoise {
namespace {

constexpr auto saving_time = std::chrono::seconds(20);

std::optional<double> finite(double number) {
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// A proof over mounts in progress: one search for each part of the problem.
class ProofRun {
 public:
  explicit ProofRun(const RunState& state)
      : state_(state),
        study_(state.study),
        roles_(find_spring_roles(study_)),
        goal_(ExactGoals(study_).corner_goal(0)),
        store_(state),
        setup_(study_, roles_, goal_, state.baselines, state.threads, state.options.interrupted) {
    store_.note(state.let_go_of_first(), state.baseline_time);
    MountSearchOptions options;
    options.gap = study_.search()->proof->gap;
    options.floor = setup_.floor();
    options.most_simplices = study_.search()->proof->max_simplices;
    for (const auto& problem : setup_.problems())
      searches_.push_back(
          std::make_unique<MountSearch>(*problem, setup_.solvers(*problem), options));
    restore();
    rows_.emplace(state, store_, record_.cases);
  }

  RunSummary run() {
    const WorkMeter meter;
    record_.ended = "interrupted";
    try {
      auto saved = std::chrono::steady_clock::now();
      while (MountSearch* next = next_search()) {
        state_.options.interrupted.poll();
        next->round();
        store_improvement(false);
        report();
        if (std::chrono::steady_clock::now() - saved < saving_time) continue;
        rows_->finish(0, "", {entry()});
        saved = std::chrono::steady_clock::now();
      }
      store_improvement(true);
      record_.ended = deciding().proved() ? "proved" : "max_simplices";
    } catch (const Interrupted&) {
      // what was found so far is stored, and goes on from there
    }
    const bool ended = record_.ended != "interrupted";
    rows_->finish(0,
                  ended ? fmt::format("{} after {} evaluations", record_.ended, record_.cases) : "",
                  {entry()});
    for (SpringSizer& sizer : setup_.sizers()) store_.note(sizer.evaluator().counts(), {});
    store_.note({}, meter.passed());
    return store_.summary();
  }

 private:
  /// The part that decides the objective, which is the largest of all parts'.
  [[nodiscard]] MountSearch& deciding() const {
    return **std::max_element(searches_.begin(), searches_.end(), [](const auto& a, const auto& b) {
      return a->best().value < b->best().value;
    });
  }
  [[nodiscard]] double best() const { return deciding().best().value; }
  /// No geometry does better in any part, so none does better in all.
  [[nodiscard]] double bound() const {
    double bound = -no_limit;
    for (const auto& search : searches_) bound = std::max(bound, search->bound());
    return bound;
  }
  /// The search whose turn it is, or null at the end. Every part begins; after that only the one
  /// that decides goes on.
  MountSearch* next_search() {
    for (const auto& search : searches_)
      if (search->simplices() == 0) return search.get();
    MountSearch& decides = deciding();
    const bool proved = bound() >= best() - decides.gap();
    return proved || decides.finished() ? nullptr : &decides;
  }

  /// The outer variables with every part at its best.
  [[nodiscard]] std::vector<double> best_outer() const {
    std::vector<double> outer = setup_.reference();
    for (std::size_t p = 0; p < searches_.size(); ++p)
      setup_.place(*setup_.problems()[p], searches_[p]->best().at, outer);
    return outer;
  }

  /// Stores the best design, where it is better than the one stored last; at the end also where it
  /// is another.
  void store_improvement(bool at_end) {
    const bool none = !std::isfinite(best());
    if (none && !at_end) return;
    const std::vector<double> outer = best_outer();
    const bool is_new = at_end ? outer != record_outer_ : best() < record_best_;
    if (!is_new) return;
    SpringSizer& sizer = setup_.sizers().front();
    SizedCase sized;
    sizer.size(outer, goal_, sized);
    std::optional<CertificateRow> proof;
    if (sized.solved) {
      ConvexSolution solution = sized.solution;
      const std::string text = certificate_text(study_, sizer.written(), goal_, solution);
      proof = {0, solution.certificate.bound, solution.gap, text};
    }
    ++record_.cases;
    if (sized.outcome.status == CaseStatus::feasible) {
      const double value = goal_.value(sized.outcome.objectives);
      if (!record_.best || value <= *record_.best) {
        record_.best = value;
        record_.best_case = record_.cases;
      }
    }
    rows_->add(sized.point, sized.outcome, std::move(proof));
    record_best_ = best();
    record_outer_ = outer;
  }

  StudyEntry entry() {
    record_.bound = finite(bound());
    record_.gap = deciding().gap();
    record_.parts.clear();
    const bool ended = record_.ended != "interrupted";
    for (std::size_t p = 0; p < searches_.size(); ++p) {
      const MountSearch& search = *searches_[p];
      // a proof needs one part only, and a search that goes on needs all
      if (search.simplices() == 0 || (ended && search.bound() < bound())) continue;
      StoredMounts::Part& part = record_.parts.emplace_back();
      part.index = static_cast<std::int64_t>(p);
      const auto box = search.loosest();
      for (std::size_t i = 0; i < box.size(); ++i)
        part.loosest.push_back({name_of(p, i), box[i][0], box[i][1]});
      part.best = finite(search.best().value);
      part.bound = finite(search.bound());
      part.best_at = search.best().at;
      part.best_x = search.best().x;
      part.simplices = search.simplices();
      using Kind = BoundReason::Kind;
      const auto shares = search.shares();
      const auto share_of = [&](Kind kind) { return shares[static_cast<std::size_t>(kind)]; };
      part.by_limits =
          share_of(Kind::length) + share_of(Kind::conflict) + share_of(Kind::corner_conflict);
      part.by_bound = share_of(Kind::interpolated) + share_of(Kind::corner) + share_of(Kind::norms);
      const MountTree tree = search.tree();
      part.leaves = static_cast<std::int64_t>(tree.reasons.size());
      const std::string bytes = bytes_of(tree);
      part.bytes = static_cast<std::int64_t>(bytes.size());
      part.data = deflated(bytes);
      part.hash = hash_of(part.data);
    }
    return {mounts_key, mounts_text(record_)};
  }

  [[nodiscard]] const std::string& name_of(std::size_t part, std::size_t i) const {
    const int variable = setup_.problems()[part]->part().variables[i];
    return study_.variables[static_cast<std::size_t>(variable)].name;
  }

  /// Goes on with what an interrupted run stored.
  void restore() {
    const std::optional<std::string> text = value_of(state_.store.study(), mounts_key);
    if (!text) return;
    record_ = read_mounts(*text);
    for (const StoredMounts::Part& part : record_.parts) {
      const auto p = static_cast<std::size_t>(part.index);
      if (p >= searches_.size() || searches_[p]->simplices() > 0 || !is_part(p, part))
        throw InputError({.file = mounts_key}, "is a proof of another study");
      const auto bytes = inflated(part.data, static_cast<std::size_t>(part.bytes));
      if (!bytes || hash_of(part.data) != part.hash)
        throw InputError({.file = mounts_key}, "was changed since it was stored");
      searches_[p]->restore(mount_tree(*bytes),
                            {part.best.value_or(no_limit), part.best_at, part.best_x});
    }
    if (record_.cases > 0) {
      record_best_ = best();
      record_outer_ = best_outer();
    }
  }
  [[nodiscard]] bool is_part(std::size_t p, const StoredMounts::Part& part) const {
    const std::size_t count = setup_.problems()[p]->part().variables.size();
    if (count != part.loosest.size()) return false;
    for (std::size_t i = 0; i < count; ++i)
      if (name_of(p, i) != part.loosest[i].variable) return false;
    return true;
  }

  void report() {
    std::int64_t simplices = 0;
    for (const auto& search : searches_) simplices += search->simplices();
    Progress progress;
    progress.total = 0;
    progress.words =
        std::isfinite(best())
            ? fmt::format(
                  "{} simplices: best {:.9g}, none below {:.9g} (gap {:.1e} of "
                  "{:.1e})",
                  simplices, best(), bound(), best() - bound(), deciding().gap())
            : fmt::format("{} simplices: no design yet that meets all limits", simplices);
    state_.report(progress);
  }

  const RunState& state_;
  const Study& study_;
  const SpringRoles roles_;
  const SizingGoal goal_;
  SearchStore store_;
  MountSetup setup_;
  std::vector<std::unique_ptr<MountSearch>> searches_;  // one per part
  StoredMounts record_;
  std::optional<StartRows> rows_;
  double record_best_ = no_limit;  // of the design stored last
  std::vector<double> record_outer_;
};

}  // namespace

RunSummary run_proof(const RunState& state) {
  return ProofRun(state).run();
}

}  // namespace counterpoise
