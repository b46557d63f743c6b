#include "exchange/shapes/triangle_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <unordered_map>

namespace counterpoise {
namespace {

constexpr int facets_around = 32;

TriangleMesh box_surface(const BoxShape& box) {
  TriangleMesh mesh;
  for (int corner = 0; corner < 8; ++corner)
    mesh.vertices.push_back(0.5 * box.size.cwiseProduct(Vec3d((corner & 1) != 0 ? 1.0 : -1.0,
                                                              (corner & 2) != 0 ? 1.0 : -1.0,
                                                              (corner & 4) != 0 ? 1.0 : -1.0)));
  constexpr std::array<std::array<int, 4>, 6> sides = {
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (const auto& side : sides) {
    mesh.add({side[0], side[1], side[2]});
    mesh.add({side[0], side[2], side[3]});
  }
  return mesh;
}

/// Radius and height of a place on the outline of a round shape.
struct OutlinePlace {
  double radius, height;
};

/// The surface that an outline, which begins and ends on the axis, draws as it turns about z.
TriangleMesh turned_surface(const std::vector<OutlinePlace>& outline) {
  TriangleMesh mesh;
  std::vector<std::vector<int>> rings;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const auto& [radius, height] = outline[i];
    const bool pole = i == 0 || i + 1 == outline.size();
    const auto first = static_cast<int>(mesh.vertices.size());
    std::vector<int>& ring = rings.emplace_back(facets_around, first);
    for (int k = 0; k < (pole ? 1 : facets_around); ++k) {
      const double angle = 2.0 * std::numbers::pi * k / facets_around;
      mesh.vertices.emplace_back(pole ? 0.0 : radius * std::cos(angle),
                                 pole ? 0.0 : radius * std::sin(angle), height);
      if (!pole) ring[k] = first + k;
    }
  }
  for (std::size_t i = 0; i + 1 < rings.size(); ++i)
    for (std::size_t k = 0; k < facets_around; ++k) {
      const std::size_t next = (k + 1) % facets_around;
      const int a = rings[i][k], b = rings[i][next], c = rings[i + 1][next], d = rings[i + 1][k];
      if (a != b) mesh.add({a, b, c});
      if (c != d) mesh.add({a, c, d});
    }
  return mesh;
}

TriangleMesh cylinder_surface(const CylinderShape& cylinder) {
  const double half = cylinder.length / 2.0, radius = cylinder.radius;
  return turned_surface({{0.0, -half}, {radius, -half}, {radius, half}, {0.0, half}});
}

/// A sphere whose halves are apart.
TriangleMesh capsule_surface(const CapsuleShape& capsule) {
  constexpr int steps = facets_around / 4;  // from a pole to the middle
  std::vector<OutlinePlace> outline;
  for (int i = -steps; i <= steps; ++i) {
    const double angle = 0.5 * std::numbers::pi * i / steps;
    const double radius = capsule.radius * std::cos(angle);
    const double height = capsule.radius * std::sin(angle);
    if (i <= 0) outline.push_back({radius, height - capsule.length / 2.0});
    if (i > 0 || (i == 0 && capsule.length > 0.0))
      outline.push_back({radius, height + capsule.length / 2.0});
  }
  return turned_surface(outline);
}

/// Places vertices, and turns triangles round where the placing mirrors them.
void place_vertices(TriangleMesh& mesh, const Mat3d& axes, const Vec3d& origin) {
  for (Vec3d& vertex : mesh.vertices) vertex = origin + axes * vertex;
  if (axes.determinant() < 0.0)
    for (TriangleMesh::Triangle& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

struct SurfaceOf {
  const Location& where;

  TriangleMesh operator()(const BoxShape& box) const { return box_surface(box); }
  TriangleMesh operator()(const CylinderShape& cylinder) const {
    return cylinder_surface(cylinder);
  }
  TriangleMesh operator()(const CapsuleShape& capsule) const { return capsule_surface(capsule); }
  TriangleMesh operator()(const SphereShape& sphere) const {
    return capsule_surface({sphere.radius, 0.0});
  }
  TriangleMesh operator()(const MeshShape& shape) const {
    try {
      TriangleMesh mesh = read_mesh(shape.file, where);
      place_vertices(mesh, shape.scale.asDiagonal(), Vec3d::Zero());
      return mesh;
    } catch (const InputError& error) {
      throw InputError(error.where(), error.message() + "; --no-meshes leaves meshes out");
    }
  }
};

/// The vertex that stands for each: the first in a fixed order that lies where it lies.
std::vector<int> equal_vertices(const std::vector<Vec3d>& vertices) {
  std::vector<int> order(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto place = [&](int v) {
    const Vec3d& at = vertices[v];
    return std::array{at.x(), at.y(), at.z()};
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const auto at = place(a), other = place(b);
    return at != other ? at < other : a < b;
  });
  std::vector<int> stands_for(vertices.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && place(order[i]) == place(order[i - 1]);
    stands_for[order[i]] = same ? stands_for[order[i - 1]] : order[i];
  }
  return stands_for;
}

/// A cube of the grid that finds neighbours.
using GridCell = std::array<std::int64_t, 3>;
struct GridCellHash {
  std::size_t operator()(const GridCell& cell) const {
    std::uint64_t hash = 0;
    for (const std::int64_t index : cell)
      hash = (hash ^ static_cast<std::uint64_t>(index)) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 29U);
  }
};

/// The vertex that stands for each: the first that lies within a distance of it and stands for
/// itself.
std::vector<int> near_vertices(const std::vector<Vec3d>& vertices, double distance) {
  std::unordered_map<GridCell, std::vector<int>, GridCellHash> cells;
  std::vector<int> stands_for(vertices.size());
  const auto first_near = [&](const Vec3d& at, const GridCell& cell) {
    for (std::int64_t x = -1; x <= 1; ++x)
      for (std::int64_t y = -1; y <= 1; ++y)
        for (std::int64_t z = -1; z <= 1; ++z) {
          const auto found = cells.find({cell[0] + x, cell[1] + y, cell[2] + z});
          if (found == cells.end()) continue;
          for (const int other : found->second)
            if ((vertices[other] - at).norm() <= distance) return other;
        }
    return -1;
  };
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const Vec3d scaled = vertices[v] / distance;
    const GridCell cell = {static_cast<std::int64_t>(std::floor(scaled.x())),
                           static_cast<std::int64_t>(std::floor(scaled.y())),
                           static_cast<std::int64_t>(std::floor(scaled.z()))};
    stands_for[v] = first_near(vertices[v], cell);
    if (stands_for[v] >= 0) continue;
    stands_for[v] = static_cast<int>(v);
    cells[cell].push_back(static_cast<int>(v));
  }
  return stands_for;
}

/// The mesh in which one vertex stands for others.
TriangleMesh merged(const TriangleMesh& mesh, const std::vector<int>& stands_for) {
  TriangleMesh left;
  left.palette = mesh.palette;
  std::vector<int> index(mesh.vertices.size(), -1);
  const auto kept = [&](int vertex) {
    const int from = stands_for[vertex];
    if (index[from] < 0) {
      index[from] = static_cast<int>(left.vertices.size());
      left.vertices.push_back(mesh.vertices[from]);
    }
    return index[from];
  };
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    const auto stand = [&](int vertex) { return stands_for[vertex]; };
    if (stand(a) == stand(b) || stand(b) == stand(c) || stand(c) == stand(a)) continue;
    left.add({kept(a), kept(b), kept(c)}, mesh.colours[t]);
  }
  return left;
}

}  // namespace

TriangleMesh surface_of(const PlacedShape& shape) {
  TriangleMesh mesh = std::visit(SurfaceOf{shape.where}, shape.shape);
  place_vertices(mesh, shape.rotation, shape.origin);
  return mesh;
}

TriangleMesh welded(const TriangleMesh& mesh, double distance) {
  TriangleMesh once = merged(mesh, equal_vertices(mesh.vertices));
  return distance > 0.0 ? merged(once, near_vertices(once.vertices, distance)) : once;
}

double diagonal_of(const TriangleMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vec3d& vertex : mesh.vertices) box.extend(vertex);
  return box.isEmpty() ? 0.0 : box.diagonal().norm();
}

}  // namespace counterpoise
