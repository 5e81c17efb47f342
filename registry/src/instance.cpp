// SPDX-License-Identifier: MIT
#include "instance.hpp"

#include <polycodec/json.hpp>
#include <polycodec/near_names.hpp>
#include <polycodec/validate.hpp>

#include "schema.hpp"
#include "store_input.hpp"

#include <string>
#include <utility>

namespace polycodec {

CodecInstance::CodecInstance(const Catalog& owner, const CodecSlot& of, const polycodec_codec& with,
                             const polycodec_node* options)
    : catalog(owner), slot(of), abi(with) {
  auto error = make_error();
  if (const auto code = abi.open(&catalog.host.abi, options, &handle, &error); code != POLYCODEC_OK)
    fail(code, error);
}

CodecInstance::~CodecInstance() {
  abi.close(handle);
}

CodecSlot::~CodecSlot() {
  delete default_instance.load(std::memory_order_acquire);
}

void CodecInstance::fail(std::int32_t code, const polycodec_error& error) const {
  throw to_error(code, error).codec(info().name);
}

void CodecInstance::require(Right right) const {
  const bool decode = right == Right::decode;
  const std::string& refusal = decode ? slot.decode_refusal : slot.encode_refusal;
  if (!refusal.empty()) throw Error(Status::denied, refusal).codec(info().name);
  if (!(decode ? info().can_decode : info().can_encode))
    throw Error(Status::unsupported,
                decode ? "this codec cannot decode, only encode" : "this codec cannot encode, only decode")
        .codec(info().name);
}

void CodecInstance::accept(const CallContext& context, const polycodec_node* root) const {
  if (root == nullptr)
    throw Error(Status::plugin, "the plugin reported success and gave no value").codec(info().name);
  try {
    validate(root, context.limits, context.validation);
  } catch (Error& e) {
    e.codec(info().name);
    throw;
  }
}

const polycodec_node* CodecInstance::decode(const CallContext& context, const polycodec_input& input,
                                            polycodec_arena* arena) const {
  require(Right::decode);
  polycodec_input given = input;
  // A codec is handed no more than it asked for: most read the bytes alone, also if a folder stands beside them.
  if (input.has_bytes != 0 && input.store != nullptr && !info().takes_bytes_and_store) {
    if (info().takes_bytes) {
      given.store = nullptr;
    } else {
      given.has_bytes = 0;
      given.bytes = {};
    }
  }
  if (given.store == nullptr && takes_store_alone(info())) {
    try {
      given.store = open_archive(given, context.limits, *arena);
    } catch (Error& e) {
      e.codec(info().name);
      throw;
    }
    given.has_bytes = 0;
    given.bytes = {};
  }
  const bool fits = given.store == nullptr
                        ? info().takes_bytes || (info().takes_bytes_and_store && !info().takes_store)
                    : given.has_bytes == 0 ? info().takes_store
                                           : info().takes_bytes_and_store;
  if (!fits)
    throw Error(Status::unsupported, given.store == nullptr ? "this codec reads a store of blobs, not bytes"
                                                            : "this codec reads bytes, not a store of blobs")
        .codec(info().name);
  if (given.has_bytes != 0 && given.bytes.size > context.limits.max_input_bytes)
    throw Error(Status::limit, "the input has " + std::to_string(given.bytes.size) +
                                   " bytes, more than max_input_bytes (" +
                                   std::to_string(context.limits.max_input_bytes) + ")")
        .codec(info().name);
  const polycodec_node* root = nullptr;
  auto error = make_error();
  const CallContext own(context, slot.calls);
  if (const auto code = abi.decode(handle, &own.abi, &given, arena, &root, &error); code != POLYCODEC_OK)
    fail(code, error);
  accept(context, root);
  return root;
}

void CodecInstance::encode(const CallContext& context, const polycodec_node* root, polycodec_sink* sink) const {
  require(Right::encode);
  auto error = make_error();
  if (const auto code = abi.encode(handle, &context.abi, root, sink, &error); code != POLYCODEC_OK) fail(code, error);
}

std::uint64_t CodecInstance::encoded_size(const CallContext& context, const polycodec_node* root) const {
  require(Right::encode);
  std::uint64_t size = POLYCODEC_SIZE_UNKNOWN;
  if (abi.encoded_size == nullptr) return size;
  auto error = make_error();
  if (const auto code = abi.encoded_size(handle, &context.abi, root, &size, &error); code != POLYCODEC_OK)
    fail(code, error);
  return size;
}

StreamProgress CodecInstance::stream_next(const CallContext& context, std::string_view bytes, bool final,
                                          polycodec_arena* arena, const polycodec_node*& root) const {
  require(Right::decode);
  if (!info().can_stream)
    throw Error(Status::unsupported, "this codec does not decode streams of values").codec(info().name);
  StreamProgress progress;
  root = nullptr;
  auto error = make_error();
  const auto code = abi.stream_next(handle, &context.abi, to_bytes(bytes), final ? 1 : 0, arena, &root,
                                    &progress.consumed, &progress.wanted, &error);
  if (code != POLYCODEC_OK) fail(code, error);
  progress.found = root != nullptr;
  // Progress of the wrong kind would make the caller's loop run for ever.
  const bool sound = progress.found ? progress.consumed > 0 && progress.consumed <= bytes.size()
                                    : !final && progress.wanted > bytes.size();
  if (!sound) throw Error(Status::plugin, "the plugin reported impossible progress in a stream").codec(info().name);
  if (progress.found) accept(context, root);
  return progress;
}

const CodecSlot& Catalog::need(std::string_view name) const {
  if (const CodecSlot* slot = find(name)) return *slot;
  throw Error(Status::not_found, explain_missing(name));
}

std::shared_ptr<const CodecInstance> Catalog::open_codec(std::string_view name, View given) const {
  const CodecSlot& slot = need(name);
  if (given.is_null()) return open_slot(slot, nullptr);
  try {
    return open_slot(slot, json_from_view(given));
  } catch (Error& e) {
    if (e.codec().empty()) e.codec(slot.info->name);
    throw;
  }
}

std::shared_ptr<const CodecInstance> Catalog::open_slot(const CodecSlot& slot, const Json& given) const {
  // Asked here and not only when something is decoded: what the policy denies is not even loaded.
  if (!slot.decode_refusal.empty() && !slot.encode_refusal.empty())
    throw Error(Status::denied, slot.decode_refusal + "; " + slot.encode_refusal).codec(slot.info->name);
  const bool none = given.is_null() || (given.is_object() && given.empty());
  if (none) {
    if (const auto* instance = slot.default_instance.load(std::memory_order_acquire))
      return {std::shared_ptr<void>(), instance};
  }
  Json merged = slot.default_options.is_object() ? slot.default_options : Json::object();
  if (!none) {
    try {
      check_against_schema(*slot.schema, given);
    } catch (Error& e) {
      e.codec(slot.info->name);
      throw;
    }
    merged.update(given);
  }
  const polycodec_codec& codec = load_codec(slot);
  const Value document = merged.empty() ? Value() : parse_json(merged.dump());
  const polycodec_node* root = merged.empty() ? nullptr : document.root();
  if (!none) return std::make_shared<const CodecInstance>(*this, slot, codec, root);
  auto made = std::make_unique<const CodecInstance>(*this, slot, codec, root);
  const CodecInstance* first = nullptr;
  if (slot.default_instance.compare_exchange_strong(first, made.get(), std::memory_order_acq_rel))
    first = made.release();
  return {std::shared_ptr<void>(), first};
}

}  // namespace polycodec
