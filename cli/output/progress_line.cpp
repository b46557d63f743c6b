#include "cli/output/progress_line.hpp"

#include <fmt/format.h>

#include <string>

#include "cli/output/streams.hpp"

namespace counterpoise {
std::string time_text(double seconds) {
  if (seconds < 100.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000.0) return fmt::format("{:.0f} min", seconds / 60.0);
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

ProgressLine::ProgressLine() : host_(host()), terminal_(messages_on_terminal()) {}

void ProgressLine::show(const Progress& progress) {
  if (host_ != nullptr) {
    if (host_->progress) host_->progress(progress);
    return;
  }
  const Clock::time_point now = Clock::now();
  const std::chrono::duration<double> since_last = now - last_;
  const bool complete = progress.done == progress.total;
  if (since_last.count() < (terminal_ ? 0.1 : 10.0) && !(terminal_ && complete)) return;
  last_ = now;

  if (!progress.words.empty()) {
    if (terminal_)
      draw("\r" + progress.words + "\x1b[K");
    else
      print_message(progress.words);
    drawn_ = drawn_ || terminal_;
    return;
  }
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = seconds > 0.0 ? static_cast<double>(progress.fresh) / seconds : 0.0;
  const auto left = static_cast<double>(progress.total - progress.done);
  const std::string rest = rate > 0.0 ? time_text(left / rate) + " left" : "";
  const double share =
      progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total)
                         : 1.0;
  const std::string numbers =
      fmt::format("{} of {} cases, {:.0f} a second, {}", progress.done, progress.total, rate, rest);
  if (!terminal_) {
    print_message(numbers);
    return;
  }
  constexpr int width = 30;
  const int filled = static_cast<int>(share * width);
  draw(fmt::format(
      "\r[{}{}] {:3.0f} % {}\x1b[K", std::string(static_cast<std::size_t>(filled), '#'),
      std::string(static_cast<std::size_t>(width - filled), '.'), 100.0 * share, numbers));
  drawn_ = true;
}

void ProgressLine::finish() {
  if (drawn_) draw("\n");
  drawn_ = false;
}

}  // namespace counterpoise
