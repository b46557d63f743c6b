#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cases/run_options.hpp"
#include "input/text/json_document.hpp"
#include "optimizer/interruption.hpp"

namespace counterpoise {

/// Replaces the terminal, the signals and the disk when another program runs a command inside its
/// own process, as the Python package does.
struct Host {
  FileProvider files;                             // gives every model, motion, scenario and study
  Interruption interrupted;                       // asked from any thread
  std::function<void(const Progress&)> progress;  // called from one thread at a time

  std::string text;                   // what the command printed for people
  std::string data;                   // CSV or JSON that it printed
  std::vector<std::string> messages;  // lines that would go to standard error
};

/// The host of the command that this thread runs; null in the program itself.
Host* host();

/// Makes `host` the host of this thread for as long as this object lives.
class Hosted {
 public:
  explicit Hosted(Host* host);
  Hosted(const Hosted&) = delete;
  Hosted& operator=(const Hosted&) = delete;
  ~Hosted();

 private:
  Host* before_;
};

/// Where commands read their inputs: the host's files, or the disk.
FileProvider input_files();

/// Says whether a command is to stop: what the host says, or SIGINT and SIGTERM, which are noted
/// from the first call on instead of ending the program.
Interruption asked_to_stop();

/// The same for commands that keep nothing when they are stopped. Only a host is asked, because the
/// program itself just ends at the signal.
Interruption asked_by_host();

}  // namespace counterpoise
