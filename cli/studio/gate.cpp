#include "cli/studio/gate.hpp"

#include <fmt/format.h>

#include <random>

namespace counterpoise {
namespace {

std::string random_token() {
  std::random_device random;  // the system's generator
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", random());
  return token;
}

/// Compares in a time that does not tell how much is right.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char different = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    different |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return different == 0;
}

}  // namespace

Gate::Gate(int port) : port_(std::to_string(port)), token_(random_token()) {}

bool Gate::own_host(std::string_view host) const {
  for (const std::string_view name : {"127.0.0.1", "localhost", "[::1]"})
    if (host.size() == name.size() + 1 + port_.size() && host.starts_with(name) &&
        host[name.size()] == ':' && host.ends_with(port_))
      return true;
  return false;
}

std::optional<Gate::Refusal> Gate::refusal(const RequestHead& head) const {
  if (!own_host(head.host)) return Refusal{403, "the host of the request is not this server's"};
  constexpr std::string_view scheme = "http://";
  if (!head.origin.empty() &&
      !(head.origin.starts_with(scheme) && head.origin.substr(scheme.size()) == head.host))
    return Refusal{403, "the request comes from another page"};
  if (!head.site.empty() && head.site != "same-origin" && head.site != "none")
    return Refusal{403, "the request comes from another page"};
  if (!same(head.token, token_)) return Refusal{403, "the request lacks the studio's token"};
  if (head.method == "GET" && (head.path == "/" || head.path.starts_with("/pages/")))
    return std::nullopt;
  if (head.method != "POST" || !head.path.starts_with("/api/"))
    return Refusal{404, "there is nothing at this address"};
  if (head.content_type != "application/json") return Refusal{415, "expected JSON"};
  return std::nullopt;
}

}  // namespace counterpoise
