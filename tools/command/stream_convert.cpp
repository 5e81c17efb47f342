// SPDX-License-Identifier: MIT
#include "stream_convert.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace polycodec::cli {
namespace {

constexpr const char* input_name = "standard input";

/// Writes values to standard output, each before the next is read.
class Output {
 public:
  explicit Output(const Run& run)
      : run_(run), codec_(run.registry().codec(run.to())), call_(run.call(losses_)) {
    if (!run.options.no_compare) call_.flags |= POLYCODEC_CALL_COMPARE;
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(const Value& value) {
    Sink sink(run_.limits().max_output_bytes);
    codec_.encode(value, sink, call_);
    run_.out.write(sink);
    run_.out.note_losses(losses_);
    losses_.clear();
    any_ = true;
  }
  void finish() const {
    if (!any_)
      throw Error(Status::truncated, "standard input is empty: there is no value").offset(0);
  }

 private:
  const Run& run_;
  std::vector<Loss> losses_;
  Codec codec_;
  CallOptions call_;
  bool any_ = false;
};

/// Feeds `values` with `first`, and then with standard input as it comes, and writes what take()
/// makes of each value that is there.
template <class Values, class Take>
void convert_each(const Run& run, Values& values, std::string first, const Take& take) {
  Output out(run);
  values.feed(first);
  for (bool more = true;;) {
    while (auto value = values.next()) take(*value, out);
    if (!more) return out.finish();
    first.clear();
    more = read_more(first);
    more ? values.feed(first) : values.end_of_input();
  }
}

/// The values of the messages on standard input, of which `first` was read. Control messages are
/// none.
void convert_messages(const Run& run, std::string first) {
  std::vector<Loss> losses;
  Channel channel(run.registry(), {}, run.call(losses));
  convert_each(run, channel, std::move(first), [&](const Received& received, Output& out) {
    run.out.note_losses(std::exchange(losses, {}));
    if (received.control == 0) out.write(received.value);
  });
}

/// The values of one codec that follow each other on standard input, of which `first` was read.
void convert_values(const Run& run, std::string first) {
  std::vector<Loss> losses;
  Stream stream = Stream::fed(run.registry().codec(run.from()), run.call(losses));
  convert_each(run, stream, std::move(first), [&](const Value& value, Output& out) {
    run.out.note_losses(std::exchange(losses, {}));
    out.write(value);
  });
}

/// True if the codec says that it can do all of that.
bool can(const Run& run, const std::string& codec,
         std::initializer_list<const char*> abilities) try {
  const Value facts = run.registry().describe(About::codec, codec);
  return std::ranges::all_of(abilities, [&](const char* ability) {
    const auto found = facts.view().find(ability);
    return found && found->as_bool();
  });
} catch (const Error& error) {
  if (error.code() != Status::not_found) throw;
  return false;  // whoever opens it says why
}

}  // namespace

bool read_more(std::string& bytes) {
  char piece[65536];
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, piece, sizeof piece);
    if (got >= 0) {
      bytes.append(piece, static_cast<std::size_t>(got));
      return got != 0;
    }
    pollfd ready{STDIN_FILENO, POLLIN, 0};
    if (errno == EAGAIN)
      ::poll(&ready, 1, -1);
    else if (errno != EINTR || interrupted())
      throw Error(Status::io,
                  "cannot read standard input: " + std::generic_category().message(errno));
  }
}

bool can_convert_stream(const Run& run) {
  const CommonOptions& options = run.options;
  if (options.to.empty() || !options.from_filters.empty() || !options.to_filters.empty() ||
      !options.select.empty())
    return false;
  if (!can(run, options.to, {"read_stream", "encode"})) return false;
  return options.from.empty() || can(run, options.from, {"read_stream"});  // messages, perhaps
}

std::optional<Input> convert_stream(const Run& run) {
  const std::uint64_t most = run.limits().max_input_bytes;
  std::string first;
  // No more than it takes to see: a sender may wait for the answer to a short value.
  while (first.size() < message_separator.size() && message_separator.starts_with(first) &&
         read_more(first)) {
  }
  const bool messages = first.starts_with(message_separator);
  if (messages && run.options.from.empty()) {
    about_input(input_name, [&] { convert_messages(run, std::move(first)); });
  } else if (!messages && !run.options.from.empty()) {
    about_input(input_name, [&] { convert_values(run, std::move(first)); });
  } else {
    while (read_more(first))
      if (first.size() > most)
        throw Error(Status::limit,
                    "standard input has more bytes than the limit of " + std::to_string(most));
    return Input{Source::owned(std::move(first), {.name = input_name}), input_name};
  }
  return std::nullopt;
}

}  // namespace polycodec::cli
