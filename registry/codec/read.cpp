// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/call/advice.hpp"
#include "core/call/budget.hpp"
#include "core/frame/message.hpp"
#include "core/io/source.hpp"
#include "core/schema/schema.hpp"
#include "core/store/directory_store.hpp"
#include "core/text/text.hpp"
#include "registry/choose/sniff.hpp"
#include "registry/codec/datatype_fields.hpp"
#include "registry/codec/narrow.hpp"
#include "registry/codec/registry.hpp"
#include "registry/codec/unpack.hpp"
#include "registry/document/json_schema.hpp"
#include "registry/load/catalog.hpp"
#include "registry/load/magic.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace polycodec {
namespace {

/// The source with the files beside `file`, which it is or was unpacked from, for a codec that can
/// look at them.
Source with_companions(const Source& source, const Source& file, const Match& match,
                       const Limits& limits) {
  if (match.codec == nullptr || !match.codec->takes(POLYCODEC_INPUT_COMPANIONS) || source.store() ||
      match.body_offset != 0)
    return source;
  const std::filesystem::path path(file.name());
  std::error_code ignored;  // standard input has no directory, whatever its name
  if (!std::filesystem::is_regular_file(path, ignored)) return source;
  const auto parent = path.parent_path();
  auto store = DirectoryStore::companions(parent.empty() ? "." : parent, limits);
  // Nobody who can write there chooses another directory meanwhile.
  if (!store->has_file_of(file.input(), path.filename()))
    throw Error(Status::io, "cannot read the files beside " + quote_path(file.name()) +
                                ": it was replaced while it was read; try again");
  return Source::with_store(source, std::move(store));
}

/// The caller's options of a codec and one more, which the extension of the source says, unless it
/// is that of most files of the format. Nothing if it says none.
Value options_by_name(const Source& source, const Match& match, const ReadOptions& options) {
  if (match.codec == nullptr || !match.options.empty() || match.codec->extensions.size() < 2 ||
      option_of_role(match.codec->options_schema, "extension").empty() ||
      has_extension(match.codec->extensions[0], source.name()))
    return {};
  const std::string given = options.options.is_null() ? std::string() : to_json(options.options);
  const std::string all = options_for_file(match.codec->options_schema, given, source.name());
  return all == given ? Value() : parse_json(all);
}

/// The options of a codec whose value goes to another one: where nobody says otherwise, its option
/// of the role `type` is a type of both plugins, and that of the role `related` is true where there
/// is such a type. Nothing if there is none.
Value options_for(const Catalog& catalog, const Match& match, const CodecInfo* to,
                  const ReadOptions& options) {
  if (to == nullptr || match.codec == nullptr || to == match.codec || !match.options.empty())
    return {};
  const CodecSlot& from = catalog.slot(*match.codec);
  const auto unsaid = [&](std::string_view role) -> std::string_view {
    const std::string_view name = option_of_role(match.codec->options_schema, role);
    const auto says = [&](NodeView given) { return given.is_object() && given.find(name); };
    return says(options.options) || says(from.default_options.view()) ? std::string_view() : name;
  };
  const auto with = [&](std::string_view name, const auto& value) {
    return Value::build([&](Builder& out) {
      auto object = out.object();
      if (options.options.is_object())
        for (std::uint64_t k = 0; k < options.options.size(); ++k)
          object.push(options.options.key(k).as_string(), *options.options.value(k).raw());
      object.push(name, value(out));
      return Node(object);
    });
  };
  const auto& types = catalog.slot(*to).plugin->manifest->types;
  if (const auto name = unsaid("type"); !name.empty()) {
    const auto words = match.codec->options_schema.at("properties").at(name).find("enum");
    for (const auto& type : types)
      for (std::uint64_t i = 0; words && i < words->size(); ++i)
        if ((*words)[i].is_string() && (*words)[i].as_string() == type.first)
          return with(name, [&](Builder& out) { return out.string_copy(type.first); });
  }
  if (const auto name = unsaid("related"); !name.empty())
    for (const auto& type : from.plugin->manifest->types)
      if (std::ranges::any_of(types, [&](const auto& other) { return other.first == type.first; }))
        return with(name, [](Builder&) { return Builder::boolean(true); });
  return {};
}

bool is_of_data(Status status) noexcept {
  return status == Status::truncated || status == Status::trailing || status == Status::malformed ||
         status == Status::range;
}

/// Whether tolerant reading takes a source that was refused with `error`. It is tried, so that no
/// error promises too much.
bool is_mended(const Registry& registry, const Source& source, const Match& match,
               const ReadOptions& options, const Error& error) {
  if (options.tolerant || (!is_of_data(error.code()) && error.code() != Status::unsupported) ||
      match.codec == nullptr || !has_tolerant(match.codec->options_schema))
    return false;
  ReadOptions trial = options;
  trial.tolerant = true;
  trial.codec = match.codec->name;
  // What is lost otherwise is refused as before, so that the advice is not about a loss.
  trial.losses = (options.on_loss ? options.losses : default_losses) | losses_of(LossClass::mended);
  trial.on_loss = [](LossClass, std::string_view, std::string_view) {};
  try {
    static_cast<void>(registry.read(source, trial));
    return true;
  } catch (const Error&) {
    return false;  // the first error is the one to report
  }
}

/// The codec of this name, or the one that writes files of this extension.
const CodecInfo* destination_of(const Registry& registry, const std::string& name) {
  if (!name.starts_with('.')) return name.empty() ? nullptr : registry.find(name);
  auto codecs = registry.find_by_extension(name);
  std::erase_if(codecs, [](const CodecInfo* codec) { return !codec->can_encode; });
  return codecs.size() == 1 ? codecs.front() : nullptr;
}

/// Narrows a value that was read whole.
void narrow_whole(Value& value, const ReadOptions& options) {
  if (options.projection.is_all()) return;
  set_narrowed(value, value.root(), options.projection, *options.budget);
}

Read through_filters(const Registry& registry, const Source& source, const ReadOptions& options) {
  if (options.codec.empty())
    throw Error(Status::option,
                "filters require a codec name: the codec cannot be detected in filtered data");
  std::string codec_options = options.options.is_null() ? std::string() : to_json(options.options);
  const CodecInfo* const info = registry.find(options.codec);
  if (options.tolerant && info != nullptr && has_tolerant(info->options_schema))
    codec_options = with_tolerant(info->options_schema, codec_options);
  const Codec codec =
      registry.codec_with_json(options.codec, codec_options, options.filters, options.options_from);
  Read read;
  read.value = codec.decode(source, options);
  read.codec = &codec.info();
  read.reason = "named by the caller";
  read.filters = codec.filters_json();
  return read;
}

/// Reads a source that is not compressed. `file`: what it was unpacked from, or itself.
Read read_plain(const Registry& registry, const Session& session, const Source& source,
                const Source& file, const ReadOptions& options) {
  const Limits& limits = options.limits ? *options.limits : session.catalog.options.limits;
  std::optional<Message> message;
  if (source.has_bytes() && is_framed(source.bytes()))
    message = parse_message(source.bytes(), limits);
  Match match = message ? choose_codec(session.catalog, source, *message, options)
                        : choose_codec(session, source, options);
  Read read{.codec = match.codec,
            .by = match.by,
            .score = match.score,
            .reason = match.reason,
            .options = match.options,
            .filters = match.filters};
  // A header without __meta__ describes its own body, which was decoded by it. A projection applies
  // to the value that fits.
  const bool fits = message && match.codec != nullptr && options.fit;
  ReadOptions decoding = options;
  if (fits) decoding.projection = {};
  const Value by_name = options_by_name(source, match, options);
  if (!by_name.view().is_null()) decoding.options = by_name.view();
  const Value own_options =
      options_for(session.catalog, match, destination_of(registry, options.destination), decoding);
  if (!own_options.view().is_null()) decoding.options = own_options.view();
  const bool from_header = !match.options.empty() && options.options.is_null();
  const bool mends =
      options.tolerant && match.codec != nullptr && has_tolerant(match.codec->options_schema);
  Value tolerant;
  if (mends) {
    const NodeView schema = match.codec->options_schema;
    if (decoding.options.is_null()) {
      match.options = with_tolerant(schema, match.options);
    } else {
      tolerant = parse_json(with_tolerant(schema, to_json(decoding.options)));
      decoding.options = tolerant.view();
    }
  }
  const bool lacks = options.tolerant && !mends && match.codec != nullptr;
  if (lacks)
    session.catalog.log(POLYCODEC_LOG_WARNING,
                        quote(match.codec->name) + " has no tolerant reading");
  try {
    registry.decode_into(read.value,
                         options.companions ? with_companions(source, file, match, limits) : source,
                         match, decoding);
  } catch (const Error& e) {
    // It is the input that is wrong, not what the caller asked for.
    if (e.code() == Status::option && from_header) throw header_options_error(e);
    if (lacks && is_of_data(e.code()))
      throw with_advice(
          e, quote(match.codec->name) + " has no tolerant reading, so that nothing is mended");
    const Error error = explain_content(e, match, source);
    if (is_mended(registry, source, match, options, e))
      throw with_advice(error, "use POLYCODEC_CALL_TOLERANT to mend it");
    throw error;
  }
  refuse_doubtful(match, source);
  if (fits) {
    if (const auto datatype = declared_datatype(message->header, limits, registry.type_names()))
      read.value = schema::normalize(*datatype, std::move(read.value), {}, limits);
    narrow_whole(read.value, options);
  }
  return read;
}

}  // namespace

Error header_options_error(const Error& error) {
  return Error(Status::malformed, "the message header: " + error.message(), error.offset())
      .detail("message.header")
      .codec(error.codec())
      .path("$.options");
}

Read Registry::read(const Source& source, const ReadOptions& given) const {
  const Limits& limits = given.limits ? *given.limits : session_->catalog.options.limits;
  Budget own(limits, given.cancel, given.deadline);
  ReadOptions options = given;  // with one budget for all that is done here
  if (!options.budget) options.budget = {std::shared_ptr<void>(), &own};
  const BudgetScope scope(*options.budget);
  if (!options.filters.empty()) return through_filters(*this, source, options);
  const Unpacked unpacked = unpack(*session_, source, options);
  try {
    Read read = read_plain(*this, *session_, unpacked.source, source, options);
    read.filters = join_filters(read.filters, unpacked.filters);
    return read;
  } catch (const Error& e) {
    throw unpacked.explain(e);
  }
}

}  // namespace polycodec
