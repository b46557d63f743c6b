#include "cli/studio/server.hpp"

#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "input/text/input_error.hpp"
#include "results/rows/rows.hpp"

namespace counterpoise {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Failed = boost::system::error_code;

constexpr std::chrono::seconds patience(5);  // for a request that has begun, and for its answer
constexpr std::chrono::seconds between(60);  // requests of one connection
constexpr std::chrono::seconds longest_wait(20);  // of a question that is answered later
constexpr std::size_t most_connections = 256;     // more are closed at once
constexpr std::size_t longest_head = 8 << 10, longest_body = 1 << 20;  // bytes
constexpr std::size_t deepest_json = 16;
constexpr const char* html = "text/html; charset=utf-8";

/// Whether brackets are nested no deeper than any request needs, so that no reader recurses into
/// them.
bool shallow(const std::string& text) {
  std::size_t depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (depth > deepest_json) return false;
  }
  return true;
}

std::string_view view_of(beast::string_view text) {
  return {text.data(), text.size()};
}

struct Reply {
  http::status status = http::status::ok;
  std::string type = "application/json", policy = {}, body = {};
};

Reply json_reply(http::status status, const Json& json) {
  return {.status = status, .body = json_text(json)};
}

}  // namespace

struct StudioServer::Impl {
  std::string page;
  std::map<std::string, StudioQuestion> questions;
  Pages pages;
  std::size_t connections = 0;  // outlives them, which the context below holds
  asio::io_context context{1};
  std::vector<tcp::acceptor> acceptors;
  unsigned short port = 0;
  std::unique_ptr<Gate> gate;
  asio::steady_timer clock{context};

  class Connection;
  void listen(const tcp::endpoint& at);
  void accept(tcp::acceptor& acceptor);
  void watch(const std::function<bool()>& stopped);
  [[nodiscard]] std::optional<Reply> answer(const std::string& name, const std::string& body,
                                            bool now);

  /// A question that is answered when there is something to say.
  struct Waiting;
  std::vector<Waiting> waiting;
};

/// One connection, which lives as long as something is awaited of it.
class StudioServer::Impl::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Impl& server, tcp::socket socket) : server_(&server), stream_(std::move(socket)) {
    ++server_->connections;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { --server_->connections; }

  void read() {
    parser_.emplace();
    took_.reset();
    parser_->header_limit(longest_head);
    parser_->body_limit(longest_body);
    stream_.expires_after(waiting_ ? between : patience);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](Failed failed, std::size_t) {
                              if (!failed) self->look_at_head();
                            });
  }

 private:
  void look_at_head() {
    const auto& head = parser_->get();
    const std::string_view target = view_of(head.target());
    const std::size_t query = std::min(target.find('?'), target.size());
    path_ = target.substr(0, query);
    constexpr std::string_view key = "?token=";
    const std::string_view behind = target.substr(query);
    const bool get = head.method() == http::verb::get;
    const auto refusal =
        server_->gate->refusal({.method = view_of(head.method_string()),
                                .path = path_,
                                .host = view_of(head[http::field::host]),
                                .origin = view_of(head[http::field::origin]),
                                .site = view_of(head["Sec-Fetch-Site"]),
                                .token = !get ? view_of(head["X-Counterpoise-Token"])
                                         : behind.starts_with(key) ? behind.substr(key.size())
                                                                   : std::string_view(),
                                .content_type = view_of(head[http::field::content_type])});
    if (refusal) {
      keep_ = false;  // what else it sends is not read
      return write(json_reply(http::int_to_status(static_cast<unsigned>(refusal->status)),
                              {{"error", refusal->reason}}));
    }
    keep_ = head.keep_alive();
    if (get) return write(page());
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](Failed failed, std::size_t) {
                       if (!failed) self->answer();
                     });
  }

  Reply page() const {
    constexpr std::string_view root = "/pages/";
    if (!path_.starts_with(root)) return {.type = html, .body = server_->page};
    if (auto other = server_->pages(path_.substr(root.size())))
      return {.type = html,
              .policy = "sandbox allow-scripts allow-downloads",
              .body = std::move(*other)};
    return json_reply(http::status::not_found, {{"error", "there is no such page"}});
  }

  void answer() {
    if (!answered(false)) wait();
  }
  void wait();

 public:
  /// Answers the question that was read, if it is time or it has to be `now`.
  bool answered(bool now) {
    constexpr std::string_view root = "/api/";
    const auto begun = std::chrono::steady_clock::now();
    auto reply = server_->answer(path_.substr(root.size()), parser_->get().body(), now);
    took_ = std::chrono::steady_clock::now() - begun;
    if (reply) write(std::move(*reply));
    return reply.has_value();
  }

 private:
  void write(Reply reply) {
    reply_.emplace(reply.status, parser_->get().version());
    reply_->set(http::field::content_type, reply.type);
    reply_->set(http::field::cache_control, "no-store");
    reply_->set("Cross-Origin-Resource-Policy", "same-origin");
    reply_->set("Cross-Origin-Opener-Policy", "same-origin");
    reply_->set("Referrer-Policy", "no-referrer");
    reply_->set("X-Content-Type-Options", "nosniff");
    reply_->set("X-Frame-Options", "DENY");
    if (took_) reply_->set("Server-Timing", fmt::format("answer;dur={:.3f}", took_->count()));
    if (!reply.policy.empty()) reply_->set("Content-Security-Policy", reply.policy);
    reply_->keep_alive(keep_);
    reply_->body() = std::move(reply.body);
    reply_->prepare_payload();
    stream_.expires_after(patience);
    http::async_write(stream_, *reply_, [self = shared_from_this()](Failed failed, std::size_t) {
      self->waiting_ = true;
      if (!failed && self->keep_) return self->read();
      Failed ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  Impl* server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{longest_head + longest_body};
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> reply_;
  std::string path_;
  std::optional<std::chrono::duration<double, std::milli>> took_;  // of the question asked last
  bool keep_ = false;
  bool waiting_ = false;  // for a request after the first
};

struct StudioServer::Impl::Waiting {
  std::shared_ptr<Connection> connection;
  std::chrono::steady_clock::time_point until;
};

void StudioServer::Impl::Connection::wait() {
  stream_.expires_never();
  server_->waiting.push_back({shared_from_this(), std::chrono::steady_clock::now() + longest_wait});
}

void StudioServer::Impl::listen(const tcp::endpoint& at) {
  tcp::acceptor acceptor(context);
  acceptor.open(at.protocol());
  if (at.address().is_v6()) acceptor.set_option(asio::ip::v6_only(true));
  acceptor.bind(at);
  acceptor.listen();
  acceptors.push_back(std::move(acceptor));
}

void StudioServer::Impl::accept(tcp::acceptor& acceptor) {
  acceptor.async_accept([this, &acceptor](Failed failed, tcp::socket socket) {
    if (failed == asio::error::operation_aborted) return;
    if (!failed && connections < most_connections) {
      Failed ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      std::make_shared<Connection>(*this, std::move(socket))->read();
    }
    accept(acceptor);
  });
}

void StudioServer::Impl::watch(const std::function<bool()>& stopped) {
  clock.expires_after(std::chrono::milliseconds(50));
  clock.async_wait([this, &stopped](Failed) {
    if (stopped()) return context.stop();
    const auto now = std::chrono::steady_clock::now();
    std::erase_if(waiting,
                  [&](const Waiting& one) { return one.connection->answered(now >= one.until); });
    watch(stopped);
  });
}

std::optional<Reply> StudioServer::Impl::answer(const std::string& name, const std::string& body,
                                                bool now) {
  const auto found = questions.find(name);
  if (found == questions.end())
    return json_reply(http::status::not_found, {{"error", "there is no such question"}});
  const Json request = shallow(body) ? Json::parse(body, nullptr, false) : Json();
  if (!request.is_object())
    return json_reply(http::status::bad_request, {{"error", "expected a JSON object"}});
  try {
    const StudioQuestion& question = found->second;
    if (!now && question.ready && !question.ready(request)) return std::nullopt;
    return json_reply(http::status::ok, question.answer(request));
  } catch (const InputError& error) {
    return json_reply(http::status::unprocessable_entity, {{"error", error.what()}});
  } catch (const StoreError& error) {
    return json_reply(http::status::unprocessable_entity, {{"error", error.what()}});
  } catch (const std::exception& error) {
    return json_reply(http::status::internal_server_error,
                      {{"error", fmt::format("internal error: {}", error.what())}});
  }
}

StudioServer::StudioServer(std::string page, std::map<std::string, StudioQuestion> questions,
                           Pages pages)
    : impl_(std::make_unique<Impl>()) {
  impl_->page = std::move(page);
  impl_->questions = std::move(questions);
  impl_->pages = std::move(pages);
  impl_->listen({asio::ip::address_v4::loopback(), 0});
  impl_->port = impl_->acceptors.front().local_endpoint().port();
  try {
    impl_->listen({asio::ip::address_v6::loopback(), impl_->port});
  } catch (const boost::system::system_error&) {
    // a machine without IPv6 has the other
  }
  impl_->gate = std::make_unique<Gate>(impl_->port);
}

StudioServer::~StudioServer() = default;

std::string StudioServer::address() const {
  return fmt::format("http://127.0.0.1:{}/?token={}", impl_->port, impl_->gate->token());
}

void StudioServer::serve(const std::function<bool()>& stopped) {
  for (tcp::acceptor& acceptor : impl_->acceptors) impl_->accept(acceptor);
  impl_->watch(stopped);
  impl_->context.run();
}

}  // namespace counterpoise
