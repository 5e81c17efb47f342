// SPDX-License-Identifier: MIT
// What a conversion kept of a value, and how it is reported.
#include "context.hpp"
#include "core/value/retyped.hpp"
#include "registry/codec/read_back.hpp"
#include "terminal.hpp"

#include <new>
#include <utility>

namespace polycodec::cli {
namespace {

/// True if both have the same address. A value without one has none in common.
bool have_one_address(const Registry& registry, NodeView a, NodeView b, Address kind,
                      const CallOptions& call) try {
  return registry.address(a, kind, call) == registry.address(b, kind, call);
} catch (const Error& e) {
  if (e.code() == Status::cancelled || kind == Address::logical) throw;
  return false;
}

}  // namespace

Kept Context::compare(const Value& value, const std::string& format) try {
  if (options.no_compare || value.is_partial()) return {};
  if (format == typed_json_name) return {};  // it is lossless
  const Codec codec = registry().codec_with_json(format, written_options_);
  if (!codec.info().can_decode) return {};
  const CallOptions call = call_options();
  const NodeView before = value.view();
  const Value back = read_back(codec, before, call);
  const auto retyped = retyped_members(before, back.view(), limits(), call.budget);
  for (const Retyped& member : retyped)
    call.on_loss(LossClass::retyped, member.path, member.from + " -> " + member.to);
  // The exact address does not tell a tuple from a list of items of several types, for example.
  if (retyped.empty() && have_one_address(registry(), before, back.view(), Address::exact, call))
    return {Kept::exact, ""};
  if (have_one_address(registry(), before, back.view(), Address::logical, call))
    return {Kept::logical, ""};
  return {Kept::neither, ""};
} catch (const Error& e) {
  if (e.code() == Status::cancelled) throw;
  return {Kept::unknown, e.describe()};
} catch (const std::bad_alloc&) {
  return {Kept::unknown, "out of memory"};
}

std::string describe(const Loss& loss, const std::string& place) {
  const bool retyped = loss.loss_class == LossClass::retyped;
  return (retyped ? std::string("≈") : styled(Style::bad, "lost", true)) + " " + place + loss.path +
         ": " + loss.what;
}

Json to_json(const std::vector<Loss>& losses, std::uint32_t classes) {
  Json all = Json::list();
  for (const Loss& loss : losses)
    if ((classes & losses_of(loss.loss_class)) != 0)
      all.push_back({{"path", loss.path}, {"what", loss.what}});
  return all;
}

void add_kept(Json& object, const Kept& kept) {
  static constexpr const char* words[] = {"unknown", "exact", "logical", "neither"};
  if (kept.address != Kept::unknown || !kept.problem.empty())
    object["address"] = words[kept.address];
  if (!kept.problem.empty()) object["not_compared"] = kept.problem;
}

void add_report(Json& object, const Kept& kept, const std::vector<Loss>& losses, bool always) {
  constexpr std::uint32_t retyped = losses_of(LossClass::retyped);
  const auto has = [&](std::uint32_t classes) {
    for (const Loss& loss : losses)
      if ((classes & losses_of(loss.loss_class)) != 0) return true;
    return false;
  };
  add_kept(object, kept);
  if (always || has(~retyped)) object["lost"] = to_json(losses, ~retyped);
  if (has(retyped)) object["retyped"] = to_json(losses, retyped);
}

}  // namespace polycodec::cli
