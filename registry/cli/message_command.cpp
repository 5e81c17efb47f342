// SPDX-License-Identifier: MIT
// `polycodec message pack` and `unpack`: values in framed messages.
#include <polycodec/channel.hpp>
#include <polycodec/file.hpp>
#include <polycodec/stream_io.hpp>
#include <polycodec/text.hpp>

#include "commands.hpp"
#include "terminal.hpp"

#include <unistd.h>

#include <cstdio>
#include <memory>

namespace polycodec::cli {
namespace {

struct Pack {
  std::string in, codec{default_message_codec}, then, header, dialect = "current";
  std::uint64_t part_size = UINT64_MAX;
  bool meta_only = false, no_datatype = false, raw = false, end = false;
};

struct Unpack {
  std::vector<std::string> files;
  bool header_only = false, plain = false, pretty = false, as_is = false;
};

/// --header: members of the message header, with those of `__meta__` inside one of that name.
Header header_of(const std::string& text) {
  Header header;
  if (text.empty()) return header;
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw Error(Status::option, "--header: a JSON object is expected");
  const auto word = [](const std::string& name, const Json& value) {
    if (!value.is_string()) throw Error(Status::option, "--header: " + name + " must be a string");
    return value.get<std::string>();
  };
  for (const auto& [name, value] : json.items()) {
    if (name == "__meta__") {
      if (!value.is_object()) throw Error(Status::option, "--header: __meta__ must be an object");
      for (const auto& [inner, content] : value.items()) {
        if (inner == "size") throw Error(Status::option, "--header: the size is counted, not given");
        if (inner == "id")
          header.id = word("__meta__.id", content);
        else
          header.meta.push_back({inner, content.dump()});
      }
    } else if (name == "type") {
      header.type = word("type", value);
    } else if (name == "codec" || name == "codec_version" || name == "options" || name == "then") {
      throw Error(Status::option, "--header: " + name + " is written for --codec, --to-options and --then");
    } else {
      header.fields.push_back({name, value.dump()});
    }
  }
  return header;
}

/// All parts to one file or descriptor; or, with --part-size and more than one part, part N to OUT.N.
std::uint64_t write_parts(const Context& context, const MessageParts& parts) {
  const std::string& out = context.options.output;
  if (out.empty() || out == "-") {
    write_descriptor(STDOUT_FILENO, parts.all(), "standard output");
  } else {
    write_file(out, parts.part(0));
    for (std::size_t i = 1; i < parts.count(); ++i) write_file(out + "." + std::to_string(i), parts.part(i));
  }
  return parts.size();
}

int run_pack(Context& context, const Pack& pack) {
  ChannelOptions options;
  const auto dialect = find_dialect(pack.dialect);
  if (!dialect) throw Error(Status::option, "--dialect: '" + pack.dialect + "' is none");
  options.dialect = *dialect;
  options.meta_only = pack.meta_only;
  options.codec = pack.codec;
  options.codec_options = context.options.to_options;
  options.then = pack.then;
  options.max_part_bytes = pack.part_size;
  options.declare = !pack.no_datatype;
  options.call = context.call_options();
  const Header header = header_of(pack.header);
  Channel channel(context.registry(), options);
  std::uint64_t bytes = 0;
  if (pack.end) {
    bytes = write_parts(context, channel.pack_end().parts());
  } else {
    if (pack.in.empty()) throw Error(Status::option, "which file is to be packed? (- is standard input)");
    const Source source = context.open_input(pack.in);
    if (pack.raw) {
      bytes = write_parts(context, channel.pack_raw(source.bytes(), header).parts());
    } else {
      const Context::Decoded decoded = context.decode(source);
      const OutgoingMessage message = channel.pack(decoded.value.view(), header);
      bytes = write_parts(context, message.parts());
    }
  }
  if (context.options.json) {
    const Json object{
        {"ok", true}, {"file", context.options.output}, {"codec", channel.options().codec}, {"bytes", bytes}};
    if (context.options.output.empty() || context.options.output == "-")
      context.remark(object.dump());  // standard output holds the message
    else
      context.print_json(object);
  }
  return exit_done;
}

/// Prints one message.
class Printer {
 public:
  Printer(Context& context, const Unpack& unpack, Channel& channel)
      : context_(context), unpack_(unpack), channel_(channel) {
    text_.plain = unpack.plain;
    text_.indent = unpack.pretty ? 2 : 0;
  }

  void print(const ReceivedMessage& message) {
    const std::string header = message.framed ? header_to_json(message.header) : std::string("null");
    if (unpack_.header_only) {
      out_ += header + "\n";
    } else {
      if (!context_.options.quiet) std::fprintf(stderr, "%s\n", header.c_str());
      const IncomingMessage incoming = unpacked(message);
      print_text(incoming.value.view(), out_, text_);
      out_ += '\n';
    }
    // Standard output gets each message at once: a reader behind a pipe need not wait for the next.
    if (to_standard_output()) {
      context_.write_output(out_, "-");
      out_.clear();
    }
  }
  void finish() {
    if (!to_standard_output()) context_.write_output(out_, context_.options.output);
  }

 private:
  IncomingMessage unpacked(const ReceivedMessage& message) {
    try {
      return channel_.unpack(message);
    } catch (const Error& e) {
      if (e.code() != Status::option) throw;
      throw header_options_error(e);
    }
  }
  bool to_standard_output() const { return context_.options.output.empty() || context_.options.output == "-"; }

  Context& context_;
  const Unpack& unpack_;
  Channel& channel_;
  TextOptions text_;
  std::string out_;
};

/// True for all or the beginning of a frame.
bool starts_like_a_frame(std::string_view bytes) {
  return message_separator.starts_with(bytes.substr(0, message_separator.size()));
}

int run_unpack(Context& context, const Unpack& unpack) {
  ChannelOptions options;
  options.normalise = !unpack.as_is;
  options.call = context.call_options();
  Channel channel(context.registry(), options);
  Printer printer(context, unpack, channel);
  std::uint64_t count = 0;
  const auto read_packets = [&](const std::vector<Source>& packets) {
    MessageReader reader(context.limits(), Transport::packets);
    for (const Source& packet : packets) {
      reader.feed(packet.bytes());
      for (; auto message = reader.next(); ++count) printer.print(*message);
    }
    reader.finish();
  };
  if (unpack.files.size() == 1 && unpack.files[0] == "-") {
    MessageReader reader(context.limits());
    for (; auto message = read_message(STDIN_FILENO, reader, "standard input"); ++count) printer.print(*message);
  } else if (unpack.files.size() == 1) {
    const Source source = context.open_input(unpack.files[0]);
    if (starts_like_a_frame(source.bytes())) {
      MessageReader reader(context.limits());
      reader.feed(source.bytes());
      for (; auto message = reader.next(); ++count) printer.print(*message);
      reader.finish();
    } else {
      // One message without a header: a control message, or a body of the codec yggdrasil.
      read_packets({source});
    }
  } else {
    std::vector<Source> packets;
    for (const std::string& file : unpack.files) packets.push_back(context.open_input(file));
    read_packets(packets);
  }
  if (count == 0)
    throw Error(Status::truncated, "there is no message: the input is empty").detail("message.incomplete");
  printer.finish();
  return exit_done;
}

}  // namespace

void add_message(CLI::App& app, Context& context, Action& action) {
  CLI::App* command = app.add_subcommand("message", "Put values into framed messages, and take them out");
  command->require_subcommand(1);

  CLI::App* packer = command->add_subcommand("pack", "Write a message whose body is a file's value in some codec");
  auto pack = std::make_shared<Pack>();
  packer->add_option("IN", pack->in, "The file to read; - is standard input");
  packer->add_option("--codec", pack->codec, "Codec of the body")->type_name("NAME")->capture_default_str();
  packer->add_option("--to-options", context.options.to_options, "Options of that codec as JSON")->type_name("JSON");
  packer->add_option("--then", pack->then, "Byte codecs behind it as JSON, such as '[{\"id\": \"zstd\"}]'")
      ->type_name("JSON");
  packer->add_option("--header", pack->header, "Further members of the header, those of __meta__ inside one")
      ->type_name("JSON");
  packer->add_option("--dialect", pack->dialect, "Whose messages: current, document or legacy-1.8")
      ->check(CLI::IsMember({"current", "document", "legacy-1.8"}))
      ->capture_default_str();
  packer->add_flag("--meta-only", pack->meta_only, "No type, size and id beside __meta__");
  packer->add_flag("--no-datatype", pack->no_datatype, "Do not say in the header what the value is");
  packer->add_flag("--raw", pack->raw, "The body is IN as it stands");
  packer->add_flag("--end", pack->end, "The message that ends a stream; takes no IN");
  packer->add_option("--part-size", pack->part_size, "Cut longer messages: OUT, OUT.1, OUT.2, .. of so many bytes");
  packer->add_option("-o,--output", context.options.output, "The file to write; - or nothing is standard output")
      ->type_name("OUT");
  context.add_input_options(*packer);
  context.add_registry_options(*packer);
  context.add_json_option(*packer);
  packer->callback([&, pack] { action = [&, pack] { return run_pack(context, *pack); }; });

  CLI::App* unpacker = command->add_subcommand(
      "unpack", "Print the values of messages in text notation, and their headers on standard error");
  auto unpack = std::make_shared<Unpack>();
  unpacker
      ->add_option("FILE", unpack->files,
                   "Messages one after another; several files: the parts of messages; - is standard input")
      ->required();
  unpacker->add_flag("--header-only", unpack->header_only, "Print the headers alone, on standard output");
  unpacker->add_flag("--plain", unpack->plain, "Print the values alone, without their types");
  unpacker->add_flag("--pretty", unpack->pretty, "Indent the output");
  unpacker->add_flag("--as-is", unpack->as_is, "Do not make values fit the datatype that the first header declares");
  unpacker->add_option("-o,--output", context.options.output, "Write there instead of standard output")
      ->type_name("OUT");
  context.add_registry_options(*unpacker);
  context.add_json_option(*unpacker);
  unpacker->callback([&, unpack] { action = [&, unpack] { return run_unpack(context, *unpack); }; });
}

}  // namespace polycodec::cli
