// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include <base/varint.hpp>
#include <model/loss_search.hpp>
#include <model/type/infer.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>

#include "cbor.hpp"
#include "chunks.hpp"
#include "decode.hpp"
#include "encode.hpp"
#include "infer.hpp"
#include "skip.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::dynd {
namespace {

bool has_field_names(const polycodec_node& object) {
  std::vector<std::string_view> names;
  const std::uint64_t size = polycodec_node_size(&object);
  names.reserve(static_cast<std::size_t>(size));
  for (std::uint64_t i = 0; i < size; ++i)
    names.push_back(NodeView(&object.as.nodes[2 * i]).as_string());
  return type::are_field_names(std::move(names));
}

/// What DyND has no type for, and stands in for where the host allows loss. With a type given, a
/// record that stands for something is what was asked for.
struct Lacks {
  static constexpr LossClass loss = LossClass::type;  // a record has all that the value has
  bool types_are_given;
  /// A type that is stated says what its members of unions are: options of what may be missing
  /// itself.
  bool is_covered_by(const polycodec_node& attributes) const {
    return !declared_types(&attributes).empty();
  }
  const char* operator()(const polycodec_node& node) const {
    if (types_are_given) return nullptr;
    switch (node.kind) {
      case POLYCODEC_KIND_OBJECT:
        return has_field_names(node)
                   ? nullptr
                   : "an object with duplicate keys: the record {'$map': ..} stands for it";
      case POLYCODEC_KIND_MAP:
        return "a map: the record {'$map': ..} stands for it";
      case POLYCODEC_KIND_EXTENSION:
        return "an extension: the record {'$ext': ..} stands for it";
      case POLYCODEC_KIND_UNION:
        return "which member of a union this is: the record {'$union': ..} stands for it";
      case POLYCODEC_KIND_TIMESTAMP:
        return "a timestamp: the record {'$datetime': ..} stands for it";
      case POLYCODEC_KIND_DURATION:
        return "a duration: the record {'$timedelta': ..} stands for it";
      default:
        return nullptr;
    }
  }
  const char* operator()(const polycodec_array& array) const noexcept {
    if (types_are_given) return nullptr;
    if (array.layout == POLYCODEC_LAYOUT_UNION)
      return "which member of a union each item is: records {'$union': ..} stand for them";
    if (array.layout == POLYCODEC_LAYOUT_NDARRAY && is_time(array.dtype))
      return "times: records stand for them";
    return nullptr;
  }
};

void check_type_is_known(const Settings& settings) {
  if (settings.bare)
    throw Error(Status::option,
                "option 'form': reading the data form needs the option 'type', which the bytes do "
                "not have");
}

/// Refuses, or tells the host, what the bytes will lack.
void settle_losses(const Settings& settings, const Call& call, NodeView value) {
  Losses losses;
  add_losses(value, losses, call,
             Lacks{settings.program != nullptr || settings.required != nullptr});
  losses.settle(call, "DyND", "dynd.lossy");
}

}  // namespace

Node Dynd::decode(Call& call, const Input& input, Builder& out) const {
  check_type_is_known(settings_);
  Decoder decoder(call, input.bytes(), out, settings_.max_zero_size_items);
  const Wanted wanted(call.projection());
  const polycodec_node* root = settings_.program != nullptr
                                   ? decoder.data_form(*settings_.program, wanted)
                                   : decoder.any_form(settings_.required.get(), wanted);
  decoder.expect_end();
  return *root;
}

void Dynd::encode(const Call& call, NodeView value, Writer& out) const {
  settle_losses(settings_, call, value);
  const std::uint64_t size = encoded_size(call, value);
  if (size != POLYCODEC_SIZE_UNKNOWN) out.expect(size);
  Encoder encoder(call, out);
  const View item(value);
  if (settings_.bare) return encoder.bare_form(item);
  if (settings_.program != nullptr) return encoder.data_form(*settings_.program, item);
  encoder.any_form(item, settings_.required.get());
}

std::uint64_t Dynd::encoded_size(const Call& call, NodeView value) const {
  if (settings_.bare) return POLYCODEC_SIZE_UNKNOWN;
  if (settings_.program != nullptr) {
    const Plan& plan = settings_.program->plan;
    return plan.fixed ? plan.width : POLYCODEC_SIZE_UNKNOWN;
  }
  if (settings_.required != nullptr) {
    const Plan& plan = settings_.required->plan;
    const std::size_t text = type::print(settings_.required->type).size();
    return plan.fixed ? varint_size(text) + text + plan.width : POLYCODEC_SIZE_UNKNOWN;
  }
  // Only where the type is found without looking at items.
  if (!value.is_array() || value.metadata()) return POLYCODEC_SIZE_UNKNOWN;
  const auto form = value.as_array().layout;
  if (form != POLYCODEC_LAYOUT_NDARRAY && form != POLYCODEC_LAYOUT_RECORD)
    return POLYCODEC_SIZE_UNKNOWN;
  const type::Type type = infer(value, call.limits().max_depth, call);
  if (has_sentinels(type)) return POLYCODEC_SIZE_UNKNOWN;
  const Plan plan = compile(type);
  const std::size_t text = type::print(type).size();
  return plan.fixed ? varint_size(text) + text + plan.width : POLYCODEC_SIZE_UNKNOWN;
}

std::unique_ptr<StreamReader> Dynd::open_reader(Call&) const {
  check_type_is_known(settings_);
  return std::make_unique<StreamReader>(settings_);
}

Sniff Dynd::sniff(Call&, const Input& input) {
  const std::string_view head = input.bytes();
  const Varint size =
      decode_varint(reinterpret_cast<const std::uint8_t*>(head.data()), head.size());
  // Hosts ask about each of many files: an exception takes longer than the rest of this function.
  if (size.status != VarintStatus::ok || size.value > head.size() - size.size)
    return {0, "no DyND type at the start"};
  const std::string_view text = head.substr(size.size, static_cast<std::size_t>(size.value));
  try {
    const type::Type type =
        type::parse(text, {.strict_dynd = true, .canonical_only = true, .concrete_only = true});
    const std::string shown = type::print(type).substr(0, 64);
    // Short words come about by chance in other formats.
    return {text.size() >= 8 ? 80u : text.size() >= 4 ? 60u : 30u, "starts with the type " + shown};
  } catch (const Error&) {
    return {0, "no DyND type at the start"};
  }
}

Node DyndCbor::decode(Call& call, const Input& input, Builder& out) const {
  return *decode_cbor(settings_, call, input.bytes(), out);
}

void DyndCbor::encode(const Call& call, NodeView value, Writer& out) const {
  settle_losses(settings_, call, value);
  encode_cbor(settings_, call, View(value), out);
}

}  // namespace polycodec::dynd
