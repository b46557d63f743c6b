#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cli/studio/gate.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// A question that the page may ask. Both functions take its JSON; an InputError or StoreError that
/// they throw becomes the answer {"error": words}.
struct StudioQuestion {
  std::function<Json(const Json& request)> answer;
  /// Whether it is time to answer, asked some times a second; empty: at once. After 20 seconds it
  /// is answered in any case.
  std::function<bool(const Json& request)> ready;
};

/// Serves one page and answers its questions on the loopback interface, IPv4 and where there is one
/// IPv6, at a port that the system chooses. Only requests that its gate lets in are answered; one
/// at a time.
class StudioServer {
 public:
  /// Pages besides the first, by name; nothing where there is none of that name.
  using Pages = std::function<std::optional<std::string>(const std::string& name)>;

  /// Throws std::runtime_error where no port can be listened at. `questions` are by the name behind
  /// "/api/".
  StudioServer(std::string page, std::map<std::string, StudioQuestion> questions, Pages pages);
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
