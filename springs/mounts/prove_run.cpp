#include "springs/mounts/prove_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "cases/searches.hpp"
#include "input/text/compressed.hpp"
#include "optimizer/dyadic_simplex.hpp"
#include "springs/mounts/mount_functions.hpp"
#include "springs/mounts/mount_search.hpp"
#include "springs/mounts/mount_setup.hpp"
#include "springs/mounts/stored_mounts.hpp"
#include "springs/problem/exact_goals.hpp"
#include "springs/proof/certificate_text.hpp"

namespace counterpoise {

/// The searches of one part of the problem, one for each choice of its springs. They share what is
/// best, so that springs which cannot reach it are soon done with.
class FamilySearch {
 public:
  /// `setup` has written its choices, and must outlive it, with its `family`.
  FamilySearch(MountSetup& setup, const MountFamily& family, const MountGap& gap);

  /// The search of one choice; null where its springs are excluded wherever they are mounted.
  [[nodiscard]] MountSearch* search(std::size_t choice) const { return searches_[choice].get(); }
  /// The choice with the best design; the first one if there is no design.
  [[nodiscard]] std::size_t best_choice() const;
  [[nodiscard]] double best() const { return value_of(best_choice()); }
  [[nodiscard]] double bound() const;  // no geometry and no springs do better
  /// Whether no more than this gap could be gained.
  [[nodiscard]] bool is_within(const MountGap& gap) const;
  [[nodiscard]] std::int64_t simplices() const;
  [[nodiscard]] double gigabytes() const;
  /// A search that has not begun, else the one with the lowest bound; null where there is nothing
  /// to do.
  [[nodiscard]] MountSearch* next() const;
  /// From now on looks for half the gap of before.
  void halve_gap();
  /// Tells every search what the others have found.
  void share_best();
  /// At the end, lets the searches that decide the bound look at all instants.
  void look_at_all_instants(const Interruption& interrupted);

 private:
  [[nodiscard]] double value_of(std::size_t choice) const;

  std::vector<std::unique_ptr<MountSearch>> searches_;
};

namespace {

constexpr auto saving_time = std::chrono::seconds(20);
// of parts that do not decide the objective
constexpr double near_best = 1e-3;
constexpr std::int64_t simplices_beside = 2000;
constexpr int most_halvings = 40;  // of the gaps of parts that add up

/// The proof so far of a run that was interrupted. Empty at the beginning, and where it cannot be
/// gone on with: what has ended keeps only what its proof needs, and its rows may have been lost.
StoredMounts stored_before(const Store& store) {
  const std::optional<std::string> text = value_of(store.study(), mounts_key);
  if (!text) return {};
  StoredMounts before = read_mounts(*text);
  const IdSet stored = store.done_ids();
  bool whole = before.ended == MountEnd::interrupted;
  for (std::int64_t id = 1; id <= before.cases; ++id) whole = whole && stored.contains(id);
  return whole ? before : StoredMounts();
}

std::optional<double> finite(double number) {
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// A proof over mounts in progress.
class ProofRun {
 public:
  explicit ProofRun(const RunState& state)
      : state_(state),
        study_(state.study),
        goal_(ExactGoals(study_).corner_goal(0)),
        store_(state),
        record_(stored_before(state.store)),
        setup_(study_, goal_, state.baselines, state.threads, state.options.interrupted,
               record_.parts.empty() || record_.adds_up ? PartsOf::terms : PartsOf::sums),
        gap_{study_.search()->proof->gap, setup_.floor()},
        rows_of_(study_),
        rows_(state.store.layout()) {
    record_.adds_up = setup_.adds_up();
    store_.note(state.let_go_of_first(), state.baseline_time);
    setup_.write_choices();
    for (const MountFamily& family : setup_.families())
      families_.emplace_back(setup_, family, gap_);
    if (!setup_.roles().held.empty()) {
      chooser_roles_ = find_spring_roles(study_);
      chooser_.emplace(study_, chooser_roles_, Reuse::remember, state.options.interrupted);
      chooser_->set_baselines(state.baselines);
    }
    restore();
  }

  RunSummary run() {
    const WorkMeter meter;
    record_.ended = MountEnd::interrupted;
    try {
      offer_again();
      search_over_geometry();
      auto saved = std::chrono::steady_clock::now();
      store_improvement(false);
      while (FamilySearch* family = next_family()) {
        state_.options.interrupted.poll();
        MountSearch& next = *family->next();
        if (&next != last_) rest();
        last_ = &next;
        next.round();
        family->share_best();
        search_over_geometry();
        store_improvement(false);
        report();
        if (std::chrono::steady_clock::now() - saved < saving_time) continue;
        save(entries());
        saved = std::chrono::steady_clock::now();
      }
      for (FamilySearch& family : families_)
        if (!is_proved()) family.look_at_all_instants(state_.options.interrupted);
      store_improvement(true);
      record_.ended = end();
    } catch (const Interrupted&) {  // what was found so far is stored, and goes on from there
    }
    std::vector<StudyEntry> last = entries();
    if (record_.ended != MountEnd::interrupted)
      add_end(0, {word_for(record_.ended), record_.cases}, last);
    save(last);
    for (SpringSizer& sizer : setup_.sizers()) store_.note(sizer.evaluator().counts(), {});
    store_.note({}, meter.passed());
    return store_.summary();
  }

 private:
  /// A number of every part, and what these come to in the objective.
  template <class Number>
  [[nodiscard]] double of_parts(Number number) const {
    std::vector<double> numbers;
    for (const FamilySearch& family : families_) numbers.push_back((family.*number)());
    return setup_.objective_of(numbers);
  }
  [[nodiscard]] double best() const { return of_parts(&FamilySearch::best); }
  [[nodiscard]] double bound() const { return of_parts(&FamilySearch::bound); }
  [[nodiscard]] double gap() const { return gap_.of(best()); }
  [[nodiscard]] bool is_proved() const { return bound() >= best() - gap(); }
  [[nodiscard]] std::int64_t simplices() const {
    std::int64_t sum = 0;
    for (const FamilySearch& family : families_) sum += family.simplices();
    return sum;
  }
  /// The limit of the study that ends the run, if one does yet.
  [[nodiscard]] std::optional<MountEnd> limit_reached() const {
    const MountProof& proof = *study_.search()->proof;
    double gigabytes = 0.0;
    for (const FamilySearch& family : families_) gigabytes += family.gigabytes();
    if (gigabytes >= proof.max_memory) return MountEnd::max_memory;
    if (simplices() >= proof.max_simplices) return MountEnd::max_simplices;
    return std::nullopt;
  }
  /// What the run has come to. A design counts as the engine evaluates it, and not as the problem
  /// promises it.
  [[nodiscard]] MountEnd end() const {
    const bool none_left = !record_.best && bound() == no_limit;
    if (none_left || (record_.best && bound() >= *record_.best - gap_.of(*record_.best)))
      return MountEnd::proved;
    if (is_proved()) return MountEnd::other_limit;
    return limit_reached().value_or(MountEnd::smallest);
  }
  /// Searches over the geometry, whose designs all parts have to beat: once before everything, and
  /// again whenever there are twice as many simplices, so that searches cost a share only.
  void search_over_geometry() {
    constexpr std::int64_t simplices_of_second = 256;
    while (record_.searches == 0 ||
           (simplices() >= (simplices_of_second << record_.searches) && !is_proved())) {
      offer(best_of_search(static_cast<int>(record_.searches)));
      ++record_.searches;
    }
  }
  /// The best design of one start of a search; without one where it finds none.
  [[nodiscard]] std::vector<double> best_of_search(int start) {
    constexpr int evaluations_per_variable = 100;
    SpringSizer& sizer = chooser_ ? *chooser_ : setup_.sizers().front();
    SizingGoal hasty = goal_;
    hasty.then.clear();
    SearchOptions options = search_options(study_, setup_.roles().outer, start);
    options.max_evaluations =
        evaluations_per_variable * static_cast<int>(setup_.roles().outer.size());
    double best = no_limit;
    std::vector<double> point;
    SizedCase sized;
    search(options, [&](std::span<const double> outer) {
      sizer.size(outer, hasty, sized);
      if (!sized.outcome.computable) return Evaluation{0.0, sized.outcome.violation, false};
      const double value = hasty.value(sized.outcome.objectives);
      if (sized.outcome.status == CaseStatus::feasible && value < best) {
        best = value;
        point = sized.point;
      }
      return Evaluation{value, sized.outcome.violation, true};
    });
    return point;
  }
  /// Tells all parts of a design, given as a point of the study.
  void offer(const std::vector<double>& point) {
    if (point.empty()) return;
    for (std::size_t f = 0; f < families_.size(); ++f) {
      const MountFamily& family = setup_.families()[f];
      const auto made = [&](const MountChoice& choice) {
        for (std::size_t i = 0; i < choice.levels.size(); ++i)
          if (choice.levels[i] != static_cast<int>(point[family.part.held[i]])) return false;
        return true;
      };
      std::vector<double> at;
      for (const int v : family.part.variables) {
        const Variable& variable = study_.variables[v];
        const double x = point[v];
        at.push_back(std::clamp((x - variable.low) / (variable.high - variable.low), 0.0, 1.0));
      }
      for (std::size_t c = 0; c < family.choices.size(); ++c)
        if (MountSearch* search = families_[f].search(c); search && made(family.choices[c]))
          search->offer(at);
      families_[f].share_best();
    }
  }
  /// The part whose turn it is, or null at the end. Every search begins; what goes on after that
  /// depends on how parts make up the objective.
  FamilySearch* next_family() {
    if (limit_reached()) return nullptr;
    for (FamilySearch& family : families_)
      if (const MountSearch* next = family.next(); next != nullptr && next->simplices() == 0)
        return &family;
    return setup_.adds_up() ? next_of_sum() : next_of_largest();
  }
  /// The part that decides goes on. Once it is proved, any design that is as good in the others
  /// will do, so these go on for a while only: until they are nearly at their best.
  FamilySearch* next_of_largest() {
    FamilySearch& decides =
        *std::max_element(families_.begin(), families_.end(),
                          [](const auto& a, const auto& b) { return a.best() < b.best(); });
    if (!is_proved()) return decides.next() == nullptr ? nullptr : &decides;
    const MountGap near{std::max(near_best, gap_.relative), gap_.floor};
    for (FamilySearch& family : families_)
      if (&family != &decides && !family.is_within(near) && family.simplices() < simplices_beside &&
          family.next() != nullptr)
        return &family;
    return nullptr;
  }
  /// The part with the widest gap goes on. Where parts differ in sign, each may be within the gap
  /// of its own best although the sum is not.
  FamilySearch* next_of_sum() {
    if (is_proved()) return nullptr;
    for (; halvings_ <= most_halvings; ++halvings_) {
      FamilySearch* widest = nullptr;
      double most = -no_limit;
      for (FamilySearch& family : families_)
        if (const double own = family.best() - family.bound();
            family.next() != nullptr && own > most) {
          most = own;
          widest = &family;
        }
      if (widest != nullptr) return widest;
      for (FamilySearch& family : families_) family.halve_gap();
    }
    return nullptr;
  }
  void rest() {
    if (last_ != nullptr) last_->rest();
  }

  /// The outer variables with every part at its best.
  [[nodiscard]] std::vector<double> best_outer() const {
    MountPlace at = setup_.reference();
    for (std::size_t f = 0; f < families_.size(); ++f) {
      const std::size_t c = families_[f].best_choice();
      const MountFamily& family = setup_.families()[f];
      if (const MountSearch* search = families_[f].search(c))
        setup_.place(family, family.choices[c], search->best().at, at);
    }
    return at.outer;
  }

  /// Stores the best design, where it is better than the one stored last; at the end also where it
  /// is another.
  void store_improvement(bool at_end) {
    const bool none = !std::isfinite(best());
    if (none && !at_end) return;
    if (at_end ? best_outer() != record_outer_ : best() < record_best_) store_best();
  }

  /// Stores the best design, with the next transaction.
  void store_best() {
    const std::vector<double> outer = best_outer();
    SpringSizer& sizer = chooser_ ? *chooser_ : setup_.sizers().front();
    SizedCase sized;
    sizer.size(outer, goal_, sized);
    const Interruption& interrupted = state_.options.interrupted;
    std::optional<CertificateRow> proof;
    if (sized.solved && sized.outcome.status == CaseStatus::feasible)
      proof = certificate_row(study_, sizer.written(), goal_, sized, interrupted);
    choice_ = choice_entries(study_, sizer, sized, 0, interrupted);
    ++record_.cases;
    if (sized.outcome.status == CaseStatus::feasible) {
      const double value = goal_.value(sized.outcome.objectives);
      if (!record_.best || value <= *record_.best) {
        record_.best = value;
        record_.best_case = record_.cases;
      }
    }
    if (!store_.contains(record_.cases))
      rows_of_.add(record_.cases, sized.point, sized.outcome, rows_);
    if (proof) {
      proof->id = record_.cases;
      certificates_.push_back(std::move(*proof));
    }
    record_best_ = best();
    record_outer_ = outer;
    record_.stored_best = finite(record_best_);
  }

  /// Stores designs and the proof so far in one transaction, so that neither is ever there without
  /// the other.
  void save(const std::vector<StudyEntry>& so_far) { store_.add(rows_, so_far, certificates_); }

  /// What is known so far, for the study table.
  std::vector<StudyEntry> entries() {
    record_.bound = finite(bound());
    record_.gap = gap_.of(record_.best.value_or(best()));
    record_.parts.clear();
    const bool ended = record_.ended != MountEnd::interrupted;
    for (std::size_t f = 0; f < families_.size(); ++f) {
      // of the largest a proof needs one part only, and a search that goes on needs all
      if (ended && !record_.adds_up && families_[f].bound() < bound()) continue;
      for (std::size_t c = 0; c < setup_.families()[f].choices.size(); ++c)
        if (const MountSearch* search = families_[f].search(c); search && search->simplices() > 0)
          record_.parts.push_back(stored(f, c, *search));
    }
    std::vector<StudyEntry> entries = choice_;
    entries.push_back({mounts_key, mounts_text(record_)});
    return entries;
  }

  [[nodiscard]] StoredMounts::Part stored(std::size_t f, std::size_t c,
                                          const MountSearch& search) const {
    StoredMounts::Part part;
    part.index = static_cast<std::int64_t>(f);
    const MountFamily& family = setup_.families()[f];
    for (const int level : family.choices[c].levels) part.levels.push_back(level);
    const auto box = search.loosest();
    for (std::size_t i = 0; i < box.size(); ++i)
      part.loosest.push_back({name_of(family, i), box[i][0], box[i][1]});
    part.best = finite(search.best().value);
    part.bound = finite(search.bound());
    part.best_at = search.best().at;
    part.best_x = search.best().x;
    part.simplices = search.simplices();
    const MountSearch::Shares shares = search.shares();
    part.by_limits = shares.by_limits;
    part.by_bound = shares.by_bound;
    const MountTree tree = search.tree();
    part.leaves = static_cast<std::int64_t>(tree.reasons.size());
    const std::string bytes = bytes_of(tree);
    part.bytes = static_cast<std::int64_t>(bytes.size());
    part.data = deflated(bytes);
    part.hash = hash_of(part.data);
    return part;
  }

  [[nodiscard]] const std::string& name_of(const MountFamily& family, std::size_t i) const {
    return study_.variables[family.part.variables[i]].name;
  }

  /// Goes on with what an interrupted run stored.
  void restore() {
    for (const StoredMounts::Part& part : record_.parts) {
      MountSearch* search = search_of(part);
      if (search == nullptr || search->simplices() > 0)
        throw InputError({.file = mounts_key}, "is a proof of another study");
      const auto bytes = inflated(part.data, static_cast<std::size_t>(part.bytes));
      if (!bytes || hash_of(part.data) != part.hash)
        throw InputError({.file = mounts_key}, "was changed since it was stored");
      search->restore(mount_tree(*bytes),
                      {part.best.value_or(no_limit), part.best_at, part.best_x});
      search->rest();
    }
    for (FamilySearch& family : families_) family.share_best();
    if (record_.cases == 0) return;
    record_best_ = record_.stored_best.value_or(no_limit);
    const ResultsFile results(state_.store.path());
    const std::vector<double> last = point_of(study_, results.find(record_.cases).value());
    for (const int v : setup_.roles().outer) record_outer_.push_back(last[v]);
  }
  /// Offers what searches have found again to parts that have not begun, for which nothing is
  /// stored.
  void offer_again() {
    bool all_begun = true;
    for (std::size_t f = 0; f < families_.size(); ++f)
      for (std::size_t c = 0; c < setup_.families()[f].choices.size(); ++c)
        if (const MountSearch* search = families_[f].search(c))
          all_begun = all_begun && search->simplices() > 0;
    for (int start = 0; start < record_.searches && !all_begun; ++start)
      offer(best_of_search(start));
  }
  /// The search that a stored part belongs to; null if there is none.
  [[nodiscard]] MountSearch* search_of(const StoredMounts::Part& part) const {
    const auto at = setup_.find(part);
    return at ? families_[at->family].search(at->choice) : nullptr;
  }

  void report() {
    Progress progress;
    progress.total = 0;
    const std::string seen = fmt::format("{} simplices: ", simplices());
    if (!std::isfinite(best()))
      progress.words = seen + "no design yet that meets all limits";
    else if (!std::isfinite(bound()))
      progress.words = seen + fmt::format("best {:.9g}, no bound yet", best());
    else
      progress.words = seen + fmt::format("best {:.9g}, none below {:.9g}, gap {:.2g} of {:.2g}",
                                          best(), bound(), best() - bound(), gap());
    state_.report(progress);
  }

  const RunState& state_;
  const Study& study_;
  const SizingGoal goal_;
  SearchStore store_;
  StoredMounts record_;
  MountSetup setup_;
  const MountGap gap_;  // of the objective
  std::vector<FamilySearch> families_;
  int halvings_ = 0;             // of the gaps of parts
  MountSearch* last_ = nullptr;  // of the last round
  SpringRoles chooser_roles_;
  std::optional<SpringSizer>
      chooser_;                     // of the best springs at one geometry, where they are chosen
  std::vector<StudyEntry> choice_;  // what it said of the best design
  const RowMaker rows_of_;
  RowBatch rows_;  // designs that the next transaction stores, with their certificates
  std::vector<CertificateRow> certificates_;
  double record_best_ = no_limit;  // of the design stored last
  std::vector<double> record_outer_;
};

}  // namespace

RunSummary run_proof(const RunState& state) {
  // a run that was killed after its end lacks nothing but the mark that it is finished
  if (open_starts(state).empty()) return SearchStore(state).summary();
  return ProofRun(state).run();
}

FamilySearch::FamilySearch(MountSetup& setup, const MountFamily& family, const MountGap& gap) {
  for (const MountChoice& choice : family.choices)
    searches_.push_back(choice.problem ? std::make_unique<MountSearch>(
                                             *choice.problem, setup.solvers(family, choice), gap)
                                       : nullptr);
}

double FamilySearch::value_of(std::size_t choice) const {
  return searches_[choice] ? searches_[choice]->best().value : no_limit;
}

std::size_t FamilySearch::best_choice() const {
  std::size_t best = 0;
  for (std::size_t c = 0; c < searches_.size(); ++c)
    if (value_of(c) < value_of(best)) best = c;
  return best;
}

double FamilySearch::bound() const {
  double bound = no_limit;
  for (const auto& search : searches_)
    if (search) bound = std::min(bound, search->bound());
  return bound;
}

bool FamilySearch::is_within(const MountGap& gap) const {
  return bound() >= best() - gap.of(best());
}

std::int64_t FamilySearch::simplices() const {
  std::int64_t sum = 0;
  for (const auto& search : searches_) sum += search ? search->simplices() : 0;
  return sum;
}

double FamilySearch::gigabytes() const {
  double sum = 0.0;
  for (const auto& search : searches_)
    if (search) sum += 1e-9 * static_cast<double>(search->bytes());
  return sum;
}

MountSearch* FamilySearch::next() const {
  MountSearch* lowest = nullptr;
  for (const auto& search : searches_) {
    if (!search) continue;
    if (search->simplices() == 0) return search.get();
    if (!search->finished() && (lowest == nullptr || search->bound() < lowest->bound()))
      lowest = search.get();
  }
  return lowest;
}

void FamilySearch::look_at_all_instants(const Interruption& interrupted) {
  for (double before = -no_limit; before < bound();) {
    before = bound();
    for (const auto& search : searches_)
      if (search && search->bound() == before) search->look_at_all_instants(interrupted);
  }
}

void FamilySearch::halve_gap() {
  for (const auto& search : searches_)
    if (search) search->halve_gap();
}

void FamilySearch::share_best() {
  const double value = best();
  for (const auto& search : searches_)
    if (search) search->beat(value);
}

namespace {

/// Refuses a bounded parameter that follows from a spring's choice and from another variable:
/// whether the spring is possible would depend on both.
void require_apart(const Study& study, int chosen, int other) {
  const auto follows = [&](int variable, std::size_t p) -> bool {
    return study.reach[variable].design.parameters[p];
  };
  for (std::size_t p = 0; p < study.model->parameters.size(); ++p) {
    const Parameter& parameter = study.model->parameters[p];
    if (!(parameter.min || parameter.max) || !follows(chosen, p) || !follows(other, p)) continue;
    throw InputError(
        study.variables[chosen].where,
        fmt::format("variables {} and {} both change parameter {}, which has bounds; a proof over "
                    "geometry needs a constraint in place of these",
                    study.variables[chosen].name, study.variables[other].name, parameter.name));
  }
}

}  // namespace

void require_provable(const Study& study, const SpringRoles& roles) {
  const Search& search = *study.search();
  if (roles.outer.empty())
    throw InputError(
        search.where,
        "\"geometry\": \"prove\" needs variables that move mounts of springs; here all "
        "belong to the springs themselves, whose optimum is proved without it");
  if (roles.outer.size() > most_dimensions)
    throw InputError(
        search.where,
        fmt::format("found {} variables that move mounts, expected at most {}: a proof "
                    "over more would not end; fix some, or search with \"algorithm\"",
                    roles.outer.size(), most_dimensions));
  for (const int chosen : roles.chosen)
    for (int v = 0; v < static_cast<int>(study.variables.size()); ++v)
      if (v != chosen) require_apart(study, chosen, v);
  const auto follows = [&](const std::vector<int>& variables, std::size_t p) {
    return std::any_of(variables.begin(), variables.end(), [&](int v) -> bool {
      return study.reach[v].design.changes_parameter_or_bounds(p);
    });
  };
  for (std::size_t p = 0; p < study.model->parameters.size(); ++p) {
    const Parameter& parameter = study.model->parameters[p];
    if ((parameter.min || parameter.max) && follows(roles.outer, p) && follows(roles.sized, p))
      throw InputError(
          search.where,
          fmt::format("parameter {} has bounds, and follows from mounts and from springs at once, "
                      "which a proof over geometry cannot follow; state the bounds as a "
                      "constraint, or search with \"algorithm\" in place of \"geometry\"",
                      parameter.name));
  }
  if (search.trade_off)
    throw InputError(
        search.where,
        "a trade-off is no single objective, so \"geometry\": \"prove\" cannot go with "
        "it; prove a weighted sum of objectives");
  for (const int v : roles.outer) require_mount(study, roles, static_cast<std::size_t>(v));
  const Objective& first = study.objectives.front();  // the others only settle ties
  if (first.expression && spring_of_length(study, roles.sized, *first.expression, first.where) >= 0)
    throw InputError(first.where,
                     "reads a length of a spring, which a proof over geometry takes in constraints "
                     "only; search with \"algorithm\" in place of \"geometry\"");
  for (const Constraint& constraint : study.constraints)
    static_cast<void>(
        spring_of_length(study, roles.sized, constraint.expression, constraint.where));
}

}  // namespace counterpoise
