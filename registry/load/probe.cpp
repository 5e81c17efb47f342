// SPDX-License-Identifier: MIT

#include "registry/load/plugins.hpp"

#include <iterator>

namespace polycodec {
namespace {

template <std::size_t N>
std::string_view word(const std::string_view (&words)[N], std::size_t index) noexcept {
  return index < N ? words[index] : std::string_view("unknown");
}

}  // namespace

std::string_view stage_name(Stage stage) noexcept {
  static constexpr std::string_view words[] = {
      "path",  "manifest", "duplicate", "policy", "pin",       "elf",  "load",
      "entry", "abi",      "identity",  "init",   "interface", "ready"};
  static_assert(std::size(words) == static_cast<std::size_t>(Stage::ready) + 1);
  return word(words, static_cast<std::size_t>(stage));
}

std::string_view outcome_name(Outcome outcome) noexcept {
  static constexpr std::string_view words[] = {"listed", "loaded", "refused", "note"};
  return word(words, static_cast<std::size_t>(outcome));
}

std::string_view state_name(DirectoryRecord::State state) noexcept {
  static constexpr std::string_view words[] = {"used", "empty", "missing", "denied"};
  return word(words, static_cast<std::size_t>(state));
}

std::string_view layer_name(Layer layer) noexcept {
  static constexpr std::string_view words[] = {
      "no_new_privileges", "user_namespace", "mount_namespace",
      "network_namespace", "ipc_namespace",  "pid_namespace",
      "landlock",          "seccomp",        "limits",
      "not_dumpable"};
  static_assert(std::size(words) == static_cast<std::size_t>(Layer::not_dumpable) + 1);
  return word(words, static_cast<std::size_t>(layer));
}

}  // namespace polycodec
