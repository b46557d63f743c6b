#include "cli/output/host.hpp"

#include <atomic>
#include <csignal>
#include <utility>

namespace counterpoise {
namespace {

thread_local Host* current = nullptr;

std::atomic<bool> interrupted{false};
void note_interrupt(int) {
  interrupted = true;
}

}  // namespace

Host* host() {
  return current;
}

Hosted::Hosted(Host* host) : before_(std::exchange(current, host)) {}
Hosted::~Hosted() {
  current = before_;
}

FileProvider input_files() {
  return current != nullptr && current->files ? current->files : FileProvider(read_text_file);
}

Interruption asked_to_stop() {
  if (current != nullptr) return current->interrupted;
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
  return Interruption(&interrupted);
}

Interruption asked_by_host() {
  return current != nullptr ? current->interrupted : Interruption();
}

}  // namespace counterpoise
