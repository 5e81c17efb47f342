// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include <polycodec/loss_search.hpp>
#include <polycodec/type/parse.hpp>

#include "cbor.hpp"
#include "chunks.hpp"
#include "decode.hpp"
#include "encode.hpp"
#include "infer.hpp"
#include "skip.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace polycodec::dynd {
namespace {

/// What DyND has no type for, and stands in for where the host allows loss. With a type given, a record that stands
/// for something is what was asked for.
struct Lacks {
  bool types_are_given;
  /// A type that is stated says what its members of unions are: options of what may be missing itself.
  bool is_covered_by(const polycodec_node& attributes) const { return !declared_types(&attributes).empty(); }
  const char* operator()(const polycodec_node& node) const noexcept {
    if (types_are_given) return nullptr;
    switch (node.kind) {
      case POLYCODEC_MAP:
        return "a map: the record {'$map': ..} stands for it";
      case POLYCODEC_EXTENSION:
        return "an extension: the record {'$ext': ..} stands for it";
      case POLYCODEC_VARIANT:
        return "which member of a union this is: the record {'$union': ..} stands for it";
      case POLYCODEC_DATETIME:
        return "a point in time: the record {'$datetime': ..} stands for it";
      case POLYCODEC_TIMEDELTA:
        return "a span of time: the record {'$timedelta': ..} stands for it";
      default:
        return nullptr;
    }
  }
  const char* operator()(const polycodec_array& array) const noexcept {
    if (types_are_given) return nullptr;
    if (array.form == POLYCODEC_FORM_UNION)
      return "which member of a union each item is: records {'$union': ..} stand for them";
    if (array.form == POLYCODEC_FORM_NDARRAY && is_time(array.dtype)) return "times: records stand for them";
    return nullptr;
  }
};

void check_type_is_known(const Settings& settings) {
  if (settings.bare)
    throw Error(Status::option,
                "option 'form': reading the data form needs the option 'type', which the bytes do not have");
}

/// Refuses, or tells the host, what the bytes will lack.
void settle_losses(const Settings& settings, const Call& call, View value) {
  Losses losses;
  add_losses(value, losses, call.limits().max_depth,
             Lacks{settings.program != nullptr || settings.required != nullptr});
  losses.settle(call, "DyND", "unsupported");
}

}  // namespace

Dynd::Dynd(Host, const Options& options) : settings_(Settings::from(options)) {
  if (settings_.chunk_items != 0) chunks_ = std::make_shared<ChunkState>();
}

const polycodec_node* Dynd::decode(const Call& call, const Input& input, Builder& out) const {
  check_type_is_known(settings_);
  Decoder decoder(call, input.bytes(), out, settings_.max_zero_size_items);
  const polycodec_node* root = settings_.program != nullptr ? decoder.data_form(*settings_.program)
                                                            : decoder.any_form(settings_.required.get());
  decoder.expect_end();
  return root;
}

void Dynd::encode(const Call& call, View value, Writer& out) const {
  settle_losses(settings_, call, value);
  const std::uint64_t size = encoded_size(call, value);
  if (size != POLYCODEC_SIZE_UNKNOWN) out.expect(size);
  Encoder encoder(call, out);
  const Item item(value);
  if (settings_.bare) return encoder.bare_form(item);
  if (settings_.program != nullptr) return encoder.data_form(*settings_.program, item);
  encoder.any_form(item, settings_.required.get());
}

std::uint64_t Dynd::encoded_size(const Call& call, View value) const {
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
  if (!value.is_array() || value.attributes()) return POLYCODEC_SIZE_UNKNOWN;
  const auto form = value.as_array().form();
  if (form != POLYCODEC_FORM_NDARRAY && form != POLYCODEC_FORM_RECORD) return POLYCODEC_SIZE_UNKNOWN;
  const type::Type type = infer(value, call.limits().max_depth, call);
  if (has_sentinels(type)) return POLYCODEC_SIZE_UNKNOWN;
  const Plan plan = compile(type);
  const std::size_t text = type::print(type).size();
  return plan.fixed ? varint_size(text) + text + plan.width : POLYCODEC_SIZE_UNKNOWN;
}

StreamStep Dynd::whole(const Call& call, std::string_view bytes, bool final, Builder& out) const {
  if (!final) {
    // Looking for the end first takes no memory, however often the bytes come too short.
    BytesIn in(bytes);
    PlanCache plans;
    Pace pace(call);
    try {
      if (settings_.program != nullptr) {
        skip_value(settings_.program->plan, in, plans, call.limits().max_depth, pace);
      } else {
        const auto program = read_program(in, plans);
        skip_value(program->plan, in, plans, call.limits().max_depth, pace);
      }
    } catch (const Error& e) {
      if (e.code() != Status::truncated) throw;
      return wait_for(in, call, bytes.size());
    }
  }
  Decoder decoder(call, bytes, out, settings_.max_zero_size_items);
  const polycodec_node* root = settings_.program != nullptr ? decoder.data_form(*settings_.program)
                                                            : decoder.any_form(settings_.required.get());
  return {root, decoder.in.offset(), 0};
}

StreamStep Dynd::stream_next(const Call& call, std::string_view bytes, bool final, Builder& out) const {
  check_type_is_known(settings_);
  if (chunks_ != nullptr) {
    if (const auto step = chunks_->next(settings_, call, bytes, final, out)) return *step;
  }
  return whole(call, bytes, final, out);
}

Sniff Dynd::sniff(std::string_view head, std::uint64_t) {
  BytesIn in(head);
  try {
    const std::string_view text = in.counted("the type");
    const type::Type type = type::parse(text, {.strict_dynd = true, .canonical_only = true, .concrete_only = true});
    const std::string shown = type::print(type).substr(0, 64);
    // Short words come about by chance in other formats.
    return {text.size() >= 8 ? 80u : text.size() >= 4 ? 60u : 30u, "starts with the type " + shown};
  } catch (const Error&) {
    return {0, "no DyND type at the start"};
  }
}

const polycodec_node* DyndCbor::decode(const Call& call, const Input& input, Builder& out) const {
  return decode_cbor(settings_, call, input.bytes(), out);
}

void DyndCbor::encode(const Call& call, View value, Writer& out) const {
  settle_losses(settings_, call, value);
  encode_cbor(settings_, call, Item(value), out);
}

}  // namespace polycodec::dynd
