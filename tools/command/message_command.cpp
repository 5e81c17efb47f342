// SPDX-License-Identifier: MIT
// `polycodec message pack` and `unpack`: values in framed messages.
#include "commands.hpp"
#include "stream_convert.hpp"

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
  bool header_only = false, plain = false, pretty = false, exact = false;
};

/// JSON of an option, which must be of this kind.
Json json_option(const char* option, const std::string& text, Json::value_t kind) {
  const char* const what = kind == Json::value_t::object ? "an object" : "a list";
  Json json(kind);
  if (text.empty()) return json;
  try {
    json = parse_json(text);
  } catch (const Error& error) {
    throw Error(Status::option, std::string(option) + ": " + error.message(), error.offset());
  }
  if (json.type() != kind)
    throw Error(Status::option, std::string(option) + ": " + what + " is expected");
  return json;
}

/// --header: members of the message header, with those of `__meta__` inside one of that name.
std::string header_of(const Pack& pack) {
  Json header = json_option("--header", pack.header, Json::value_t::object);
  const auto refuse = [](const std::string& what) {
    throw Error(Status::option, "--header: " + what);
  };
  for (const char* name : {"codec", "codec_version", "options", "filters"})
    if (header.contains(name))
      refuse(std::string(name) + " is written for --codec, --to-options and --filters");
  if (const auto type = header.find("type"); type != header.end() && !type->is_string())
    refuse("type must be a string");
  if (const auto meta = header.find("__meta__"); meta != header.end()) {
    if (!meta->is_object()) refuse("__meta__ must be an object");
    if (meta->contains("size")) refuse("the size is counted, not given");
    if (const auto id = meta->find("id"); id != meta->end() && !id->is_string())
      refuse("__meta__.id must be a string");
  }
  if (!pack.raw) return pack.header;
  header["raw"] = true;
  return text_of(header);
}

/// What the options say of the channel that packs.
Json channel_of(const Run& run, const Pack& pack) {
  Json channel{{"codec", pack.codec},
               {"dialect", pack.dialect},
               {"meta_only", pack.meta_only},
               {"declare", !pack.no_datatype}};
  if (!run.options.to_options.empty())
    channel["options"] = json_option("--to-options", run.options.to_options, Json::value_t::object);
  if (!pack.filters.empty())
    channel["filters"] = json_option("--filters", pack.filters, Json::value_t::array);
  if (pack.part_size != UINT64_MAX) channel["max_part_bytes"] = pack.part_size;
  return channel;
}

/// All parts to one file or to standard output; or, with --part-size and more than one part, part N
/// to OUT.N. Returns the number of bytes.
std::uint64_t write_parts(const Run& run, const Message& message) {
  const std::string& out = run.options.output;
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; const auto pieces = message.part(i); ++i) {
    std::string part;
    for (const polycodec_bytes& piece : *pieces) {
      bytes += piece.size;
      if (is_standard_output(run.options.output))
        run.write_output(to_string_view(piece), out);
      else
        part += to_string_view(piece);
    }
    if (!is_standard_output(run.options.output))
      run.write_output(part, i == 0 ? out : out + "." + std::to_string(i));
  }
  return bytes;
}

/// The content of an input, which it keeps.
Value bytes_of(const Input& input) {
  return Value::build([&](Builder& out) {
    const std::string_view bytes = input.bytes();
    out.adopt(
        nullptr, [](void*) {}, bytes);
    return Builder::bytes_view(bytes);
  });
}

int run_pack(const Run& run, const Pack& pack) {
  const std::string header = header_of(pack);
  std::vector<Loss> losses;
  Channel channel(run.registry(), text_of(channel_of(run, pack)), run.call(losses));
  std::string codec = pack.codec;
  std::uint64_t bytes = 0;
  if (pack.end) {
    bytes = write_parts(run, channel.pack_end(header));
  } else if (pack.in.empty()) {
    throw Error(Status::option,
                "missing argument IN (the file to pack, or '-' for standard input)");
  } else {
    const Input input = run.open_input(pack.in);
    const Value value = pack.raw ? bytes_of(input) : run.read(input).value;
    bytes = write_parts(run, about_input(input.name, [&] { return channel.pack(value, header); }));
    run.out.note_losses(losses);
    if (!pack.raw && run.out.is_json()) {
      const Value about = run.registry().describe(About::codec, codec);
      codec = about.find("name").as_string();
    }
  }
  if (run.out.is_json())  // standard output holds the message where it has no file
    run.out.print_json(
        {{"ok", true}, {"file", run.options.output}, {"codec", codec}, {"bytes", bytes}},
        is_standard_output(run.options.output));
  return exit_done;
}

/// Prints messages.
class Printer {
 public:
  Printer(const Run& run, const Unpack& unpack) : run_(run), unpack_(unpack) {}

  void print(const Received& message) {
    const std::string header = message.header.empty() ? "null" : message.header;
    ++count_;
    if (unpack_.header_only) {
      out_ += header;
    } else {
      run_.out.note(header);
      out_ += message.value.text(
          {.plain = unpack_.plain, .exact = unpack_.exact, .indent = unpack_.pretty ? 2u : 0u});
    }
    out_ += '\n';
    // Standard output gets each message at once: a reader behind a pipe need not wait for the next.
    if (is_standard_output(run_.options.output)) {
      run_.write_output(out_, "-");
      out_.clear();
    }
  }
  void finish() {
    if (count_ == 0)
      throw Error(Status::truncated, "there is no message: the input is empty")
          .detail("message.incomplete");
    if (!is_standard_output(run_.options.output)) run_.write_output(out_, run_.options.output);
  }

 private:
  const Run& run_;
  const Unpack& unpack_;
  std::uint64_t count_ = 0;
  std::string out_;
};

/// The value of a message without a frame. An error says what else the file may be.
Received unpack_body(Channel& channel, const Source& source) try {
  return channel.unpack(source);
} catch (const Error& error) {
  if (error.codec().empty()) throw;
  throw with_advice(error, "a message begins with a frame or is JSON: try `polycodec decode`");
}

int run_unpack(const Run& run, const Unpack& unpack) {
  if (unpack.plain && unpack.exact)
    throw Error(Status::option, "--exact: it is for text with types; leave out --plain");
  std::vector<Loss> losses;
  const Json how{{"decode", !unpack.header_only}, {"packets", unpack.files.size() > 1}};
  Channel channel(run.registry(), text_of(how), run.call(losses));
  Printer printer(run, unpack);
  const auto print_all = [&] {
    while (const auto message = channel.next()) printer.print(*message);
  };
  if (unpack.files.size() > 1) {
    for (const std::string& file : unpack.files) {
      const Input part = run.open_input(file);
      channel.feed(part.bytes());
      print_all();
    }
    channel.end_of_input();
    print_all();
  } else if (unpack.files[0] == "-") {
    about_input("standard input", [&] {
      for (std::string bytes; read_more(bytes); bytes.clear()) {
        channel.feed(bytes);
        print_all();
      }
      channel.end_of_input();
      print_all();
    });
  } else {
    const Input input = run.open_input(unpack.files[0]);
    about_input(input.name, [&] {
      // A file without a frame is one message without a header: a control message, or a body of
      // the codec yggdrasil.
      const std::string_view bytes = input.bytes();
      if (!message_separator.starts_with(bytes.substr(0, message_separator.size())))
        return printer.print(unpack_body(channel, input.source));
      channel.feed(bytes);
      channel.end_of_input();
      print_all();
    });
  }
  run.out.note_losses(losses);
  printer.finish();
  return exit_done;
}

}  // namespace

void describe_message(Command& command, CommonOptions& options) {
  command.help = "Pack values into messages, and unpack them";
  command.example = "polycodec message unpack in.msg";

  Command& packer = command.add_command("pack", "Write a message with a file's value",
                                        "polycodec message pack in.data -o out.msg");
  auto pack = std::make_shared<Pack>();
  packer.add("IN", &pack->in, "The file to read; - is standard input");
  packer.add("--codec NAME", &pack->codec, "Codec of the body").show_default();
  packer.add("--to-options JSON", &options.to_options, "Options of that codec as JSON");
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
  packer.add("-o,--output OUT", &options.output,
             "The file to write; - or nothing is standard output");
  add_input_options(packer, options);
  add_common_options(packer, options);
  packer.run = [pack](const Run& run) { return run_pack(run, *pack); };

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
  unpacker.add("--as-is", &options.as_is,
               "Do not make values fit the datatype that the first header declares");
  unpacker.add("-o,--output OUT", &options.output, "Write there instead of standard output");
  add_mapping_option(unpacker, options);
  add_common_options(unpacker, options);
  unpacker.run = [unpack](const Run& run) { return run_unpack(run, *unpack); };
}

}  // namespace polycodec::cli
