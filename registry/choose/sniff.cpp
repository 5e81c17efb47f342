// SPDX-License-Identifier: MIT
#include "registry/choose/sniff.hpp"

#include <polycodec/quote.hpp>

#include "core/call/border.hpp"
#include "core/call/plugin_error.hpp"
#include "core/frame/message.hpp"
#include "core/io/source.hpp"
#include "core/value/arena.hpp"
#include "registry/document/json_document.hpp"
#include "registry/document/json_schema.hpp"
#include "registry/json/text_codec.hpp"
#include "registry/load/magic.hpp"
#include "registry/session/store_format.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace polycodec {
namespace {

constexpr std::uint32_t likely_score = 50;  // see polycodec_sniff
constexpr std::uint32_t magic_score = 90;
constexpr std::uint32_t certain_score = 100;

bool has_extension(const CodecInfo& info, std::string_view name) {
  return std::ranges::any_of(
      info.extensions, [&](const auto& each) { return polycodec::has_extension(each, name); });
}

bool takes(const Catalog& catalog, const CodecInfo& info, const Source& source) {
  if (!source.has_bytes()) return info.takes(POLYCODEC_INPUT_STORE);
  if (info.takes(POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_FILE)) return true;
  // An archive that is broken is still meant for the codec that its name says.
  return source.store() || is_archive(catalog, source.bytes()) ||
         has_extension(info, source.name());
}

/// What the manifest's magic numbers say. Of typed JSON all of the text does: other programs write
/// objects with a type and a value, too.
Match by_magic(const CodecInfo& info, const Source& source) {
  Match match;
  match.codec = &info;
  match.extension = has_extension(info, source.name());
  std::uint64_t offset = 0;
  match.score = magic_score_of(info, source.bytes(), &offset);
  if (match.score != 0) match.reason = "magic number at byte " + std::to_string(offset);
  if (info.name == typed_json_name && json::is_typed(source.bytes())) {
    match.score = magic_score;
    match.reason = "an object of a type and a value: typed JSON";
  }
  return match;
}

/// Asks the plugin, whose word counts more than the magic numbers; without its word they stay.
void ask_plugin(const Session& session, const Source& source, Match& match) {
  const Catalog& catalog = session.catalog;
  const CodecSlot& slot = catalog.slot(*match.codec);
  const auto add = [&](const std::string& reason) {
    match.reason += (match.reason.empty() ? "" : "; ") + reason;
  };
  try {
    const auto& codec = catalog.object<polycodec_codec>(slot);
    if (codec.sniff == nullptr) {
      if (match.reason.empty()) match.reason = "no magic number fits";
      return;
    }
    polycodec_input input = source.input();
    std::shared_ptr<BlobStore> store = source.store();
    if (!match.codec->takes(POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_FILE)) {
      if (store == nullptr) store = open_store_of(session, source);
      if (store == nullptr) return;
      input.parts = POLYCODEC_INPUT_STORE;
      input.store = &store->abi();
      input.file = nullptr;
      input.bytes = {};
    }
    input.bytes.size = std::min<std::uint64_t>(input.bytes.size, head_bytes);
    const CallOptions options;
    const CallTerms terms(session, options);
    terms.budget.add_input(input.bytes.size);
    Arena scratch(UINT64_MAX, &terms.budget);
    CallContext call(terms, scratch.abi());
    polycodec_sniff sniff{};
    sniff.struct_size = sizeof sniff;
    PluginError error;
    const auto code =
        across_border([&] { return codec.sniff(&codec, call.abi(), &input, &sniff, error.raw()); });
    if (code != POLYCODEC_OK) throw error.error(code);
    call.settle();
    match.score = std::min<std::uint32_t>(sniff.score, 100);
    match.reason = detail::field_text(sniff.reason);
  } catch (const Error& e) {
    if (e.code() == Status::memory) throw;  // another codec would be chosen
    add(e.message());
  }
}

std::vector<Match> by_manifests(const Catalog& catalog, const Source& source) {
  std::vector<Match> all;
  for (const auto& slot : catalog.slots) {
    if (slot.info->kind == Kind::codec && slot.info->can_decode && slot.decode_refusal.empty() &&
        takes(catalog, *slot.info, source))
      all.push_back(by_magic(*slot.info, source));
  }
  // The longest extension is meant: that of typed JSON ends with that of JSON.
  std::size_t longest = 0;
  const auto length = [&](const Match& match) {
    return match.extension ? extension_length(*match.codec, source.name()) : 0;
  };
  for (const Match& match : all) longest = std::max(longest, length(match));
  for (Match& match : all) match.extension = longest != 0 && length(match) == longest;
  return all;
}

void rank(std::vector<Match>& all) {
  const auto key = [](const Match& c) {
    return std::tuple(-static_cast<int>(c.score), !c.extension);
  };
  // Codecs are in order of name, which a stable sort keeps.
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

std::string list_of(const std::vector<Match>& all, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < all.size() && i < most; ++i) {
    const auto& c = all[i];
    text += "\n  " + c.codec->name + ": score " + std::to_string(c.score) +
            (c.reason.empty() ? "" : ", " + c.reason) +
            (c.extension ? ", file name extension" : "");
  }
  return text;
}

std::string input_name(const Source& source) {
  return source.name().empty() ? std::string("the input") : quote_path(source.name());
}

Match whole(const Source& source, const Match& of, ChosenBy by, std::string reason) {
  Match choice;
  choice.codec = of.codec;
  choice.score = of.score;
  choice.extension = of.extension;
  choice.by = by;
  choice.reason = std::move(reason);
  choice.body_size = source.bytes().size();
  return choice;
}

/// The codec that a message's header, or the default for messages without a name of one, chooses.
Match by_header(const Catalog& catalog, const Message& message) {
  const BodyFormat format = body_format(message.header, message.body);
  Match choice;
  choice.by = ChosenBy::header;
  choice.score = certain_score;
  choice.reason = format.reason;
  choice.options = format.options;
  choice.body_size = message.body.size();
  if (format.kind != BodyFormat::Kind::coded) return choice;
  const CodecSlot* slot = catalog.find(Kind::codec, format.codec);
  if (slot == nullptr)
    throw Error(Status::not_found, format.reason + ", but codec " + quote(format.codec) +
                                       " is not there\n" + catalog.explain_missing(format.codec));
  if (!slot->decode_refusal.empty())
    throw Error(Status::denied, format.reason + ": " + slot->decode_refusal)
        .codec(slot->info->name);
  choice.codec = slot->info;
  if (const std::string* filters = message.header.find("filters");
      filters != nullptr && !message.header.codec.empty())
    choice.filters = *filters;
  return choice;
}

/// What the header says for a codec that the caller has named.
void take_options(Match& choice, const Message& message) {
  const std::string& name = choice.codec->name;
  if (message.header.codec == name) {
    choice.options = message.header.options;
    if (const std::string* filters = message.header.find("filters")) choice.filters = *filters;
  } else if (message.header.codec.empty() && name == default_message_codec &&
             message.header.legacy) {
    choice.options = body_format(message.header, {}).options;
  }
}

/// The codec that the caller has named, for the body of a message.
Match by_name(const Catalog& catalog, const Message& message, const DecodeOptions& options) {
  const CodecSlot& slot = catalog.need(Kind::codec, options.codec);
  if (!slot.decode_refusal.empty())
    throw Error(Status::denied, slot.decode_refusal).codec(slot.info->name);
  Match choice;
  choice.codec = slot.info;
  choice.score = certain_score;
  choice.reason = "named by the caller";
  choice.body_size = message.body.size();
  take_options(choice, message);
  return choice;
}

/// Throws if a message gives options that only the host may give.
void check_options(const Catalog& catalog, const Match& choice) {
  if (choice.codec == nullptr) return;
  try {
    refuse_host_only_in_text(catalog.slot(*choice.codec).schema, choice.options);
    if (choice.filters.empty()) return;
    const JsonDocument document(choice.filters, "filters", Status::option);
    const NodeView filters = document.root();
    for (std::uint64_t i = 0; filters.is_list() && i < filters.size(); ++i) {
      const auto id = filters[i].is_object() ? filters[i].find("id") : std::nullopt;
      if (!id || !id->is_string()) continue;  // refused where the stage is made
      const CodecSlot* slot = catalog.find(Kind::filter, id->as_string());
      if (slot != nullptr) refuse_host_only(slot->schema, filters[i]);
    }
  } catch (Error& e) {
    if (e.codec().empty()) e.codec(choice.codec->name);
    throw;
  }
}

std::optional<Match> by_unique_magic(const Source& source, const std::vector<Match>& all) {
  const Match* found = nullptr;
  for (const auto& c : all) {
    if (c.score < likely_score) continue;
    if (found != nullptr) return std::nullopt;
    found = &c;
  }
  if (found == nullptr || found->score < magic_score) return std::nullopt;
  return whole(source, *found, ChosenBy::content, found->reason);
}

/// Throws the reason why no codec could look into an archive: it is damaged.
void explain_archive(const Session& session, const Source& source) {
  if (!source.has_bytes() || !is_archive(session.catalog, source.bytes())) return;
  try {
    static_cast<void>(open_store_of(session, source));
  } catch (const Error& e) {
    throw Error(e.code(), input_name(source) + " cannot be opened as the archive that its first " +
                              "bytes announce: " + e.describe());
  }
}

Match by_content(const Session& session, const Source& source) {
  const Catalog& catalog = session.catalog;
  auto all = by_manifests(catalog, source);
  if (auto choice = by_unique_magic(source, all)) return *choice;
  for (auto& c : all) ask_plugin(session, source, c);
  rank(all);
  const std::uint32_t best = all.empty() ? 0 : all[0].score;
  if (best >= likely_score) {
    const auto tied =
        std::count_if(all.begin(), all.end(), [&](const auto& c) { return c.score == best; });
    const auto named = std::count_if(all.begin(), all.end(),
                                     [&](const auto& c) { return c.score == best && c.extension; });
    // Ranking puts those with a fitting extension first among the tied.
    if (tied == 1) return whole(source, all[0], ChosenBy::content, all[0].reason);
    if (named == 1)
      return whole(source, all[0], ChosenBy::extension,
                   all[0].reason + "; its file name extension breaks the tie");
  } else {
    // 0 from a plugin that looks at bytes means "certainly not"; without such a look the extension
    // may decide.
    std::vector<const Match*> named;
    for (const auto& c : all) {
      const CodecSlot& slot = catalog.slot(*c.codec);
      if (!c.extension ||
          slot.plugin->state.load(std::memory_order_acquire) != PluginSlot::State::loaded)
        continue;
      const bool looked =
          source.has_bytes() &&
          (catalog.object<polycodec_codec>(slot).sniff != nullptr || !c.codec->magic.empty());
      if (c.score > 0 || !looked) named.push_back(&c);
    }
    if (named.size() == 1)
      return whole(source, *named[0], ChosenBy::extension, "only its file name extension fits");
  }
  explain_archive(session, source);
  const auto seen = static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [](const auto& c) { return c.score > 0 || c.extension; }));
  if (seen == 0) {
    // Perhaps the codec is in a plugin that was not found, or not allowed.
    const bool lacking = all.empty() || catalog.has_refusals();
    throw Error(Status::not_found, "cannot detect the format of " + input_name(source) + " (" +
                                       std::to_string(all.size()) +
                                       " codecs tried); use --from NAME (API: pass a codec name)" +
                                       list_of(all, 8) +
                                       (lacking ? catalog.explain_places() : std::string()));
  }
  throw Error(Status::ambiguous,
              "it is not clear which codec " + input_name(source) +
                  " is for; name one explicitly. Candidates:" + list_of(all, seen));
}

}  // namespace

std::vector<Match> sniff_source(const Session& session, const Source& source) {
  auto all = by_manifests(session.catalog, source);
  for (auto& c : all) ask_plugin(session, source, c);
  rank(all);
  return all;
}

Match choose_codec(const Catalog& catalog, const Message& message, const DecodeOptions& options) {
  Match choice =
      options.codec.empty() ? by_header(catalog, message) : by_name(catalog, message, options);
  check_options(catalog, choice);
  return choice;
}

Match choose_codec(const Catalog& catalog, const Source& source, const Message& message,
                   const DecodeOptions& options) {
  Match match = choose_codec(catalog, message, options);
  match.body_offset = static_cast<std::uint64_t>(message.body.data() - source.bytes().data());
  return match;
}

Match choose_codec(const Session& session, const Source& source, const DecodeOptions& options) {
  const Catalog& catalog = session.catalog;
  if (source.has_bytes() && is_framed(source.bytes())) {
    const Limits& limits = options.limits ? *options.limits : catalog.options.limits;
    return choose_codec(catalog, source, parse_message(source.bytes(), limits), options);
  }
  if (options.codec.empty()) return by_content(session, source);
  const CodecSlot& slot = catalog.need(Kind::codec, options.codec);
  if (!slot.decode_refusal.empty())
    throw Error(Status::denied, slot.decode_refusal).codec(slot.info->name);
  Match named;
  named.codec = slot.info;
  named.score = certain_score;
  return whole(source, named, ChosenBy::name, "named by the caller");
}

}  // namespace polycodec
