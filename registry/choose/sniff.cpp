// SPDX-License-Identifier: MIT
#include "registry/choose/sniff.hpp"

#include <polycodec/quote.hpp>

#include "core/call/advice.hpp"
#include "core/call/blocked_signals.hpp"
#include "core/call/border.hpp"
#include "core/call/plugin_error.hpp"
#include "core/frame/message.hpp"
#include "core/io/source.hpp"
#include "core/value/arena.hpp"
#include "registry/choose/content.hpp"
#include "registry/document/json_document.hpp"
#include "registry/document/json_schema.hpp"
#include "registry/json/text_codec.hpp"
#include "registry/load/magic.hpp"
#include "registry/session/store_format.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

namespace polycodec {
namespace {

constexpr std::uint32_t least_score = 10;   // of a codec that the extension speaks for
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
  return source.store() || is_archive(catalog, source.bytes(), source.name()) ||
         has_extension(info, source.name());
}

std::string input_name(const Source& source) {
  return source.name().empty() ? std::string("the input") : quote_path(source.name());
}

/// When codecs are asked whether bytes are theirs: the first ones whose score is 50 end it.
enum class Round : std::uint8_t {
  extension,  ///< the codecs that have the extension of the file
  known,      ///< of this package and of the program
  foreign     ///< of other packages
};

/// A codec that may fit.
struct Candidate {
  Match match = {};
  Round round = Round::known;
  bool is_foreign = false;  ///< of another package
  bool looked = false;      ///< its score says what it thinks of the bytes
  bool late = false;        ///< it was stopped before it said anything
};

/// The time that a plugin of another package has to look at bytes.
constexpr std::chrono::seconds foreign_time{5};
/// The time that all of them have once another codec takes the bytes.
constexpr std::chrono::milliseconds patience{700};
/// A user who waits as long as this wants to know for whom.
constexpr std::chrono::seconds notice_time{1};
/// How often a thread that waits looks at the flag of its caller.
constexpr std::chrono::milliseconds tick{20};
/// At most as many of them look at the bytes at the same time.
constexpr std::size_t max_askers = 32;

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
/// Nothing is loaded for a codec that does not look at bytes.
void ask_plugin(const Session& session, const Source& source, const std::atomic<bool>* cancel,
                Candidate& candidate) {
  const Catalog& catalog = session.catalog;
  Match& match = candidate.match;
  if (!match.codec->can_sniff) {
    if (match.reason.empty()) match.reason = "no magic number fits";
    return;
  }
  const CodecSlot& slot = catalog.slot(*match.codec);
  auto begin = std::chrono::steady_clock::time_point::max();  // of the call
  try {
    const auto& codec = catalog.object<polycodec_codec>(slot, cancel);
    // Magic numbers alone say yes, never no: some formats may begin without them.
    candidate.looked = source.has_bytes();
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
    CallOptions options;
    options.cancel = cancel;
    begin = std::chrono::steady_clock::now();
    if (candidate.is_foreign)
      options.deadline = static_cast<std::uint64_t>(
          std::chrono::nanoseconds((begin + foreign_time).time_since_epoch()).count());
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
    // The rule of its process may have stopped it earlier.
    constexpr std::chrono::milliseconds long_time{900};
    candidate.late = candidate.is_foreign && (e.code() == Status::cancelled ||
                                              std::chrono::steady_clock::now() - begin > long_time);
    const std::string why = candidate.late
                                ? std::string("it was stopped before it had looked at the bytes")
                                : e.message().substr(0, e.message().find('\n'));
    match.reason += (match.reason.empty() ? "" : "; ") + why;
  }
}

/// Plugins of other packages that look at one source side by side, each in a thread, so that one
/// that is slow, or never answers, takes no time from the others.
class Askers {
 public:
  Askers(const Session& session, const Source& source, std::vector<Candidate*> asked)
      : session_(session), source_(source), asked_(std::move(asked)), done_(asked_.size()) {}

  /// `is_taken`: another codec takes the bytes already. `cancel`: of the caller, or null. Throws
  /// Error(Status::cancelled) soon after that is set.
  void run(bool is_taken, const std::atomic<bool>* cancel) {
    is_taken_ = is_taken;
    std::vector<std::thread> threads;
    {
      const BlockedSignals blocked;
      try {
        for (std::size_t i = 0; i < std::min(asked_.size(), max_askers); ++i)
          threads.emplace_back([this] { ask(); });
      } catch (const std::system_error&) {  // NOLINT: those that are there ask all
      }
    }
    if (threads.empty()) ask();
    wait(cancel);
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < asked_.size(); ++i)
      if (!done_[i]) asked_[i]->late = true;  // not even asked
    if (failure_) std::rethrow_exception(failure_);
    if (cancel != nullptr && cancel->load())
      throw Error(Status::cancelled, "the choice of a codec was cancelled");
  }

 private:
  void ask() noexcept {
    for (std::size_t i; !cancel_.load() && (i = next_.fetch_add(1)) < asked_.size();) {
      std::exception_ptr failure;
      try {
        ask_plugin(session_, source_, &cancel_, *asked_[i]);
      } catch (...) {
        failure = std::current_exception();
      }
      const std::scoped_lock lock(mutex_);
      if (failure && !failure_) failure_ = failure;
      done_[i] = true;
      is_taken_ = is_taken_ || asked_[i]->match.score >= likely_score;
      changed_.notify_one();
    }
  }

  void wait(const std::atomic<bool>* cancel) {
    const auto begin = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    for (bool is_noticed = false; std::ranges::find(done_, false) != done_.end();) {
      const auto waited = std::chrono::steady_clock::now() - begin;
      if (failure_ || (is_taken_ && waited > patience) || (cancel != nullptr && cancel->load())) {
        cancel_ = true;
        if (is_taken_) report("was left out, because it did not look at ");
        break;
      }
      if (!is_noticed && waited > notice_time) {
        is_noticed = true;
        report("is waited for: it looks at ");
      }
      changed_.wait_for(lock, tick);
    }
  }

  /// Names those that have not answered.
  void report(const std::string& what) {
    for (std::size_t i = 0; i < asked_.size(); ++i)
      if (!done_[i])
        session_.catalog.log(POLYCODEC_LOG_WARNING, "plugin " +
                                                        quote(asked_[i]->match.codec->plugin_id) +
                                                        " " + what + input_name(source_));
  }

  const Session& session_;
  const Source& source_;
  const std::vector<Candidate*> asked_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> cancel_{false};
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<bool> done_;
  bool is_taken_ = false;
  std::exception_ptr failure_;
};

/// Asks these codecs: those of other packages side by side, after the others.
void ask_plugins(const Session& session, const Source& source, const std::atomic<bool>* cancel,
                 const std::vector<Candidate*>& asked) {
  std::vector<Candidate*> foreign;
  bool is_taken = false;
  for (Candidate* const each : asked) {
    if (each->is_foreign && each->match.codec->can_sniff) {
      foreign.push_back(each);
      continue;
    }
    ask_plugin(session, source, nullptr, *each);
    is_taken = is_taken || each->match.score >= likely_score;
  }
  if (!foreign.empty()) Askers(session, source, std::move(foreign)).run(is_taken, cancel);
}

std::vector<Candidate> by_manifests(const Catalog& catalog, const Source& source) {
  std::vector<Candidate> all;
  for (const auto& slot : catalog.slots) {
    if (slot.info->kind == Kind::codec && slot.info->can_decode && slot.decode_refusal.empty() &&
        takes(catalog, *slot.info, source))
      all.push_back({by_magic(*slot.info, source)});
  }
  // The longest extension is meant: that of typed JSON ends with that of JSON.
  std::size_t longest = 0;
  const auto length = [&](const Match& match) {
    return match.extension ? extension_length(*match.codec, source.name()) : 0;
  };
  for (const Candidate& each : all) longest = std::max(longest, length(each.match));
  for (Candidate& each : all) each.match.extension = longest != 0 && length(each.match) == longest;
  return all;
}

/// Finds out when each is asked.
void set_rounds(const Catalog& catalog, std::vector<Candidate>& all) {
  for (Candidate& each : all) {
    each.is_foreign = catalog.slot(*each.match.codec).plugin->origin == PluginOrigin::foreign;
    each.round = each.match.extension ? Round::extension
                 : each.is_foreign    ? Round::foreign
                                      : Round::known;
  }
}

void rank(std::vector<Candidate>& all) {
  const auto key = [](const Candidate& c) {
    return std::tuple(-static_cast<int>(c.match.score), !c.match.extension);
  };
  // Codecs are in order of name, which a stable sort keeps.
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

std::string list_of(std::vector<Candidate> all, std::size_t most) {
  rank(all);
  std::string text;
  for (std::size_t i = 0; i < all.size() && i < most; ++i) {
    const Match& c = all[i].match;
    text += "\n  " + c.codec->name + ": score " + std::to_string(c.score) +
            (c.reason.empty() ? "" : ", " + c.reason) +
            (c.extension ? ", file name extension" : "");
  }
  return text;
}

/// What the bytes of a source are that no codec knows, or nothing.
std::string content_of(const Source& source) {
  if (!source.has_bytes()) return {};
  return describe_content(source.bytes().substr(0, head_bytes), source.bytes().size());
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

std::optional<Match> by_unique_magic(const Source& source, const std::vector<Candidate>& all) {
  const Match* found = nullptr;
  for (const auto& c : all) {
    if (c.match.score < likely_score) continue;
    if (found != nullptr) return std::nullopt;
    found = &c.match;
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

/// How many have a score or the extension.
std::size_t count_seen(const std::vector<Candidate>& all) {
  return static_cast<std::size_t>(std::ranges::count_if(
      all, [](const auto& c) { return c.match.score > 0 || c.match.extension; }));
}

/// Throws that several codecs fit. The advice comes first: lists may be cut.
[[noreturn]] void refuse_choice(const Source& source, const std::vector<Candidate>& all) {
  throw Error(Status::ambiguous, "it is not clear which codec " + input_name(source) +
                                     " is for; name one explicitly with from.codec. Candidates:" +
                                     list_of(all, count_seen(all)));
}

/// Throws that no codec takes the bytes for its own.
[[noreturn]] void refuse_content(const Catalog& catalog, const Source& source,
                                 const std::vector<Candidate>& all) {
  const std::string file = input_name(source);
  const std::string refused = catalog.refused_owner(source.name());
  if (!refused.empty()) throw Error(Status::plugin, refused + "; so no codec reads " + file);
  const std::string content = content_of(source);
  const std::size_t seen = count_seen(all);
  std::string message = source.has_bytes()
                            ? "cannot tell which codec " + file + " is for" +
                                  (content.empty() ? "" : ": " + content) +
                                  "; name one explicitly with from.codec"
                            : "no codec knows the blobs of the directory or store " + file +
                                  ": name a file in it, or a codec with from.codec";
  if (seen != 0 || !content.empty())
    throw Error(Status::ambiguous,
                message + (seen == 0 ? std::string() : ". Candidates:" + list_of(all, seen)));
  // Perhaps the codec is in a plugin that was not found, or not allowed.
  const bool lacking = all.empty() || catalog.has_refusals();
  throw Error(Status::not_found, message + ". " + std::to_string(all.size()) +
                                     (all.size() == 1 ? " codec was" : " codecs were") +
                                     " tried:" + list_of(all, 8) +
                                     (lacking ? catalog.explain_places() : std::string()));
}

/// Asks the codecs of a round, and returns the one that alone has the highest score, if that is at
/// least 50. Throws if several have it.
const Match* ask_all(const Session& session, const Source& source, const std::atomic<bool>* cancel,
                     Round round, std::vector<Candidate>& all) {
  std::vector<Candidate*> asked;
  for (Candidate& each : all)
    if (each.round == round) asked.push_back(&each);
  ask_plugins(session, source, cancel, asked);
  const Match* best = nullptr;
  bool is_tied = false;
  for (const Candidate& each : all) {
    if (each.round != round) continue;
    if (best != nullptr && each.match.score < best->score) continue;
    is_tied = best != nullptr && each.match.score == best->score;
    best = &each.match;
  }
  if (best == nullptr || best->score < likely_score) return nullptr;
  if (is_tied) refuse_choice(source, all);
  return best;
}

/// True if the plugin of a codec that has been chosen, or nearly so, can be loaded.
bool can_load(const Catalog& catalog, const Match& match, const std::atomic<bool>* cancel) {
  try {
    static_cast<void>(catalog.load(*catalog.slot(*match.codec).plugin, cancel));
    return true;
  } catch (const LoadFailure&) {
    return false;
  }
}

/// The codec that alone has the extension of the file and looks at no bytes, or null. Where there
/// is one, plugins of other packages are not asked.
const Match* by_extension_alone(const Catalog& catalog, const std::vector<Candidate>& all,
                                const std::atomic<bool>* cancel) {
  const Match* found = nullptr;
  for (const Candidate& each : all) {
    if (!each.match.extension) continue;
    if (found != nullptr || each.match.codec->can_sniff) return nullptr;
    found = &each.match;
  }
  return found != nullptr && can_load(catalog, *found, cancel) ? found : nullptr;
}

Match by_content(const Session& session, const Source& source, const std::atomic<bool>* cancel) {
  const Catalog& catalog = session.catalog;
  auto all = by_manifests(catalog, source);
  if (auto choice = by_unique_magic(source, all)) return *choice;
  set_rounds(catalog, all);
  for (const Round round : {Round::extension, Round::known, Round::foreign}) {
    if (round == Round::foreign)
      if (const Match* owner = by_extension_alone(catalog, all, cancel))
        return whole(source, *owner, ChosenBy::extension, "only its file name extension fits");
    if (const Match* best = ask_all(session, source, cancel, round, all))
      return whole(source, *best, ChosenBy::content, best->reason);
  }
  // Where no codec takes the bytes, one that did not answer might.
  for (const Candidate& each : all)
    if (each.late)
      throw Error(Status::plugin, "the plugin of codec " + quote(each.match.codec->name) +
                                      " did not say in time whether " + input_name(source) +
                                      " is for it; name the codec explicitly with from.codec");
  std::vector<const Candidate*> owners;
  for (const Candidate& each : all)
    if (each.match.extension && can_load(catalog, each.match, cancel)) owners.push_back(&each);
  const auto fits = [](const Candidate* each) {
    return !each->looked || each->match.score >= least_score;
  };
  const auto fitting = std::ranges::count_if(owners, fits);
  if (fitting == 1)
    return whole(source, (*std::ranges::find_if(owners, fits))->match, ChosenBy::extension,
                 "only its file name extension fits");
  explain_archive(session, source);
  if (fitting > 1) refuse_choice(source, all);
  if (owners.size() != 1) refuse_content(catalog, source, all);
  Match doubtful = whole(source, owners[0]->match, ChosenBy::extension, owners[0]->match.reason);
  doubtful.doubtful = true;
  return doubtful;
}

}  // namespace

std::vector<Match> sniff_source(const Session& session, const Source& source) {
  auto all = by_manifests(session.catalog, source);
  set_rounds(session.catalog, all);
  std::vector<Candidate*> asked;
  for (Candidate& each : all) asked.push_back(&each);
  ask_plugins(session, source, nullptr, asked);
  rank(all);
  std::vector<Match> matches;
  for (auto& c : all) matches.push_back(std::move(c.match));
  return matches;
}

void refuse_doubtful(const Match& match, const Source& source) {
  if (!match.doubtful) return;
  const std::string content = content_of(source);
  throw Error(Status::malformed, input_name(source) + " is not for this codec by its content: " +
                                     (content.empty() ? match.reason : content) +
                                     "; name the codec explicitly with from.codec to read it so")
      .codec(match.codec->name);
}

Error explain_content(const Error& error, const Match& match, const Source& source) {
  const bool of_data = error.code() == Status::truncated || error.code() == Status::trailing ||
                       error.code() == Status::malformed || error.code() == Status::unsupported;
  if (match.by != ChosenBy::extension || !of_data) return error;
  const std::string content = content_of(source);
  if (content.empty()) return error;
  return with_advice(error, "note that " + content);
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
  if (options.codec.empty()) return by_content(session, source, options.cancel);
  const CodecSlot& slot = catalog.need(Kind::codec, options.codec);
  if (!slot.decode_refusal.empty())
    throw Error(Status::denied, slot.decode_refusal).codec(slot.info->name);
  Match named;
  named.codec = slot.info;
  named.score = certain_score;
  return whole(source, named, ChosenBy::name, "named by the caller");
}

}  // namespace polycodec
