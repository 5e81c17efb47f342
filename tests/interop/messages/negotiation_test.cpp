// SPDX-License-Identifier: MIT

#include "core/frame/message.hpp"
#include "core/text/text.hpp"
#include "registry/channel/channel.hpp"
#include "registry/config/config.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

Value array() {
  return parse_text(R"({"type":"3 * float64","value":[1.0,2.0,3.0]})");
}

TEST(Negotiation, OffersReadBack) {
  const Offer offer{"p \"1\"", {{"dynd", {"1", "2"}, {"N * float64"}, 100}, {"ply", {}, {}, {}}}};
  EXPECT_EQ(parse_offer(to_json(offer)), offer);
  const std::string bytes = offer_message(offer);
  const Message message = parse_message(bytes);
  EXPECT_EQ(negotiation_step(message.header), NegotiationStep::offer);
  EXPECT_EQ(parse_offer(message.body), offer);
  EXPECT_EQ(body_format(message.header, message.body).codec,
            "yggdrasil");  // yggdrasil programs read it as an object
  EXPECT_EQ(parse_offer(R"({"codecs":[],"later":1})"), Offer{});
  EXPECT_EQ(negotiation_step(parse_header(R"({"size":0})")), NegotiationStep::none);
}

TEST(Negotiation, BadOffersAreRefusedWithThePath) {
  const std::pair<const char*, const char*> bad[] = {
      {"[]", "$"},
      {"{}", "$.codecs"},
      {R"({"codecs":1})", "$.codecs"},
      {R"({"peer":1,"codecs":[]})", "$.peer"},
      {R"({"codecs":[1]})", "$.codecs[0]"},
      {R"({"codecs":[{}]})", "$.codecs[0].codec"},
      {R"({"codecs":[{"codec":"/lib/x.so"}]})", "$.codecs[0].codec"},
      {R"({"codecs":[{"codec":"x","versions":[1]}]})", "$.codecs[0].versions[0]"},
      {R"({"codecs":[{"codec":"x","types":["3 *"]}]})", "$.codecs[0].types[0]"},
      {R"({"codecs":[{"codec":"x","max_bytes":-1}]})", "$.codecs[0].max_bytes"},
      {R"({"codecs":[{"codec":"x","max_bytes":1.5}]})", "$.codecs[0].max_bytes"},
  };
  for (const auto& [json, path] : bad) {
    const Error e = error_of([offer = json] { (void)parse_offer(offer); });
    EXPECT_EQ(e.code(), Status::malformed) << json;
    EXPECT_EQ(e.path(), path) << json;
  }
  EXPECT_NE(error_of([] { (void)parse_offer("{"); }).code(), Status::ok);
  std::string many = R"({"codecs":[{"codec":"x"})";
  for (int i = 0; i < 300; ++i) many += R"(,{"codec":"x"})";
  EXPECT_EQ(error_of([&] { (void)parse_offer(many + "]}"); }).path(), "$.codecs");
}

TEST(Negotiation, TheFirstThatFitsIsChosen) {
  Offer offer;
  offer.codecs = {{"nobody", {}, {}, {}},
                  {"msgpack", {}, {}, {}},  // an alias is no canonical name
                  {"dynd", {"no such version"}, {}, {}},
                  {"ply", {}, {}, {}},
                  {"msgpack-ndarray", {}, {"string", "N * int32"}, {}},
                  {"msgpack-ndarray", {}, {"N * float64"}, 10},
                  {"msgpack-ndarray", {}, {"N * float64"}, 1000},
                  {"yggdrasil", {}, {}, {}}};
  const Value value = array();
  const Agreement agreement = agree(registry(), nullptr, offer, value.view());
  EXPECT_EQ(agreement.codec, "msgpack-ndarray");
  ASSERT_EQ(agreement.verdicts.size(), offer.codecs.size());
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_FALSE(agreement.verdicts[i].fits) << i << agreement.verdicts[i].reason;
  EXPECT_TRUE(agreement.verdicts[6].fits);
  EXPECT_TRUE(agreement.verdicts[7].fits);
  EXPECT_EQ(agree(registry(), nullptr, offer, value.view()).explain(), agreement.explain());
  const std::string bytes = choice_message(agreement);
  const Message message = parse_message(bytes);
  EXPECT_EQ(negotiation_step(message.header), NegotiationStep::choice);
  EXPECT_EQ(parse_choice(message.body).explain(), agreement.explain());
}

TEST(Negotiation, RulesOfTheSenderComeFirst) {
  const Configuration rules = parse_config(
      R"({"rules": [{"when": {"peer": "p*", "type": "N * float64"}, "codec": "msgpack-ndarray"}]})",
      "rules");
  Offer offer{"p1", {{"yggdrasil", {}, {}, {}}, {"msgpack-ndarray", {}, {}, {}}}};
  const Value value = array();
  EXPECT_EQ(agree(registry(), &rules, offer, value.view()).codec, "msgpack-ndarray");
  offer.peer = "other";
  EXPECT_EQ(agree(registry(), &rules, offer, value.view()).codec, "yggdrasil");
  offer.peer = "p1";
  offer.codecs.pop_back();  // what the peer does not read is not used, whatever the rules say
  EXPECT_EQ(agree(registry(), &rules, offer, value.view()).codec, "yggdrasil");
}

TEST(Negotiation, NothingFits) {
  const Value value = array();
  const Agreement none =
      agree(registry(), nullptr, Offer{"", {{"nobody", {}, {}, {}}}}, value.view());
  EXPECT_EQ(none.codec, "");
  EXPECT_NE(none.explain().find("no codec: none of the offered"), std::string::npos)
      << none.explain();
  const std::string bytes = choice_message(none);
  EXPECT_EQ(parse_choice(parse_message(bytes).body).codec, "");
  EXPECT_EQ(agree(registry(), nullptr, Offer{}, value.view()).codec, "");
  EXPECT_EQ(agree(registry(), nullptr, offer_of_silent_peer(), value.view()).codec, "yggdrasil");
}

TEST(Negotiation, ThePolicyHoldsOnBothSides) {
  RegistryOptions options;
  options.policy.deny_codecs = {{"msgpack-ndarray"}};
  const Registry strict = Registry::open(options);
  const Value value = array();
  const Agreement agreement =
      agree(strict, nullptr,
            Offer{"", {{"msgpack-ndarray", {}, {}, {}}, {"yggdrasil", {}, {}, {}}}}, value.view());
  EXPECT_EQ(agreement.codec, "yggdrasil");
  for (const OfferedCodec& offered : make_offer(strict).codecs)
    EXPECT_NE(offered.codec, "msgpack-ndarray");
  const std::string names[] = {"yggdrasil", "msgpack"};
  const Offer offer = make_offer(registry(), "me", names, 500);
  ASSERT_EQ(offer.codecs.size(), 2u);
  EXPECT_EQ(offer.codecs[1].codec, "msgpack-ndarray");
  EXPECT_EQ(offer.codecs[1].max_bytes, 500u);
  const std::string unknown[] = {"nobody"};
  EXPECT_EQ(error_of([&] { (void)make_offer(registry(), "me", unknown); }).code(),
            Status::not_found);
}

}  // namespace
}  // namespace polycodec
