#include "engine/dynamics/wrench_map.hpp"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>

#include "engine/kinematics/closure/equation_system.hpp"

namespace counterpoise {
WrenchMap::WrenchMap(const Mechanism& mechanism)
    : loops_(Paths(mechanism).loops),
      columns_(mechanism.loops.size()),
      columns_of_couplings_(mechanism.couplings.size()),
      bodies_(mechanism.bodies.size()) {
  for (const Body& body : mechanism.bodies) parents_.push_back(body.parent);
  for (const Loop& loop : mechanism.loops)
    second_bodies_.push_back(mechanism.points[loop.points[1]].body);
  const std::size_t owners = bodies_ + loops_.size();
  base.setZero(static_cast<Eigen::Index>(6 * owners));
  places_.resize(owners);
  find_groups(mechanism);
}

void WrenchMap::find_groups(const Mechanism& mechanism) {
  // so few unknowns are found together: one small system takes no longer than its parts
  constexpr std::size_t few = 48;
  const auto owner_of = [&](const WrenchComponent& part) {
    const bool loop = part.owner == WrenchComponent::Owner::loop;
    return (loop ? bodies_ : 0) + static_cast<std::size_t>(part.element);
  };
  const std::size_t owners = places_.size();
  boost::disjoint_sets_with_storage<> sets(owners);
  std::vector<char> in_loops(owners, 0), coupled(owners, 0);
  std::size_t unknowns = mechanism.couplings.size();
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    unknowns += at(rows_of(mechanism.loops[l].keep));
    in_loops[bodies_ + l] = 1;
    for (const std::vector<BodyIndex>& chain : loops_[l].chains)
      for (const BodyIndex body : chain) {
        in_loops[at(body)] = 1;
        sets.union_set(bodies_ + l, at(body));
      }
  }
  for (const Coupling& coupling : mechanism.couplings) {
    coupled[at(coupling.joint)] = 1;
    for (const CouplingTerm& term : coupling.terms) {
      coupled[at(term.of)] = 1;
      sets.union_set(at(coupling.joint), at(term.of));
    }
  }
  for (const SharingRule& rule : mechanism.sharing)
    for (const WrenchComponent& part : rule.components)
      sets.union_set(owner_of(rule.components.front()), owner_of(part));
  if (unknowns <= few)
    for (std::size_t owner = 1; owner < owners; ++owner) sets.union_set(owner - 1, owner);

  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> group(owners, none);  // of each set
  std::vector<Eigen::Index> columns;             // of each group so far
  const auto group_of = [&](std::size_t owner) {
    std::size_t& place = group[sets.find_set(owner)];
    if (place == none) {
      place = groups_.size();
      groups_.emplace_back();
      columns.push_back(0);
    }
    return place;
  };
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    const std::size_t g = group_of(bodies_ + l);
    groups_[g].loops.push_back(l);
    columns_[l] = columns[g];
    columns[g] += rows_of(mechanism.loops[l].keep);
  }
  for (std::size_t c = 0; c < mechanism.couplings.size(); ++c) {
    const std::size_t g = group_of(at(mechanism.couplings[c].joint));
    groups_[g].couplings.push_back(c);
    columns_of_couplings_[c] = columns[g]++;
  }
  for (std::size_t r = 0; r < mechanism.sharing.size(); ++r)
    groups_[group_of(owner_of(mechanism.sharing[r].components.front()))].rules.push_back(r);
  for (std::size_t owner = 0; owner < owners; ++owner) {
    if (group[sets.find_set(owner)] == none) continue;
    WrenchGroup& of = groups_[group[sets.find_set(owner)]];
    places_[owner] = static_cast<Eigen::Index>(of.owners.size());
    of.owners.push_back(static_cast<Eigen::Index>(owner));
    if (in_loops[owner] != 0) of.weighed.push_back(places_[owner]);
    const auto body = static_cast<BodyIndex>(owner);
    const bool held = in_loops[owner] != 0 || coupled[owner] != 0;
    if (owner < bodies_ && held && mechanism.moves(body)) of.balanced.push_back(body);
  }
  rows_of_loops_.resize(loops_.size());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    WrenchGroup& of = groups_[g];
    of.count = columns[g];
    if (!of.is_large())
      of.slopes.setZero(6 * static_cast<Eigen::Index>(of.owners.size()), of.count);
    for (const std::size_t loop : of.loops) {
      for (const Eigen::Index place : places_of_loop(loop)) {
        std::vector<Eigen::Index>& rows = rows_of_loops_[loop];
        rows.push_back(6 * (of.is_large() ? static_cast<Eigen::Index>(rows.size()) : place));
      }
      if (of.is_large())
        of.slopes_of_loops.emplace_back(
            Eigen::MatrixXd::Zero(6 * static_cast<Eigen::Index>(rows_of_loops_[loop].size()),
                                  rows_of(mechanism.loops[loop].keep)));
    }
  }
}

std::vector<Eigen::Index> WrenchMap::places_of_loop(std::size_t loop) const {
  std::vector<Eigen::Index> places = {places_[bodies_ + loop]};
  for (const std::vector<BodyIndex>& chain : loops_[loop].chains)
    for (const BodyIndex body : chain) places.push_back(places_[at(body)]);
  return places;
}

Eigen::MatrixXd WrenchMap::slopes_of(const WrenchGroup& group) const {
  if (!group.is_large()) return group.slopes;
  Eigen::MatrixXd slopes =
      Eigen::MatrixXd::Zero(6 * static_cast<Eigen::Index>(group.owners.size()), group.count);
  for (std::size_t l = 0; l < group.loops.size(); ++l) {
    const Eigen::MatrixXd& own = group.slopes_of_loops[l];
    const std::vector<Eigen::Index> places = places_of_loop(group.loops[l]);
    for (std::size_t i = 0; i < places.size(); ++i)
      slopes.block(6 * places[i], columns_[group.loops[l]], 6, own.cols()) =
          own.middleRows(static_cast<Eigen::Index>(6 * i), 6);
  }
  return slopes;
}

const Pose& WrenchMap::pose(BodyIndex body) const {
  static const Pose world;
  return body == world_body ? world : poses_[body];
}

void WrenchMap::begin(std::span<const Pose> poses) {
  poses_ = poses;
  base.setZero();
  reach_ = 0.0;
}

void WrenchMap::set_joint(BodyIndex body, const Vec3d& force, const Vec3d& moment) {
  base.segment<3>(6 * body) = force;
  base.segment<3>(6 * body + 3) = moment;
}

void WrenchMap::apply(BodyIndex body, const Vec3d& place, const Vec3d& force) {
  for (; body != world_body; body = parents_[body]) {
    const Mat3d to_body = pose(body).rotation.transpose();
    base.segment<3>(6 * body) -= to_body * force;
    base.segment<3>(6 * body + 3) -= to_body * (place - pose(body).origin).cross(force);
  }
}

void WrenchMap::apply_moment(BodyIndex body, const Vec3d& moment) {
  for (; body != world_body; body = parents_[body])
    base.segment<3>(6 * body + 3) -= pose(body).rotation.transpose() * moment;
}

void WrenchMap::apply_to_joint(BodyIndex body, JointType type, const Vec3d& along) {
  base.segment<3>(6 * body + (type == JointType::revolute ? 3 : 0)) -= along;
}

void WrenchMap::close(const Mechanism& mechanism) {
  for (WrenchGroup& group : groups_) {
    group.slopes.setZero();
    for (std::size_t l = 0; l < group.loops.size(); ++l) {
      const std::size_t loop = group.loops[l];
      if (group.is_large())
        close_loop(mechanism, loop, 0, rows_of_loops_[loop], group.slopes_of_loops[l]);
      else
        close_loop(mechanism, loop, columns_[loop], rows_of_loops_[loop], group.slopes);
    }
  }
}

void WrenchMap::close_loop(const Mechanism& mechanism, std::size_t index, Eigen::Index x,
                           std::span<const Eigen::Index> rows, Eigen::MatrixXd& slopes) {
  const Loop& loop = mechanism.loops[index];
  const Point& point = mechanism.points[loop.points[1]];
  const Pose& second = pose(point.body);
  const Pose& first = pose(mechanism.points[loop.points[0]].body);
  const Vec3d place = second.origin + second.rotation * point.position;

  std::vector<Vec3d> places = {place};
  for (const std::vector<BodyIndex>& chain : loops_[index].chains)
    for (const BodyIndex body : chain) places.push_back(pose(body).origin);
  for (const Vec3d& one : places)
    for (const Vec3d& other : places) reach_ = std::max(reach_, (one - other).norm());

  const Vec3d none = Vec3d::Zero();
  for (Eigen::Index i = 0; i < 3; ++i)
    add_column(index, x++, place, second.rotation.col(i), none, rows, slopes);
  const Vec3d b = second.rotation * loop.axes[1];
  if (loop.keep == LoopKeep::perpendicular)
    add_column(index, x, place, none, (first.rotation * loop.axes[0]).cross(b).normalized(), rows,
               slopes);
  if (loop.keep == LoopKeep::parallel) {
    const Vec3d e = second.rotation * loop.axes[1].unitOrthogonal();
    add_column(index, x++, place, none, e, rows, slopes);
    add_column(index, x, place, none, b.cross(e), rows, slopes);
  }
  if (loop.keep == LoopKeep::weld)
    for (Eigen::Index i = 0; i < 3; ++i)
      add_column(index, x++, place, none, second.rotation.col(i), rows, slopes);
}

void WrenchMap::add_column(std::size_t loop, Eigen::Index x, const Vec3d& place, const Vec3d& force,
                           const Vec3d& moment, std::span<const Eigen::Index> rows,
                           Eigen::MatrixXd& slopes) {
  const Path& path = loops_[loop];
  const Mat3d to_second = pose(second_bodies_[loop]).rotation.transpose();
  const Eigen::Index row_of_closure = rows.front();
  std::size_t next = 1;
  slopes.col(x).segment<3>(row_of_closure) = to_second * force;
  slopes.col(x).segment<3>(row_of_closure + 3) = to_second * moment;
  // the second chain is pushed and the first pushes back; from their common ancestor to the world
  // nothing changes
  for (std::size_t end : {0u, 1u})
    for (const BodyIndex body : path.chains[end]) {
      const Mat3d to_body = sign_of_end(end) * pose(body).rotation.transpose();
      const Vec3d arm = place - pose(body).origin;
      const Eigen::Index row = rows[next++];
      slopes.col(x).segment<3>(row) = to_body * force;
      slopes.col(x).segment<3>(row + 3) = to_body * (arm.cross(force) + moment);
    }
}

}  // namespace counterpoise
