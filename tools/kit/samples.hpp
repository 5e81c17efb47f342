// SPDX-License-Identifier: MIT
// What a subject is tested with: what it writes, and the inputs of fixtures.
#pragma once

#include "case.hpp"
#include "settings.hpp"
#include "subject.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace polycodec::kit {

/// An input with what it should come to.
struct Fixture {
  std::string name;
  std::filesystem::path input;     ///< a file, or a directory for a codec that takes a store
  std::filesystem::path expected;  ///< `<input>.expected.json`
  std::filesystem::path options;   ///< `<input>.options.json`, or empty
};

/// The fixtures of an entry: in the directory that is named after it, or in the fixture directory
/// itself if it has none such.
std::vector<Fixture> fixtures_of(const Settings& settings, std::string_view name);

/// Reads a file, or a directory as named blobs.
Encoded read_input(const std::filesystem::path& path);

/// Inputs to try reading with, each once: what the subject writes, and fixtures that it reads. None
/// is larger than `max_size` bytes. Throws Skip if there is none: the case "reads" fails then.
std::vector<Encoded> samples_of(const Subject& subject, const Settings& settings,
                                std::size_t max_size);

/// Calls check(sample) for each sample, and collects what is wrong.
template <class Check>
void for_each_sample(const Subject& subject, const Settings& settings, std::size_t max_size,
                     Check check) {
  Problems problems;
  for (const Encoded& sample : samples_of(subject, settings, max_size)) {
    note("with " + sample.name);
    problems.run(sample.name, [&] { check(sample); });
  }
  problems.check();
}

/// Calls check(value) for each value to write, and collects what is wrong.
template <class Check>
void for_each_value(const Subject& subject, Check check) {
  Problems problems;
  for (const Sample& value : subject.values()) {
    note("with " + value.name);
    problems.run(value.name, [&] { check(value); });
  }
  problems.check();
}

/// Calls check(what, run) for each sample that can be read and each value that can be written, and
/// collects what is wrong; run(call settings) does it.
template <class Check>
void for_each_call(const Subject& subject, const Settings& settings, std::size_t max_size,
                   Check check) {
  Problems problems;
  const auto each = [&](const std::string& what, auto run) {
    note(what);
    problems.run(what, [&] { check(what, run); });
  };
  if (subject.entry().can_read)
    for (const Encoded& sample : samples_of(subject, settings, max_size))
      each("reading " + sample.name, [&](const CallSettings& how) {
        Reading value;
        return subject.read(sample, value, how);
      });
  if (subject.entry().can_write)
    for (const Sample& value : subject.values())
      each("writing " + value.name, [&](const CallSettings& how) {
        Encoded encoded;
        return subject.write(value, encoded, how);
      });
  problems.check();
}

}  // namespace polycodec::kit
