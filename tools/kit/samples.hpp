// SPDX-License-Identifier: MIT
// What a subject is tested with: what it writes, and the inputs of fixtures.
#pragma once

#include "case.hpp"
#include "subject.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace polycodec::kit {

/// Reads a file, or a directory as named blobs.
Encoded read_input(const std::filesystem::path& path);

/// The values of the fixtures that are read.
std::vector<Sample> fixture_values(const Subject& subject);

/// Values to write: those of the corpus, and those of the fixtures that are read.
std::vector<Sample> values_of(const Subject& subject);

/// Inputs to try reading with, each once: what the subject writes, and fixtures that it reads.
/// Throws Skip if there is none: the case "reads" fails then.
std::vector<Encoded> samples_of(const Subject& subject);

/// The same, but of many that are written only some: each is read thousands of times.
std::vector<Encoded> samples_to_damage(const Subject& subject);

/// samples_of(), or none where there are values to write.
std::vector<Encoded> samples_or_none(const Subject& subject, std::span<const Sample> values);

/// How often something may be done with `size` bytes: at most `most`, and fewer where they are
/// many.
std::size_t tries_for(std::size_t size, std::size_t most);
/// Places in `size` bytes: tries_for() of them, or all where they are no more.
std::vector<std::size_t> offsets_in(std::size_t size, std::size_t most);

/// Calls check(sample) for each sample, and collects what is wrong. Where `check` returns a number,
/// it says how much it did: Throws Skip with `nothing` if that is 0 in all.
template <class Check>
void for_each_sample(const Subject& subject, const char* nothing, Check check) {
  Problems problems;
  for (const Encoded& sample : samples_of(subject)) {
    note("with " + sample.name);
    problems.run(sample.name, [&] { problems.did(check(sample)); });
  }
  problems.check(nothing);
}

/// Calls check(value) for each value to write, and collects what is wrong. As for_each_sample().
template <class Check>
void for_each_value(const Subject& subject, const char* nothing, Check check) {
  Problems problems;
  for (const Sample& value : values_of(subject)) {
    note("with " + value.name);
    problems.run(value.name, [&] { problems.did(check(value)); });
  }
  problems.check(nothing);
}

/// Calls check(what, run, size) for each sample that can be read and each value that can be
/// written, and collects what is wrong; run(call settings) does it. As for_each_sample(); `size` is
/// that of the sample, or 0.
template <class Check>
void for_each_call(const Subject& subject, const char* nothing, Check check) {
  Problems problems;
  const auto each = [&](const std::string& what, std::size_t size, auto run) {
    note(what);
    problems.run(what, [&] { problems.did(check(what, run, size)); });
  };
  std::vector<Sample> values;
  if (subject.entry().can_write) values = values_of(subject);
  for (const Encoded& sample : samples_or_none(subject, values))
    each("reading " + sample.name, sample.size(), [&](const CallSettings& how) {
      Reading value;
      return subject.read(sample, value, how);
    });
  const bool function = subject.entry().kind == Kind::function;
  for (const Sample& value : values)
    each((function ? "calling with " : "writing ") + value.name, 0, [&](const CallSettings& how) {
      Encoded encoded;
      return subject.write(value, encoded, how);
    });
  problems.check(nothing);
}

}  // namespace polycodec::kit
