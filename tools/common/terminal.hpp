// SPDX-License-Identifier: MIT
// What the command shows to users: colors, and progress of long work.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace polycodec::cli {

enum class Style { plain, bold, dim, good, warning, bad, name };

/// `text` for a terminal: polycodec::printable(), but the codes of styled() work.
std::string printable(std::string_view text);

/// `text` in this style when standard output (or error) is a terminal and NO_COLOR is not set;
/// otherwise unchanged. The codes are for printable().
std::string styled(Style style, std::string_view text, bool on_error_stream = false);

/// Columns of the terminal on standard output; 80 if it is none.
int terminal_width();

/// True if standard output is a terminal.
bool is_terminal(int fd);

/// True if `fd` is a pipe that nobody reads any more.
bool is_without_reader(int fd);

/// Ends the program as SIGPIPE does, without a word: the reader, such as head(1), has enough.
[[noreturn]] void end_like_a_filter();

/// `bytes` for users: "1.5 MiB".
std::string human_size(std::uint64_t bytes);

/// Columns of text, each as wide as its widest cell; the first is left-aligned, and the last is not
/// padded.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

/// Shows on standard error that work continues: only on a terminal, only after half a second, with
/// a bar where the amount of work is known. Otherwise no output at all. Clears its line when
/// destroyed.
class Activity {
 public:
  /// True while a line of one is on the terminal.
  static std::atomic<bool>& is_shown() noexcept;

  Activity(std::string_view label, bool enabled);
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;
  /// `done` of `total` so far (total 0: unknown). May be called from any thread, often.
  void update(std::uint64_t done, std::uint64_t total) noexcept {
    total_.store(total, std::memory_order_relaxed);
    done_.store(done, std::memory_order_relaxed);
  }

 private:
  void run(const std::stop_token& stop);
  void draw(double seconds, unsigned tick);

  std::string label_;
  std::atomic<std::uint64_t> done_{0}, total_{0};
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace polycodec::cli
