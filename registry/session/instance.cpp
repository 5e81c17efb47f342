// SPDX-License-Identifier: MIT
#include "registry/session/instance.hpp"

#include "core/value/value.hpp"
#include "registry/document/json_schema.hpp"
#include "registry/isolation/proxies.hpp"
#include "registry/session/store_format.hpp"

#include <string>
#include <utility>

namespace polycodec {

Opened::Opened(const Session& owner, const CodecSlot& of)
    : session(owner),
      slot(of),
      plugin_(owner.catalog.load_for(of)),
      may_decode_(of.decode_refusal.empty() && of.info->can_decode),
      may_encode_(of.encode_refusal.empty() && of.info->can_encode) {}

Opened::~Opened() = default;

std::string_view Opened::region_of(const void* data, std::uint64_t size) const noexcept {
  std::string_view found = arena_.region_of(data, size);
  if (found.empty()) found = plugin_->hold->region_of(data, size);
  // What a worker means by such an address is something else.
  if (plugin_->hold->is_isolated()) return found;
  return found.empty() ? session.catalog.constants_around(data, size) : found;
}

void Opened::refuse(Right right) const {
  const bool decode = right == Right::decode;
  const std::string& refusal = decode ? slot.decode_refusal : slot.encode_refusal;
  if (!refusal.empty()) throw error(Status::denied, refusal);
  const std::string what = "this " + std::string(kind_word(info().kind));
  throw error(Status::unsupported,
              what + (decode ? " cannot decode, only encode" : " cannot encode, only decode"));
}

// -- codecs --

CodecInstance::CodecInstance(const Session& owner, const CodecSlot& of, NodeView options)
    : Opened(owner, of), is_tolerant(options.is_object() && bool_at(options, "tolerant", false)) {
  open<polycodec_codec>(options, &handle);
  const auto lacks = [&](bool can, const void* function, const char* name) {
    if (can && function == nullptr) {
      give_back([&] { handle->release(handle); });
      throw error(Status::plugin, std::string("the instance has no function ") + name);
    }
  };
  const auto address = [](auto* function) { return reinterpret_cast<const void*>(function); };
  lacks(!POLYCODEC_HAS(polycodec_instance, handle, release), nullptr, "release");
  lacks(info().can_decode, address(handle->decode), "decode");
  lacks(info().can_encode, address(handle->encode), "encode");
  lacks(info().can_read_stream, address(handle->open_reader), "open_reader");
  lacks(info().can_write_stream, address(handle->open_writer), "open_writer");
  lacks(info().can_list, address(handle->list), "list");
}

CodecInstance::~CodecInstance() {
  give_back([&] { handle->release(handle); });
}

void CodecInstance::accept(const CallContext& call, const polycodec_node* root,
                           const Regions* read) const {
  if (root == nullptr) throw error(Status::plugin, "the plugin reported success and gave no value");
  try {
    call.accept(root, read);
  } catch (Error& e) {
    e.codec(info().name);
    throw;
  }
}

/// A codec is handed no more than it asked for: most read the bytes alone, also if there is a
/// directory beside them.
void CodecInstance::choose_parts(polycodec_input& input, CallContext& call) const {
  const std::uint32_t wanted = info().inputs;
  const std::uint32_t bytes = POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_FILE;
  const bool reads_bytes = (input.parts & wanted & bytes) != 0;
  if (reads_bytes) {
    input.parts &= wanted & (bytes | POLYCODEC_INPUT_COMPANIONS);
  } else if ((wanted & POLYCODEC_INPUT_STORE) != 0) {
    if (input.store == nullptr) input.store = open_archive(call, input);
    input.parts = POLYCODEC_INPUT_STORE;
  } else {
    throw error(Status::unsupported, (input.parts & bytes) == 0
                                         ? "this codec reads bytes, not a store of blobs"
                                         : "this codec reads a file, and there are only bytes");
  }
  if ((input.parts & POLYCODEC_INPUT_BYTES) == 0) input.bytes = {};
  if ((input.parts & POLYCODEC_INPUT_FILE) == 0) input.file = nullptr;
  if ((input.parts & (POLYCODEC_INPUT_STORE | POLYCODEC_INPUT_COMPANIONS)) == 0)
    input.store = nullptr;
  if (input.bytes.size > call.limits().max_input_bytes)
    throw error(Status::limit, "the input has " + std::to_string(input.bytes.size) +
                                   " bytes, more than max_input_bytes (" +
                                   std::to_string(call.limits().max_input_bytes) + ")");
}

const polycodec_node* CodecInstance::decode(CallContext& context, const polycodec_input& input,
                                            std::string_view member, const Regions* read) const {
  require(Right::decode);
  polycodec_input given = input;
  if (!member.empty()) given.member = to_bytes(member);
  try {
    choose_parts(given, context);
  } catch (Error& e) {
    e.codec(info().name);
    throw;
  }
  context.set_codec_calls(slot.calls);
  const auto decode_once = [&] {
    const polycodec_node* root = nullptr;
    call(context, handle->decode, handle, context.abi(), &given, &root);
    accept(context, root, read);
    return root;
  };
  try {
    return decode_once();
  } catch (const Error& e) {
    if (e.code() != Status::plugin || !e.message().starts_with(stray_pointer) ||
        !isolation::shall_repeat(handle))
      throw;
  }
  return decode_once();
}

void CodecInstance::encode(CallContext& context, const polycodec_node* root,
                           const polycodec_output& output) const {
  require(Right::encode);
  const std::uint32_t wanted = info().outputs;
  if ((output.parts & wanted & (POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_STORE)) == 0)
    throw error(Status::unsupported, output.store == nullptr
                                         ? "this codec writes a store of blobs, not bytes"
                                         : "this codec writes bytes, not a store of blobs");
  context.set_codec_calls(slot.calls);
  call(context, handle->encode, handle, context.abi(), root, &output);
}

std::uint64_t CodecInstance::encoded_size(CallContext& context, const polycodec_node* root) const {
  require(Right::encode);
  std::uint64_t size = POLYCODEC_SIZE_UNKNOWN;
  if (handle->encoded_size != nullptr)
    call(context, handle->encoded_size, handle, context.abi(), root, &size);
  return size;
}

const polycodec_node* CodecInstance::list(CallContext& context,
                                          const polycodec_store* store) const {
  require(Right::decode);
  if (!info().can_list)
    throw error(Status::unsupported, "this codec does not keep several values in one store");
  const polycodec_node* contents = nullptr;
  call(context, handle->list, handle, context.abi(), store, &contents);
  accept(context, contents);
  return contents;
}

polycodec_reader* CodecInstance::open_reader(CallContext& context) const {
  require(Right::decode);
  if (!info().can_read_stream)
    throw error(Status::unsupported, "this codec does not decode streams of values");
  polycodec_reader* reader = nullptr;
  call(context, handle->open_reader, handle, context.abi(), &reader);
  if (reader == nullptr || reader->next == nullptr || reader->release == nullptr)
    throw error(Status::plugin, "open_reader() made no reader");
  return reader;
}

polycodec_writer* CodecInstance::open_writer(CallContext& context) const {
  require(Right::encode);
  if (!info().can_write_stream)
    throw error(Status::unsupported, "this codec does not encode streams of values");
  polycodec_writer* writer = nullptr;
  call(context, handle->open_writer, handle, context.abi(), &writer);
  if (writer == nullptr || writer->append == nullptr || writer->finish == nullptr ||
      writer->release == nullptr)
    throw error(Status::plugin, "open_writer() made no writer");
  return writer;
}

bool CodecInstance::next(CallContext& context, polycodec_reader* reader,
                         polycodec_step& step) const {
  context.set_codec_calls(slot.calls);
  call(context, reader->next, reader, context.abi(), &step);
  // Progress of the wrong kind would make the caller's loop run for ever.
  const std::uint64_t left = step.bytes.size - std::min(step.bytes.size, step.consumed);
  const bool found = step.root != nullptr;
  const bool sound = step.consumed <= step.bytes.size &&
                     (found ? step.consumed > 0
                            : step.consumed > 0 || (step.final == 0 && step.wanted > left) ||
                                  (step.final != 0 && left == 0));
  if (!sound) throw error(Status::plugin, "the plugin reported impossible progress in a stream");
  return found;
}

// -- filters --

FilterInstance::FilterInstance(const Session& owner, const CodecSlot& of, NodeView options)
    : Opened(owner, of) {
  open<polycodec_filter>(options, &handle);
  if ((info().can_decode && handle->decode == nullptr) ||
      (info().can_encode && handle->encode == nullptr)) {
    give_back([&] { handle->release(handle); });
    throw error(Status::plugin, "the instance lacks a function that the manifest promises");
  }
}

FilterInstance::~FilterInstance() {
  give_back([&] { handle->release(handle); });
}

void FilterInstance::encode(CallContext& context, const polycodec_bytes* pieces, std::uint64_t n,
                            polycodec_sink* sink) const {
  require(Right::encode);
  call(context, handle->encode, handle, context.abi(), pieces, n, sink);
}

void FilterInstance::decode(CallContext& context, std::string_view bytes,
                            polycodec_sink* sink) const {
  require(Right::decode);
  call(context, handle->decode, handle, context.abi(), to_bytes(bytes), POLYCODEC_SIZE_UNKNOWN,
       sink);
}

}  // namespace polycodec
