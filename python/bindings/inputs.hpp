#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "input/definition/study.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise::python {

/// The texts that something was read from. A file is read from the disk once and is then as it was,
/// whatever becomes of it; others are given. May be used from several threads.
class Texts {
 public:
  /// Has this text stand for a file of this name.
  void put(const std::string& path, std::string text);
  /// The text of a file. Throws InputError.
  std::string get(const std::filesystem::path& path);
  std::map<std::string, std::string> all();
  /// These texts and others; of a file that both have, the other's.
  std::shared_ptr<Texts> joined(Texts& other);

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> texts_;
};

/// The texts as what reads models and studies takes them.
FileProvider files_of(const std::shared_ptr<Texts>& texts);

/// A model and where it is from.
struct ModelInput {
  std::string path;
  std::shared_ptr<Texts> texts;
  std::shared_ptr<const Model> model;
};

/// A study and where it is from.
struct StudyInput {
  std::string path;
  std::shared_ptr<Texts> texts;
  std::shared_ptr<const Study> study;
};

}  // namespace counterpoise::python
