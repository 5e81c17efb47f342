// SPDX-License-Identifier: MIT
// Words that keys, values of options, commands and flags had in 0.1: read as those of today, with a
// notice. They go with the next major version.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace polycodec {

struct OldWord {
  std::string_view old, now;
};

/// Flags have their dashes.
inline constexpr std::array<OldWord, 10> old_words = {{{"whitelist", "allowlist"},
                                                       {"then", "filters"},
                                                       {"folder", "directory"},
                                                       {"normalise", "normalize"},
                                                       {"--then", "--filters"},
                                                       {"--from-then", "--from-filters"},
                                                       {"--to-then", "--to-filters"},
                                                       {"--folder", "--out-dir"},
                                                       {"--out", "--out-dir"},
                                                       {"--dynd", "--strict"}}};

/// The word of today that `word` is the old one of and that `known` accepts; empty if there is
/// none.
template <class Known>
constexpr std::string_view word_now(std::string_view word, const Known& known) {
  for (const OldWord& entry : old_words)
    if (entry.old == word && known(entry.now)) return entry.now;
  return {};
}

}  // namespace polycodec
