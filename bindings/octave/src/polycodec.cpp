// SPDX-License-Identifier: MIT
// polycodec('COMMAND', ...) for Octave and MATLAB: README.md has the commands.
#include "from_octave.hpp"
#include "to_octave.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <map>
#include <memory>

namespace octave_package {
namespace {

// -- what lasts from call to call --

struct Channel {
  polycodec::Channel channel;
  int in, out;
  ~Channel() {
    if (in > 2) close(in);
    if (out > 2) close(out);
  }
};

struct State {
  Registry registry = Registry::open({.threads = UINT32_MAX});
  std::map<double, std::unique_ptr<Channel>> channels;
  double next_channel = 1;
};

std::optional<Error> last_error;
std::vector<std::array<std::string, 3>> losses;  // of this call: class, path, words
const mxArray* loss_handler = nullptr;

/// Freed before the library is, when the language ends or clears the function.
State* state_of_all = nullptr;
State& state() {
  if (state_of_all == nullptr) {
    state_of_all = new State;
    mexAtExit([] { delete std::exchange(state_of_all, nullptr); });
  }
  return *state_of_all;
}
const Registry& registry() { return state().registry; }

// -- arguments --

[[noreturn]] void refuse(const std::string& message) { throw Error(Status::option, message).detail("octave.argument"); }

constexpr std::string_view option_names[] = {
    "codec",  "from",     "options", "from_options", "filters", "from_filters", "to",       "to_options", "to_filters",
    "type",   "header",   "in",      "out",          "columns", "rows",         "member",   "select",     "threads",
    "limits", "tolerant", "as_is",   "compare",      "losses",  "on_loss",      "lossless", "keep",       "sync"};
using LimitName = std::pair<std::string_view, std::uint64_t polycodec_limits::*>;
constexpr LimitName limit_names[] = {{"max_input_bytes", &polycodec_limits::max_input_bytes},
                                     {"max_header_bytes", &polycodec_limits::max_header_bytes},
                                     {"max_nodes", &polycodec_limits::max_nodes},
                                     {"max_elements", &polycodec_limits::max_elements},
                                     {"max_work", &polycodec_limits::max_work},
                                     {"max_memory_bytes", &polycodec_limits::max_memory_bytes},
                                     {"max_output_bytes", &polycodec_limits::max_output_bytes},
                                     {"max_stack_bytes", &polycodec_limits::max_stack_bytes}};
constexpr std::string_view loss_names[] = {"note", "type", "data", "retyped", "mended"};

/// Arguments in their order, then names and values of options.
class Arguments {
 public:
  Arguments(int n, const mxArray* const* all) : n_(n), all_(all) {}

  bool empty() const { return at_ == n_; }
  bool odd() const { return (n_ - at_) % 2 != 0; }
  const mxArray* next(const std::string& what) {
    if (empty()) refuse("the argument " + what + " is missing");
    return all_[at_++];
  }
  std::string text(const std::string& what) { return text_in(next(what), what); }
  std::string_view bytes() {
    const mxArray* const from = next("bytes");
    if (!mxIsUint8(from) && !(mxIsChar(from) && sizeof(mxChar) == 1)) refuse("bytes must be uint8");
    return bytes_of(from);
  }

  /// Takes what is left as options.
  void read_options() {
    while (!empty()) {
      const std::string name = text("of the option");
      if (std::ranges::find(option_names, name) == std::end(option_names)) refuse("unknown option " + name);
      options_[name] = next("of the option " + name);
    }
  }
  const mxArray* option(const std::string& name) const {
    const auto found = options_.find(name);
    return found == options_.end() ? nullptr : found->second;
  }
  bool flag(const std::string& name) const { return option(name) != nullptr && mxGetScalar(option(name)) != 0; }
  std::string option_text(const std::string& name) const {
    return option(name) == nullptr ? std::string() : text_in(option(name), name);
  }
  std::vector<std::string> texts(const std::string& name) const {
    const mxArray* const from = option(name);
    if (from == nullptr) return {};
    if (!mxIsCell(from)) return {text_in(from, name)};
    std::vector<std::string> made;
    for (std::size_t i = 0; i < mxGetNumberOfElements(from); ++i) made.push_back(text_in(cell_of(from, i), name));
    return made;
  }
  /// JSON, or a struct that becomes JSON.
  std::string json(const std::string& name) const {
    const mxArray* const from = option(name);
    if (from == nullptr || is_text(from)) return option_text(name);
    return text_of(octave_package::call("jsonencode", {from}));
  }
  /// The format of the options with these names; `prefix` is from_ or to_.
  Format format(const std::string& name, const std::string& prefix) const {
    return {option_text(name), json(prefix + "options"), json(prefix + "filters")};
  }
  Format format() const {
    return option("from") == nullptr && option("from_options") == nullptr ? format("codec", "")
                                                                          : format("from", "from_");
  }
  WriteOptions write() const { return {.keep = flag("keep"), .sync = flag("sync")}; }

  CallOptions call() const {
    CallOptions call;
    call.columns = texts("columns");
    call.member = option_text("member");
    call.select = option_text("select");
    if (option("threads") != nullptr) call.threads = static_cast<std::uint32_t>(mxGetScalar(option("threads")));
    if (option("limits") != nullptr) call.limits = limits(option("limits"));
    const std::pair<const char*, std::uint32_t> flags[] = {{"tolerant", POLYCODEC_CALL_TOLERANT},
                                                           {"lossless", POLYCODEC_CALL_LOSSLESS},
                                                           {"as_is", POLYCODEC_CALL_AS_IS},
                                                           {"compare", POLYCODEC_CALL_COMPARE}};
    for (const auto& [name, bit] : flags) call.flags |= flag(name) ? bit : 0;
    if (const mxArray* const rows = option("rows"); rows != nullptr) {
      const auto* const ends = static_cast<const double*>(mxGetData(rows));
      if (!mxIsDouble(rows) || mxGetNumberOfElements(rows) != 2 || !(ends[0] >= 1 && ends[1] >= ends[0] - 1))
        refuse("rows must be [first last], counted from 1");
      call.first_row = static_cast<std::uint64_t>(ends[0]) - 1;
      if (ends[1] < 9e15) call.rows = static_cast<std::uint64_t>(ends[1]) - call.first_row;
    }
    for (const std::string& name : texts("losses")) {
      const auto found = std::ranges::find(loss_names, name);
      const auto number = static_cast<std::uint32_t>(found - std::begin(loss_names));
      if (found == std::end(loss_names) && name != "all")
        refuse("unknown class of loss " + name + ": must be note, type, data, retyped, mended or all");
      call.losses |= name == "all" ? 0x1fu : POLYCODEC_LOSSES_OF(number);
    }
    loss_handler = option("on_loss");
    if (loss_handler != nullptr && mxGetClassID(loss_handler) != mxFUNCTION_CLASS)
      refuse("on_loss must be a function handle");
    if (loss_handler != nullptr || call.losses != 0)
      call.on_loss = [](LossClass kind, std::string_view path, std::string_view what) {
        const auto name = loss_names[static_cast<std::size_t>(kind)];
        losses.push_back({std::string(name), std::string(path), std::string(what)});
      };
    return call;
  }

 private:
  static std::string text_in(const mxArray* from, const std::string& what) {
    if (!is_text(from)) refuse(what + " must be text");
    return text_of(from);
  }
  static Limits limits(const mxArray* from) {
    if (!mxIsStruct(from)) refuse("limits must be a struct, such as struct('max_depth', 64)");
    Limits made;
    for (int i = 0; i < mxGetNumberOfFields(from); ++i) {
      const std::string name = mxGetFieldNameByNumber(from, i);
      const double number = mxGetScalar(mxGetFieldByNumber(from, 0, i));
      if (!(number >= 1 && number < 1.8e19)) refuse("the limit " + name + " must be at least 1");
      const auto* const found = std::ranges::find(limit_names, name, &LimitName::first);
      if (found != std::end(limit_names))
        made.*found->second = static_cast<std::uint64_t>(number);
      else if (name == "max_depth")
        made.max_depth = static_cast<std::uint32_t>(std::min(number, 4e9));
      else
        refuse("unknown limit " + name);
    }
    return made;
  }

  int n_, at_ = 0;
  const mxArray* const* all_;
  std::map<std::string, const mxArray*> options_;
};

/// What a command answers with: as many arrays as were asked for.
struct Answers {
  int n;
  mxArray** all;

  bool wanted(int i) const { return i < std::max(n, 1); }
  void set(int i, mxArray* made) const {
    if (wanted(i)) all[i] = made;
  }
  void value(const Value& from) const {
    set(0, ToOctave::all(from));
    if (wanted(1)) set(1, to_text(from.type()));
  }
  void result(const Result& from) const {
    static constexpr const char* words[] = {"unknown", "same", "same_items", "same_numbers", "different"};
    set(0, to_struct({{"codec", to_text(from.codec)},
                      {"bytes", mxCreateDoubleScalar(static_cast<double>(from.bytes))},
                      {"kept", to_text(words[static_cast<std::size_t>(from.kept)])},
                      {"reason", to_text(from.reason)}}));
  }
};

// -- values --

void read_value(Arguments& in, const Answers& out, const Source& from, const std::string& codec,
                const std::string& path = {}) {
  in.read_options();
  Format format = in.format();
  if (!codec.empty()) format.codec = codec;
  CallOptions call = in.call();
  if (!path.empty()) call.select = path;
  // What else is in the file is passed over.
  if (!path.empty() && path.find_first_of("[$") == path.npos) call.columns = {path};
  Match match;
  out.value(registry().decode(from, call, format, &match));
  out.set(2, to_text(match.codec));
}
void open(Arguments& in, const Answers& out) { read_value(in, out, Source::file(in.text("file")), {}); }
void decode(Arguments& in, const Answers& out) {
  const auto bytes = Source::view(in.bytes());
  read_value(in, out, bytes, in.odd() ? in.text("codec") : std::string());
}
void column(Arguments& in, const Answers& out) {
  const auto file = Source::file(in.text("file"));
  read_value(in, out, file, {}, in.text("path"));
}

/// The value of an array; for a codec of meshes, or the extension of one, its structs are tables.
Value value_of(Arguments& in, const mxArray* from, const std::string& codec) {
  const std::string name = codec.substr(codec.rfind('.') + 1);
  const bool is_mesh = name == "ply" || name == "obj" || name == "stl" || name == "gltf" || name == "glb";
  return FromOctave::value(from, in.option_text("type"), is_mesh);
}
void save(Arguments& in, const Answers& out) {
  const std::string file = in.text("file");
  const mxArray* const from = in.next("value");
  in.read_options();
  const Format format = in.format();
  const auto value = value_of(in, from, format.codec.empty() ? file : format.codec);
  out.result(registry().write(value, file, format, in.call(), in.write()));
}
void encode(Arguments& in, const Answers& out) {
  const mxArray* const from = in.next("value");
  const std::string codec = in.text("codec");
  in.read_options();
  Format format = in.format();
  format.codec = codec;
  const auto value = value_of(in, from, codec);
  Sink sink = Sink::contiguous();
  registry().codec(format).encode(value, sink, in.call());
  out.set(0, to_bytes_row(sink.bytes()));
}
void convert(Arguments& in, const Answers& out) {
  const auto from = Source::file(in.text("file"));
  const std::string file = in.text("new file");
  in.read_options();
  out.result(registry().convert(from, file, in.format(), in.format("to", "to_"), in.call(), in.write()));
}
void type(Arguments& in, const Answers& out) {
  const mxArray* const from = in.next("value");
  in.read_options();
  out.set(0, to_text(value_of(in, from, in.option_text("codec")).type()));
}

// -- messages --

/// A number of a descriptor, or the name of a file or a named pipe that is opened.
int descriptor_of(const mxArray* from, int flags) {
  if (from == nullptr) return -1;
  if (!is_text(from)) return static_cast<int>(mxGetScalar(from));
  const std::string path = text_of(from);
  const int made = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (made < 0) throw Error(Status::io, "cannot open '" + path + "': " + std::strerror(errno));
  return made;
}
void channel(Arguments& in, const Answers& out) {
  in.read_options();
  std::unique_ptr<Channel> made(new Channel{polycodec::Channel(registry(), in.json("options"), in.call()),
                                            descriptor_of(in.option("in"), O_RDONLY),
                                            descriptor_of(in.option("out"), O_WRONLY | O_CREAT | O_TRUNC)});
  state().channels.emplace(state().next_channel, std::move(made));
  out.set(0, mxCreateDoubleScalar(state().next_channel++));
}
Channel& channel_of(Arguments& in) {
  const auto found = state().channels.find(mxGetScalar(in.next("channel")));
  if (found == state().channels.end()) refuse("the channel is unknown or closed");
  return *found->second;
}
void close_channel(Arguments& in, const Answers&) { state().channels.erase(mxGetScalar(in.next("channel"))); }

void answer(const std::optional<Received>& message, const Answers& out) {
  out.set(0, message ? ToOctave::all(message->value) : to_null());
  if (!message) return out.set(1, to_null());
  out.set(1, to_struct({{"header", to_text(message->header)},
                        {"type", to_text(message->value.type())},
                        {"control", mxCreateDoubleScalar(message->control)}}));
}
/// How many bytes a call of the system has moved. It is called again after a signal.
template <class Call>
std::size_t moved(const Call& call) {
  ssize_t n = -1;
  do n = call();
  while (n < 0 && errno == EINTR);
  if (n < 0) throw Error(Status::io, std::strerror(errno));
  return static_cast<std::size_t>(n);
}
void receive(Arguments& in, const Answers& out) {
  Channel& from = channel_of(in);
  std::vector<char> buffer(std::size_t{1} << 16);
  while (true) {
    const auto message = from.channel.next();
    if (message || from.in < 0) return answer(message, out);
    if (const std::size_t n = moved([&] { return read(from.in, buffer.data(), buffer.size()); }); n != 0) {
      from.channel.feed({buffer.data(), n});
      continue;
    }
    from.channel.end_of_input();
    if (from.in > 2) close(from.in);
    from.in = -1;
  }
}
void unpack(Arguments& in, const Answers& out) {
  Channel& from = channel_of(in);
  answer(from.channel.unpack(Source::view(in.bytes())), out);
}
void feed(Arguments& in, const Answers&) {
  Channel& to = channel_of(in);
  if (in.empty()) return to.channel.end_of_input();
  to.channel.feed(in.bytes());
}

/// A header without these members, which each message says of itself: one that was received can be sent.
Node without(Builder& out, const View& from, std::initializer_list<const char*> left_out) {
  auto made = out.object();
  for (std::uint64_t i = 0; i < from.size(); ++i) {
    const std::string_view name = from.name(i);
    const View member = from.child(i);
    if (name == "__meta__" && member.is_object())
      made.push(name, without(out, member, {"size", "in_data"}));
    else if (std::ranges::find(left_out, name) == left_out.end())
      made.push(name, *member.node());
  }
  return made;
}
/// The message for a value; without one the message that ends the stream.
std::string message_of(Channel& to, Arguments& in) {
  if (in.empty()) return to.channel.pack_end().bytes();
  const mxArray* const from = in.next("value");
  in.read_options();
  const Value header = Value::parse(in.option("header") == nullptr ? "{}" : in.json("header"));
  if (!header.view().is_object()) refuse("header must be an object");
  const auto names = {"type", "size", "serializer", "codec", "codec_version", "options", "filters"};
  const auto own = Value::build([&](Builder& out) { return without(out, header.view(), names); }, {header});
  return to.channel.pack(value_of(in, from, {}), own.text({.plain = true})).bytes();
}
void pack(Arguments& in, const Answers& out) {
  Channel& to = channel_of(in);
  out.set(0, to_bytes_row(message_of(to, in)));
}
void send(Arguments& in, const Answers&) {
  Channel& to = channel_of(in);
  if (to.out < 0) refuse("the channel was opened without out");
  const std::string bytes = message_of(to, in);
  for (std::size_t done = 0; done < bytes.size();)
    done += moved([&] { return write(to.out, bytes.data() + done, bytes.size() - done); });
}

// -- the function --

void error_of_last(Arguments&, const Answers& out) {
  if (!last_error) return out.set(0, to_null());
  const bool placed = last_error->offset() != Error::no_offset;
  out.set(0, to_struct({{"code", to_text(status_name(last_error->code()))},
                        {"detail", to_text(last_error->detail())},
                        {"byte", placed ? mxCreateDoubleScalar(static_cast<double>(last_error->offset())) : to_null()},
                        {"path", to_text(last_error->path())},
                        {"codec", to_text(last_error->codec())},
                        {"message", to_text(last_error->message())}}));
}
void version(Arguments&, const Answers& out) { out.set(0, to_text(library_version())); }

void run(Arguments in, const Answers& out) {
  static const std::map<std::string, void (*)(Arguments&, const Answers&)> commands = {
      {"open", open},       {"save", save},     {"decode", decode},       {"encode", encode},
      {"convert", convert}, {"column", column}, {"type", type},           {"channel", channel},
      {"receive", receive}, {"next", receive},  {"send", send},           {"pack", pack},
      {"unpack", unpack},   {"feed", feed},     {"close", close_channel}, {"error", error_of_last},
      {"version", version}};
  const std::string name = in.text("command");
  if (const auto found = commands.find(name); found != commands.end()) return found->second(in, out);
  std::string known;
  for (const auto& [each, command] : commands) known += ' ' + each;
  refuse("unknown command " + name + ": must be one of" + known);
}

}  // namespace
}  // namespace octave_package

void mexFunction(int n_out, mxArray** out, int n_in, const mxArray** in) {
  using namespace octave_package;
  // Errors leave this function by a jump, so nothing may be left to destroy. Those of Octave pass.
  static std::string identifier, message;
  bool failed = true;
  losses.clear();
  loss_handler = nullptr;
  try {
    run({n_in, in}, {n_out, out});
    failed = false;
  } catch (const Error& error) {
    last_error = error;
  } catch (const std::bad_alloc&) {
    last_error = Error(Status::memory, "no memory");
  }
  if (failed) {
    identifier = "polycodec:" + std::string(status_name(last_error->code()));
    message = last_error->describe();
    mexErrMsgIdAndTxt(identifier.c_str(), "%s", message.c_str());
  }
  for (std::size_t i = 0; loss_handler != nullptr && i < losses.size(); ++i) {
    mxArray* given[] = {const_cast<mxArray*>(loss_handler), to_text(losses[i][0]), to_text(losses[i][1]),
                        to_text(losses[i][2])};
    mexCallMATLAB(0, nullptr, 4, given, "feval");
  }
}
