#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>

extern "C" {
#include <libqhull_r/libqhull_r.h>
}

#include "exchange/shapes/mass_properties.hpp"

namespace counterpoise {
namespace {

/// An edge of a triangle from its lower to its higher vertex, and whether the triangle goes along
/// it that way.
struct WalkedEdge {
  int low, high;
  bool up;
};

/// Whether along every edge as many triangles go one way as the other.
bool is_closed(const TriangleMesh& mesh) {
  std::vector<WalkedEdge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const TriangleMesh::Triangle& triangle : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [low, high] = std::minmax(triangle[i], triangle[(i + 1) % 3]);
      edges.push_back({low, high, triangle[i] == low});
    }
  const auto ends = [](const WalkedEdge& edge) { return std::array{edge.low, edge.high}; };
  std::sort(edges.begin(), edges.end(),
            [&](const WalkedEdge& a, const WalkedEdge& b) { return ends(a) < ends(b); });
  for (std::size_t i = 0; i < edges.size();) {
    int balance = 0;
    const auto edge = ends(edges[i]);
    for (; i < edges.size() && ends(edges[i]) == edge; ++i) balance += edges[i].up ? 1 : -1;
    if (balance != 0) return false;
  }
  return !edges.empty();
}

/// The corners of a triangle, from a point.
std::array<Vec3d, 3> corners_of(const TriangleMesh& mesh, const TriangleMesh::Triangle& triangle,
                                const Vec3d& point) {
  const auto at = [&](int vertex) -> Vec3d { return mesh.vertices[vertex] - point; };
  return {at(triangle[0]), at(triangle[1]), at(triangle[2])};
}

/// A connected part of a closed mesh.
struct MeshShell {
  MeshMoments moments;
  Eigen::AlignedBox3d box;
};

/// The part that each vertex belongs to, by a vertex of it.
std::vector<int> connected_parts(const TriangleMesh& mesh) {
  std::vector<int> above(mesh.vertices.size());
  std::iota(above.begin(), above.end(), 0);
  const auto top = [&](int vertex) {
    while (above[vertex] != vertex) {
      int& next = above[vertex];
      next = above[next];
      vertex = next;
    }
    return vertex;
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    above[top(b)] = top(a);
    above[top(c)] = top(a);
  }
  for (std::size_t v = 0; v < above.size(); ++v) above[v] = top(static_cast<int>(v));
  return above;
}

std::vector<MeshShell> shells_of(const TriangleMesh& mesh, const Vec3d& point) {
  const std::vector<int> part = connected_parts(mesh);
  std::vector<int> index(mesh.vertices.size(), -1);
  std::vector<MeshShell> shells;
  for (const TriangleMesh::Triangle& triangle : mesh.triangles) {
    int& shell = index[part[triangle[0]]];
    if (shell < 0) {
      shell = static_cast<int>(shells.size());
      shells.emplace_back();
    }
    MeshShell& own = shells[shell];
    const std::array<Vec3d, 3> corners = corners_of(mesh, triangle, point);
    for (const Vec3d& corner : corners) own.box.extend(corner);
    own.moments.add(corners, MeshParts::pyramids);
  }
  return shells;
}

/// What closed shells enclose: each adds its volume, but those that look the other way than a
/// shell around them take it away.
MeshMoments enclosed(const std::vector<MeshShell>& shells, double outward) {
  MeshMoments sum;
  for (const MeshShell& shell : shells) {
    const bool inward = outward * shell.moments.volume < 0.0;
    const bool cavity =
        inward && std::any_of(shells.begin(), shells.end(), [&](const MeshShell& other) {
          return outward * other.moments.volume > 0.0 && other.box.contains(shell.box);
        });
    const double sign = inward && !cavity ? -outward : outward;
    sum.volume += sign * shell.moments.volume;
    sum.first += sign * shell.moments.first;
    sum.second += sign * shell.moments.second;
  }
  return sum;
}

/// The triangles of qhull's hull of points, in any orientation; none if the points lie in a plane.
std::vector<TriangleMesh::Triangle> hull_facets(std::vector<double>& places) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::fopen("/dev/null", "w"),
                                                                std::fclose);
  std::string command = "qhull Qt";
  qhT qhull;
  qh_zero(&qhull, nowhere.get());
  std::vector<TriangleMesh::Triangle> facets;
  const int failed = qh_new_qhull(&qhull, 3, static_cast<int>(places.size() / 3), places.data(),
                                  False, command.data(), nullptr, nowhere.get());
  if (failed == 0)
    for (facetT* facet = qhull.facet_list; facet->next != nullptr; facet = facet->next) {
      TriangleMesh::Triangle& corners = facets.emplace_back();
      for (std::size_t i = 0; i < 3; ++i)
        corners[i] = qh_pointid(&qhull, static_cast<vertexT*>(facet->vertices->e[i].p)->point);
    }
  int blocks = 0, bytes = 0;
  qh_freeqhull(&qhull, !qh_ALL);
  qh_memfreeshort(&qhull, &blocks, &bytes);
  return facets;
}

Vec3d middle_of(const TriangleMesh& mesh) {
  Vec3d middle = Vec3d::Zero();
  for (const Vec3d& vertex : mesh.vertices)
    middle += vertex / static_cast<double>(mesh.vertices.size());
  return middle;
}

}  // namespace

void MeshMoments::add(const std::array<Vec3d, 3>& corners, MeshParts parts) {
  const auto& [a, b, c] = corners;
  const bool flat = parts == MeshParts::triangles;
  double part = flat ? (b - a).cross(c - a).norm() / 2.0 : a.dot(b.cross(c)) / 6.0;
  if (parts == MeshParts::positive_pyramids) part = std::abs(part);
  const double ends = flat ? 3.0 : 4.0;  // the fourth is the point
  const Vec3d sum = a + b + c;
  volume += part;
  first += part / ends * sum;
  second += part / (ends * (ends + 1.0)) *
            (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
}

MassProperties MeshMoments::about(const Vec3d& point, double density) const {
  MassProperties solid{.volume = volume, .mass = density * volume};
  const Vec3d centre = first / volume;
  const Mat3d about_centre = density * (second - volume * centre * centre.transpose());
  solid.com = point + centre;
  solid.inertia = about_centre.trace() * Mat3d::Identity() - about_centre;
  return solid;
}

MeshMoments moments_of(const TriangleMesh& mesh, const Vec3d& point, MeshParts parts) {
  MeshMoments moments;
  for (const TriangleMesh::Triangle& triangle : mesh.triangles)
    moments.add(corners_of(mesh, triangle, point), parts);
  return moments;
}

std::optional<MeshMass> mesh_mass(const TriangleMesh& mesh, double density) {
  constexpr double weld_share = 1e-6;   // of the diagonal
  constexpr double least_share = 1e-9;  // of the cube of the diagonal: less counts as flat
  const double diagonal = diagonal_of(mesh);
  const double least = least_share * diagonal * diagonal * diagonal;
  TriangleMesh whole = welded(mesh, 0.0);
  bool closed = is_closed(whole);
  if (!closed) {
    whole = welded(whole, weld_share * diagonal);
    closed = is_closed(whole);
  }
  if (closed) {
    const Vec3d point = whole.vertices.front();
    const std::vector<MeshShell> shells = shells_of(whole, point);
    const double sum = std::accumulate(
        shells.begin(), shells.end(), 0.0,
        [](double volume, const MeshShell& shell) { return volume + shell.moments.volume; });
    const MeshMoments moments = enclosed(shells, sum < 0.0 ? -1.0 : 1.0);
    if (moments.volume > least)
      return MeshMass{moments.about(point, density),
                      sum < 0.0 ? MeshSolid::turned : MeshSolid::inside};
  }
  const std::optional<TriangleMesh> hull = convex_hull(welded(mesh, 0.0));
  if (!hull) return std::nullopt;
  const Vec3d inside = middle_of(*hull);
  const MeshMoments moments = moments_of(*hull, inside, MeshParts::pyramids);
  if (!(moments.volume > least)) return std::nullopt;
  return MeshMass{moments.about(inside, density), MeshSolid::hull};
}

std::optional<TriangleMesh> convex_hull(const TriangleMesh& mesh) {
  if (mesh.vertices.size() < 4) return std::nullopt;
  // by its size, so that qhull's thresholds mean the same for every mesh
  const double diagonal = diagonal_of(mesh);
  const Vec3d& origin = mesh.vertices.front();
  std::vector<double> places;
  places.reserve(3 * mesh.vertices.size());
  for (const Vec3d& vertex : mesh.vertices) {
    const Vec3d scaled = (vertex - origin) / diagonal;
    places.insert(places.end(), {scaled.x(), scaled.y(), scaled.z()});
  }
  const std::vector<TriangleMesh::Triangle> facets = hull_facets(places);
  if (facets.empty()) return std::nullopt;
  const Vec3d inside = middle_of(mesh);
  TriangleMesh hull;
  hull.vertices = mesh.vertices;
  for (TriangleMesh::Triangle triangle : facets) {
    const auto [a, b, c] = corners_of(mesh, triangle, inside);
    if (a.dot(b.cross(c)) < 0.0) std::swap(triangle[1], triangle[2]);
    hull.add(triangle);
  }
  return welded(hull, 0.0);  // without the vertices inside
}

}  // namespace counterpoise
