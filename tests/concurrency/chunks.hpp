// SPDX-License-Identifier: MIT
// Large text files are read in chunks: values and errors are those of reading them in one go, with
// any number of threads.
#pragma once

#include "core/io/sink.hpp"
#include "core/value/value.hpp"
#include "registry/codec/registry.hpp"
#include "same.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {

// Much larger than what is read in one go.
inline constexpr std::size_t file_size = 5 << 19;

/// What comes of reading a file: a value, or the text of an error.
struct ReadResult {
  Value value;
  std::string error;
  std::vector<std::string> losses;
};

inline ReadResult read(const Codec& codec, const std::string& text, std::uint32_t threads) {
  ReadResult made;
  CallOptions call;
  call.threads = threads;
  call.losses = all_losses;
  call.on_loss = [&](LossClass, std::string_view path, std::string_view what) {
    made.losses.push_back(std::string(path) + ": " + std::string(what));
  };
  try {
    made.value = codec.decode(Source::view(text), call);
  } catch (const Error& error) {
    made.error = std::to_string(static_cast<int>(error.code())) + " " + error.describe();
  }
  return made;
}

/// Reads with one and with several threads, which must not make a difference.
inline ReadResult read(const std::string& format, const std::string& text,
                       const char* options = "{}") {
  const Codec codec = codecs().codec_with_json(format, options);
  ReadResult one = read(codec, text, 1);
  for (const std::uint32_t threads : several) {
    const ReadResult other = read(codec, text, threads);
    EXPECT_EQ(one.error, other.error);
    EXPECT_EQ(one.losses, other.losses);
    if (one.error.empty() && other.error.empty()) {
      const auto difference = first_difference(one.value.view(), other.value.view());
      EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
    }
  }
  return one;
}

/// The same, for a file that is right: mending reads all in one go, and finds nothing to mend.
inline void expect_same_as_whole(const std::string& format, const std::string& text) {
  ASSERT_GT(text.size(), std::size_t{2} << 20);
  if (!is_next_case()) return;
  const ReadResult chunks = read(format, text);
  const ReadResult whole = read(codecs().codec_with_json(format, R"({"tolerant": true})"), text, 1);
  ASSERT_EQ(chunks.error, "");
  ASSERT_EQ(whole.error, "");
  EXPECT_TRUE(whole.losses.empty()) << whole.losses.front();
  const auto difference = first_difference(chunks.value.view(), whole.value.view());
  EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
}

/// Numbers that look like those of meshes, the same in each run.
class Numbers {
 public:
  std::uint32_t below(std::uint32_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33) % bound;
  }
  std::string real() { return std::to_string(static_cast<double>(below(2'000'000)) / 1000 - 1000); }

 private:
  std::uint64_t state_ = 1;
};

/// `text` with `to` in the place of each `from`.
inline std::string replaced(const std::string& text, char from, std::string_view to) {
  std::string made;
  for (const char c : text) c == from ? made.append(to) : made.append(1, c);
  return made;
}

/// Both texts are the same value.
inline void expect_same_value(const std::string& format, const std::string& text,
                              const std::string& other) {
  if (!is_next_case()) return;
  const ReadResult a = read(format, text), b = read(format, other);
  ASSERT_EQ(a.error + b.error, "");
  const auto difference = first_difference(a.value.view(), b.value.view());
  EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
}

/// Where lines of a text begin.
inline std::vector<std::size_t> lines_of(const std::string& text) {
  std::vector<std::size_t> all{0};
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    all.push_back(at + 1);
  return all;
}

/// A call of many threads that has too little for the file fails; one that is cancelled, too.
inline void expect_bounds(const char* format, const std::string& text) {
  const Codec codec = codecs().codec(format);
  for (const std::uint32_t threads : {1u, 2u, 7u}) {
    CallOptions call;
    call.threads = threads;
    Limits limits;
    limits.max_work = text.size() / 3;
    call.limits = limits;
    EXPECT_THROW(
        {
          try {
            static_cast<void>(codec.decode(Source::view(text), call));
          } catch (const Error& error) {
            EXPECT_EQ(error.code(), Status::limit) << error.describe();
            throw;
          }
        },
        Error);
    std::atomic<bool> cancel{true};
    CallOptions cancelled;
    cancelled.threads = threads;
    cancelled.cancel = &cancel;
    try {
      static_cast<void>(codec.decode(Source::view(text), cancelled));
      ADD_FAILURE() << "a call that was cancelled ended";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Status::cancelled) << error.describe();
    }
  }
}

}  // namespace polycodec::test
