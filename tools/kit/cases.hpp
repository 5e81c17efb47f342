// SPDX-License-Identifier: MIT
// All cases, by group.
#pragma once

#include "case.hpp"
#include "samples.hpp"
#include "settings.hpp"
#include "subject.hpp"

#include <span>
#include <vector>

namespace polycodec::kit {

// What a case applies to.
inline constexpr unsigned for_codecs = 1, for_filters = 2, for_stores = 4, for_functions = 8;
inline constexpr unsigned for_values = for_codecs | for_filters | for_stores;
inline constexpr unsigned for_all = for_values | for_functions;
inline constexpr unsigned reading = 16, writing = 32;
// It fails where there is nothing to do.
inline constexpr unsigned due = 64;

/// A case of every codec, filter, store format or function that `applies` names.
struct SubjectCase {
  unsigned applies;
  const char* name;
  const char* title;
  void (*check)(const Subject& subject, const Settings& settings);
};

std::span<const SubjectCase> read_cases();
std::span<const SubjectCase> write_cases();
std::span<const SubjectCase> limit_cases();
std::span<const SubjectCase> memory_cases();
std::span<const SubjectCase> codec_cases();
std::span<const SubjectCase> kind_cases();

/// The plugin as a whole: manifest, library, entry object, interfaces, types, loading.
std::vector<Case> plugin_cases(const Settings& settings);
/// Options and fixtures of one codec, filter, store format or function.
void add_option_cases(std::vector<Case>& cases, const Settings& settings, const Entry& entry);
void add_fixture_cases(std::vector<Case>& cases, const Settings& settings, const Entry& entry);

}  // namespace polycodec::kit
