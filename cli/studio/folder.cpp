#include "cli/studio/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "input/reading/read.hpp"
#include "input/text/input_error.hpp"
#include "input/text/json_document.hpp"
#include "results/text/cells.hpp"
#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 4;
constexpr std::size_t most_entries = 5000;
constexpr std::uintmax_t largest_file = 1 << 20;  // bytes

/// The kind of a JSON file by its "format", and the variants of a study; nothing for any other
/// file.
std::optional<StudioFolder::Kind> kind_of(const fs::path& path,
                                          std::vector<std::string>& variants) {
  if (path.extension() == ".db") return StudioFolder::Kind::results;
  std::error_code error;
  if (path.extension() != ".json" || fs::file_size(path, error) > largest_file || error)
    return std::nullopt;
  try {
    const Json json = Json::parse(read_text_file(path), nullptr, false);
    if (!json.is_object()) return std::nullopt;
    const std::string format = json.value("format", "");
    if (const auto ways = json.find("variants"); ways != json.end() && ways->is_object())
      for (const auto& way : ways->items()) variants.push_back(way.key());
    if (format.starts_with("counterpoise-study/")) return StudioFolder::Kind::study;
    if (format.starts_with("counterpoise-model/")) return StudioFolder::Kind::model;
    if (format.starts_with("counterpoise-motion/")) return StudioFolder::Kind::motion;
    if (format.starts_with("counterpoise-scenario/")) return StudioFolder::Kind::scenario;
  } catch (const std::exception&) {
    // a file that cannot be read is none that can be opened
  }
  return std::nullopt;
}

/// Whether a path is a folder's, or leads into it.
bool is_within(const fs::path& path, const fs::path& folder) {
  const auto end = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first;
  return end == folder.end();
}

/// Whether a part of a path that is canonical as far as it exists is a link to nothing, which a
/// file written there would be written through.
bool has_dangling_link(fs::path path) {
  std::error_code error;
  for (; path.has_relative_path(); path = path.parent_path())
    if (fs::is_symlink(path, error)) return true;
  return false;
}

}  // namespace

std::string_view name_of(StudioFolder::Kind kind) {
  constexpr std::array<std::string_view, 5> names = {"study", "model", "motion", "scenario",
                                                     "results"};
  return names[static_cast<std::size_t>(kind)];
}

StudioFolder::StudioFolder(fs::path root)
    : root_(std::move(root)), real_(fs::weakly_canonical(root_.empty() ? "." : root_)) {
  if (!fs::is_directory(real_)) throw InputError({.file = root_.string()}, "is no folder");
}

fs::path StudioFolder::inside(const std::string& name) const {
  const fs::path relative(name);
  const auto refusal = [&](const std::string& words) {
    return InputError({.file = printable(name)}, words);
  };
  if (name.empty() || relative.is_absolute() || name.find('\0') != std::string::npos)
    throw refusal("expected the name of a file in the studio's folder");
  // with and without a variant, as either may be the name of a link
  for (const fs::path& one : {real_ / relative, StudyPath(real_ / relative).file}) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(one, error);
    if (error || !is_within(real, real_) || has_dangling_link(real))
      throw refusal("leads out of the studio's folder");
  }
  return (root_ / relative).lexically_normal();
}

std::vector<StudioFolder::File> StudioFolder::files() const {
  std::vector<File> found;
  std::size_t looked_at = 0;
  std::error_code error;
  fs::recursive_directory_iterator at(real_, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator() && looked_at < most_entries;
       at.increment(error)) {
    ++looked_at;
    const bool hidden = at->path().filename().string().starts_with('.');
    if (at->is_directory(error) && (hidden || at.depth() + 1 >= deepest))
      at.disable_recursion_pending();
    if (hidden || at->is_symlink(error) || !at->is_regular_file(error)) continue;
    std::vector<std::string> variants;
    const auto kind = kind_of(at->path(), variants);
    if (!kind) continue;
    if (*kind != Kind::study || variants.empty()) variants = {""};
    const std::string name = at->path().lexically_relative(real_).generic_string();
    for (const std::string& variant : variants) found.push_back({name, *kind, variant});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const File& a, const File& b) { return a.name < b.name; });
  return found;
}

std::string StudioFolder::first() const {
  const std::vector<File> all = files();
  for (const Kind kind : {Kind::study, Kind::model}) {
    const File* found = nullptr;
    for (const File& file : all)
      if (file.kind == kind &&
          (found == nullptr || (file.name == "study.json" && found->name != "study.json")))
        found = &file;
    if (found != nullptr) return found->opened_as();
  }
  throw InputError(
      {.file = root_.string()},
      "found no study and no model in this folder; `counterpoise new arm FOLDER` makes "
      "a project to begin with");
}

}  // namespace counterpoise
