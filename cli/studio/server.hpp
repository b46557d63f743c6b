#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "cli/studio/gate.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// Serves one page and answers its questions on the loopback interface, IPv4 and where there is one
/// IPv6, at a port that the system chooses. Only requests that its gate lets in are answered; one
/// at a time.
class StudioServer {
 public:
  /// Takes and returns JSON. An InputError that it throws becomes the answer {"error": words}.
  using Answer = std::function<Json(const Json& request)>;

  /// Throws std::runtime_error where no port can be listened at. `answers` is by the name behind
  /// "/api/".
  StudioServer(std::string page, std::map<std::string, Answer> answers);
  StudioServer(const StudioServer&) = delete;
  StudioServer& operator=(const StudioServer&) = delete;
  ~StudioServer();

  /// The page's address, with the token.
  [[nodiscard]] std::string address() const;
  /// Serves until `stopped` returns true, which is asked some times a second. What is being
  /// answered is finished.
  void serve(const std::function<bool()>& stopped);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace counterpoise
