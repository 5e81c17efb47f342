// SPDX-License-Identifier: MIT
#include <base/json_writer.hpp>
#include <model/type/parse.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "core/frame/frame.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "registry/channel/channel.hpp"
#include "registry/load/plugins.hpp"

#include <utility>

namespace polycodec {

namespace {

/// Reads JSON documents of the negotiation, and says where one is wrong.
class Document {
 public:
  Document(std::string_view json, const Limits& limits, const char* detail)
      : value_(parse_json(json, limits, DuplicateKeys::refuse)), detail_(detail) {
    if (!root().is_object()) fail("$", "must be an object");
  }

  NodeView root() const { return value_.view(); }
  [[noreturn]] void fail(const std::string& path, const std::string& why) const {
    throw Error(Status::malformed, path + " " + why).detail(detail_).path(path);
  }
  std::string text(NodeView object, const std::string& path, const char* name) const {
    const auto found = object.find(name);
    if (!found || found->is_null()) return {};
    if (!found->is_string()) fail(path + "." + name, "must be a string");
    return std::string(found->as_string());
  }
  std::vector<std::string> texts(NodeView object, const std::string& path, const char* name) const {
    std::vector<std::string> all;
    const auto found = object.find(name);
    if (!found) return all;
    const std::string here = path + "." + name;
    for (std::size_t i = 0; i < list(*found, here).size(); ++i) {
      const NodeView item = (*found)[i];
      if (!item.is_string()) fail(here + "[" + std::to_string(i) + "]", "must be a string");
      all.emplace_back(item.as_string());
    }
    return all;
  }
  std::span<const polycodec_node> list(NodeView view, const std::string& path) const {
    if (!view.is_list()) fail(path, "must be a list");
    if (view.size() > max_offered)
      fail(path, "has more than " + std::to_string(max_offered) + " items");
    return view.items();
  }

 private:
  Value value_;
  const char* detail_;
};

/// A string of JSON, which is UTF-8: what is not becomes escapes.
polycodec_node string_node(Builder& out, std::string_view text) {
  return out.string_copy(is_utf8(text) ? std::string(text) : quote(text, text.size()));
}

template <class Items, class Make>
polycodec_node list(Builder& out, const Items& items, Make make) {
  std::vector<polycodec_node> nodes;
  for (const auto& item : items) nodes.push_back(make(item));
  return out.list(nodes);
}

template <class Make>
std::string document(Make make) {
  return polycodec::to_json(Value::build(make).view(), json_compact);
}

std::string message_with(std::string_view step, const std::string& body) {
  Header header;
  header.type = "object";
  header.fields.push_back({"negotiation", to_json_string(step)});
  const std::string safe = escape_separators(body);
  return build_frame(header, safe.size()) + safe;
}

OfferedCodec read_codec(const Document& document, NodeView object, const std::string& path) {
  if (!object.is_object()) document.fail(path, "must be an object");
  OfferedCodec offered;
  offered.codec = document.text(object, path, "codec");
  if (!is_codec_name(offered.codec)) document.fail(path + ".codec", "must be the name of a codec");
  offered.versions = document.texts(object, path, "versions");
  offered.types = document.texts(object, path, "types");
  for (std::size_t i = 0; i < offered.types.size(); ++i) {
    try {
      (void)type::parse(offered.types[i]);
    } catch (const Error& e) {
      document.fail(path + ".types[" + std::to_string(i) + "]",
                    "is not a type pattern: " + e.message());
    }
  }
  if (const auto most = object.find("max_bytes"); most && !most->is_null()) {
    if (!most->is_integer() || (most->kind() == POLYCODEC_KIND_SIGNED && most->as_int64() < 0))
      document.fail(path + ".max_bytes", "must be a number of bytes");
    offered.max_bytes = most->as_uint64();
  }
  return offered;
}

}  // namespace

Offer parse_offer(std::string_view json, const Limits& limits) {
  const Document document(json, limits, "negotiation.offer");
  Offer offer;
  offer.peer = document.text(document.root(), "$", "peer");
  const auto codecs = document.root().find("codecs");
  if (!codecs) document.fail("$.codecs", "is missing");
  const std::size_t count = document.list(*codecs, "$.codecs").size();
  for (std::size_t i = 0; i < count; ++i)
    offer.codecs.push_back(
        read_codec(document, (*codecs)[i], "$.codecs[" + std::to_string(i) + "]"));
  return offer;
}

std::string to_json(const Offer& offer) {
  return document([&](Builder& out) {
    const polycodec_node codecs = list(out, offer.codecs, [&](const OfferedCodec& offered) {
      std::vector<Member> one{{"codec", string_node(out, offered.codec)}};
      const auto add = [&](const char* key, const std::vector<std::string>& all) {
        if (!all.empty())
          one.push_back(
              {key, list(out, all, [&](const auto& item) { return string_node(out, item); })});
      };
      add("versions", offered.versions);
      add("types", offered.types);
      if (offered.max_bytes)
        one.push_back({"max_bytes", Builder::unsigned_integer(*offered.max_bytes)});
      return out.object(one);
    });
    if (offer.peer.empty()) return out.object({{"codecs", codecs}});
    return out.object({{"peer", string_node(out, offer.peer)}, {"codecs", codecs}});
  });
}

NegotiationStep negotiation_step(const Header& header) noexcept {
  const std::string* const step = header.find("negotiation");
  if (step == nullptr) return NegotiationStep::none;
  if (*step == "\"offer\"") return NegotiationStep::offer;
  return *step == "\"choice\"" ? NegotiationStep::choice : NegotiationStep::none;
}

std::string offer_message(const Offer& offer) {
  return message_with("offer", to_json(offer));
}

std::string choice_message(const Agreement& agreement) {
  const auto body = [&](Builder& out) {
    const polycodec_node verdicts = list(out, agreement.verdicts, [&](const Verdict& verdict) {
      return out.object({{"codec", string_node(out, verdict.codec)},
                         {"fits", Builder::boolean(verdict.fits)},
                         {"reason", string_node(out, verdict.reason)}});
    });
    return out.object(
        {{"codec", agreement.codec.empty() ? Builder::null() : string_node(out, agreement.codec)},
         {"version", string_node(out, agreement.version)},
         {"reason", string_node(out, agreement.reason)},
         {"verdicts", verdicts}});
  };
  return message_with("choice", document(body));
}

Agreement parse_choice(std::string_view json, const Limits& limits) {
  const Document document(json, limits, "negotiation.choice");
  Agreement agreement;
  agreement.codec = document.text(document.root(), "$", "codec");
  if (!agreement.codec.empty() && !is_codec_name(agreement.codec))
    document.fail("$.codec", "must be the name of a codec");
  agreement.version = document.text(document.root(), "$", "version");
  agreement.reason = document.text(document.root(), "$", "reason");
  const auto verdicts = document.root().find("verdicts");
  if (!verdicts) return agreement;
  const std::size_t count = document.list(*verdicts, "$.verdicts").size();
  for (std::size_t i = 0; i < count; ++i) {
    const NodeView one = (*verdicts)[i];
    const std::string path = "$.verdicts[" + std::to_string(i) + "]";
    if (!one.is_object()) document.fail(path, "must be an object");
    const auto fits = one.find("fits");
    agreement.verdicts.push_back({document.text(one, path, "codec"),
                                  fits && fits->kind() == POLYCODEC_KIND_BOOLEAN && fits->as_bool(),
                                  document.text(one, path, "reason")});
  }
  return agreement;
}

}  // namespace polycodec
