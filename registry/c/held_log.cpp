// SPDX-License-Identifier: MIT
#include "registry/c/held_log.hpp"

#include <polycodec/bytes.hpp>

#include <cstddef>
#include <utility>

namespace polycodec::c {
namespace {

constexpr std::size_t most_lines = 1000;

thread_local constinit HeldLog* innermost = nullptr;

}  // namespace

HeldLog::HeldLog() noexcept : outer_(std::exchange(innermost, this)) {}

HeldLog::~HeldLog() {
  innermost = outer_;
}

void HeldLog::pass() {
  innermost = outer_;
  for (const Line& l : std::exchange(lines_, {})) line(l.to, l.level, l.origin, l.text);
}

void HeldLog::line(const LogTarget& to, std::int32_t level, std::string_view origin,
                   std::string_view text) {
  if (innermost == nullptr || innermost->lines_.size() == most_lines)
    return to.write(to.data, level, to_bytes(origin), to_bytes(text));
  innermost->lines_.push_back({to, level, std::string(origin), std::string(text)});
}

}  // namespace polycodec::c
