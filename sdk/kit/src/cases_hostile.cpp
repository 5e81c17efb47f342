// SPDX-License-Identifier: MIT
// What a codec makes of bytes that nobody meant to be decoded.
#include "cases.hpp"
#include "opened_codec.hpp"
#include "samples.hpp"

#include <algorithm>
#include <random>

namespace polycodec::kit {
namespace {

constexpr std::size_t largest_sample = 4096;

/// Bounds that keep a hostile count from using up the machine, far above what samples of 4 KiB need.
CallSettings bounded() {
  CallSettings settings;
  settings.limits.max_memory_bytes = std::uint64_t{64} << 20;
  settings.limits.max_elements = std::uint64_t{1} << 24;
  settings.limits.max_nodes = std::uint64_t{1} << 22;
  return settings;
}

// Any answer will do, if it keeps the contract: Instance::decode() checks that.
void try_decode(const Instance& instance, const Encoded& input) {
  Value value;
  instance.decode(input, value, bounded());
}

void check_truncation(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  Problems problems;
  for (const Encoded& sample : distinct_samples_of(settings, codec.instance, largest_sample)) {
    for (std::size_t part = 0; part < sample.parts.size(); ++part) {
      Encoded cut = sample;
      for (std::size_t size = 0; size < sample.parts[part].second.size(); ++size) {
        note(sample.name + ", part " + std::to_string(part) + " cut to " + std::to_string(size) + " bytes");
        cut.parts[part].second = sample.parts[part].second.substr(0, size);
        problems.run(sample.name + " cut to " + std::to_string(size), [&] { try_decode(codec.instance, cut); });
      }
    }
  }
  problems.check();
}

void flip_bits(const Instance& instance, const Encoded& sample, std::size_t part, std::size_t step,
               Problems& problems) {
  Encoded flipped = sample;
  std::string& bytes = flipped.parts[part].second;
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += step) {
    const auto mask = static_cast<char>(1u << (bit % 8));
    note(sample.name + ", part " + std::to_string(part) + ", bit " + std::to_string(bit) + " flipped");
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
    problems.run(sample.name + " with bit " + std::to_string(bit) + " flipped",
                 [&] { try_decode(instance, flipped); });
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
  }
}

void check_bit_flips(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  Problems problems;
  for (const Encoded& sample : distinct_samples_of(settings, codec.instance, largest_sample))
    for (std::size_t part = 0; part < sample.parts.size(); ++part) {
      // All bits of small samples; of larger ones a share that meets every bit position.
      const std::size_t bits = sample.parts[part].second.size() * 8;
      flip_bits(codec.instance, sample, part, bits <= 8192 ? 1 : 7, problems);
    }
  problems.check();
}

// Bytes that formats use for lengths and types, put where they do not belong.
void check_spoiled_bytes(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  Problems problems;
  for (const Encoded& sample : distinct_samples_of(settings, codec.instance, 1024)) {
    for (std::size_t part = 0; part < sample.parts.size(); ++part) {
      for (std::size_t at = 0; at < sample.parts[part].second.size(); ++at) {
        for (const int value : {0x00, 0x7f, 0x80, 0xff}) {
          Encoded spoiled = sample;
          std::string& bytes = spoiled.parts[part].second;
          // From here on, four bytes alike: a large number in most encodings.
          for (std::size_t i = at; i < std::min(at + 4, bytes.size()); ++i) bytes[i] = static_cast<char>(value);
          note(sample.name + ", byte " + std::to_string(at) + " set to " + std::to_string(value));
          problems.run(sample.name + " spoiled at " + std::to_string(at),
                       [&] { try_decode(codec.instance, spoiled); });
        }
      }
    }
  }
  problems.check();
}

// Bytes as they come, then behind the start of good samples. The generator is the same everywhere.
void check_random_bytes(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  Problems problems;
  std::mt19937 random(20240607);
  const auto fill = [&random](std::string& bytes, std::size_t from) {
    for (std::size_t i = from; i < bytes.size(); ++i) bytes[i] = static_cast<char>(random() & 0xff);
  };
  const bool store = (codec.instance.codec().capabilities & POLYCODEC_TAKES_BYTES) == 0;
  if (!store) {
    for (unsigned round = 0; round < 3000; ++round) {
      Encoded noise;
      noise.parts.emplace_back(std::string(), std::string(random() % 200, '\0'));
      fill(noise.parts[0].second, 0);
      note("noise of round " + std::to_string(round));
      problems.run("noise of round " + std::to_string(round), [&] { try_decode(codec.instance, noise); });
    }
  }
  for (const Encoded& sample : samples_of(settings, codec.instance, largest_sample)) {
    for (unsigned round = 0; round < 40 && !sample.parts.empty(); ++round) {
      Encoded mixed = sample;
      std::string& bytes = mixed.parts[random() % mixed.parts.size()].second;
      if (bytes.empty()) continue;
      fill(bytes, random() % bytes.size());
      note(sample.name + " with noise, round " + std::to_string(round));
      problems.run(sample.name + " with noise", [&] { try_decode(codec.instance, mixed); });
    }
  }
  problems.check();
}

void check_empty_input(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  Encoded empty;
  empty.is_store = (codec.instance.codec().capabilities & POLYCODEC_TAKES_BYTES) == 0;
  if (!empty.is_store) empty.parts.emplace_back();
  note("no input at all");
  try_decode(codec.instance, empty);

  for (Encoded& sample : samples_of(settings, codec.instance, largest_sample)) {
    for (std::size_t part = 0; sample.is_store && part < sample.parts.size(); ++part) {
      Encoded without = sample;
      without.parts.erase(without.parts.begin() + static_cast<std::ptrdiff_t>(part));
      note(sample.name + " without blob " + sample.parts[part].first);
      try_decode(codec.instance, without);
    }
  }
}

void check_null_error(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  CallSettings silent = bounded();
  silent.pass_error = false;
  for (const Encoded& sample : distinct_samples_of(settings, codec.instance, largest_sample)) {
    for (std::size_t part = 0; part < sample.parts.size(); ++part) {
      Encoded cut = sample;
      cut.parts[part].second.resize(cut.parts[part].second.size() / 2);
      note(sample.name + " cut in half, without an error to fill");
      Value value;
      const Answer answer = codec.instance.decode(cut, value, silent);
      require(answer.code >= 0 && answer.code < POLYCODEC_STATUS_COUNT, "decode returned a number that is no status");
    }
  }
}

}  // namespace

void add_hostile_cases(std::vector<Case>& cases, const Settings& s, const CodecInfo& info) {
  if (!info.can_decode) return;
  const auto add = [&](const char* name, const char* title, void (*check)(const Settings&, const CodecInfo&)) {
    cases.push_back({"codec/" + info.name + "/" + name, title, [&s, info, check] { check(s, info); }});
  };
  add("truncation", "input cut at any byte is an error with a message, or a valid value", check_truncation);
  add("bit-flips", "input with a bit flipped likewise", check_bit_flips);
  add("spoiled-bytes", "input with wrong lengths and types likewise", check_spoiled_bytes);
  add("random-bytes", "bytes without meaning likewise", check_random_bytes);
  add("empty-input", "no input, or a blob that is missing, likewise", check_empty_input);
  add("null-error", "the error argument may be NULL", check_null_error);
}

}  // namespace polycodec::kit
