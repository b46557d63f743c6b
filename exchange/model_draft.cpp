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

ImportedModel ModelDraft::finish(const std::string& name, const std::string& description,
                                 const ImportOptions& options) {
  ImportedModel model;
  Json root;
  root["format"] = "counterpoise-model/1";
  root["name"] = name;
  root["description"] = description;
  model.remarks = std::move(remarks_);
  std::stable_sort(model.remarks.begin(), model.remarks.end(),
                   [](const auto& a, const auto& b) { return a.where.line < b.where.line; });
  if (!model.remarks.empty()) {
    Json& notes = root["notes"] = Json::array();
    for (const Remark& remark : model.remarks) notes.push_back(located(remark.where, remark.text));
  }
  if (gravity_ != Vec3d(0.0, 0.0, -9.81)) root["gravity"] = vector_json(gravity_);
  if (lists_.contains("world_points")) {
    Json& points = root["world"]["points"] = Json::object();
    for (Json& point : lists_["world_points"]) points.update(point);
  }
  model.bodies = static_cast<int>(lists_["bodies"].size());
  model.couplings = static_cast<int>(lists_["couplings"].size());
  model.actuators = static_cast<int>(lists_["actuators"].size());
  for (const char* list : {"bodies", "loops", "couplings", "springs", "actuators"})
    if (lists_.contains(list) && !lists_[list].is_null()) root[list] = std::move(lists_[list]);
  model.text = json_file_text(root);
  try {
    examine_model(read_model(options.output, [&](const auto&) { return model.text; }));
  } catch (const InputError& error) {
    throw InputError(origin_of(error.where().pointer), error.message());
  }
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
