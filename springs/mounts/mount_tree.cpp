#include "springs/mounts/mount_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "input/text/compressed.hpp"
#include "input/text/input_error.hpp"

namespace counterpoise {
namespace {

constexpr std::uint8_t has_optimal = 1, has_conflict = 2;

[[noreturn]] void refuse_tree(const char* why) {
  throw InputError({.file = "proof over mounts"}, why);
}

/// Multipliers as columns of numbers.
struct MultiplierColumns {
  std::vector<std::uint32_t> counts;  // of pieces, limits and witnesses of each
  std::vector<std::int32_t> numbers[7];
  std::vector<double> pieces, limits, witnesses;

  void add(const InstantMultipliers& own) {
    for (const std::size_t count : {own.pieces.size(), own.limits.size(), own.witnesses.size()})
      counts.push_back(static_cast<std::uint32_t>(count));
    for (const InstantMultipliers::Piece& one : own.pieces) {
      numbers[0].push_back(one.sum);
      numbers[6].push_back(one.sample);
      pieces.push_back(one.multiplier);
    }
    for (const InstantMultipliers::Limit& one : own.limits) {
      numbers[1].push_back(one.limit);
      numbers[2].push_back(one.sample);
      limits.push_back(one.multiplier);
    }
    for (const InstantMultipliers::Witness& one : own.witnesses) {
      numbers[3].push_back(one.norm);
      numbers[4].push_back(one.part);
      numbers[5].push_back(one.sample);
      witnesses.push_back(one.weight);
    }
  }
};

/// Reads columns, each as long as is asked for.
class TreeReader {
 public:
  explicit TreeReader(std::string_view bytes) : columns_(bytes) {}

  template <class Number>
  std::vector<Number> column(std::size_t count) {
    auto numbers = columns_.column<Number>(count);
    if (!numbers) refuse_tree("it is shorter than it says");
    return std::move(*numbers);
  }
  void require_end() const {
    if (!columns_.at_end()) refuse_tree("it is longer than it says");
  }

 private:
  ColumnReader columns_;
};

/// The multipliers of one column set, taken in order.
class MultiplierReader {
 public:
  MultiplierReader(TreeReader& reader, std::size_t sets) {
    columns_.counts = reader.column<std::uint32_t>(3 * sets);
    std::size_t totals[3] = {0, 0, 0};
    for (std::size_t i = 0; i < columns_.counts.size(); ++i) totals[i % 3] += columns_.counts[i];
    const std::size_t sizes[7] = {totals[0], totals[1], totals[1], totals[2],
                                  totals[2], totals[2], totals[0]};
    for (std::size_t i = 0; i < 7; ++i) columns_.numbers[i] = reader.column<std::int32_t>(sizes[i]);
    columns_.pieces = reader.column<double>(totals[0]);
    columns_.limits = reader.column<double>(totals[1]);
    columns_.witnesses = reader.column<double>(totals[2]);
  }
  InstantMultipliers next() {
    InstantMultipliers own;
    for (std::uint32_t i = 0; i < columns_.counts[set_]; ++i, ++piece_)
      own.pieces.push_back(
          {columns_.numbers[0][piece_], columns_.numbers[6][piece_], columns_.pieces[piece_]});
    for (std::uint32_t i = 0; i < columns_.counts[set_ + 1]; ++i, ++limit_)
      own.limits.push_back(
          {columns_.numbers[1][limit_], columns_.numbers[2][limit_], columns_.limits[limit_]});
    for (std::uint32_t i = 0; i < columns_.counts[set_ + 2]; ++i, ++witness_)
      own.witnesses.push_back({columns_.numbers[3][witness_], columns_.numbers[4][witness_],
                               columns_.numbers[5][witness_], columns_.witnesses[witness_]});
    set_ += 3;
    return own;
  }

 private:
  MultiplierColumns columns_;
  std::size_t set_ = 0, piece_ = 0, limit_ = 0, witness_ = 0;
};

/// Reads the loads of combined bounds, of which there are so many.
void read_loads(TreeReader& reader, std::size_t count, std::vector<BoundReason>& reasons) {
  const auto counts = reader.column<std::uint8_t>(count);
  const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  std::array<std::vector<std::int32_t>, 4> numbers;
  for (auto& column : numbers) column = reader.column<std::int32_t>(total);
  std::size_t at = 0, next = 0;
  for (BoundReason& reason : reasons) {
    if (reason.kind != BoundReason::Kind::combined) continue;
    reason.loads.resize(counts[at++]);
    for (MountRow::Name& name : reason.loads) {
      for (std::size_t i = 0; i < name.size(); ++i) name[i] = numbers[i][next];
      ++next;
    }
  }
}

template <class Number>
void add_column(ColumnBlock& block, const std::vector<Number>& numbers) {
  block.add(std::span<const Number>(numbers));
}

}  // namespace

std::string bytes_of(const MountTree& tree) {
  std::vector<std::uint8_t> kinds, places, flags;
  std::vector<std::uint16_t> above;
  std::vector<double> cutoffs;       // of tightened bounds
  std::vector<std::uint8_t> counts;  // of the loads of combined bounds
  std::vector<std::int32_t> loads[4];
  for (const BoundReason& reason : tree.reasons) {
    kinds.push_back(static_cast<std::uint8_t>(reason.kind));
    places.push_back(reason.corner);
    above.push_back(reason.above);
    if (reason.kind == BoundReason::Kind::tightened) cutoffs.push_back(reason.cutoff);
    if (reason.kind != BoundReason::Kind::combined) continue;
    counts.push_back(static_cast<std::uint8_t>(reason.loads.size()));
    for (const MountRow::Name& name : reason.loads)
      for (std::size_t i = 0; i < name.size(); ++i) loads[i].push_back(name[i]);
  }
  std::vector<double> values, x;
  std::size_t unknowns = 0;
  MultiplierColumns multipliers;
  for (const MountTree::Corner& corner : tree.corners)
    unknowns = std::max(unknowns, corner.x.size());
  for (const MountTree::Corner& corner : tree.corners) {
    flags.push_back(static_cast<std::uint8_t>((corner.optimal ? has_optimal : 0) |
                                              (corner.conflict ? has_conflict : 0)));
    values.push_back(corner.value);
    for (std::size_t j = 0; j < unknowns; ++j)
      x.push_back(j < corner.x.size() ? corner.x[j] : std::numeric_limits<double>::quiet_NaN());
    if (corner.optimal) multipliers.add(*corner.optimal);
    if (corner.conflict) multipliers.add(*corner.conflict);
  }
  ColumnBlock block;
  const std::vector<std::uint32_t> sizes = {static_cast<std::uint32_t>(tree.bisected.size()),
                                            static_cast<std::uint32_t>(tree.reasons.size()),
                                            static_cast<std::uint32_t>(tree.corners.size()),
                                            static_cast<std::uint32_t>(unknowns)};
  add_column(block, sizes);
  for (const auto& column : {tree.bisected, kinds, places}) add_column(block, column);
  add_column(block, above);
  add_column(block, flags);
  add_column(block, values);
  add_column(block, x);
  add_column(block, multipliers.counts);
  for (const auto& column : multipliers.numbers) add_column(block, column);
  for (const auto& column : {multipliers.pieces, multipliers.limits, multipliers.witnesses})
    add_column(block, column);
  add_column(block, cutoffs);
  if (!counts.empty()) {
    add_column(block, counts);
    for (const auto& column : loads) add_column(block, column);
  }
  return block.bytes();
}

MountTree mount_tree(std::string_view bytes) {
  TreeReader reader(bytes);
  const auto sizes = reader.column<std::uint32_t>(4);
  MountTree tree;
  tree.bisected = reader.column<std::uint8_t>(sizes[0]);
  const auto kinds = reader.column<std::uint8_t>(sizes[1]);
  const auto places = reader.column<std::uint8_t>(sizes[1]);
  const auto above = reader.column<std::uint16_t>(sizes[1]);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] > static_cast<std::uint8_t>(BoundReason::Kind::combined))
      refuse_tree("a leaf has no known reason");
    tree.reasons.push_back(
        {static_cast<BoundReason::Kind>(kinds[i]), places[i], above[i], no_limit, {}});
  }
  const auto flags = reader.column<std::uint8_t>(sizes[2]);
  const auto values = reader.column<double>(sizes[2]);
  if (sizes[3] > 1000) refuse_tree("corners have too many numbers");
  const auto x = reader.column<double>(std::size_t{sizes[2]} * sizes[3]);
  std::size_t sets = 0;
  for (const std::uint8_t flag : flags)
    sets += static_cast<std::size_t>((flag & has_optimal) != 0) +
            static_cast<std::size_t>((flag & has_conflict) != 0);
  MultiplierReader multipliers(reader, sets);
  const auto count_of = [&](BoundReason::Kind kind) {
    return static_cast<std::size_t>(
        std::count(kinds.begin(), kinds.end(), static_cast<std::uint8_t>(kind)));
  };
  const auto cutoffs = reader.column<double>(count_of(BoundReason::Kind::tightened));
  std::size_t at = 0;
  for (BoundReason& reason : tree.reasons)
    if (reason.kind == BoundReason::Kind::tightened) reason.cutoff = cutoffs[at++];
  if (const std::size_t combined = count_of(BoundReason::Kind::combined); combined > 0)
    read_loads(reader, combined, tree.reasons);
  reader.require_end();
  for (std::size_t i = 0; i < flags.size(); ++i) {
    MountTree::Corner& corner = tree.corners.emplace_back();
    corner.value = values[i];
    for (std::size_t j = 0; j < sizes[3]; ++j)
      if (const double number = x[i * sizes[3] + j]; !std::isnan(number))
        corner.x.push_back(number);
    if ((flags[i] & has_optimal) != 0) corner.optimal = multipliers.next();
    if ((flags[i] & has_conflict) != 0) corner.conflict = multipliers.next();
  }
  return tree;
}

std::vector<MountTree::Leaf> MountTree::leaves(const DyadicBisection& bisection) const {
  std::vector<Leaf> found;
  DyadicCorners known;
  std::vector<DyadicSimplex> path;  // from a simplex of the box to the present one
  std::vector<DyadicSimplex> waiting = bisection.box();
  std::reverse(waiting.begin(), waiting.end());
  for (std::size_t at = 0; !waiting.empty(); ++at) {
    const DyadicSimplex simplex = waiting.back();
    waiting.pop_back();
    path.resize(static_cast<std::size_t>(simplex.level));
    path.push_back(simplex);
    if (at >= bisected.size()) refuse_tree("simplices are missing");
    if (bisected[at] != 0) {
      if (!bisection.may_halve(simplex)) refuse_tree("a simplex is too small");
      const auto halves = bisection.halves(simplex);
      waiting.push_back(halves[1]);
      waiting.push_back(halves[0]);
      continue;
    }
    if (found.size() >= reasons.size()) refuse_tree("reasons of leaves are missing");
    const BoundReason& reason = reasons[found.size()];
    if (reason.above >= path.size()) refuse_tree("a leaf has the bound of no simplex");
    found.push_back({simplex, path[path.size() - 1 - reason.above], {}, reason});
    for (std::size_t w = 0; w < static_cast<std::size_t>(bisection.corners()); ++w)
      static_cast<void>(known.number_of(simplex.corners[w]));
  }
  std::size_t simplices = 0;
  for (const std::uint8_t one : bisected) simplices += one != 0 ? 1U : 0U;
  if (found.size() != reasons.size() || simplices + found.size() != bisected.size())
    refuse_tree("there are more simplices or reasons than the box has");
  if (known.count() != static_cast<int>(corners.size()))
    refuse_tree("corners are missing, or too many");
  // corners of a simplex stay corners of leaves however it is bisected
  for (Leaf& leaf : found)
    for (std::size_t w = 0; w < static_cast<std::size_t>(bisection.corners()); ++w)
      leaf.corners[w] = known.number_of(leaf.bounded.corners[w]);
  return found;
}

}  // namespace counterpoise
