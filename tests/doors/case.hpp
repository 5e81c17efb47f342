// SPDX-License-Identifier: MIT
// The cases beside the vectors, and what a door gives for one.
#pragma once

#include <base/sha256.hpp>

#include "host.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace polycodec::doors {

namespace fs = std::filesystem;

/// One line of a cases.jsonl: `file` beside it, `codec`, `options`, and what is expected: `text`
/// (or its `sha256` above 2 kB), `type` and `again` (see in_process.hpp), or `error`; and `chosen`,
/// what content and name make of it.
struct Case {
  fs::path directory;
  Json line;

  std::string name() const { return directory.filename() / file(); }
  fs::path path() const { return directory / file(); }
  std::string file() const { return line.at("file").get<std::string>(); }
  std::string codec() const { return line.at("codec").get<std::string>(); }
  std::string options() const { return line.contains("options") ? line["options"].dump() : ""; }
};

/// What a door gives: `text`, `type` and `again`, or `error`.
using Outcome = Json;

inline std::string read_all(const fs::path& path) {
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

inline std::vector<Case> cases_in(const fs::path& vectors) {
  std::vector<Case> all;
  for (const auto& entry : fs::directory_iterator(vectors)) {
    std::ifstream lines(entry.path() / "cases.jsonl");
    for (std::string line; std::getline(lines, line);)
      all.push_back({entry.path(), Json::parse(line)});
  }
  return all;
}

/// As a line has it.
inline Outcome shortened(Outcome outcome) {
  constexpr std::size_t longest = 2048;
  for (const char* part : {"text", "type"}) {
    if (!outcome.contains(part) || outcome[part].get<std::string>().size() <= longest) continue;
    const std::string text = outcome[part].get<std::string>();
    outcome[part] = {{"sha256", sha256(text)}, {"bytes", text.size()}};
  }
  return outcome;
}

/// Why a door gives something else than the line of the case says; empty if it does not. A door
/// that does not show a part, such as the encoded bytes, is not asked for it.
inline std::string difference(const Case& one, const Outcome& given) {
  const Outcome outcome = shortened(given);
  const auto value = [](const Json& of, const std::string& part) {
    return of.contains(part) && !of[part].is_null() ? of[part].dump() : std::string("nothing");
  };
  const bool shows_value = outcome.contains("text") || outcome.contains("error");
  for (const std::string part :
       {"error", "text", "type", "again", "validate", "chosen", "status"}) {
    const bool must_show = part == "error" || part == "text";
    if (must_show ? !shows_value : !outcome.contains(part)) continue;
    if (value(one.line, part) == value(outcome, part)) continue;
    return part + " is " + value(outcome, part).substr(0, 300) + ", expected " +
           value(one.line, part).substr(0, 300);
  }
  return {};
}

}  // namespace polycodec::doors
