#include "engine/dynamics/joint_clusters.hpp"

#include <algorithm>
#include <set>

namespace counterpoise {
namespace {

/// Which tied joints go together, while clusters are found.
class ClusterFinder {
 public:
  ClusterFinder(std::span<const int> parent, std::span<const int> place,
                std::span<const TiedJoints> tied)
      : parent_(parent), owner_(parent.size(), none), groups_(tied.size()) {
    for (std::size_t t = 0; t < tied.size(); ++t) {
      groups_[t].tied = {t};
      for (const BodyIndex joint : tied[t].joints)
        if (place[joint] >= 0) groups_[t].places.push_back(place[joint]);
    }
    for (std::size_t t = 0; t < tied.size(); ++t) spread(t);
  }

  struct Group {
    std::vector<std::size_t> tied;
    std::vector<int> places;  // of the bodies of its joints, then also of those between them
    int base = none;
    bool merged = false;  // into another one
  };
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }

  static constexpr int none = -1;

 private:
  /// Takes the bodies between the joints of a group in, with the groups that these belong to.
  void spread(std::size_t t) {
    Group& group = groups_[t];
    for (bool grown = true; grown;) {
      grown = false;
      // parents of bodies that are in it but whose parents may not be; the last is climbed from
      std::set<int> open;
      for (const int place : group.places) open.insert(parent_[at(place)]);
      std::set<int> inside(group.places.begin(), group.places.end());
      while (open.size() > 1) {
        const int last = *open.rbegin();
        open.erase(last);
        inside.insert(last);
        open.insert(parent_[at(last)]);
      }
      group.base = open.empty() ? none : *open.begin();
      group.places.assign(inside.begin(), inside.end());
      for (const int place : inside) {
        int& owner = owner_[at(place)];
        if (owner == static_cast<int>(t)) continue;
        if (owner != none && !groups_[at(owner)].merged) {
          take_over(group, groups_[at(owner)]);
          grown = true;
        }
        owner = static_cast<int>(t);
      }
    }
  }

  void take_over(Group& group, Group& other) {
    group.tied.insert(group.tied.end(), other.tied.begin(), other.tied.end());
    group.places.insert(group.places.end(), other.places.begin(), other.places.end());
    other = {};
    other.merged = true;
  }

  std::span<const int> parent_;
  std::vector<int> owner_;  // of each body, a group that has not been merged, once it is spread
  std::vector<Group> groups_;
};

}  // namespace

void JointCluster::resize(Eigen::Index freedoms) {
  const auto n = static_cast<Eigen::Index>(joints.size());
  motions.setZero(n, freedoms);
  mass.setZero(n, n);
  wrench.setZero(n, 6);
  rest.setZero(n);
  bound.setZero(n);
  values.setZero(n);
}

void JointCluster::take(std::span<const TiedJoints> tied) {
  for (const Part& part : parts) {
    const Eigen::MatrixXd& given = tied[part.tied].motions;
    motions.block(part.row, part.column, given.rows(), given.cols()) = given;
  }
}

void JointClusters::find(const TreeModel& model, std::span<const int> parent,
                         std::span<const int> place, std::span<const char> held,
                         std::span<const TiedJoints> tied) {
  all.clear();
  of_body.assign(parent.size(), -1);
  row_of_body.assign(parent.size(), -1);
  if (tied.empty()) return;
  const ClusterFinder finder(parent, place, tied);
  for (const ClusterFinder::Group& group : finder.groups()) {
    if (group.merged) continue;
    JointCluster cluster;
    cluster.base = group.base;
    Eigen::Index freedoms = 0;
    const auto rows = [&] { return static_cast<Eigen::Index>(cluster.joints.size()); };
    for (const std::size_t t : group.tied) {
      cluster.parts.push_back({t, rows(), freedoms});
      freedoms += tied[t].motions.cols();
      for (const BodyIndex joint : tied[t].joints) {
        if (place[joint] >= 0) row_of_body[at(place[joint])] = static_cast<int>(rows());
        cluster.joints.push_back(joint);
        cluster.places.push_back(place[joint]);
      }
    }
    const Eigen::Index tied_rows = rows(), tied_freedoms = freedoms;
    for (const int body : group.places) {
      of_body[at(body)] = static_cast<int>(all.size());
      const TreeModel::Body& one = model.bodies[at(body)];
      if (row_of_body[at(body)] >= 0 || one.type == JointType::fixed || held[at(one.index)] != 0)
        continue;
      row_of_body[at(body)] = static_cast<int>(rows());
      cluster.joints.push_back(BodyIndex(one.index));
      cluster.places.push_back(body);
      ++freedoms;
    }
    cluster.first = group.places.empty() ? -1 : group.places.front();
    cluster.resize(freedoms);
    for (Eigen::Index i = 0; tied_rows + i < rows(); ++i)
      cluster.motions(tied_rows + i, tied_freedoms + i) = 1.0;
    all.push_back(std::move(cluster));
  }
}

}  // namespace counterpoise
