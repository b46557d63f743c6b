#include "cli/report/provenance_json.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "cases/provenance.hpp"

namespace counterpoise {
namespace {

/// The processor that this program runs on, as the system names it.
std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "not known";
}

}  // namespace

Json provenance_json(const ResultsFile& results, const std::string& command) {
  Json files = Json::array(), made = Json::array();
  for (const StudyEntry& entry : results.study()) {
    const std::size_t dot = entry.key.rfind('.');
    const std::string role = entry.key.substr(0, dot), part = entry.key.substr(dot + 1);
    if (dot != std::string::npos && part == "path") {
      const std::optional<std::string> text = results.value(role + ".text");
      files.push_back({{"role", role},
                       {"path", entry.value},
                       {"hash", results.value(role + ".hash").value_or("")},
                       {"bytes", text ? Json(text->size()) : Json()}});
    } else if (dot == std::string::npos) {
      made.push_back({{"key", entry.key}, {"value", entry.value}});
    }
  }
  const BuildInfo build = build_info();
  return {{"files", files},
          {"results", made},
          {"changed", changed_texts(results.study())},
          {"page",
           {{"program", "counterpoise " + std::string(build.version)},
            {"commit", build.commit},
            {"compiler", build.compiler},
            {"flags", build.flags},
            {"instruction_set", build.instruction_set},
            {"processor", processor()},
            {"command", command}}}};
}

std::string description_of(const ResultsFile& results) {
  const Json study = Json::parse(results.value("study.text").value_or(""), nullptr, false);
  if (!study.is_object()) return "";
  const auto found = study.find("description");
  return found != study.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace counterpoise
