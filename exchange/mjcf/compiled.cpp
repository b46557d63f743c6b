#include "exchange/mjcf/compiled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "exchange/xml_writing.hpp"

namespace counterpoise {
namespace {

/// The line that a message of MuJoCo names, or 0. Names of elements may stand before it.
int line_in(const std::string& words) {
  int line = 0;
  for (const std::string_view before : {"line ", "line = "})
    if (const std::size_t at = words.rfind(before); at != std::string::npos)
      line = std::max(line, std::atoi(words.c_str() + at + before.size()));
  return line;
}

/// What MuJoCo says without the place, which is that in the plain text.
std::string without_line(std::string words) {
  if (const std::size_t at = words.rfind(", line"); at != std::string::npos) words.erase(at);
  std::replace(words.begin(), words.end(), '\n', ' ');
  while (!words.empty() && words.back() == ' ') words.pop_back();
  return words;
}

/// The places of the elements that begin in the lines of xml_text().
void find_lines(const XmlElement& element, std::vector<Location>& lines) {
  lines.push_back(element.where);
  for (const XmlElement& child : element.children) find_lines(child, lines);
  if (!element.children.empty()) lines.push_back(element.where);
}

/// Collects MuJoCo's warnings, which would go to a file in the working folder otherwise.
std::vector<std::string>& warnings() {
  static std::vector<std::string> said;
  return said;
}

/// A file that is in memory only.
class FileInMemory {
 public:
  explicit FileInMemory(const std::string& text) : files_(std::make_unique<mjVFS>()) {
    mj_defaultVFS(files_.get());
    mj_makeEmptyFileVFS(files_.get(), name, static_cast<int>(text.size()));
    std::memcpy(files_->filedata[0], text.data(), text.size());
  }
  ~FileInMemory() { mj_deleteVFS(files_.get()); }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;

  static constexpr const char* name = "plain.xml";
  [[nodiscard]] const mjVFS* get() const { return files_.get(); }

 private:
  std::unique_ptr<mjVFS> files_;
};

}  // namespace

MjcfModel compiled_mjcf(const XmlElement& root) {
  const FileInMemory file(xml_text(root));
  warnings().clear();
  mju_user_warning = [](const char* words) { warnings().emplace_back(words); };
  std::array<char, 1000> error{};
  MjcfModel model(
      mj_loadXML(FileInMemory::name, file.get(), error.data(), static_cast<int>(error.size())),
      mj_deleteModel);
  if (model == nullptr) {
    std::vector<Location> lines = {root.where};  // the declaration
    find_lines(root, lines);
    const std::string words = error.data();
    const auto line = static_cast<std::size_t>(line_in(words));
    throw InputError(line > 0 && line <= lines.size() ? lines[line - 1] : root.where,
                     fmt::format("found what MuJoCo refuses: {}", without_line(words)));
  }
  for (const std::string& words : warnings())
    if (words.find("NaN") != std::string::npos)
      throw InputError(root.where, "found a NaN, expected numbers; MuJoCo would take it for 0");
  return model;
}

}  // namespace counterpoise
