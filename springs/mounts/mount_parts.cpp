#include "springs/mounts/mount_parts.hpp"

#include <algorithm>

#include "optimizer/convex/independent_parts.hpp"
#include "springs/mounts/mount_functions.hpp"
#include "springs/mounts/mount_numbers.hpp"

namespace counterpoise {
namespace {

bool is_zero(const MountMotion::Map& map) {
  const auto zeros = [](const std::vector<double>& series) {
    return std::all_of(series.begin(), series.end(), [](double x) { return x == 0.0; });
  };
  return std::all_of(map.origin.begin(), map.origin.end(), zeros) &&
         std::all_of(map.rotation.begin(), map.rotation.end(), zeros);
}

/// A sum of the objective, or a term of the only one.
struct Piece {
  enum class Kind { sum, norm, unknown, constant } kind;
  std::size_t index = 0;  // of the sum, or among the sum's norms or unknowns
};

/// The norms come first.
std::vector<Piece> pieces_of(const WrittenProblem& written, PartsOf what) {
  std::vector<Piece> pieces;
  const std::vector<ConvexSum>& objective = written.problem.objective;
  const bool least_tension = !std::all_of(written.tension_sums.begin(), written.tension_sums.end(),
                                          [](const TensionSum& own) { return own.of_limit; });
  if (what == PartsOf::terms && objective.size() == 1 && objective.front().norms.size() > 1 &&
      !least_tension) {
    const auto& [constant, norms, linear] = objective.front();
    for (std::size_t i = 0; i < norms.size(); ++i) pieces.push_back({Piece::Kind::norm, i});
    for (std::size_t i = 0; i < linear.size(); ++i) pieces.push_back({Piece::Kind::unknown, i});
    pieces.push_back({Piece::Kind::constant});
    return pieces;
  }
  for (std::size_t i = 0; i < objective.size(); ++i) pieces.push_back({Piece::Kind::sum, i});
  return pieces;
}

/// The problem of one geometry as sets of unknowns, variables, springs, pieces and limits.
class Partition {
 public:
  Partition(const Study& study, const SpringRoles& roles, SpringSizer& sizer, PartsOf what)
      : roles_(roles),
        sizer_(sizer),
        written_(sizer.written()),
        pieces_(pieces_of(written_, what)),
        functions_(study, roles.outer, sizer.point()),
        numbers_(study, sizer.writer(), written_, functions_),
        springs_(sizer.loads().front().springs.size()),
        sets_(unknowns() + roles.outer.size() + springs_ + pieces_.size() + written_.limits.size() +
              roles.held.size()),
        changes_(springs_, false) {
    for (std::size_t h = 0; h < roles.held.size(); ++h)
      for (const int s : roles.springs[roles.held[h]]) {
        sets_.join(held_at(h), spring_at(static_cast<std::size_t>(s)));
        changes_[s] = true;
      }
    for (std::size_t m = 0; m < sizer.loads().size(); ++m)
      for (std::size_t s = 0; s < springs_; ++s) join_spring(m, s);
    for (const SpringLimit& limit : written_.spring_limits) join_limit_of(limit);
    for (std::size_t i = 0; i < unknowns(); ++i)
      if (i < written_.rates.size() && written_.rates[i] >= 0)
        sets_.join(i, static_cast<std::size_t>(written_.rates[i]));
    const std::vector<SmoothNumber> numbers =
        numbers_.over(functions_, std::vector<Interval>(roles.outer.size(), Interval(0.0, 1.0)));
    for (std::size_t i = 0; i < pieces_.size(); ++i) join_piece(i, numbers);
    for (std::size_t l = 0; l < written_.limits.size(); ++l) {
      join_sum(limit_at(l), written_.problem.limits[l].sum);
      join_numbers(limit_at(l), numbers_.of_limit(l).all(), numbers);
    }
    for (const TensionSum& own : written_.tension_sums)
      for (const TensionSum::Term& term : own.terms) {
        const auto index = static_cast<std::size_t>(own.index);
        sets_.join(own.of_limit ? limit_at(index) : piece_at(index), spring_at(term.spring));
      }
    join_readers(study);
    join_bounds();
    join_lone_pieces();
  }

  std::vector<MountPart> parts(const std::vector<int>& general) {
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < pieces_.size(); ++i)
      if (const std::size_t root = sets_.find(piece_at(i));
          std::find(roots.begin(), roots.end(), root) == roots.end())
        roots.push_back(root);
    // the first part takes what belongs to none
    const auto part_of = [&](std::size_t element) {
      const auto at = std::find(roots.begin(), roots.end(), sets_.find(element));
      return static_cast<std::size_t>(at == roots.end() ? 0 : at - roots.begin());
    };
    std::vector<MountPart> parts(roots.size());
    for (MountPart& part : parts) {
      part.limits.assign(general.size(), false);
      part.springs.assign(springs_, false);
    }
    for (std::size_t i = 0; i < pieces_.size(); ++i)
      take_piece(pieces_[i], parts[part_of(piece_at(i))]);
    if (parts.size() == 1) parts.front().terms.reset();
    const std::vector<std::size_t> felt = felt_roots(general);
    for (std::size_t v = 0; v < roles_.outer.size(); ++v) {
      const std::size_t root = sets_.find(variable_at(v));
      if (std::find(felt.begin(), felt.end(), root) != felt.end())
        parts[part_of(variable_at(v))].variables.push_back(roles_.outer[v]);
    }
    for (std::size_t h = 0; h < roles_.held.size(); ++h)
      parts[part_of(held_at(h))].held.push_back(roles_.held[h]);
    for (std::size_t g = 0; g < general.size(); ++g)
      parts[part_of(limit_at(static_cast<std::size_t>(general[g])))].limits[g] = true;
    for (std::size_t s = 0; s < springs_; ++s) parts[part_of(spring_at(s))].springs[s] = true;
    return parts;
  }

 private:
  [[nodiscard]] ConvexSum sum_of(const Piece& piece) const {
    const std::vector<ConvexSum>& objective = written_.problem.objective;
    const auto [kind, i] = piece;
    if (kind == Piece::Kind::sum) return objective[i];
    if (kind == Piece::Kind::norm) return {0.0, {objective.front().norms[i]}, {}};
    if (kind == Piece::Kind::unknown) return {0.0, {}, {objective.front().linear[i]}};
    return {};
  }
  void take_piece(const Piece& piece, MountPart& part) const {
    if (piece.kind == Piece::Kind::sum) return part.sums.push_back(static_cast<int>(piece.index));
    part.sums = {0};
    if (!part.terms)
      part.terms = {false, std::vector<bool>(written_.problem.norms.size(), false),
                    std::vector<bool>(unknowns(), false)};
    part.terms->take(sum_of(piece), piece.kind == Piece::Kind::constant);
  }

  /// The sets with something that a design is judged by: a sum of the objective, a limit, or a
  /// choice of springs.
  std::vector<std::size_t> felt_roots(const std::vector<int>& general) {
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < pieces_.size(); ++i) roots.push_back(sets_.find(piece_at(i)));
    for (const int limit : general)
      roots.push_back(sets_.find(limit_at(static_cast<std::size_t>(limit))));
    for (const SpringLimit& limit : written_.spring_limits)
      roots.push_back(sets_.find(spring_at(limit.spring)));
    for (const std::size_t spring : measured_) roots.push_back(sets_.find(spring_at(spring)));
    for (const std::size_t v : bounded_) roots.push_back(sets_.find(variable_at(v)));
    for (std::size_t h = 0; h < roles_.held.size(); ++h) roots.push_back(sets_.find(held_at(h)));
    return roots;
  }

  [[nodiscard]] std::size_t unknowns() const { return written_.problem.lower.size(); }
  [[nodiscard]] std::size_t variable_at(std::size_t v) const { return unknowns() + v; }
  [[nodiscard]] std::size_t spring_at(std::size_t s) const {
    return variable_at(roles_.outer.size()) + s;
  }
  [[nodiscard]] std::size_t piece_at(std::size_t i) const { return spring_at(springs_) + i; }
  [[nodiscard]] std::size_t limit_at(std::size_t l) const { return piece_at(pieces_.size()) + l; }
  [[nodiscard]] std::size_t held_at(std::size_t h) const {
    return limit_at(written_.limits.size()) + h;
  }

  void join_spring(std::size_t motion, std::size_t spring) {
    for (const TensionLaw::Term& term : sizer_.writer().motions()[motion].laws[spring].terms) {
      sets_.join(spring_at(spring), static_cast<std::size_t>(term.unknown));
      changes_[spring] = true;
    }
    const std::vector<Interval> box(roles_.outer.size(), Interval(0.0, 1.0));
    const auto parameters = functions_.parameters(motion, box);
    for (const MovingCoordinate& one : functions_.moving(motion, spring)) {
      const SmoothNumber position = functions_.position(one, parameters);
      for (std::size_t v = 0; v < roles_.outer.size(); ++v)
        if (position.slopes[v].size() > 1e-200) {
          sets_.join(spring_at(spring), variable_at(v));
          changes_[spring] = true;
        }
    }
  }
  void join_limit_of(const SpringLimit& limit) {
    for (std::size_t i = 0; i < limit.fixed.weights.size(); ++i)
      if (limit.fixed.weights[i] != 0.0) sets_.join(spring_at(limit.spring), i);
    if (limit.times >= 0)
      sets_.join(spring_at(limit.spring), static_cast<std::size_t>(limit.times));
  }
  void join_piece(std::size_t i, const std::vector<SmoothNumber>& numbers) {
    const auto [kind, index] = pieces_[i];
    const bool whole = kind == Piece::Kind::sum;
    join_sum(piece_at(i), sum_of(pieces_[i]));
    const MountNumbers::OfSum& own = numbers_.of_objective(whole ? index : 0);
    const int number = kind == Piece::Kind::norm      ? own.norms[index]
                       : kind == Piece::Kind::unknown ? own.unknowns[index]
                                                      : own.constant;
    join_numbers(piece_at(i), whole ? own.all() : std::vector{number}, numbers);
  }
  /// Joins terms that have no norm in their set to the first norm.
  void join_lone_pieces() {
    if (pieces_.front().kind != Piece::Kind::norm) return;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      bool lone = true;
      for (std::size_t n = 0; n < pieces_.size() && pieces_[n].kind == Piece::Kind::norm; ++n)
        lone = lone && sets_.find(piece_at(n)) != sets_.find(piece_at(i));
      if (lone) sets_.join(piece_at(i), piece_at(0));
    }
  }
  void join_sum(std::size_t sum, const ConvexSum& of) {
    for (const ConvexSum::Term& term : of.linear)
      sets_.join(sum, static_cast<std::size_t>(term.index));
    for (const ConvexSum::Term& term : of.norms)
      for (const SeriesNorm::Part& part : written_.problem.norms[term.index].parts)
        join_series(sum, written_.origins[part.series]);
  }
  /// Joins a sum with the variables that its numbers read.
  void join_numbers(std::size_t sum, const std::vector<int>& own,
                    const std::vector<SmoothNumber>& numbers) {
    for (const int number : own)
      for (std::size_t v = 0; number >= 0 && v < roles_.outer.size(); ++v)
        if (numbers[number].slopes[v].size() > 1e-200) sets_.join(sum, variable_at(v));
  }
  void join_series(std::size_t sum, const SeriesOrigin& origin) {
    if (origin.actuator < 0)
      return sets_.join(sum, spring_at(static_cast<std::size_t>(origin.spring)));
    const AffineLoads& loads = sizer_.loads()[origin.motion];
    for (const AffineLoads::Influence& influence : loads.actuators[origin.actuator].influences) {
      const auto s = static_cast<std::size_t>(static_cast<int>(influence.spring));
      if (changes_[s] && acts_on(origin.motion, influence, origin.actuator))
        sets_.join(sum, spring_at(s));
    }
  }
  /// Joins what reads parameters that a held variable sets: all of the objective, or all
  /// limits and whatever else a constraint reads.
  void join_readers(const Study& study) {
    const auto join_all = [&](const Expression& expression, std::size_t begin, std::size_t end) {
      std::size_t first = end;
      for (std::size_t h = 0; h < roles_.held.size(); ++h) {
        const auto variable = static_cast<std::size_t>(roles_.held[h]);
        if (!study.reach[variable].design.changes(expression)) continue;
        for (std::size_t i = begin; i < end; ++i) sets_.join(held_at(h), i);
        if (first != end) sets_.join(held_at(h), first);
        first = held_at(h);
      }
    };
    if (const auto& objective = study.objectives.front().expression)
      join_all(*objective, piece_at(0), piece_at(pieces_.size()));
    for (const Constraint& constraint : study.constraints) {
      const int spring =
          spring_of_length(study, roles_.sized, constraint.expression, constraint.where);
      if (spring >= 0) measured_.push_back(static_cast<std::size_t>(spring));
      const std::size_t of_spring = spring_at(static_cast<std::size_t>(std::max(spring, 0)));
      if (spring >= 0)
        join_all(constraint.expression, of_spring, of_spring + 1);
      else
        join_all(constraint.expression, limit_at(0), limit_at(written_.limits.size()));
    }
  }
  /// Joins the variables that a bounded parameter follows from.
  void join_bounds() {
    const std::vector<Interval> box(roles_.outer.size(), Interval(0.0, 1.0));
    for (const MountBound& bound : functions_.bounds()) {
      const auto slopes =
          functions_.distance(bound, functions_.parameters(bound.motion, box)).slopes;
      const std::size_t before = bounded_.size();
      for (std::size_t v = 0; v < roles_.outer.size(); ++v) {
        if (slopes[v].size() <= 1e-200) continue;
        bounded_.push_back(v);
        sets_.join(variable_at(bounded_[before]), variable_at(v));
      }
    }
  }
  /// Whether a spring's influence is more than 0 wherever its mounts are.
  bool acts_on(std::size_t motion, const AffineLoads::Influence& influence, int actuator) {
    const auto s = static_cast<std::size_t>(static_cast<int>(influence.spring));
    if (functions_.moving(motion, s).empty())
      return std::any_of(influence.per_tension.begin(), influence.per_tension.end(),
                         [](double e) { return e != 0.0; });
    const MountMotion mounts = sizer_.evaluator().mount_motion(motion, influence.spring);
    return std::any_of(mounts.slopes.begin(), mounts.slopes.end(), [&](const auto& slope) {
      return static_cast<int>(slope.actuator) == actuator && !is_zero(slope.map);
    });
  }

  const SpringRoles& roles_;
  SpringSizer& sizer_;
  const WrittenProblem& written_;
  const std::vector<Piece> pieces_;
  MountFunctions functions_;
  MountNumbers numbers_;
  std::size_t springs_;
  DisjointSets sets_;
  std::vector<bool> changes_;          // springs that an unknown or a variable changes
  std::vector<std::size_t> measured_;  // springs whose lengths constraints read
  std::vector<std::size_t> bounded_;   // outer variables that bounded parameters follow from
};

}  // namespace

std::vector<int> general_limits(const WrittenProblem& written) {
  std::vector<bool> special(written.limits.size(), false);
  for (const SpringLimit& limit : written.spring_limits)
    if (limit.limit >= 0) special[limit.limit] = true;
  for (const MeetingEnds& own : written.meeting_ends) special[own.limit] = own.moves;
  std::vector<int> general;
  for (std::size_t l = 0; l < special.size(); ++l)
    if (!special[l] && written.limits[l].product < 0) general.push_back(static_cast<int>(l));
  return general;
}

std::vector<MountPart> mount_parts(const Study& study, const SpringRoles& roles, SpringSizer& sizer,
                                   PartsOf what) {
  for (const TensionSum& own : sizer.written().tension_sums)
    if (own.terms.size() > 1)
      throw InputError(study.search()->where,
                       "a proof over geometry takes one least tension in a sum: state each by a "
                       "constraint of its own, or search with \"algorithm\" in place of "
                       "\"geometry\"");
  return Partition(study, roles, sizer, what).parts(general_limits(sizer.written()));
}

}  // namespace counterpoise
