// SPDX-License-Identifier: MIT
#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>
#include <polycodec/json.hpp>
#include <polycodec/manifest.hpp>
#include <polycodec/negotiation.hpp>
#include <polycodec/type/parse.hpp>
#include <polycodec/value.hpp>

#include <nlohmann/json.hpp>

#include <utility>

namespace polycodec {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// Reads JSON documents of the negotiation, and says where one is wrong.
class Document {
 public:
  Document(std::string_view json, const Limits& limits, const char* detail)
      : value_(parse_json(json, limits, DuplicateKeys::refuse)), detail_(detail) {
    if (!root().is_object()) fail("$", "must be an object");
  }

  View root() const { return value_.view(); }
  [[noreturn]] void fail(const std::string& path, const std::string& why) const {
    throw Error(Status::malformed, path + " " + why).detail(detail_).path(path);
  }
  std::string text(View object, const std::string& path, const char* name) const {
    const auto found = object.find(name);
    if (!found || found->is_null()) return {};
    if (!found->is_string()) fail(path + "." + name, "must be a string");
    return std::string(found->as_string());
  }
  std::vector<std::string> texts(View object, const std::string& path, const char* name) const {
    std::vector<std::string> all;
    const auto found = object.find(name);
    if (!found) return all;
    const std::string here = path + "." + name;
    for (std::size_t i = 0; i < list(*found, here).size(); ++i) {
      const View item = (*found)[i];
      if (!item.is_string()) fail(here + "[" + std::to_string(i) + "]", "must be a string");
      all.emplace_back(item.as_string());
    }
    return all;
  }
  std::span<const polycodec_node> list(View view, const std::string& path) const {
    if (!view.is_list()) fail(path, "must be a list");
    if (view.size() > max_offered) fail(path, "has more than " + std::to_string(max_offered) + " items");
    return view.items();
  }

 private:
  Value value_;
  const char* detail_;
};

std::string message_with(std::string_view step, const std::string& body) {
  Header header;
  header.type = "object";
  header.fields.push_back({"negotiation", "\"" + std::string(step) + "\""});
  const std::string safe = escape_separators(body);
  return build_frame(header, safe.size()) + safe;
}

OfferedCodec read_codec(const Document& document, View object, const std::string& path) {
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
      document.fail(path + ".types[" + std::to_string(i) + "]", "is no type pattern: " + e.message());
    }
  }
  if (const auto most = object.find("max_bytes"); most && !most->is_null()) {
    if (!most->is_integer() || (most->kind() == POLYCODEC_SIGNED && most->as_int64() < 0))
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
    offer.codecs.push_back(read_codec(document, (*codecs)[i], "$.codecs[" + std::to_string(i) + "]"));
  return offer;
}

std::string to_json(const Offer& offer) {
  OrderedJson json = OrderedJson::object();
  if (!offer.peer.empty()) json["peer"] = offer.peer;
  json["codecs"] = OrderedJson::array();
  for (const OfferedCodec& offered : offer.codecs) {
    OrderedJson one{{"codec", offered.codec}};
    if (!offered.versions.empty()) one["versions"] = offered.versions;
    if (!offered.types.empty()) one["types"] = offered.types;
    if (offered.max_bytes) one["max_bytes"] = *offered.max_bytes;
    json["codecs"].push_back(std::move(one));
  }
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
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
  OrderedJson json{{"codec", agreement.codec.empty() ? OrderedJson() : OrderedJson(agreement.codec)}};
  json["version"] = agreement.version;
  json["reason"] = agreement.reason;
  json["verdicts"] = OrderedJson::array();
  for (const Verdict& verdict : agreement.verdicts)
    json["verdicts"].push_back({{"codec", verdict.codec}, {"fits", verdict.fits}, {"reason", verdict.reason}});
  return message_with("choice", json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace));
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
    const View one = (*verdicts)[i];
    const std::string path = "$.verdicts[" + std::to_string(i) + "]";
    if (!one.is_object()) document.fail(path, "must be an object");
    const auto fits = one.find("fits");
    agreement.verdicts.push_back({document.text(one, path, "codec"),
                                  fits && fits->kind() == POLYCODEC_BOOLEAN && fits->as_bool(),
                                  document.text(one, path, "reason")});
  }
  return agreement;
}

}  // namespace polycodec
