// SPDX-License-Identifier: MIT
#include "sniff.hpp"

#include <polycodec/message.hpp>
#include <polycodec/message_body.hpp>
#include <polycodec/store.hpp>

#include "schema.hpp"
#include "store_input.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace polycodec {
namespace {

constexpr std::size_t head_bytes = 4096;
constexpr std::uint32_t likely_score = 50;  // see polycodec_sniff
constexpr std::uint32_t magic_score = 90;

bool has_extension(const CodecInfo& info, std::string_view name) {
  const std::string file = lower_case(name.substr(name.rfind('/') + 1));
  return std::any_of(info.extensions.begin(), info.extensions.end(), [&](const std::string& extension) {
    return file.size() > extension.size() && file.ends_with(extension);
  });
}

bool takes(const CodecInfo& info, const Source& source) {
  if (info.role == CodecRole::bytes) return false;  // no file is meant to be just the bytes in it
  // An archive that is broken is still meant for the codec that its name says.
  if (source.has_bytes())
    return info.takes_bytes || info.takes_bytes_and_store ||
           (info.takes_store && (source.store() || is_archive(source.bytes()) || has_extension(info, source.name())));
  return info.takes_store;
}

/// What the manifest's magic numbers say.
SniffCandidate by_magic(const CodecInfo& info, const Source& source) {
  SniffCandidate candidate;
  candidate.codec = &info;
  candidate.extension = has_extension(info, source.name());
  const std::string_view head = source.bytes().substr(0, head_bytes);
  for (const auto& magic : info.magic) {
    if (magic.offset > head.size() || !head.substr(static_cast<std::size_t>(magic.offset)).starts_with(magic.bytes))
      continue;
    if (magic.score <= candidate.score) continue;
    candidate.score = magic.score;
    candidate.reason = "magic number at byte " + std::to_string(magic.offset);
  }
  return candidate;
}

/// Asks the plugin, whose word counts more than the magic numbers; without its word they stay.
void ask_plugin(const Catalog& catalog, const Source& source, SniffCandidate& candidate) {
  const CodecSlot& slot = catalog.slot(*candidate.codec);
  const polycodec_codec* codec = nullptr;
  try {
    codec = &catalog.load_codec(slot);
  } catch (const Error& e) {
    candidate.reason += (candidate.reason.empty() ? "" : "; ") + e.message();
    return;
  }
  polycodec_sniff sniff{};
  sniff.struct_size = sizeof sniff;
  auto error = make_error();
  std::int32_t code = POLYCODEC_OK;
  if (takes_store_alone(*candidate.codec) && POLYCODEC_HAS(codec, sniff_store) && codec->sniff_store != nullptr) {
    std::shared_ptr<Store> store = source.store();
    try {
      if (store == nullptr) store = open_store(source, catalog.options.limits);
      if (store == nullptr) return;
    } catch (const Error& e) {
      candidate.reason += (candidate.reason.empty() ? "" : "; ") + e.message();
      return;
    }
    code = codec->sniff_store(&store->abi(), &sniff, &error);
  } else if (codec->sniff != nullptr && source.has_bytes()) {
    code = codec->sniff(to_bytes(source.bytes().substr(0, head_bytes)), source.bytes().size(), &sniff, &error);
  } else {
    if (candidate.reason.empty()) candidate.reason = "no magic number fits";
    return;
  }
  if (code != POLYCODEC_OK) {
    candidate.reason += (candidate.reason.empty() ? "" : "; ") + to_error(code, error).message();
    return;
  }
  candidate.score = std::min<std::uint32_t>(sniff.score, 100);
  candidate.reason = detail::field_text(sniff.reason);
}

std::vector<SniffCandidate> by_manifests(const Catalog& catalog, const Source& source) {
  std::vector<SniffCandidate> all;
  for (const auto& slot : catalog.slots) {
    if (slot.info->can_decode && slot.decode_refusal.empty() && takes(*slot.info, source))
      all.push_back(by_magic(*slot.info, source));
  }
  return all;
}

void rank(std::vector<SniffCandidate>& all) {
  const auto key = [](const SniffCandidate& c) { return std::tuple(-static_cast<int>(c.score), !c.extension); };
  // Codecs are in order of name, which a stable sort keeps.
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

std::string list_of(const std::vector<SniffCandidate>& all, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < all.size() && i < most; ++i) {
    const auto& c = all[i];
    text += "\n  " + c.codec->name + ": score " + std::to_string(c.score) +
            (c.reason.empty() ? "" : ", " + c.reason) + (c.extension ? ", file name extension" : "");
  }
  return text;
}

std::string input_name(const Source& source) {
  return source.name().empty() ? std::string("the input") : "'" + std::string(source.name()) + "'";
}

Choice whole(const Source& source, const CodecInfo& info, ChosenBy by, std::string reason) {
  Choice choice;
  choice.codec = &info;
  choice.by = by;
  choice.reason = std::move(reason);
  choice.body_size = source.bytes().size();
  return choice;
}

/// The codec that a message's header, or the default for messages without a name of one, chooses.
Choice by_header(const Catalog& catalog, const Message& message) {
  const BodyFormat format = body_format(message.header, message.body);
  Choice choice;
  choice.by = ChosenBy::header;
  choice.reason = format.reason;
  choice.options = format.options;
  choice.body_size = message.body.size();
  if (format.kind != BodyFormat::Kind::coded) return choice;
  const CodecSlot* slot = catalog.find(format.codec);
  if (slot == nullptr)
    throw Error(Status::not_found, format.reason + ", but codec '" + format.codec + "' is not there\n" +
                                       catalog.explain_missing(format.codec));
  if (!slot->decode_refusal.empty())
    throw Error(Status::denied, format.reason + ": " + slot->decode_refusal).codec(slot->info->name);
  choice.codec = slot->info;
  if (const std::string* then = message.header.find("then"); then != nullptr && !message.header.codec.empty())
    choice.then = *then;
  return choice;
}

/// What the header says for a codec that the caller has named.
void take_options(Choice& choice, const Message& message) {
  const std::string& name = choice.codec->name;
  if (message.header.codec == name) {
    choice.options = message.header.options;
    if (const std::string* then = message.header.find("then")) choice.then = *then;
  } else if (message.header.codec.empty() && name == default_message_codec && message.header.legacy) {
    choice.options = body_format(message.header, {}).options;
  }
}

/// The codec that the caller has named, for the body of a message.
Choice by_name(const Catalog& catalog, const Message& message, const DecodeOptions& options) {
  const CodecSlot& slot = catalog.need(options.codec);
  if (!slot.decode_refusal.empty()) throw Error(Status::denied, slot.decode_refusal).codec(slot.info->name);
  Choice choice;
  choice.codec = slot.info;
  choice.reason = "named by the caller";
  choice.body_size = message.body.size();
  take_options(choice, message);
  return choice;
}

/// Throws if a message gives options that only the host may give.
void check_options(const Catalog& catalog, const Choice& choice) {
  if (choice.codec == nullptr) return;
  try {
    refuse_host_only_in_text(*catalog.slot(*choice.codec).schema, choice.options);
    if (choice.then.empty()) return;
    const JsonDocument then(choice.then, "then", Status::option);
    for (const Json& stage : then.root()) {
      const auto id = stage.is_object() ? stage.find("id") : stage.end();
      if (id == stage.end() || !id->is_string()) continue;  // refused where the stage is made
      const CodecSlot* slot = catalog.find(id->get<std::string>());
      if (slot != nullptr) refuse_host_only(*slot->schema, stage);
    }
  } catch (Error& e) {
    if (e.codec().empty()) e.codec(choice.codec->name);
    throw;
  }
}

std::optional<Choice> by_unique_magic(const Source& source, const std::vector<SniffCandidate>& all) {
  const SniffCandidate* found = nullptr;
  for (const auto& c : all) {
    if (c.score < likely_score) continue;
    if (found != nullptr) return std::nullopt;
    found = &c;
  }
  if (found == nullptr || found->score < magic_score) return std::nullopt;
  return whole(source, *found->codec, ChosenBy::content, found->reason);
}

Choice by_content(const Catalog& catalog, const Source& source) {
  auto all = by_manifests(catalog, source);
  if (auto choice = by_unique_magic(source, all)) return *choice;
  for (auto& c : all) ask_plugin(catalog, source, c);
  rank(all);
  const std::uint32_t best = all.empty() ? 0 : all[0].score;
  if (best >= likely_score) {
    const auto tied = std::count_if(all.begin(), all.end(), [&](const auto& c) { return c.score == best; });
    const auto named =
        std::count_if(all.begin(), all.end(), [&](const auto& c) { return c.score == best && c.extension; });
    // Ranking puts those with a fitting extension first among the tied.
    if (tied == 1) return whole(source, *all[0].codec, ChosenBy::content, all[0].reason);
    if (named == 1)
      return whole(source, *all[0].codec, ChosenBy::extension,
                   all[0].reason + "; its file name extension breaks the tie");
  } else {
    // 0 from a plugin that looks at bytes means "certainly not"; without such a look the extension may decide.
    std::vector<const SniffCandidate*> named;
    for (const auto& c : all) {
      const CodecSlot& slot = catalog.slot(*c.codec);
      if (!c.extension || slot.plugin->state.load(std::memory_order_acquire) != PluginSlot::State::loaded) continue;
      const bool looked =
          source.has_bytes() && (catalog.load_codec(slot).sniff != nullptr || !c.codec->magic.empty());
      if (c.score > 0 || !looked) named.push_back(&c);
    }
    if (named.size() == 1)
      return whole(source, *named[0]->codec, ChosenBy::extension, "only its file name extension fits");
  }
  const auto seen = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const auto& c) { return c.score > 0 || c.extension; }));
  if (seen == 0) {
    // Perhaps the codec is in a plugin that was not found, or not admitted.
    const bool lacking = all.empty() || catalog.has_refusals();
    throw Error(Status::not_found, "no codec recognises " + input_name(source) + " (" + std::to_string(all.size()) +
                                       " were asked); name one explicitly" + list_of(all, 8) +
                                       (lacking ? catalog.explain_places() : std::string()));
  }
  throw Error(Status::ambiguous, "it is not clear which codec " + input_name(source) +
                                     " is for; name one explicitly. Candidates:" + list_of(all, seen));
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::vector<SniffCandidate> sniff_source(const Catalog& catalog, const Source& source) {
  auto all = by_manifests(catalog, source);
  for (auto& c : all) ask_plugin(catalog, source, c);
  rank(all);
  return all;
}

Choice choose_codec(const Catalog& catalog, const Message& message, const DecodeOptions& options) {
  Choice choice = options.codec.empty() ? by_header(catalog, message) : by_name(catalog, message, options);
  check_options(catalog, choice);
  return choice;
}

Choice choose_codec(const Catalog& catalog, const Source& source, const DecodeOptions& options) {
  if (source.has_bytes() && is_framed(source.bytes())) {
    const Message message = parse_message(source.bytes(), options.limits ? *options.limits : catalog.options.limits);
    Choice choice = choose_codec(catalog, message, options);
    choice.body_offset = static_cast<std::uint64_t>(message.body.data() - source.bytes().data());
    return choice;
  }
  if (options.codec.empty()) return by_content(catalog, source);
  const CodecSlot& slot = catalog.need(options.codec);
  if (!slot.decode_refusal.empty()) throw Error(Status::denied, slot.decode_refusal).codec(slot.info->name);
  return whole(source, *slot.info, ChosenBy::name, "named by the caller");
}

}  // namespace polycodec
