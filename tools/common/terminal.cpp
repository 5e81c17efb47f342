// SPDX-License-Identifier: MIT
#include "common/terminal.hpp"

#include <polycodec/quote.hpp>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>

namespace polycodec::cli {
namespace {

bool colors(int fd) {
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

/// Marks the codes of styled() until printable() lets them through: text of unknown origin cannot
/// contain what differs with each run.
const std::string& style_mark() {
  static const std::string mark = [] {
    std::random_device random;
    return "\x1b" + std::to_string(random()) + "." + std::to_string(random()) + ".";
  }();
  return mark;
}

std::string pad_left(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}
std::string pad_right(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

}  // namespace

bool is_terminal(int fd) {
  return ::isatty(fd) == 1;
}

std::string styled(Style style, std::string_view text, bool on_error_stream) {
  if (style == Style::plain || !colors(on_error_stream ? STDERR_FILENO : STDOUT_FILENO))
    return std::string(text);
  return (style_mark() + escape(style)).append(text).append(style_mark() + "\x1b[0m");
}

std::string printable(std::string_view text) {
  std::string out;
  const std::string& mark = style_mark();
  for (;;) {
    const std::size_t at = text.find(mark);
    out += polycodec::printable(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + mark.size());
    const std::size_t end = std::min(text.find('m'), text.size() - 1) + 1;
    out += text.substr(0, end);
    text.remove_prefix(end);
  }
}

bool is_without_reader(int fd) {
  pollfd pipe{fd, POLLOUT, 0};
  return ::poll(&pipe, 1, 0) == 1 && (pipe.revents & POLLERR) != 0;
}

void end_like_a_filter() {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
  std::_Exit(1);  // the signal is blocked
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

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t i = 0; i + 1 < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    text += "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool last = i + 1 == row.size();
      text += last ? row[i]
                   : (i == 0 ? pad_right(row[i], width[i]) : pad_left(row[i], width[i])) + "  ";
    }
    while (text.ends_with(' ')) text.pop_back();
    text += '\n';
  }
  return text;
}

Activity::Activity(std::string_view label, bool enabled) : label_(printable(label)) {
  if (enabled && is_terminal(STDERR_FILENO))
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Activity::~Activity() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  if (is_shown().exchange(false)) std::fputs("\r\x1b[K", stderr);
}

std::atomic<bool>& Activity::is_shown() noexcept {
  static std::atomic<bool> flag{false};
  return flag;
}

void Activity::run(const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::unique_lock lock(mutex_);
  auto next = start + std::chrono::milliseconds(500);
  for (unsigned tick = 0;
       !wake_.wait_until(lock, stop, next, [] { return false; }) && !stop.stop_requested();
       ++tick) {
    draw(std::chrono::duration<double>(Clock::now() - start).count(), tick);
    next = Clock::now() + std::chrono::milliseconds(100);
  }
}

void Activity::draw(double seconds, unsigned tick) {
  is_shown() = true;
  const std::uint64_t total = total_.load(std::memory_order_relaxed);
  const std::uint64_t done = std::min(done_.load(std::memory_order_relaxed), total);
  if (total == 0) {
    std::fprintf(stderr, "\r%s %c %.0f s\x1b[K", label_.c_str(), "|/-\\"[tick % 4], seconds);
  } else {
    constexpr int width = 30;
    const double part = static_cast<double>(done) / static_cast<double>(total);
    const int filled = static_cast<int>(part * width);
    std::fprintf(stderr, "\r%s [%.*s%*s] %3.0f %%\x1b[K", label_.c_str(), filled,
                 "##############################", width - filled, "", part * 100);
  }
  std::fflush(stderr);
}

}  // namespace polycodec::cli
