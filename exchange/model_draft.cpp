#include "exchange/model_draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "input/reading/read.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

std::string ValidNames::valid(const std::string& name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::string made = name;
  std::replace_if(
      made.begin(), made.end(), [&](char c) { return !allowed(c); }, '_');
  if (made.empty() || (made.front() >= '0' && made.front() <= '9')) made.insert(0, "_");
  std::string free = made;
  for (int again = 2; !taken_.insert(free).second; ++again)
    free = fmt::format("{}_{}", made, again);
  return free;
}

void ModelDraft::add(const std::string& list, Json element, const Location& where) {
  Json& elements = lists_[list];
  if (elements.is_null()) elements = Json::array();
  elements.push_back(std::move(element));
  origins_[list].push_back(where);
}

ModelDraft::Json ModelDraft::json(const std::string& name, const std::string& description) const {
  Json root;
  root["format"] = "counterpoise-model/1";
  root["name"] = name;
  root["description"] = description;
  if (!remarks_.empty()) {
    Json& notes = root["notes"] = Json::array();
    for (const Remark& remark : remarks_) notes.push_back(located(remark.where, remark.text));
  }
  if (gravity_ != Vec3d(0.0, 0.0, -9.81)) root["gravity"] = vector_json(gravity_);
  if (const auto points = lists_.find("world_points"); points != lists_.end()) {
    Json& made = root["world"]["points"] = Json::object();
    for (const Json& point : points->second) made.update(point);
  }
  for (const char* list : {"bodies", "loops", "couplings", "springs", "actuators"})
    if (const auto elements = lists_.find(list); elements != lists_.end())
      root[list] = elements->second;
  return root;
}

Model ModelDraft::read_text(const std::string& text, const ImportOptions& options) const {
  try {
    return read_model(options.output, [&](const auto&) { return text; });
  } catch (const InputError& error) {
    throw InputError(origin_of(error.where().pointer), error.message());
  }
}

Model ModelDraft::read(const std::string& name, const ImportOptions& options) const {
  return read_text(json_file_text(json(name, "")), options);
}

ImportedModel ModelDraft::finish(const std::string& name, const std::string& description,
                                 const ImportOptions& options) {
  std::stable_sort(remarks_.begin(), remarks_.end(),
                   [](const auto& a, const auto& b) { return a.where.line < b.where.line; });
  ImportedModel model;
  model.text = json_file_text(json(name, description));
  const auto count = [&](const char* list) {
    const auto elements = lists_.find(list);
    return elements == lists_.end() ? 0 : static_cast<int>(elements->second.size());
  };
  model.bodies = count("bodies");
  model.loops = count("loops");
  model.couplings = count("couplings");
  model.springs = count("springs");
  model.actuators = count("actuators");
  try {
    examine_model(read_text(model.text, options));
  } catch (const InputError& error) {
    throw InputError(origin_of(error.where().pointer), error.message());
  }
  model.remarks = std::move(remarks_);
  return model;
}

Location ModelDraft::origin_of(std::string_view pointer) const {
  const std::size_t list_end = std::min(pointer.find('/', 1), pointer.size());
  if (list_end <= 1) return whole_;
  const auto list = origins_.find(pointer.substr(1, list_end - 1));
  if (list == origins_.end() || list_end == pointer.size()) return whole_;
  std::size_t index = 0;
  std::from_chars(pointer.data() + list_end + 1, pointer.data() + pointer.size(), index);
  return index < list->second.size() ? list->second[index] : whole_;
}

ModelDraft::Json vector_json(const Vec3d& v) {
  return {v.x(), v.y(), v.z()};
}

ModelDraft::Json inertia_json(const Mat3d& i) {
  return {i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2)};
}

void note_name(ModelDraft::Json& element, std::string_view kind, const std::string& old,
               const std::string& name) {
  if (old != name) element["note"] = fmt::format("the {} {}", kind, in_quotes(old));
}

}  // namespace counterpoise
