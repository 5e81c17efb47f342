// SPDX-License-Identifier: MIT
// `polycodec negotiate`: which of the codecs that a peer offers is used for a value, and why.
#include <polycodec/channel.hpp>
#include <polycodec/message.hpp>
#include <polycodec/text.hpp>

#include "commands.hpp"
#include "tools/common/terminal.hpp"

#include <memory>

namespace polycodec::cli {
namespace {

struct Question {
  std::string offer, value, peer;
};

Offer read_offer(Context& context, const std::string& file) {
  const Source source = context.open_input(file);
  if (!is_framed(source.bytes())) return parse_offer(source.bytes(), context.limits());
  const Message message = parse_message(source.bytes(), context.limits());
  if (negotiation_step(message.header) != NegotiationStep::offer)
    throw Error(Status::malformed,
                "the message is not an offer: its header does not say \"negotiation\": \"offer\"")
        .detail("negotiation.offer");
  return parse_offer(message.body, context.limits());
}

int run_negotiate(Context& context, const Question& question) {
  Offer offer = read_offer(context, question.offer);
  if (!question.peer.empty()) offer.peer = question.peer;
  const Read decoded = context.read_file(question.value);
  const Agreement agreement = agree(context.registry(), &context.configuration(), offer,
                                    decoded.value.view(), context.call_options());
  const bool agreed = !agreement.codec.empty();
  if (context.options.json) {
    Json object{{"ok", agreed},
                {"codec", agreed ? Json(agreement.codec) : Json()},
                {"version", agreement.version}};
    object["options"] =
        agreement.options.empty() ? Json() : Json(parse_json(agreement.options).view());
    object["reason"] = agreement.reason;
    object["verdicts"] = Json::list();
    for (const Verdict& verdict : agreement.verdicts)
      object["verdicts"].push_back(
          {{"codec", verdict.codec}, {"fits", verdict.fits}, {"reason", verdict.reason}});
    context.print_json(object);
  } else {
    context.print(agreement.explain());
  }
  return agreed ? exit_done : exit_refused;
}

}  // namespace

void describe_negotiate(Command& command, Context& context) {
  command.help = "Show the codec that two peers would use, and why";
  command.example = "polycodec negotiate offer.json in.data";
  auto question = std::make_shared<Question>();
  command.add("OFFER", &question->offer, "The offer: JSON, or a message; - is standard input")
      .required();
  command.add("VALUE", &question->value, "The file whose value is to be sent").required();
  command.add("--peer NAME", &question->peer,
              "Name of the peer, for rules (default: as the offer says)");
  context.add_input_options(command);
  context.add_common_options(command);
  command.run = [&context, question] { return run_negotiate(context, *question); };
}

}  // namespace polycodec::cli
