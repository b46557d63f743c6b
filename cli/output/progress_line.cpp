#include "cli/output/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cli/output/streams.hpp"

namespace counterpoise {
namespace {

/// The bar before so many letters, as long as the line leaves room for; none where that is little.
std::string bar_text(double share, std::size_t letters) {
  constexpr std::size_t shortest = 8, longest = 30, around = 10;  // brackets, percents and blanks
  const std::size_t line = width_of_messages();
  const std::size_t used = letters + around;
  const std::size_t room = line == 0 ? longest : line > used ? line - used : 0;
  std::string text = fmt::format("{:3.0f} % ", 100.0 * share);
  if (room < shortest) return text;
  const std::size_t width = std::min(room, longest);
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
  return fmt::format("[{}{}] {}", std::string(filled, '#'), std::string(width - filled, '.'), text);
}

}  // namespace

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
    say(progress.words);
    return;
  }
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = seconds > 0.0 ? static_cast<double>(progress.fresh) / seconds : 0.0;
  const auto left = static_cast<double>(progress.total - progress.done);
  const double share =
      progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total)
                         : 1.0;
  std::string numbers = fmt::format("{} of {} cases", progress.done, progress.total);
  if (rate > 0.0)
    numbers += fmt::format(", {:.0f} a second, {} left", rate, time_text(left / rate));
  say(terminal_ ? bar_text(share, numbers.size()) + numbers : numbers);
}

void ProgressLine::say(const std::string& line) const {
  if (terminal_)
    draw_progress(line);
  else
    print_message(line);
}

}  // namespace counterpoise
