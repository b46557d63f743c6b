#include "results/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "results/ranking.hpp"
#include "results/rows/batched_front.hpp"
#include "results/rows/tie_order.hpp"
#include "results/text/table_format.hpp"

namespace counterpoise {
namespace {

/// Ids of one file come before those of the next, as one number for both.
constexpr int id_bits = 54;
constexpr std::size_t most_files = 256;
/// How many times as many designs are looked at as are listed.
constexpr std::size_t considered = 16;

std::int64_t joint_id(std::size_t file, std::int64_t id) {
  return (static_cast<std::int64_t>(file) << id_bits) + id;
}

std::size_t file_of(std::int64_t joint) {
  return static_cast<std::size_t>(joint >> id_bits);
}

StoreError unlike(const ResultsFile& one, const ResultsFile& other, const std::string& what) {
  return {StoreError::Kind::unusable,
          fmt::format("{} and {} cannot be compared: {}", one.path().string(),
                      other.path().string(), what)};
}

/// Where each objective of the first file stands in another one.
std::vector<std::size_t> places_of(const std::vector<std::string>& objectives,
                                   const ResultsFile& first, const ResultsFile& file) {
  const std::vector<std::string>& own = file.layout().objectives;
  std::vector<std::size_t> places;
  for (const std::string& name : objectives) {
    const auto at = std::find(own.begin(), own.end(), name);
    if (at == own.end())
      throw unlike(first, file, fmt::format("only the first has an objective \"{}\"", name));
    places.push_back(static_cast<std::size_t>(at - own.begin()));
  }
  if (own.size() != objectives.size())
    throw unlike(first, file, "the second has further objectives");
  return places;
}

/// The motions that a variable selects, or one without a name.
std::vector<std::string> selected_motions(const ResultsFile& file) {
  if (!motion_column(file.layout(), file.variables())) return {""};
  std::vector<std::string> motions;
  for (const BaselineRow& row : file.baselines())
    if (std::find(motions.begin(), motions.end(), row.motion) == motions.end())
      motions.push_back(row.motion);
  return motions;
}

/// What all designs of one motion, or of all, come to while they pass by.
class Contest {
 public:
  Contest(std::vector<TieTolerance> tolerances, std::size_t files, const CompareOptions& options)
      : pareto_(options.pareto),
        all_(tolerances, options.pareto ? std::nullopt : std::optional(options.top * considered)) {
    for (std::size_t f = 0; f < files; ++f) best_.emplace_back(tolerances, 1);
    feasible_.resize(files);
  }

  /// `values`: the objectives, that which ranks first.
  void offer(std::size_t file, std::int64_t id, std::span<const double> values) {
    ++feasible_[file];
    const bool settled =
        std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
    if (!settled) ++unsettled_;
    if (std::isnan(values.front())) return;
    best_[file].offer(id, values);
    if (pareto_ && settled)
      front_.add(joint_id(file, id), values);
    else if (!pareto_)
      all_.offer(joint_id(file, id), values);
  }

  [[nodiscard]] std::int64_t feasible(std::size_t file) const { return feasible_[file]; }
  [[nodiscard]] std::int64_t unsettled() const { return unsettled_; }
  std::vector<std::int64_t> best_of(std::size_t file) { return best_[file].best_first(); }
  /// The joint ids of the first of all, or of the front.
  std::vector<std::int64_t> best_first() {
    if (pareto_)
      for (const FrontPoint& point : front_.points()) all_.offer(point.id, point.objectives);
    return all_.best_first();
  }
  std::optional<std::int64_t> knee() { return knee_of(front_.points()); }

 private:
  bool pareto_;
  TieOrder all_;
  BatchedFront front_;
  std::vector<TieOrder> best_;  // of each file
  std::vector<std::int64_t> feasible_;
  std::int64_t unsettled_ = 0;
};

/// The tolerances of the first file; what counts as nothing is the largest of all files.
std::vector<TieTolerance> joint_tolerances(std::span<const ResultsFile> files,
                                           const std::vector<std::vector<std::size_t>>& places,
                                           const std::string& motion) {
  std::vector<TieTolerance> joint = tie_tolerances(files.front(), places.front(), motion);
  for (std::size_t f = 1; f < files.size(); ++f) {
    const std::vector<TieTolerance> own = tie_tolerances(files[f], places[f], motion);
    for (std::size_t i = 0; i < joint.size(); ++i)
      joint[i].without_springs = std::max(joint[i].without_springs, own[i].without_springs);
  }
  return joint;
}

/// The objectives by importance: the chosen one, or else the first, then the others in their order.
std::vector<std::string> ranked_objectives(const ResultsFile& file, const std::string& by) {
  std::vector<std::string> objectives = file.layout().objectives;
  if (by.empty()) return objectives;
  const auto at = std::find(objectives.begin(), objectives.end(), by);
  if (at == objectives.end())
    throw StoreError(StoreError::Kind::unusable,
                     fmt::format("there is no objective \"{}\"; {} has {}", by,
                                 file.path().string(), fmt::join(objectives, ", ")));
  std::rotate(objectives.begin(), at, at + 1);
  return objectives;
}

/// Several files, read in the same terms.
class ComparedFiles {
 public:
  ComparedFiles(std::span<const ResultsFile> files, const CompareOptions& options)
      : files_(files),
        options_(options),
        objectives_(ranked_objectives(files.front(), options.by)),
        motions_(selected_motions(files.front())) {
    for (const ResultsFile& file : files) {
      places_.push_back(places_of(objectives_, files.front(), file));
      if (selected_motions(file) != motions_)
        throw unlike(files.front(), file, "they have other motions to select");
    }
    contests_.reserve(motions_.size());
    for (const std::string& motion : motions_)
      contests_.emplace_back(joint_tolerances(files, places_, motion), files.size(), options);
  }

  /// Offers the feasible designs of a file to the contest of their motion.
  void read(std::size_t file) {
    const auto motion = motion_column(files_[file].layout(), files_[file].variables());
    auto cases = files_[file].feasible_objectives(motion);
    for (CaseRow row; cases.next(row);) {
      std::size_t group = 0;
      if (motion) {
        const auto& name = std::get<std::string>(row.variables[*motion]);
        const auto at = std::find(motions_.begin(), motions_.end(), name);
        if (at == motions_.end())
          throw damaged(files_[file].path(), "there are no baselines of motion \"" + name + '"');
        group = static_cast<std::size_t>(at - motions_.begin());
      }
      contests_[group].offer(file, row.id, values_of(file, row));
    }
  }

  [[nodiscard]] std::size_t motions() const { return motions_.size(); }

  Comparison result(std::size_t motion) {
    Contest& contest = contests_[motion];
    Comparison found;
    found.motion = motions_[motion];
    found.objectives = objectives_;
    found.unsettled = contest.unsettled();
    TieOrder of_files(joint_tolerances(files_, places_, motions_[motion]), std::nullopt);
    for (std::size_t f = 0; f < files_.size(); ++f) {
      ComparedFile& file = found.files.emplace_back();
      file.feasible = contest.feasible(f);
      const std::vector<std::int64_t> best = contest.best_of(f);
      if (best.empty()) continue;
      file.best = compared(joint_id(f, best.front()));
      of_files.offer(static_cast<std::int64_t>(f), file.best->objectives);
    }
    for (const std::int64_t f : of_files.best_first())
      found.order.push_back(static_cast<std::size_t>(f));
    for (std::size_t f = 0; f < files_.size(); ++f)
      if (!found.files[f].best) found.order.push_back(f);

    const std::vector<std::int64_t> ids = contest.best_first();
    for (const ComparedFile& file : found.files) found.matches += file.feasible;
    if (options_.pareto) {
      found.matches = static_cast<std::int64_t>(ids.size());
      for (const std::int64_t id : ids) ++found.files[file_of(id)].on_front;
      if (const auto knee = contest.knee()) found.knee = compared(*knee);
    }
    std::set<std::string> printed;
    for (std::size_t i = 0; i < ids.size() && found.first.size() < options_.top; ++i) {
      ComparedCase one = compared(ids[i]);
      one.place = static_cast<std::int64_t>(i) + 1;
      std::string row = std::to_string(one.of);
      for (const double objective : one.objectives) row += ' ' + as_printed(number_cell(objective));
      if (printed.insert(row).second) found.first.push_back(std::move(one));
    }
    return found;
  }

 private:
  const std::vector<double>& values_of(std::size_t file, const CaseRow& row) {
    values_.clear();
    for (const std::size_t place : places_[file]) values_.push_back(row.objectives[place]);
    return values_;
  }

  ComparedCase compared(std::int64_t joint) {
    const std::size_t file = file_of(joint);
    const std::int64_t id = joint - joint_id(file, 0);
    const std::optional<CaseRow> row = files_[file].find(id);
    if (!row) throw damaged(files_[file].path(), fmt::format("case {} is missing", id));
    return {.of = file, .id = id, .objectives = values_of(file, *row)};
  }

  std::span<const ResultsFile> files_;
  const CompareOptions& options_;
  std::vector<std::string> objectives_;  // that which ranks first
  std::vector<std::string> motions_;
  std::vector<std::vector<std::size_t>> places_;  // of each file: where its objectives stand
  std::vector<Contest> contests_;                 // one a motion
  std::vector<double> values_;
};

}  // namespace

std::vector<Comparison> compare(std::span<const ResultsFile> files, const CompareOptions& options) {
  if (files.size() > most_files)
    throw StoreError(StoreError::Kind::unusable,
                     fmt::format("{} files are more than the {} that can be compared at once",
                                 files.size(), most_files));
  ComparedFiles compared(files, options);
  for (std::size_t f = 0; f < files.size(); ++f) compared.read(f);
  std::vector<Comparison> comparisons;
  for (std::size_t m = 0; m < compared.motions(); ++m) comparisons.push_back(compared.result(m));
  return comparisons;
}

}  // namespace counterpoise
