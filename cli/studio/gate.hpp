#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace counterpoise {

/// What a server on the loopback interface has to know of a request before it reads its body.
struct RequestHead {
  std::string_view method, path;
  std::string_view host;          // header Host
  std::string_view origin;        // header Origin; empty if there is none
  std::string_view site;          // header Sec-Fetch-Site; empty if there is none
  std::string_view token;         // header X-Counterpoise-Token, or of the page's address
  std::string_view content_type;  // of its body
};

/// Lets only the studio's own page in. A page of any other place can send requests to this
/// machine: they name another Origin, or, where a name was bound anew to this machine, another
/// Host; neither they nor other users of the machine know the token.
class Gate {
 public:
  /// With a random token of 128 bits.
  explicit Gate(int port);

  [[nodiscard]] const std::string& token() const { return token_; }
  /// The HTTP status and the reason why a request is refused; nothing if it is let in.
  struct Refusal {
    int status = 403;
    std::string reason;
  };
  [[nodiscard]] std::optional<Refusal> refusal(const RequestHead& head) const;

 private:
  [[nodiscard]] bool own_host(std::string_view host) const;

  std::string port_, token_;
};

}  // namespace counterpoise
