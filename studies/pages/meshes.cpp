#include "studies/pages/meshes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <system_error>

namespace counterpoise {
namespace {

/// A fault of a mesh, told at the visual that names the file.
[[noreturn]] void refuse_mesh(const Visual& visual, const std::string& why) {
  throw InputError(visual.where,
                   fmt::format("the mesh {} {}", in_quotes(visual.file.string()), why));
}

/// Collects triangles whose equal corners become one vertex, placed on the body.
class MeshBuilder {
 public:
  explicit MeshBuilder(const Visual& visual) : visual_(visual) { mesh_.body = visual.body; }

  void add(const std::array<Vec3d, 3>& corners) {
    for (const Vec3d& corner : corners) mesh_.triangles.push_back(vertex(corner));
  }
  BodyMesh finish() {
    if (mesh_.triangles.empty()) refuse_mesh(visual_, "has no triangle");
    return std::move(mesh_);
  }

 private:
  int vertex(const Vec3d& corner) {
    if (!corner.allFinite()) refuse_mesh(visual_, "has a coordinate that is not a finite number");
    const auto next = static_cast<int>(mesh_.vertices.size() / 3);
    const auto [found, added] = known_.try_emplace({corner.x(), corner.y(), corner.z()}, next);
    if (added) {
      const Vec3d place = visual_.origin + visual_.rotation * (visual_.scale * corner);
      mesh_.vertices.insert(mesh_.vertices.end(), {place.x(), place.y(), place.z()});
    }
    return found->second;
  }

  const Visual& visual_;
  BodyMesh mesh_;
  std::map<std::array<double, 3>, int> known_;
};

/// The words of a text, one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  /// The next word, or an empty one at the end.
  std::string_view next() {
    constexpr std::string_view blanks = " \t\r\n";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
    const std::string_view word = rest_.substr(0, rest_.find_first_of(blanks));
    rest_.remove_prefix(word.size());
    return word;
  }

 private:
  std::string_view rest_;
};

std::optional<double> number_in(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  double number = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

Vec3d next_corner(Words& words, const Visual& visual) {
  Vec3d corner;
  for (double& number : corner) {
    const std::string_view word = words.next();
    const auto read = number_in(word);
    if (!read)
      refuse_mesh(visual, fmt::format("is broken: found {}, expected a coordinate",
                                      word.empty() ? "its end" : in_quotes(word)));
    number = *read;
  }
  return corner;
}

constexpr std::size_t stl_head = 84, stl_triangle = 50;  // bytes

/// How many triangles a binary STL says it has; nothing if its size is another's.
std::optional<std::size_t> binary_triangles(std::string_view text) {
  if (text.size() < stl_head) return std::nullopt;
  std::uint32_t count = 0;
  std::memcpy(&count, text.data() + stl_head - sizeof(count), sizeof(count));
  if (stl_head + stl_triangle * count != text.size()) return std::nullopt;
  return count;
}

void read_binary_stl(std::string_view text, std::size_t count, MeshBuilder& mesh) {
  for (std::size_t t = 0; t < count; ++t) {
    std::array<float, 12> numbers{};  // the normal, then three corners
    std::memcpy(numbers.data(), text.data() + stl_head + t * stl_triangle, sizeof(numbers));
    const auto corner = [&](std::size_t i) {
      return Vec3d(numbers[i], numbers[i + 1], numbers[i + 2]);
    };
    mesh.add({corner(3), corner(6), corner(9)});
  }
}

void read_ascii_stl(std::string_view text, const Visual& visual, MeshBuilder& mesh) {
  Words words(text);
  std::array<Vec3d, 3> corners;
  std::size_t known = 0;
  std::string_view word = words.next();
  if (word != "solid")
    refuse_mesh(visual,
                "is no STL file: its size is not that of its triangles, and it does not begin with "
                "\"solid\"");
  for (; !word.empty(); word = words.next()) {
    if (word == "vertex" && known < 3) corners[known++] = next_corner(words, visual);
    if (word != "endfacet") continue;
    if (known != 3) refuse_mesh(visual, fmt::format("is broken: a facet has {} corners", known));
    mesh.add(corners);
    known = 0;
  }
}

void read_obj(std::string_view text, const Visual& visual, MeshBuilder& mesh) {
  std::vector<Vec3d> vertices;
  int line_number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++line_number;
    Words words(line);
    const std::string_view kind = words.next();
    if (kind == "v") vertices.push_back(next_corner(words, visual));
    if (kind != "f") continue;
    std::vector<Vec3d> face;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      const auto index = number_in(word.substr(0, word.find('/')));
      const double count = static_cast<double>(vertices.size());
      // from 1, or backwards from the last
      const double at = index ? (*index < 0.0 ? count + *index : *index - 1.0) : -1.0;
      if (!(at >= 0.0 && at < count && at == std::floor(at)))
        refuse_mesh(visual, fmt::format("is broken: line {}: found {}, expected one of {} vertices",
                                        line_number, in_quotes(word), vertices.size()));
      face.push_back(vertices[static_cast<std::size_t>(at)]);
    }
    for (std::size_t i = 2; i < face.size(); ++i) mesh.add({face[0], face[i - 1], face[i]});
  }
}

std::string text_of(const Visual& visual) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(visual.file, error);
  if (error) refuse_mesh(visual, "cannot be read: " + error.message());
  if (size > largest_mesh)
    refuse_mesh(visual,
                fmt::format("has {:.0f} MB, expected at most {} MB; a coarser mesh shows as much",
                            static_cast<double>(size) * 1e-6, largest_mesh >> 20));
  return read_text_file(visual.file);
}

BodyMesh read_mesh(const Visual& visual) {
  std::string ending = visual.file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".stl" && ending != ".obj") refuse_mesh(visual, "ends neither in .stl nor in .obj");
  const std::string text = text_of(visual);
  MeshBuilder mesh(visual);
  if (ending == ".obj")
    read_obj(text, visual, mesh);
  else if (const auto count = binary_triangles(text))
    read_binary_stl(text, *count, mesh);
  else
    read_ascii_stl(text, visual, mesh);
  return mesh.finish();
}

}  // namespace

std::vector<BodyMesh> read_meshes(const std::vector<Visual>& visuals) {
  std::vector<BodyMesh> meshes;
  read_each(visuals, [&](const Visual& visual) { meshes.push_back(read_mesh(visual)); });
  return meshes;
}

}  // namespace counterpoise
