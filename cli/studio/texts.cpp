#include "cli/studio/texts.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "cases/provenance.hpp"
#include "cli/studio/request.hpp"
#include "results/sqlite/output_file.hpp"
#include "results/text/printable.hpp"
#include "schemas/schemas.hpp"

namespace counterpoise {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_text = 1 << 19;  // bytes

}  // namespace

fs::path StudioTexts::path_of(const Json& request) const {
  const fs::path path = folder_->inside(text_under(request, "file"));
  if (path.extension() != ".json")
    throw InputError({.file = path.string()}, "expected a JSON file: the studio edits no other");
  return path;
}

Json StudioTexts::read(const Json& request) const {
  const fs::path path = path_of(request);
  const std::string text = read_text_file(path);
  if (text.size() > longest_text)
    throw InputError({.file = path.string()},
                     fmt::format("has {} bytes, more than the {} that the studio edits",
                                 text.size(), longest_text));
  return {{"text", text}, {"hash", hash_of(text)}, {"path", path.string()}};
}

Json StudioTexts::save(const Json& request) const {
  const fs::path path = path_of(request);
  const std::string text = text_under(request, "text");
  if (hash_of(read_text_file(path)) != text_under(request, "hash")) return {{"changed", true}};
  write_file(path, text);
  return {{"hash", hash_of(text)}};
}

FileProvider StudioTexts::over(const Json& request) const {
  const auto given = request.find("texts");
  if (given == request.end() || given->empty()) return FileProvider(read_text_file);
  if (!given->is_object()) throw wrong_request("expected an object of texts under \"texts\"");
  std::map<fs::path, std::string> texts;
  for (const auto& one : given->items()) {
    if (!one.value().is_string()) throw wrong_request("expected texts under \"texts\"");
    texts[fs::weakly_canonical(folder_->inside(one.key()))] = one.value().get<std::string>();
  }
  return [texts = std::move(texts)](const fs::path& path) {
    std::error_code error;
    const auto found = texts.find(fs::weakly_canonical(path, error));
    return found == texts.end() ? read_text_file(path) : found->second;
  };
}

Json StudioTexts::schemas() {
  Json all = Json::object();
  for (const char* kind : {"model", "motion", "study", "scenario"})
    all[kind] = Json::parse(schema_text(kind));
  return all;
}

}  // namespace counterpoise
