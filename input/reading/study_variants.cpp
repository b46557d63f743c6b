
#include <algorithm>

#include "input/reading/read.hpp"
#include "input/reading/study_reading.hpp"

namespace counterpoise {
namespace {

bool lists_objects(const JsonValue& value) {
  return value.kind == JsonValue::Kind::array &&
         std::all_of(value.items.begin(), value.items.end(),
                     [](const JsonValue& item) { return item.kind == JsonValue::Kind::object; });
}

/// The element among the first `count` of a list that has the name of another one, or nullptr.
JsonValue* same_element(JsonValue& list, std::size_t count, const JsonValue& other) {
  const JsonValue* name = other.find("name");
  if (name == nullptr || name->kind != JsonValue::Kind::string) return nullptr;
  for (std::size_t i = 0; i < count; ++i)
    if (const JsonValue* own = list.items[i].find("name");
        own != nullptr && own->text == name->text)
      return &list.items[i];
  return nullptr;
}

JsonValue* member(JsonValue& object, std::string_view key) {
  for (JsonValue& item : object.items)
    if (item.key == key) return &item;
  return nullptr;
}

/// Changes `into` as JSON merge patches do (RFC 7396), but nothing is removed, and of two lists of
/// objects the elements of one name are changed and others are added.
void merge(const JsonValue& change, JsonValue& into) {
  if (change.kind == JsonValue::Kind::object && into.kind == JsonValue::Kind::object) {
    for (const JsonValue& item : change.items)
      if (JsonValue* own = member(into, item.key))
        merge(item, *own);
      else
        into.items.push_back(item);
  } else if (lists_objects(change) && lists_objects(into)) {
    const std::size_t before = into.items.size();  // a name that a change has twice is a mistake
    for (const JsonValue& item : change.items)
      if (JsonValue* own = same_element(into, before, item))
        merge(item, *own);
      else
        into.items.push_back(item);
  } else {
    into = change;
  }
}

void remove(JsonValue& object, std::string_view key) {
  std::erase_if(object.items, [&](const JsonValue& item) { return item.key == key; });
}

/// A member that no file has, at the place of the variant's name.
JsonValue text_member(const JsonValue& variant, std::string_view key, const std::string& text) {
  JsonValue value;
  value.kind = JsonValue::Kind::string;
  value.text = text;
  value.key = key;
  value.line = value.key_line = variant.key_line;
  value.column = value.key_column = variant.key_column;
  value.pointer = variant.pointer;
  value.file = variant.file;
  return value;
}

}  // namespace

StudyPath::StudyPath(const std::filesystem::path& named) : file(named) {
  const std::string text = named.string();
  const std::size_t mark = text.rfind('#');
  if (mark == std::string::npos || !is_name(std::string_view(text).substr(mark + 1))) return;
  file = text.substr(0, mark);
  variant = text.substr(mark + 1);
}

std::vector<std::string> variants_in(const JsonValue& study) {
  const JsonValue* variants = study.find("variants");
  if (variants == nullptr) return {};
  std::vector<std::string> names;
  read_each(object_of(*variants, "variants by name"), [&](const JsonValue& variant) {
    name_of(text_member(variant, variant.key, variant.key));
    const ObjectReader object(variant, "a variant",
                              {"description", "model", "variables", "sampling", "search",
                               "constraints", "drives", "baseline", "store", "tolerances", "keep"});
    if (const JsonValue* model = object.find("model");
        model != nullptr && model->kind != JsonValue::Kind::object)
      string_of(*model, "the file of a model, or an object of what is added to it");
    names.push_back(variant.key);
  });
  if (names.empty()) refuse(*variants, "at least one variant");
  return names;
}

JsonValue with_variant(const JsonValue& study, const std::string& name,
                       const std::string& study_name) {
  const JsonValue& variant = *study.find("variants")->find(name);
  JsonValue changed = study;
  remove(changed, "variants");
  remove(changed, "name");
  changed.items.push_back(text_member(variant, "name", study_name + "_" + name));
  // a study has one of the two
  if (variant.find("sampling") != nullptr) remove(changed, "search");
  if (variant.find("search") != nullptr) remove(changed, "sampling");
  JsonValue changes = variant;
  const JsonValue* model = changes.find("model");
  if (model != nullptr && model->kind == JsonValue::Kind::object) remove(changes, "model");
  merge(changes, changed);
  return changed;
}

JsonValue merged(JsonValue document, const JsonValue& change) {
  object_of(document, "a model");
  merge(change, document);
  return document;
}

}  // namespace counterpoise
