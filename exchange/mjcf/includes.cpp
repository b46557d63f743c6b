#include "exchange/mjcf/includes.hpp"

#include <fmt/format.h>

#include <iterator>
#include <set>

namespace counterpoise {
namespace {

class Includes {
 public:
  Includes(const std::filesystem::path& path, const FileProvider& files,
           std::vector<std::filesystem::path>& read)
      : folder_(path.parent_path()),
        files_(files),
        read_(read),
        included_{path.lexically_normal()} {}

  void expand(XmlElement& element, const std::filesystem::path& folder) {
    std::vector<XmlElement> children;
    for (XmlElement& child : element.children) {
      if (child.name != "include") {
        expand(child, folder);
        children.push_back(std::move(child));
        continue;
      }
      std::vector<XmlElement> inside = contents(child, folder);
      std::move(inside.begin(), inside.end(), std::back_inserter(children));
      if (children.size() > most_elements)
        throw InputError(child.where, "found included files with too many elements");
    }
    element.children = std::move(children);
  }

 private:
  static constexpr std::size_t most_elements = 1'000'000;

  std::vector<XmlElement> contents(const XmlElement& include, const std::filesystem::path& folder) {
    const std::string* file = include.attribute("file");
    if (file == nullptr || file->empty())
      throw InputError(include.where, "found <include> without file, expected a file's name");
    // as MuJoCo: from the first file's folder, or else from the folder of the file that includes
    std::filesystem::path path = folder_ / *file;
    std::error_code error;
    if (!std::filesystem::exists(path, error) && std::filesystem::exists(folder / *file, error))
      path = folder / *file;
    if (!included_.insert(path.lexically_normal()).second)
      throw InputError(include.where,
                       fmt::format("found the file {} included a second time, expected each once",
                                   path_in_quotes(path)));
    std::string text;
    try {
      text = files_(path);
    } catch (const InputError& missing) {
      throw InputError(include.where, fmt::format("found no file to include: {}", missing.what()));
    }
    read_.push_back(path);
    XmlElement root = parse_xml(text, path.string());
    expand(root, path.parent_path());
    return std::move(root.children);
  }

  std::filesystem::path folder_;
  const FileProvider& files_;
  std::vector<std::filesystem::path>& read_;
  std::set<std::filesystem::path> included_;
};

}  // namespace

XmlElement with_mjcf_includes(XmlElement root, const std::filesystem::path& path,
                              const FileProvider& files, std::vector<std::filesystem::path>& read) {
  Includes(path, files, read).expand(root, path.parent_path());
  return root;
}

}  // namespace counterpoise
