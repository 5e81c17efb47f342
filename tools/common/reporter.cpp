// SPDX-License-Identifier: MIT
#include "common/reporter.hpp"

#include <polycodec/detail/advice.hpp>

#include "common/interrupt.hpp"
#include "common/terminal.hpp"

#include <limits.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <span>
#include <system_error>

namespace polycodec::cli {
namespace {

[[noreturn]] void throw_output() {
  throw Error(Status::io,
              "cannot write to standard output: " + std::generic_category().message(errno));
}

/// Throws Status::io if an input was cut short: then what was made of it is wrong.
void check_inputs() {
  const Sink nothing;
  static_cast<void>(nothing.segments());
}

void write_all(std::span<const polycodec_bytes> pieces) {
  std::vector<iovec> left;
  left.reserve(pieces.size());
  for (const polycodec_bytes& piece : pieces)
    left.push_back({const_cast<void*>(piece.data), static_cast<std::size_t>(piece.size)});
  for (std::size_t at = 0; at < left.size();) {
    const auto count = static_cast<int>(std::min<std::size_t>(left.size() - at, IOV_MAX));
    const ssize_t written = ::writev(STDOUT_FILENO, &left[at], count);
    if (written < 0 && errno == EAGAIN) {  // it does not block: wait until it is ready
      pollfd ready{STDOUT_FILENO, POLLOUT, 0};
      static_cast<void>(::poll(&ready, 1, -1));
      continue;
    }
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_output();
    auto rest = static_cast<std::size_t>(written);
    for (; at < left.size() && rest >= left[at].iov_len; ++at) rest -= left[at].iov_len;
    if (at == left.size()) break;
    left[at].iov_base = static_cast<char*>(left[at].iov_base) + rest;
    left[at].iov_len -= rest;
  }
}

void write_text(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw_output();
}

}  // namespace

std::atomic<std::uint8_t>& interrupt_flag() noexcept {
  static std::atomic<std::uint8_t> flag{0};
  return flag;
}

std::atomic<bool>& ends_at_once() noexcept {
  static std::atomic<bool> flag{false};
  return flag;
}

void Reporter::print_json(const Json& object, bool on_error_stream) const {
  on_error_stream ? note(text_of(object)) : print(text_of(object, 2));
}

void Reporter::print(std::string_view text) const {
  check_inputs();
  std::string line = printable(text);
  if (!line.ends_with('\n')) line += '\n';
  write_text(line);
}

void Reporter::write(const Sink& bytes) const {
  const auto pieces = bytes.segments();
  is_terminal(STDOUT_FILENO) ? write_text(printable(bytes.bytes())) : write_all(pieces);
}

void Reporter::write(std::string_view bytes) const {
  check_inputs();
  const polycodec_bytes piece = to_bytes(bytes);
  is_terminal(STDOUT_FILENO) ? write_text(printable(bytes)) : write_all({&piece, 1});
}

void Reporter::note(std::string_view text) const {
  if (!quiet_) std::fprintf(stderr, "%s\n", printable(text).c_str());
}

void Reporter::note_losses(const std::vector<Loss>& losses) const {
  for (const Loss& loss : losses) note(describe(loss));
}

int Reporter::report(const Error& error, bool compares) const {
  if (error.code() == Status::io && is_without_reader(STDOUT_FILENO)) end_like_a_filter();
  const auto* const of_input = dynamic_cast<const InputError*>(&error);
  const std::string file = of_input == nullptr ? std::string() : of_input->file();
  const std::string text = styled(Style::bad, "polycodec:", true) + " " + file +
                           (file.empty() ? "" : ": ") + as_typed(error).describe();
  std::fprintf(stderr, "%s\n", printable(text).c_str());
  if (json_) {
    Json object{{"ok", false}, {"error", to_json(error)}};
    if (!file.empty()) object["file"] = file;
    std::fputs(printable(text_of(object, 2) + "\n").c_str(), stdout);
  }
  if (compares && !interrupted()) return exit_usage;
  switch (error.code()) {
    case Status::option:
      return exit_usage;
    case Status::plugin:
      return exit_no_codec;
    // What the data asked for and may not has a word of its own; what the policy denies has none.
    case Status::denied:
      return error.detail().empty() ? exit_no_codec : exit_refused;
    // A codec that reports not_found misses a part of its input; without a codec it is the codec
    // that is missing.
    case Status::not_found:
      return error.codec().empty() ? exit_no_codec : exit_refused;
    case Status::cancelled:
      return interrupted() ? exit_interrupted : exit_refused;
    default:
      return exit_refused;
  }
}

namespace {

Error with_message(const Error& error, std::string message) {
  return Error(error.code(), std::move(message), error.offset())
      .detail(error.detail())
      .path(error.path())
      .codec(error.codec());
}

}  // namespace

Error with_advice(const Error& error, const std::string& advice) {
  return with_message(error, error.message() + "; " + advice);
}

Error as_typed(const Error& error) {
  const detail::Spelling words{
      .tolerant = "--tolerant",
      .lossy = "--lossy",
      .compare = "--no-compare",
      .from_codec = error.codec().empty() ? "--from NAME (see 'polycodec list')" : "--from NAME",
      .to_codec = "--to NAME (see 'polycodec list')",
      .from = {"--from-options '", "'"},
      .to = {"--to-options '", "'"},
      .limits = {"--limits '", "'"}};
  const Error typed = with_message(error, detail::spelled(error, words));
  if (error.code() != Status::truncated) return typed;
  return with_advice(typed, "the input may be incomplete: write or fetch it again");
}

Json to_json(const Error& error) {
  Json object{{"code", status_name(error.code())}, {"message", as_typed(error).message()}};
  if (!error.codec().empty()) object["codec"] = error.codec();
  if (!error.detail().empty()) object["detail"] = error.detail();
  if (error.offset() != Error::no_offset) object["offset"] = error.offset();
  if (!error.path().empty()) object["path"] = error.path();
  return object;
}

Json to_json(const std::vector<Loss>& losses, std::uint32_t classes) {
  Json all = Json::array();
  for (const Loss& loss : losses)
    if ((classes & POLYCODEC_LOSSES_OF(static_cast<std::uint32_t>(loss.loss_class))) != 0)
      all.push_back({{"path", loss.path}, {"what", loss.what}});
  return all;
}

std::string describe(const Loss& loss, const std::string& place) {
  const bool retyped = loss.loss_class == LossClass::retyped;
  const char* const word = loss.loss_class == LossClass::mended ? "mended" : "lost";
  return (retyped ? std::string("≈") : styled(Style::bad, word, true)) + " " + place + loss.path +
         ": " + loss.what;
}

}  // namespace polycodec::cli
