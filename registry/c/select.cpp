// SPDX-License-Identifier: MIT
#include "registry/c/select.hpp"

#include <base/path_steps.hpp>
#include <polycodec/path.hpp>

#include "registry/c/find_part.hpp"
#include "registry/c/held_log.hpp"
#include "registry/c/options.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::c {
namespace {

/// What a path needs of a value.
struct Need {
  Projection projection;
  std::string list;  // the path of the list or array whose first rows are enough; empty: none
};

constexpr int most_steps = 64;  // each is as long as the path at most

/// Nothing if the path needs all, is wrong, or has more steps than are worth a plan.
std::optional<Need> need_of(std::string_view path) {
  Need need;
  std::string members(path_root);
  try {
    PathSteps steps(path);
    std::string at = steps.taken();
    for (int taken = 0; !steps.is_done(); ++taken) {
      if (taken == most_steps) return std::nullopt;
      const PathSteps::Step step = steps.next();
      std::string to = steps.taken();
      if (!step.is_index) {
        members += to.substr(at.size());
      } else if (need.list.empty()) {
        need.list = at;
        need.projection.first_row = step.index;
        need.projection.rows = 1;
      }
      at = std::move(to);
    }
  } catch (const Error&) {
    return std::nullopt;  // find_part() reports it, after what is wrong with the input
  }
  if (members != path_root) need.projection.paths.push_back(members);
  need.projection.is_hint = true;
  if (need.projection.is_all()) return std::nullopt;
  return need;
}

/// Decodes what the selection needs. Null if only a decode of all says what is there, or lost.
std::unique_ptr<polycodec_value> decode_needed(const Need& need, std::string_view path,
                                               const CallOptions& options, const Decode& decode) {
  auto made = std::make_unique<polycodec_value>();
  CallOptions part = options;
  part.projection = need.projection;
  HeldLog log;
  std::atomic<bool> has_lost{false};
  if (!options.on_loss) part.losses = options.losses & default_losses;
  part.on_loss = [&](LossClass, std::string_view, std::string_view) { has_lost = true; };
  try {
    decode(part, made->value);
    if (has_lost || (!need.list.empty() && !has_rows(*made, need.list))) return nullptr;
    select_part(made, path);
    log.pass();
    return made;
  } catch (const Error& e) {
    if (e.code() != Status::cancelled && e.code() != Status::memory) return nullptr;
    log.pass();
    throw;
  }
}

}  // namespace

std::unique_ptr<polycodec_value> decode_part(const polycodec_call_options& call,
                                             const CallOptions& options, const Decode& decode) {
  const std::string_view path = text(call.select, "polycodec_call_options.select");
  // Where no loss may pass, or each is to be known, nothing is left out.
  const bool may_omit = options.projection.is_all() && options.losses != 0 &&
                        !has_flag(&call, POLYCODEC_CALL_TOLERANT);
  const std::optional<Need> need = may_omit ? need_of(path) : std::nullopt;
  if (need)
    if (auto part = decode_needed(*need, path, options, decode)) return part;
  auto made = std::make_unique<polycodec_value>();
  decode(options, made->value);
  select_part(made, path);
  return made;
}

}  // namespace polycodec::c
