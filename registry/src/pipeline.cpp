// SPDX-License-Identifier: MIT
#include <polycodec/byte_run.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/pipeline.hpp>

#include "in_quotes.hpp"
#include "json_document.hpp"
#include "schema.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

namespace polycodec {
namespace {

constexpr std::uint64_t free_bytes = std::uint64_t{1} << 20;  // below this max_ratio says nothing

/// What stands between the stages of one encode.
struct Between {
  std::deque<SegmentSink> sinks;
  Value pieces;  // of the output of the stage before, as the next stage takes them
};

View as_value(SegmentSink& sink, Value& value) {
  const auto segments = sink.segments();
  Builder out(value.prepare(UINT64_MAX));
  polycodec_node* nodes = nullptr;
  const polycodec_node list = out.list(segments.size(), &nodes);
  for (std::size_t i = 0; i < segments.size(); ++i)
    nodes[i] = Builder::bytes_view({static_cast<const std::byte*>(segments[i].data), segments[i].size});
  value.set_root(out.root(segments.size() == 1 ? nodes[0] : out.extension(byte_run_extension, list)));
  return value.view();
}

/// How far the next stage may expand `size` bytes, if all stages together may not pass `most`.
std::uint64_t ratio_left(std::uint64_t most, std::uint64_t size) {
  return std::max<std::uint64_t>(1, size == 0 ? most : most / size);
}

}  // namespace

Pipeline Pipeline::parse(const Registry& registry, std::string_view json) {
  const JsonDocument document(json, "pipeline", Status::option);
  const JsonObject object(document, document.root(), {}, {"codec", "options", "then"});
  const Json* options = object.find_map("options");
  const Json* then = object.find_list("then");
  return make(registry, object.text("codec"), options == nullptr ? "" : options->dump(),
              then == nullptr ? "" : then->dump());
}

Pipeline Pipeline::make(const Registry& registry, std::string_view codec, std::string_view options,
                        std::string_view then) {
  Pipeline pipeline(registry.codec_with_json(codec, options), std::string(options), registry.options().limits);
  if (pipeline.info().role == CodecRole::bytes)
    throw Error(Status::option, in_quotes(pipeline.info().name) +
                                    " is a byte codec: it stands in \"then\", behind a codec for values");
  if (then.empty()) return pipeline;
  const JsonDocument document(then, "then", Status::option);
  if (!document.root().is_array())
    document.fail({}, std::string("must be a list of byte codecs, not ") + json_kind(document.root()));
  if (document.root().size() > max_pipeline_stages)
    document.fail({}, std::to_string(document.root().size()) + " byte codecs, there may be " +
                          std::to_string(max_pipeline_stages));
  if (!document.root().empty() && !pipeline.info().takes_bytes && !pipeline.info().takes_bytes_and_store)
    document.fail({}, "codec " + in_quotes(pipeline.info().name) + " writes several blobs, and byte codecs take one");
  for (std::size_t i = 0; i < document.root().size(); ++i) {
    const JsonPath path{std::to_string(i)};
    Json stage = document.root()[i];
    if (!stage.is_object() || !stage.contains("id") || !stage["id"].is_string())
      document.fail(path, "a byte codec is an object with its name as \"id\" and its options");
    const std::string id = stage["id"].get<std::string>();
    if (!is_canonical_name(id)) document.fail(path, in_quotes(id) + " is not a codec name");
    stage.erase("id");
    Codec opened = registry.codec_with_json(id, stage.dump());
    if (opened.info().role != CodecRole::bytes)
      document.fail(path, "codec " + in_quotes(id) + " is no byte codec: its values are not bytes");
    pipeline.stages_.push_back(std::move(opened));
  }
  if (!pipeline.stages_.empty()) pipeline.then_ = document.root().dump();
  return pipeline;
}

std::string Pipeline::to_json() const {
  Json json{{"codec", info().name}};
  if (!options_.empty()) json["options"] = Json::parse(options_);
  if (!then_.empty()) json["then"] = Json::parse(then_);
  return json.dump();
}

void Pipeline::describe(Header& header) const {
  header.codec = info().name;
  header.codec_version = info().format_version;
  header.options = without_host_only(Json::parse(info().options_schema), options_);
  std::erase_if(header.fields, [](const HeaderField& field) { return field.name == "then"; });
  if (!then_.empty()) header.fields.push_back({"then", then_});
}

void Pipeline::encode(View value, Sink& sink, const CallOptions& options) const {
  if (stages_.empty()) return codec_.encode(value, sink, options);
  auto between = std::make_unique<Between>();
  codec_.encode(value, between->sinks.emplace_back(), options);
  for (std::size_t i = 0; i + 1 < stages_.size(); ++i) {
    const View pieces = as_value(between->sinks.back(), between->pieces);
    stages_[i].encode(pieces, between->sinks.emplace_back(), options);
  }
  const View pieces = as_value(between->sinks.back(), between->pieces);
  stages_.back().encode(pieces, sink, options);
  // On failure adopt() has released the object already, and the error is that there is no memory.
  const std::int32_t adopted =
      sink.abi()->adopt(sink.abi(), between.release(), [](void* object) { delete static_cast<Between*>(object); });
  if (adopted != POLYCODEC_OK) {
    sink.reset(sink.max_bytes());
    throw Error(Status::memory, "no memory to keep what the stages wrote");
  }
}

std::string Pipeline::encode_to_string(View value, const CallOptions& options) const {
  BufferSink sink;
  encode(value, sink, options);
  return std::string(sink.view());
}

Source Pipeline::unwrap(const Source& source, const CallOptions& given) const {
  CallOptions options = given;
  if (!options.limits) options.limits = limits_;
  const std::uint64_t most =
      std::max(free_bytes, checked_mul(source.bytes().size(), options.limits->max_ratio).value_or(UINT64_MAX));
  Source at = source;
  for (auto stage = stages_.rbegin(); stage != stages_.rend(); ++stage) {
    options.limits->max_ratio = ratio_left(most, at.bytes().size());
    auto value = std::make_shared<Value>(stage->decode(at, options));
    if (value->view().kind() != POLYCODEC_BINARY)
      throw Error(Status::plugin, "the byte codec returned a value that is not bytes").codec(stage->info().name);
    const auto bytes = value->view().as_bytes();
    at = Source::shared({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, value,
                        std::string(source.name()));
  }
  return at;
}

Value Pipeline::decode(const Source& source, const CallOptions& options) const {
  return codec_.decode(unwrap(source, options), options);
}

}  // namespace polycodec
