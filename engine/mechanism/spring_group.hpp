#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace counterpoise {

/// A spring's tension as an affine function of its length: tension = rate * length + offset, with
/// offset = initial_tension - rate * free_length. For a torsion spring the joint angle is the
/// length.
struct SpringLaw {
  double rate = 0.0;
  double offset = 0.0;

  bool operator==(const SpringLaw&) const = default;
};

/// Springs in series and in parallel, nested in any way, that act between the ends of one spring.
/// All of them pull, as extension springs, or all push, as compression springs.
///
/// Each part stays at its free length, with its coils or its cage shut, until it bears its initial
/// tension, and then follows initial_tension + rate * (length - free_length). In series all bear
/// one load, and lengths add up; in parallel all have one length, and loads add up, where a part
/// that is not yet stretched (or compressed) to its free length hangs loose.
struct SpringGroup {
  static constexpr std::size_t most_parts = 6;

  struct Part {
    double rate = 0.0;             // [N/m]
    double free_length = 0.0;      // [m]
    double initial_tension = 0.0;  // [N], negative where it pushes
  };
  enum class Join { none, series, parallel };
  /// A part by itself, or what joins the `count` members that were made last.
  struct Step {
    Join join = Join::none;
    std::size_t count = 1;
  };

  std::vector<Part> parts;  // in the order of the file
  std::vector<Step> steps;  // each join behind its members; the last is the whole

  [[nodiscard]] bool empty() const { return parts.empty(); }
};

/// The law of a group as straight pieces of its tension over its length.
struct GroupLaw {
  /// Holds beyond a length: where a group that pulls is longer, or one that pushes is shorter.
  struct Piece {
    double from = 0.0;  // [m]
    SpringLaw line;
    double jump = 0.0;  // by which the size of the tension grows at once there  [N]

    bool operator==(const Piece&) const = default;
  };
  static constexpr std::size_t most_pieces = 2 * SpringGroup::most_parts;

  // the first piece, and all that is said of the group as of one spring
  double rate = 0.0, free_length = 0.0, initial_tension = 0.0;
  std::array<Piece, most_pieces> later = {};  // the other pieces, in the order of the stretch
  std::size_t count = 0;                      // of them

  [[nodiscard]] const Piece* begin() const { return later.data(); }
  [[nodiscard]] const Piece* end() const { return later.data() + count; }
  bool operator==(const GroupLaw&) const = default;
};

/// The law of a group. Each piece is a sum of the laws of its parts, in parallel directly and in
/// series by the inverse, so that there is no error but rounding. A group with an impossible number
/// (see find_impossible_part()) has no tension.
/// Cost: a few hundred operations, without allocation.
GroupLaw law_of(const SpringGroup& group, bool pushes);

/// The first part with a number that no spring has, and why; `pushes` says what kind they are.
struct ImpossiblePart {
  std::size_t part = 0;
  const char* key = "";  // of the number in a file
  std::string why;       // "is negative (-3 N/m)"
};
std::optional<ImpossiblePart> find_impossible_part(const SpringGroup& group, bool pushes);

/// How the parts hang together, by their numbers from 1: "1 in series with (2 in parallel with 3)".
std::string words_of(const SpringGroup& group);

}  // namespace counterpoise
