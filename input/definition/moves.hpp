#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/mechanism/moves.hpp"
#include "input/definition/parametric_motion.hpp"

namespace counterpoise {

/// Whether number `i` of a move is a position or a derivative of a position, not a time or a share.
bool is_position_of_move(std::size_t i);

/// Says what is wrong with the numbers of one move, in SI.
std::optional<Refusal> wrong_move(const MoveNumbers& move, std::span<const double> numbers);

/// Makes a list of moves from its numbers; see make_profile. The last piece starts where the last
/// move ends.
std::optional<Refusal> make_moves(const ProfileNumbers& profile, std::span<const double> numbers,
                                  double duration, std::span<const double> lasting, Profile& out);

/// Raises each entry of `lasting` [s] to at least the time that the move of this list with the same
/// index takes by itself.
std::optional<Refusal> lengthen_moves(const ProfileNumbers& profile,
                                      std::span<const double> numbers,
                                      std::vector<double>& lasting);

/// When one of a list's moves begins and ends [s], and what it may not exceed, if that is given.
struct MoveSpan {
  double start = 0.0;
  double end = 0.0;
  std::optional<MoveLimits> limits;
};

/// The moves and rests of a list that make_moves() made. `numbers` are those of its moves alone,
/// in SI.
std::vector<MoveSpan> spans_of(const ProfileNumbers& profile, std::span<const double> numbers,
                               const Moves& made);

}  // namespace counterpoise
