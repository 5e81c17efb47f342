// SPDX-License-Identifier: MIT
// `polycodec message pack` and `unpack`: values in framed messages.
#include <base/quote.hpp>
#include <polycodec/channel.hpp>
#include <polycodec/message.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/text.hpp>

#include "commands.hpp"
#include "tools/common/terminal.hpp"

#include <unistd.h>

#include <memory>

namespace polycodec::cli {
namespace {

struct Pack {
  std::string in, codec{default_message_codec}, filters, header, dialect = "current";
  std::uint64_t part_size = UINT64_MAX;
  bool meta_only = false, no_datatype = false, raw = false, end = false;
};

struct Unpack {
  std::vector<std::string> files;
  bool header_only = false, plain = false, pretty = false, exact = false, as_is = false;
};

/// --header: members of the message header, with those of `__meta__` inside one of that name.
Header header_of(const std::string& text) {
  Header header;
  if (text.empty()) return header;
  Value parsed;
  try {
    parsed = parse_json(text);
  } catch (const Error& e) {
    if (e.code() == Status::memory) throw;
    // It is not an object either.
  }
  const NodeView json = parsed.view();
  if (!json.is_object()) throw Error(Status::option, "--header: a JSON object is expected");
  const auto word = [](const std::string& name, NodeView value) {
    if (!value.is_string()) throw Error(Status::option, "--header: " + name + " must be a string");
    return std::string(value.as_string());
  };
  for (std::uint64_t i = 0; i < json.size(); ++i) {
    const std::string name(json.key(i).as_string());
    const NodeView value = json.value(i);
    if (name == "__meta__") {
      if (!value.is_object()) throw Error(Status::option, "--header: __meta__ must be an object");
      for (std::uint64_t j = 0; j < value.size(); ++j) {
        const std::string inner(value.key(j).as_string());
        if (inner == "size")
          throw Error(Status::option, "--header: the size is counted, not given");
        if (inner == "id")
          header.id = word("__meta__.id", value.value(j));
        else
          header.meta.push_back({inner, to_json(value.value(j), json_compact)});
      }
    } else if (name == "type") {
      header.type = word("type", value);
    } else if (name == "codec" || name == "codec_version" || name == "options" ||
               name == "filters" || name == "then") {  // the old name
      throw Error(Status::option,
                  "--header: " + name + " is written for --codec, --to-options and --filters");
    } else {
      header.fields.push_back({name, to_json(value, json_compact)});
    }
  }
  return header;
}

/// All parts to one file or descriptor; or, with --part-size and more than one part, part N to
/// OUT.N.
std::uint64_t write_parts(Context& context, const MessageParts& parts) {
  const std::string& out = context.options.output;
  if (out.empty() || out == "-") {
    context.write_output(parts.all(), "-");
  } else {
    context.write_output(parts.part(0), out);
    for (std::size_t i = 1; i < parts.count(); ++i)
      context.write_output(parts.part(i), out + "." + std::to_string(i));
  }
  return parts.size();
}

int run_pack(Context& context, const Pack& pack) {
  ChannelOptions options;
  const auto dialect = find_dialect(pack.dialect);
  if (!dialect)
    throw Error(Status::option, "--dialect: unknown dialect " + quote(pack.dialect) +
                                    ": must be current, document or legacy-1.8");
  options.dialect = *dialect;
  options.meta_only = pack.meta_only;
  options.codec = pack.codec;
  options.codec_options = context.options.to_options;
  options.filters = pack.filters;
  options.max_part_bytes = pack.part_size;
  options.declare = !pack.no_datatype;
  options.call = context.call_options();
  const Header header = header_of(pack.header);
  Channel channel(context.registry(), options);
  std::uint64_t bytes = 0;
  if (pack.end) {
    bytes = write_parts(context, channel.pack_end().parts());
  } else {
    if (pack.in.empty())
      throw Error(Status::option,
                  "missing argument IN (the file to pack, or '-' for standard input)");
    const Source source = context.open_input(pack.in);
    if (pack.raw) {
      bytes = write_parts(context, channel.pack_raw(source.bytes(), header).parts());
    } else {
      const Read decoded = context.read(source);
      const OutgoingMessage message = channel.pack(decoded.value.view(), header);
      bytes = write_parts(context, message.parts());
    }
  }
  if (context.options.json) {
    const Json object{{"ok", true},
                      {"file", context.options.output},
                      {"codec", channel.options().codec},
                      {"bytes", bytes}};
    // Standard output holds the message where it has no file.
    context.print_json(object, context.options.output.empty() || context.options.output == "-");
  }
  return exit_done;
}

/// Prints one message.
class Printer {
 public:
  Printer(Context& context, const Unpack& unpack, Channel& channel)
      : context_(context), unpack_(unpack), channel_(channel) {
    text_.limits = context.limits();
    text_.plain = unpack.plain;
    text_.exact = unpack.exact;
    text_.indent = unpack.pretty ? 2 : 0;
  }

  void print(const ReceivedMessage& message) {
    const std::string header =
        message.framed ? header_to_json(message.header) : std::string("null");
    if (unpack_.header_only) {
      out_ += header + "\n";
    } else {
      context_.note(header);
      const IncomingMessage incoming = channel_.unpack(message);
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
  bool to_standard_output() const {
    return context_.options.output.empty() || context_.options.output == "-";
  }

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
  if (unpack.plain && unpack.exact)
    throw Error(Status::option, "--exact: it is for text with types; leave out --plain");
  ChannelOptions options;
  options.normalize = !unpack.as_is;
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
    for (; auto message = read_message(STDIN_FILENO, reader, "standard input"); ++count)
      printer.print(*message);
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
    context.forget_input();
    read_packets(packets);
  }
  if (count == 0)
    throw Error(Status::truncated, "there is no message: the input is empty")
        .detail("message.incomplete");
  printer.finish();
  return exit_done;
}

}  // namespace

void describe_message(Command& command, Context& context) {
  command.help = "Pack values into messages, and unpack them";
  command.example = "polycodec message unpack in.msg";

  Command& packer = command.add_command("pack", "Write a message with a file's value",
                                        "polycodec message pack in.data -o out.msg");
  auto pack = std::make_shared<Pack>();
  packer.add("IN", &pack->in, "The file to read; - is standard input");
  packer.add("--codec NAME", &pack->codec, "Codec of the body").show_default();
  packer.add("--to-options JSON", &context.options.to_options, "Options of that codec as JSON");
  packer.add("--filters JSON", &pack->filters,
             "Filters after it as JSON, such as '[{\"id\": \"zstd\"}]'");
  packer.add("--header JSON", &pack->header,
             "Further members of the header, those of __meta__ inside one");
  packer.add("--dialect", &pack->dialect, "Whose messages: current, document or legacy-1.8")
      .one_of({"current", "document", "legacy-1.8"})
      .show_default();
  packer.add("--meta-only", &pack->meta_only, "No type, size and id beside __meta__");
  packer.add("--no-datatype", &pack->no_datatype, "Do not say in the header what the value is");
  packer.add("--raw", &pack->raw, "The body is IN unchanged");
  packer.add("--end", &pack->end, "The message that ends a stream; takes no IN");
  packer.add("--part-size", &pack->part_size,
             "Cut longer messages: OUT, OUT.1, OUT.2, .. of so many bytes");
  packer.add("-o,--output OUT", &context.options.output,
             "The file to write; - or nothing is standard output");
  context.add_input_options(packer);
  context.add_common_options(packer);
  packer.run = [&context, pack] { return run_pack(context, *pack); };

  Command& unpacker = command.add_command("unpack", "Print the values and headers of messages",
                                          "polycodec message unpack out.msg");
  auto unpack = std::make_shared<Unpack>();
  unpacker
      .add("FILE", &unpack->files,
           "Messages one after another; several files: the parts of messages; - is standard input")
      .required();
  unpacker.add("--header-only", &unpack->header_only,
               "Print the headers alone, on standard output");
  unpacker.add("--plain", &unpack->plain, "Print the values alone, without their types");
  unpacker.add("--pretty", &unpack->pretty, "Indent the output");
  unpacker.add("--exact", &unpack->exact,
               "Print how the values are stored, too: the text reads back bit for bit");
  unpacker.add("--as-is", &unpack->as_is,
               "Do not make values fit the datatype that the first header declares");
  unpacker.add("-o,--output OUT", &context.options.output,
               "Write there instead of standard output");
  context.add_mapping_option(unpacker);
  context.add_common_options(unpacker);
  unpacker.run = [&context, unpack] { return run_unpack(context, *unpack); };
}

}  // namespace polycodec::cli
