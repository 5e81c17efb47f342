// SPDX-License-Identifier: MIT
#include <model/type/match.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/call/budget.hpp"
#include "core/frame/message.hpp"
#include "core/io/sink.hpp"
#include "core/text/infer.hpp"
#include "registry/call/call.hpp"
#include "registry/channel/channel.hpp"
#include "registry/codec/passing_state.hpp"
#include "registry/load/policy.hpp"

#include <algorithm>
#include <utility>

namespace polycodec {

namespace {

/// Only its size is wanted.
class SizeSink final : public Sink {
 public:
  SizeSink() : Sink(std::make_unique<State>()) {}

 private:
  class State final : public PassingState {
    void take(const void*, std::size_t) override {}
  };
};

/// Why a codec of the offer does not fit the value, or why it does.
class Checker {
 public:
  Checker(const Registry& registry, NodeView value, const CallOptions& options)
      : registry_(registry),
        value_(value),
        options_(options),
        type_(infer_type(value, options.limits ? *options.limits : registry.options().limits)) {}

  const type::Type& type() const noexcept { return type_; }

  Verdict check(const OfferedCodec& offered, std::string_view codec_options) const {
    const CodecInfo* info = registry_.find(offered.codec);
    if (info == nullptr || info->name != offered.codec) return no(offered, "no such codec here");
    if (!info->can_encode) return no(offered, "it does not encode values");
    const std::string refusal =
        refuses_codec(registry_.options().policy, info->name, info->plugin_id, Right::encode);
    if (!refusal.empty()) return no(offered, refusal);
    if (!offered.versions.empty() && std::find(offered.versions.begin(), offered.versions.end(),
                                               info->format_version) == offered.versions.end())
      return no(offered,
                "the peer does not read version " + quote(info->format_version) + " of the format");
    const auto fits = [&](const std::string& pattern) {
      return type::matches(type::parse(pattern), type_);
    };
    if (!offered.types.empty() && std::none_of(offered.types.begin(), offered.types.end(), fits))
      return no(offered, "the peer does not take values of type " + short_type());
    return by_encoding(offered, *info, codec_options);
  }

 private:
  static Verdict no(const OfferedCodec& offered, std::string reason) {
    return {offered.codec, false, std::move(reason)};
  }
  std::string short_type() const {
    std::string text = type::print(type_);
    if (text.size() > 200) text.replace(200, std::string::npos, "..");
    return text;
  }

  /// Whether the codec takes the value, and how long the result is.
  Verdict by_encoding(const OfferedCodec& offered, const CodecInfo& info,
                      std::string_view codec_options) const {
    try {
      const Codec codec = registry_.codec_with_json(info.name, codec_options);
      std::optional<std::uint64_t> size = codec.encoded_size(value_, options_);
      if (!size) {
        SizeSink sink;
        sink.set_max_bytes(offered.max_bytes.value_or(UINT64_MAX));
        codec.encode(value_, sink, options_);
        size = sink.size();
      }
      if (offered.max_bytes && *size > *offered.max_bytes)
        return no(offered, std::to_string(*size) + " bytes are more than the peer reads (" +
                               std::to_string(*offered.max_bytes) + ")");
      return {offered.codec, true, "it takes the value in " + std::to_string(*size) + " bytes"};
    } catch (const Error& e) {
      if (e.code() == Status::cancelled || e.code() == Status::memory) throw;
      return no(offered, e.message());
    }
  }

  const Registry& registry_;
  NodeView value_;
  const CallOptions& options_;
  type::Type type_;
};

}  // namespace

Offer make_offer(const Registry& registry, std::string peer, std::span<const std::string> preferred,
                 std::optional<std::uint64_t> max_bytes) {
  Offer offer{std::move(peer), {}};
  const auto add = [&](const CodecInfo& info) {
    if (!info.can_decode || !info.takes(POLYCODEC_INPUT_BYTES)) return;
    if (!refuses_codec(registry.options().policy, info.name, info.plugin_id, Right::decode).empty())
      return;
    OfferedCodec offered{info.name, {}, {}, max_bytes};
    if (!info.format_version.empty()) offered.versions.push_back(info.format_version);
    offer.codecs.push_back(std::move(offered));
  };
  for (const std::string& name : preferred) {
    const CodecInfo* info = registry.find(name);
    if (info == nullptr) throw Error(Status::not_found, registry.explain_missing(name));
    add(*info);
  }
  if (preferred.empty())
    for (const CodecInfo& info : registry.codecs()) add(info);
  return offer;
}

Offer offer_of_silent_peer() {
  return {{}, {{std::string(default_message_codec), {}, {}, {}}}};
}

Agreement agree(const Registry& registry, const Configuration* configuration, const Offer& offer,
                NodeView value, const CallOptions& options) {
  CallOptions once = options;  // however many codecs the peer offers
  use_one_budget(once, registry.options().limits, value);
  const BudgetScope scope(*once.budget);
  const Checker checker(registry, value, once);
  Agreement agreement;
  std::optional<CodecRule> rule;
  if (configuration != nullptr) {
    RuleFacts facts;
    facts.value = value.raw();
    facts.peer = offer.peer;
    rule = configuration->choose(facts);
  }
  const CodecInfo* wanted = rule ? registry.find(rule->codec) : nullptr;
  for (const OfferedCodec& offered : offer.codecs) {
    const bool by_rule = wanted != nullptr && wanted->name == offered.codec;
    agreement.verdicts.push_back(checker.check(offered, by_rule ? rule->options : std::string()));
    if (!agreement.verdicts.back().fits) continue;
    if (by_rule) {
      agreement.codec = offered.codec;
      agreement.options = rule->options;
      agreement.reason = "the sender's rules name it";
    } else if (agreement.codec.empty()) {
      agreement.codec = offered.codec;
      agreement.reason = "the first of the offer that fits";
    }
  }
  if (agreement.codec.empty())
    agreement.reason = offer.codecs.empty() ? "the peer offers no codec"
                                            : "none of the offered codecs fits the value";
  else
    agreement.version = registry.find(agreement.codec)->format_version;
  return agreement;
}

std::string Agreement::explain() const {
  std::string text = (codec.empty() ? "no codec" : codec) + ": " + reason;
  for (const Verdict& verdict : verdicts)
    text +=
        "\n  " + std::string(verdict.fits ? "+ " : "- ") + verdict.codec + ": " + verdict.reason;
  return text;
}

}  // namespace polycodec
