// SPDX-License-Identifier: MIT
#include "registry/load/magic.hpp"

#include <algorithm>

namespace polycodec {

std::uint32_t magic_score_of(const CodecInfo& info, std::string_view bytes,
                             std::uint64_t* offset) noexcept {
  const std::string_view head = bytes.substr(0, head_bytes);
  std::uint32_t score = 0;
  for (const auto& magic : info.magic) {
    if (magic.score <= score || magic.offset > head.size() ||
        !head.substr(static_cast<std::size_t>(magic.offset)).starts_with(magic.bytes))
      continue;
    score = magic.score;
    if (offset != nullptr) *offset = magic.offset;
  }
  return score;
}

bool has_extension(std::string_view extension, std::string_view name) {
  return name.size() > extension.size() &&
         lower_case(name.substr(name.size() - extension.size())) == extension &&
         name[name.size() - extension.size() - 1] != '/';
}

std::size_t extension_length(const CodecInfo& info, std::string_view text) {
  const std::string lower = lower_case(text);
  std::size_t longest = 0;
  for (const auto& extension : info.extensions)
    if (lower.ends_with(extension)) longest = std::max(longest, extension.size());
  return longest;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

}  // namespace polycodec
