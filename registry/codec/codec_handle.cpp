// SPDX-License-Identifier: MIT
#include "registry/codec/codec_handle.hpp"

#include <base/json_writer.hpp>
#include <polycodec/quote.hpp>

#include "core/call/advice.hpp"
#include "core/frame/message.hpp"
#include "core/io/blob_sink_state.hpp"
#include "core/io/blob_store_state.hpp"
#include "core/io/mapped_file.hpp"
#include "core/io/sink_state.hpp"
#include "core/text/text.hpp"
#include "core/value/arena.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/kept.hpp"
#include "registry/codec/filters.hpp"
#include "registry/codec/narrow.hpp"
#include "registry/codec/output_regions.hpp"
#include "registry/codec/read_back.hpp"
#include "registry/codec/unpack.hpp"
#include "registry/document/json_document.hpp"
#include "registry/document/json_schema.hpp"
#include "registry/session/instance.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace polycodec {
namespace {

/// Bounds a sink by the budget for one encode, and drops what was written if that fails.
template <class AnySink>
class BoundedSink {
 public:
  BoundedSink(AnySink& sink, Budget& budget, const Regions& regions) noexcept
      : sink_(sink), before_(sink.max_bytes()) {
    sink_.state().set_budget(budget);
    sink_.state().set_regions(&regions);
    sink_.state().scratch().use(UINT64_MAX, &budget);
  }
  BoundedSink(const BoundedSink&) = delete;
  BoundedSink& operator=(const BoundedSink&) = delete;
  ~BoundedSink() {
    sink_.state().set_regions(nullptr);
    sink_.state().scratch().settle();
    if (!done_) sink_.reset();
    sink_.set_max_bytes(before_);
  }
  /// The output may be of the plugin, which it then keeps.
  void done(const std::shared_ptr<const CodecInstance>& instance) {
    const Regions* const regions = instance.get();
    sink_.state().scratch().keep(instance, {}, regions);
    done_ = true;
  }

 private:
  AnySink& sink_;
  std::uint64_t before_;
  bool done_ = false;
};

/// What the value that is encoded earns, unless the caller has a budget for several calls.
void earn(const CallTerms& terms, NodeView root, const Value* value) {
  if (&terms.budget != &terms.own) return;
  if (value != nullptr) return polycodec::earn(terms.budget, *value);
  earn_later(terms.budget, root);
}

/// The memory of the source's store, or null.
const Regions* regions_of(const Source& source) noexcept {
  return source.store() == nullptr ? nullptr : &source.store()->state();
}

/// Runs `body`, which decodes into the value; leaves the value null if it throws.
template <class Body>
auto or_null(Value& value, Body&& body) {
  try {
    return body();
  } catch (...) {
    value.set_root(nullptr);
    throw;
  }
}

/// Runs body(). An error that an option of the codec lifts, as its manifest says, names that option
/// as `side` ("from" or "to") has it.
template <class Body>
auto with_option(const CodecInfo& info, const char* side, Body&& body) {
  try {
    return body();
  } catch (const Error& e) {
    const std::string option = lifting_option(info.options_schema, e.detail());
    if (option.empty()) throw;
    throw with_advice(e, std::string("use ") + side + ".options " + option + " to accept it");
  }
}

std::vector<polycodec_bytes> pieces_of(SegmentSink& sink) {
  std::vector<polycodec_bytes> pieces;
  for (const Segment& segment : sink.segments())
    pieces.push_back({segment.data, std::uint64_t{segment.size}});
  return pieces;
}

}  // namespace

const CodecInfo& Codec::info() const noexcept {
  return instance_->info();
}
const polycodec_codec* Codec::abi() const noexcept {
  return &instance_->abi();
}
const polycodec_instance* Codec::instance() const noexcept {
  return instance_->handle;
}

bool Codec::is_tolerant() const noexcept {
  return instance_->is_tolerant;
}

std::vector<const CodecInfo*> Codec::filters() const {
  std::vector<const CodecInfo*> all;
  if (filters_ != nullptr)
    for (const auto& filter : filters_->instances) all.push_back(&filter->info());
  return all;
}

const std::string& Codec::filters_json() const noexcept {
  static const std::string none;
  return filters_ == nullptr ? none : filters_->json;
}

std::string Codec::to_json() const {
  JsonObjectText json;
  json.add("codec", to_json_string(info().name));
  if (!options_json_.empty()) json.add("options", options_json_);
  if (filters_ != nullptr) json.add("filters", filters_->json);
  return json.end();
}

void Codec::describe(Header& header) const {
  header.codec = info().name;
  header.codec_version = info().format_version;
  header.options = without_host_only(info().options_schema, options_json_);
  std::erase_if(header.fields, [](const HeaderField& field) { return field.name == "filters"; });
  if (filters_ != nullptr) header.fields.push_back({"filters", filters_->json});
}

/// What several members do.
struct Codec::Work {
  static void decode(const Codec& codec, Value& value, const polycodec_input& input,
                     std::shared_ptr<const void> pin, const Regions* blobs, std::uint64_t physical,
                     const CallOptions& options);
  static void decode_source(const Codec& codec, Value& value, const Source& source,
                            const CallOptions& options);
  static void encode(const Codec& codec, NodeView root, const Value* value, Sink& sink,
                     const CallOptions& options);
  /// Reads back what the codec writes and reports members of another type, if the caller asked for
  /// it.
  static void report_retyped(const Codec& codec, NodeView root, const CallTerms& terms);
};

const CallOptions& Codec::none() noexcept {
  // Never destroyed, so that it is there when the program ends, and made without an allocation.
  alignas(CallOptions) static std::byte memory[sizeof(CallOptions)];
  static const CallOptions& options = *::new (memory) CallOptions;
  return options;
}

// -- decoding --

void Codec::Work::decode(const Codec& codec, Value& value, const polycodec_input& input,
                         std::shared_ptr<const void> pin, const Regions* blobs,
                         std::uint64_t physical, const CallOptions& options) {
  const auto& instance = codec.instance_;
  const CallTerms terms(instance->session, options, instance->is_tolerant);
  or_null(value, [&] {
    polycodec_arena* arena = value.prepare(UINT64_MAX, &terms.budget);
    const Settling settling(value.arena());
    terms.budget.add_input(physical);
    const bool stable = input.file == nullptr || (input.file->flags & POLYCODEC_FILE_STABLE) != 0;
    const Regions* const constants = instance.get();
    std::string_view bytes = to_string_view(input.bytes);
    if (pin != nullptr || blobs != nullptr)
      value.arena().keep(std::move(pin), std::exchange(bytes, {}), blobs, stable);
    value.arena().keep(instance, bytes, constants, stable);
    CallContext call(terms, arena);
    call.set_projection(options.projection);
    const polycodec_node* root = instance->decode(call, input, options.member);
    value.arena().set_origin(
        {terms.budget.limits(), terms.budget.input(), terms.budget.filtered()});
    if (options.projection.is_all()) return value.set_root(root);
    set_narrowed(value, root, options.projection, terms.budget);
  });
}

Value Codec::decode(const Source& source, const CallOptions& options) const {
  Value value;
  decode_into(value, source, options);
  return value;
}

void Codec::decode_into(Value& value, const Source& source, const CallOptions& options) const {
  or_null(value, [&] {
    try {
      with_option(info(), "from", [&] { Work::decode_source(*this, value, source, options); });
    } catch (const Error&) {
      posix::MappedFile::check(source.input());  // that it was cut short says more
      throw;
    }
    posix::MappedFile::check(source.input());
  });
}

void Codec::Work::decode_source(const Codec& codec, Value& value, const Source& source,
                                const CallOptions& options) {
  if (codec.filters_ == nullptr)
    return decode(codec, value, source.input(), source.pin(), regions_of(source),
                  source.physical_bytes(), options);
  CallOptions shared = options;  // one budget for all filters and the codec
  const CallTerms terms(codec.instance_->session, options);
  if (!shared.budget) shared.budget = {std::shared_ptr<void>(), &terms.budget};
  const Source inner = codec.unwrap(source, shared);
  decode(codec, value, inner.input(), inner.pin(), regions_of(inner), inner.physical_bytes(),
         shared);
}

void Codec::decode_into(Value& value, std::string_view bytes, const CallOptions& options) const {
  if (filters_ != nullptr) return decode_into(value, Source::view(bytes), options);
  polycodec_input input{};
  input.struct_size = sizeof input;
  input.parts = POLYCODEC_INPUT_BYTES;
  input.bytes = to_bytes(bytes);
  input.total = bytes.size();
  with_option(info(), "from",
              [&] { Work::decode(*this, value, input, nullptr, nullptr, bytes.size(), options); });
}

Source Codec::unwrap(const Source& source, const CallOptions& options) const {
  if (filters_ == nullptr) return source;
  const CallTerms terms(instance_->session, options);
  terms.budget.add_input(source.physical_bytes());
  Source at = source;
  for (auto filter = filters_->instances.rbegin(); filter != filters_->instances.rend(); ++filter)
    at = undo_filter(terms, *filter, at, std::string(source.name()));
  return at;
}

void Codec::require_encode() const {
  instance_->require_encode();
}

void Codec::refuse_compressed(const Source& source) const {
  polycodec::refuse_compressed(instance_->session, source);
}

Value Codec::list(const Source& source, const CallOptions& options) const {
  const CallTerms terms(instance_->session, options);
  Value value;
  polycodec_arena* arena = value.prepare(UINT64_MAX, &terms.budget);
  value.arena().keep(source.pin(), source.bytes(), regions_of(source), source.is_stable());
  const Regions* const constants = instance_.get();
  value.arena().keep(instance_, {}, constants);
  CallContext call(terms, arena);
  if (source.input().store == nullptr)
    throw Error(Status::unsupported, "the values of a store are asked for, and there are bytes")
        .codec(info().name);
  value.set_root(instance_->list(call, source.input().store));
  value.arena().settle();
  return value;
}

// -- encoding --

void Codec::Work::report_retyped(const Codec& codec, NodeView root, const CallTerms& terms) {
  if (!terms.options.report_retyped || !codec.info().can_decode) return;
  const Codec bare(codec.instance_);
  CallOptions shared = terms.options;
  shared.budget = {std::shared_ptr<void>(), &terms.budget};
  const Value back = read_back(bare, root, shared);
  for (const Retyped& member :
       retyped_members(root, back.view(), shared.budget->limits(), shared.budget))
    terms.report_loss(LossClass::retyped, member.path, member.from + " -> " + member.to);
}

void Codec::Work::encode(const Codec& codec, NodeView root, const Value* value, Sink& sink,
                         const CallOptions& options) {
  const auto& instance = codec.instance_;
  const CallTerms terms(instance->session, options);
  earn(terms, root, value);
  if (value != nullptr && value->is_partial() && !options.allow_partial)
    throw Error(Status::invalid,
                "the value was decoded with a projection, so parts of it may be missing: allow "
                "partial values to write it")
        .codec(codec.info().name);
  report_retyped(codec, root, terms);
  const auto run = [&](Sink& to) {
    const Arena& scratch = to.state().scratch();
    const OutputRegions regions(root, value, scratch, *instance, terms.budget.limits().max_depth);
    BoundedSink bounded(to, terms.budget, regions);
    CallContext call(terms, to.state().scratch().abi());
    polycodec_output output{};
    output.struct_size = sizeof output;
    output.parts = POLYCODEC_INPUT_BYTES;
    output.sink = to.abi();
    instance->encode(call, root.raw(), output);
    bounded.done(instance);
  };
  if (codec.filters_ == nullptr) return run(sink);
  auto between = std::make_shared<std::deque<SegmentSink>>();
  run(between->emplace_back());
  const auto& all = codec.filters_->instances;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto pieces = pieces_of(between->back());
    Sink& to = i + 1 == all.size() ? sink : between->emplace_back();
    const OutputRegions regions(pieces, to.state().scratch(), *all[i]);
    BoundedSink bounded(to, terms.budget, regions);
    CallContext call(terms, to.state().scratch().abi());
    all[i]->encode(call, pieces.data(), pieces.size(), to.abi());
    to.state().scratch().keep(all[i]);
    bounded.done(instance);
  }
  sink.state().scratch().keep(std::move(between));
}

void Codec::encode(NodeView value, Sink& sink, const CallOptions& options) const {
  with_option(info(), "to", [&] { Work::encode(*this, value, nullptr, sink, options); });
}

void Codec::encode(const Value& value, Sink& sink, const CallOptions& options) const {
  with_option(info(), "to", [&] { Work::encode(*this, value.view(), &value, sink, options); });
}

void Codec::encode(NodeView value, BlobSink& sink, const CallOptions& options) const {
  if (filters_ != nullptr)
    throw Error(Status::unsupported, "filters take one run of bytes, not a store of blobs")
        .codec(info().name);
  const CallTerms terms(instance_->session, options);
  earn(terms, value, nullptr);
  Work::report_retyped(*this, value, terms);
  const OutputRegions regions(value, nullptr, sink.state().scratch(), *instance_,
                              terms.budget.limits().max_depth);
  BoundedSink bounded(sink, terms.budget, regions);
  CallContext call(terms, sink.state().scratch().abi());
  polycodec_output output{};
  output.struct_size = sizeof output;
  output.parts = POLYCODEC_INPUT_STORE;
  output.store = sink.abi();
  output.member = to_bytes(options.member);
  instance_->encode(call, value.raw(), output);
  bounded.done(instance_);
}

std::string Codec::encode_to_string(NodeView value, const CallOptions& options) const {
  BufferSink sink;
  encode(value, sink, options);
  return std::string(sink.view());
}

std::optional<std::uint64_t> Codec::encoded_size(NodeView value, const CallOptions& options) const {
  const CallTerms terms(instance_->session, options);
  Arena scratch(UINT64_MAX, &terms.budget);
  CallContext call(terms, scratch.abi());
  const std::uint64_t size = instance_->encoded_size(call, value.raw());
  return size == POLYCODEC_SIZE_UNKNOWN ? std::nullopt : std::optional(size);
}

// -- filters --

std::shared_ptr<const CodecFilters> CodecFilters::open(const Session& session,
                                                       std::string_view json, const CodecInfo& of,
                                                       OptionsFrom from) {
  if (json.empty()) return nullptr;
  const JsonDocument document(json, "filters", Status::option);
  const NodeView list = document.root();
  if (!list.is_list()) document.fail({}, "must be a list of filters");
  if (list.size() > max_filters)
    document.fail(
        {}, std::to_string(list.size()) + " filters, there may be " + std::to_string(max_filters));
  if (list.size() == 0) return nullptr;
  if ((of.outputs & POLYCODEC_INPUT_BYTES) == 0 && (of.inputs & POLYCODEC_INPUT_BYTES) == 0)
    document.fail(
        {}, "codec " + quote(of.name) + " writes several blobs, and filters take one run of bytes");
  auto filters = std::make_shared<CodecFilters>();
  for (std::uint64_t i = 0; i < list.size(); ++i) {
    const JsonPath path{std::to_string(i)};
    const NodeView entry = list[i];
    const auto id = entry.is_object() ? entry.find("id") : std::nullopt;
    if (!id || !id->is_string())
      document.fail(path, "a filter is an object with its name as \"id\" and its options");
    const std::string name(id->as_string());
    if (!is_canonical_name(name)) document.fail(path, quote(name) + " is not a filter name");
    const Catalog& catalog = session.catalog;
    if (catalog.find(Kind::filter, name) == nullptr && catalog.find(Kind::codec, name) != nullptr)
      document.fail(path, "codec " + quote(name) + " is not a filter: its values are not bytes");
    const Value options = Value::build([&](Builder& out) {
      Node* nodes = nullptr;
      const Node object = out.object(entry.size() - 1, &nodes);
      for (std::uint64_t m = 0; m < entry.size(); ++m) {
        if (entry.key(m).as_string() == "id") continue;
        *nodes++ = *entry.key(m).raw();
        *nodes++ = *entry.value(m).raw();
      }
      return object;
    });
    filters->instances.push_back(
        session.open_filter(catalog.need(Kind::filter, name), options.view(), from));
  }
  filters->json = polycodec::to_json(list, json_compact);
  return filters;
}

}  // namespace polycodec
