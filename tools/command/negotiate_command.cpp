// SPDX-License-Identifier: MIT
// `polycodec negotiate`: which of the codecs that a peer offers is used for a value, and why.
#include "commands.hpp"

#include <memory>

namespace polycodec::cli {
namespace {

struct Question {
  std::string offer, value, peer;
};

/// The offer as JSON, which a file holds alone or as the body of a message.
std::string read_offer(const Run& run, const Input& input) {
  if (!input.bytes().starts_with(message_separator)) return std::string(input.bytes());
  const Received message = Channel(run.registry(), R"({"decode": false})").unpack(input.source);
  const Json header = parse_json(message.header);
  if (const auto step = header.find("negotiation"); step == header.end() || *step != "offer")
    throw Error(Status::malformed,
                "the message is not an offer: its header does not say \"negotiation\": \"offer\"")
        .detail("negotiation.offer");
  return std::string(message.value.view().as_bytes());
}

/// The offer as if it came from `peer`.
std::string offer_from(const std::string& peer, const std::string& offer) {
  if (peer.empty()) return offer;
  Json changed = parse_json(offer);
  if (changed.is_object()) changed["peer"] = peer;
  return text_of(changed);
}

std::string explanation(const Json& agreement) {
  const auto word = [](const Json& of) { return of.is_string() ? of.get<std::string>() : ""; };
  const std::string codec = word(agreement["codec"]);
  std::string text = (codec.empty() ? "no codec" : codec) + ": " + word(agreement["reason"]);
  for (const Json& verdict : agreement["verdicts"])
    text += std::string(verdict["fits"].get<bool>() ? "\n  + " : "\n  - ") +
            word(verdict["codec"]) + ": " + word(verdict["reason"]);
  return text;
}

int run_negotiate(const Run& run, const Question& question) {
  const Input input = run.open_input(question.offer);
  const std::string offer =
      about_input(input.name, [&] { return offer_from(question.peer, read_offer(run, input)); });
  const Read decoded = run.read_file(question.value);
  Json agreement = about_input(input.name, [&] {
    Value found;
    decoded.budget.walk([&] { found = run.registry().agree(offer, decoded.value); });
    return json_of(found);
  });
  const bool agreed = !agreement["codec"].is_null();
  const std::string text = explanation(agreement);
  Json object{{"ok", agreed}};
  object.update(agreement);
  run.out.print_result(object, text);
  return agreed ? exit_done : exit_refused;
}

}  // namespace

void describe_negotiate(Command& command, CommonOptions& options) {
  command.help = "Show the codec that two peers would use, and why";
  command.example = "polycodec negotiate offer.json in.data";
  auto question = std::make_shared<Question>();
  command.add("OFFER", &question->offer, "The offer: JSON, or a message; - is standard input")
      .required();
  command.add("VALUE", &question->value, "The file whose value is to be sent").required();
  command.add("--peer NAME", &question->peer,
              "Name of the peer, for rules (default: as the offer says)");
  add_input_options(command, options);
  add_common_options(command, options);
  command.run = [question](const Run& run) { return run_negotiate(run, *question); };
}

}  // namespace polycodec::cli
