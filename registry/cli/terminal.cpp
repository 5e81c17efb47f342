// SPDX-License-Identifier: MIT
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace polycodec::cli {
namespace {

bool colours(int fd) {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* term = std::getenv("TERM");
  return is_terminal(fd) && term != nullptr && std::string_view(term) != "dumb";
}

const char* escape(Style style) {
  switch (style) {
    case Style::bold:
      return "\x1b[1m";
    case Style::dim:
      return "\x1b[2m";
    case Style::good:
      return "\x1b[32m";
    case Style::warning:
      return "\x1b[33m";
    case Style::bad:
      return "\x1b[31m";
    case Style::name:
      return "\x1b[36m";
    case Style::plain:
      break;
  }
  return "";
}

}  // namespace

bool is_terminal(int fd) {
  return ::isatty(fd) == 1;
}

std::string styled(Style style, std::string_view text, bool on_error_stream) {
  if (style == Style::plain || !colours(on_error_stream ? STDERR_FILENO : STDOUT_FILENO)) return std::string(text);
  return std::string(escape(style)).append(text).append("\x1b[0m");
}

int terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
  return 80;
}

std::string human_size(std::uint64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text;
}

Activity::Activity(std::string label, bool enabled) : label_(std::move(label)) {
  if (enabled && is_terminal(STDERR_FILENO))
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Activity::~Activity() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void Activity::run(const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::unique_lock lock(mutex_);
  auto next = start + std::chrono::seconds(1);
  for (unsigned tick = 0; !wake_.wait_until(lock, stop, next, [] { return false; }) && !stop.stop_requested();
       ++tick) {
    draw(std::chrono::duration<double>(Clock::now() - start).count(), tick);
    next = Clock::now() + std::chrono::milliseconds(100);
  }
}

void Activity::draw(double seconds, unsigned tick) {
  shown_ = true;
  const std::uint64_t total = total_.load(std::memory_order_relaxed);
  const std::uint64_t done = std::min(done_.load(std::memory_order_relaxed), total);
  if (total == 0) {
    std::fprintf(stderr, "\r%s %c %.0f s\x1b[K", label_.c_str(), "|/-\\"[tick % 4], seconds);
  } else {
    constexpr int width = 30;
    const double part = static_cast<double>(done) / static_cast<double>(total);
    const int filled = static_cast<int>(part * width);
    std::fprintf(stderr, "\r%s [%.*s%*s] %3.0f %%\x1b[K", label_.c_str(), filled, "##############################",
                 width - filled, "", part * 100);
  }
  std::fflush(stderr);
}

}  // namespace polycodec::cli
