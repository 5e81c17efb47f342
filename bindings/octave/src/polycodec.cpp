// SPDX-License-Identifier: MIT
// polycodec('COMMAND', ...) for Octave and MATLAB: README.md has the commands. It uses the MEX API
// and <polycodec/polycodec.hpp> alone.
#include "from_octave.hpp"
#include "to_octave.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <memory>

namespace octave_package {
namespace {

// -- what lasts from call to call --

struct Loss {
  std::string kind, path, what;
};

struct Channel {
  polycodec::Channel channel;
  int in = -1, out = -1;
  bool owns_in = false, owns_out = false;
  Channel(const polycodec::Registry& registry, std::string_view options,
          const polycodec::CallOptions& call)
      : channel(registry, options, call) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel() {
    if (owns_in) close(in);
    if (owns_out) close(out);
  }
};

struct State {
  polycodec::Registry registry;
  std::map<std::uint32_t, std::unique_ptr<Channel>> channels;
  std::uint32_t next_channel = 1;
  std::optional<Error> error;  // the last one
  std::vector<Loss> losses;    // of this call, for `on_loss`
  const mxArray* on_loss = nullptr;
};

/// Freed before the library is, when the language ends or clears the function.
State* kept = nullptr;
State& state() {
  if (kept == nullptr) {
    kept = new State;
    mexAtExit([] {
      delete kept;
      kept = nullptr;
    });
  }
  return *kept;
}
const polycodec::Registry& registry() {
  State& in = state();
  if (!in.registry) in.registry = polycodec::Registry::open({.threads = UINT32_MAX});
  return in.registry;
}

// -- arguments --

[[noreturn]] void refuse(const std::string& message) {
  throw Error(Status::option, message).detail("octave.argument");
}

class Arguments {
 public:
  Arguments(int n, const mxArray* const* all) : n_(n), all_(all) {}

  bool empty() const { return at_ == n_; }
  bool odd() const { return (n_ - at_) % 2 != 0; }
  const mxArray* next(const char* what) {
    if (empty()) refuse(std::string("the argument ") + what + " is missing");
    return all_[at_++];
  }
  std::string text(const char* what) {
    const mxArray* const from = next(what);
    if (!is_text(from)) refuse(std::string(what) + " must be text");
    return text_of(from);
  }
  std::string_view bytes(const char* what) {
    const mxArray* const from = next(what);
    if (!mxIsUint8(from) && !(mxIsChar(from) && sizeof(mxChar) == 1))
      refuse(std::string(what) + " must be uint8");
    return bytes_of(from);
  }

 private:
  int n_, at_ = 0;
  const mxArray* const* all_;
};

/// JSON, or a struct that becomes JSON.
std::string json_of(const mxArray* from) {
  if (is_text(from)) return text_of(from);
  mxArray* json = nullptr;
  mxArray* arguments[] = {const_cast<mxArray*>(from)};
  mexCallMATLAB(1, &json, 1, arguments, "jsonencode");
  return text_of(json);
}

std::vector<std::string> texts_of(const mxArray* from) {
  if (is_text(from)) return {text_of(from)};
  std::vector<std::string> made;
  if (mxIsCell(from))
    for (std::size_t i = 0; i < mxGetNumberOfElements(from); ++i) {
      const mxArray* const each = mxGetCell(from, static_cast<mwIndex>(i));
      if (each == nullptr || !is_text(each)) refuse("a cell array of text is needed");
      made.push_back(text_of(each));
    }
  return made;
}

constexpr std::string_view loss_names[] = {"note", "type", "data", "retyped", "mended"};

polycodec::Limits limits_of(const mxArray* from) {
  if (!mxIsStruct(from)) refuse("limits must be a struct, such as struct('max_depth', 64)");
  polycodec::Limits limits;
  const std::pair<const char*, std::uint64_t*> fields[] = {
      {"max_input_bytes", &limits.max_input_bytes},
      {"max_header_bytes", &limits.max_header_bytes},
      {"max_nodes", &limits.max_nodes},
      {"max_elements", &limits.max_elements},
      {"max_work", &limits.max_work},
      {"max_memory_bytes", &limits.max_memory_bytes},
      {"max_output_bytes", &limits.max_output_bytes},
      {"max_stack_bytes", &limits.max_stack_bytes}};
  for (int i = 0; i < mxGetNumberOfFields(from); ++i) {
    const std::string_view name = mxGetFieldNameByNumber(from, i);
    const double number = mxGetScalar(mxGetFieldByNumber(from, 0, i));
    if (!(number >= 1 && number < 1.8e19)) refuse("a limit must be at least 1");
    bool known = name == "max_depth";
    if (known) limits.max_depth = static_cast<std::uint32_t>(std::min(number, 4e9));
    for (const auto& [field, to] : fields)
      if (name == field) {
        *to = static_cast<std::uint64_t>(number);
        known = true;
      }
    if (!known) refuse("there is no limit " + std::string(name));
  }
  return limits;
}

/// Options of a command: names and values.
struct Options {
  polycodec::CallOptions call;
  polycodec::Format format, to;
  polycodec::WriteOptions write;
  std::string type, header, channel;
  const mxArray* in = nullptr;
  const mxArray* out = nullptr;

  explicit Options(Arguments& from) {
    const auto flag = [&](const mxArray* value, std::uint32_t bit) {
      if (mxGetScalar(value) != 0) call.flags |= bit;
    };
    while (!from.empty()) {
      const std::string name = from.text("of the option");
      const mxArray* const value = from.next(("of the option " + name).c_str());
      const auto text = [&] {
        if (!is_text(value)) refuse("the option " + name + " must be text");
        return text_of(value);
      };
      if (name == "codec" || name == "from")
        format.codec = text();
      else if (name == "options" || name == "from_options")
        format.options = channel = json_of(value);
      else if (name == "filters" || name == "from_filters")
        format.filters = json_of(value);
      else if (name == "to")
        to.codec = text();
      else if (name == "to_options")
        to.options = json_of(value);
      else if (name == "to_filters")
        to.filters = json_of(value);
      else if (name == "type")
        type = text();
      else if (name == "header")
        header = json_of(value);
      else if (name == "in")
        in = value;
      else if (name == "out")
        out = value;
      else if (name == "columns")
        call.columns = texts_of(value);
      else if (name == "member")
        call.member = text();
      else if (name == "select")
        call.select = text();
      else if (name == "threads")
        call.threads = static_cast<std::uint32_t>(mxGetScalar(value));
      else if (name == "limits")
        call.limits = limits_of(value);
      else if (name == "tolerant")
        flag(value, POLYCODEC_CALL_TOLERANT);
      else if (name == "lossless")
        flag(value, POLYCODEC_CALL_LOSSLESS);
      else if (name == "as_is")
        flag(value, POLYCODEC_CALL_AS_IS);
      else if (name == "compare")
        flag(value, POLYCODEC_CALL_COMPARE);
      else if (name == "keep")
        write.keep = mxGetScalar(value) != 0;
      else if (name == "sync")
        write.sync = mxGetScalar(value) != 0;
      else if (name == "rows") {
        if (!mxIsDouble(value) || mxGetNumberOfElements(value) != 2)
          refuse("rows must be [first last], counted from 1");
        const auto* const ends = static_cast<const double*>(mxGetData(value));
        if (!(ends[0] >= 1 && ends[1] >= ends[0] - 1))
          refuse("rows must be [first last], counted from 1");
        call.first_row = static_cast<std::uint64_t>(ends[0]) - 1;
        if (ends[1] < 9e15) call.rows = static_cast<std::uint64_t>(ends[1]) - call.first_row;
        call.flags |= POLYCODEC_CALL_PARTIAL;
      } else if (name == "losses") {
        for (const std::string& each : texts_of(value)) {
          const auto found = std::ranges::find(loss_names, each);
          if (found == std::end(loss_names) && each != "all")
            refuse("there is no class of loss " + each +
                   ": must be note, type, data, retyped, mended or all");
          call.losses |=
              each == "all"
                  ? 0x1fu
                  : POLYCODEC_LOSSES_OF(static_cast<std::uint32_t>(found - std::begin(loss_names)));
        }
        hear();
      } else if (name == "on_loss") {
        if (mxGetClassID(value) != mxFUNCTION_CLASS) refuse("on_loss must be a function handle");
        state().on_loss = value;
        hear();
      } else {
        refuse("there is no option " + name);
      }
    }
  }

 private:
  void hear() {
    call.on_loss = [](polycodec::LossClass kind, std::string_view path, std::string_view what) {
      state().losses.push_back({std::string(loss_names[static_cast<std::size_t>(kind)]),
                                std::string(path), std::string(what)});
    };
  }
};

// -- results --

/// What a command answers with: as many arrays as were asked for.
class Answers {
 public:
  Answers(int n, mxArray** all) : n_(std::max(n, 1)), all_(all) {}
  bool wanted(int i) const { return i < n_; }
  void set(int i, mxArray* made) {
    if (wanted(i)) all_[i] = made;
  }
  /// The value and its type.
  void value(const polycodec::Value& from) {
    set(0, ToOctave(from).all());
    if (wanted(1)) set(1, to_text(from.type()));
  }
  /// What was written.
  void result(const polycodec::Result& from) {
    static constexpr const char* words[] = {"unknown", "same", "same_items", "same_numbers",
                                            "different"};
    set(0, to_struct({{"codec", to_text(from.codec)},
                      {"bytes", mxCreateDoubleScalar(static_cast<double>(from.bytes))},
                      {"kept", to_text(words[static_cast<std::size_t>(from.kept)])},
                      {"reason", to_text(from.reason)}}));
  }

 private:
  int n_;
  mxArray** all_;
};

// -- commands --

void open(Arguments& in, Answers& out) {
  const auto file = polycodec::Source::file(in.text("file"));
  const Options options(in);
  polycodec::Match match;
  out.value(registry().decode(file, options.call, options.format, &match));
  out.set(2, to_text(match.codec));
}

void decode(Arguments& in, Answers& out) {
  const auto bytes = polycodec::Source::view(in.bytes("bytes"));
  const std::string codec = in.odd() ? in.text("codec") : std::string();
  Options options(in);
  if (!codec.empty()) options.format.codec = codec;
  polycodec::Match match;
  out.value(registry().decode(bytes, options.call, options.format, &match));
  out.set(2, to_text(match.codec));
}

/// True for a codec of meshes, or a file with the extension of one.
bool is_mesh(const std::string& codec, const std::string& file) {
  for (const char* const name : {"ply", "obj", "stl", "gltf", "glb"})
    if (codec == name || (codec.empty() && file.ends_with(std::string(".") + name))) return true;
  return false;
}

/// A struct of columns as a table, which is otherwise an object.
void table(Arguments& in, Answers& out) {
  const mxArray* const from = in.next("struct");
  if (!mxIsStruct(from) || mxGetNumberOfElements(from) != 1) refuse("a table is made of a struct");
  const mwSize n = static_cast<mwSize>(mxGetNumberOfFields(from));
  mxArray* const keys = mxCreateCellMatrix(1, n);
  mxArray* const values = mxCreateCellMatrix(1, n);
  for (mwSize i = 0; i < n; ++i) {
    mxSetCell(keys, i, to_text(mxGetFieldNameByNumber(from, static_cast<int>(i))));
    mxSetCell(values, i, mxDuplicateArray(mxGetFieldByNumber(from, 0, static_cast<int>(i))));
  }
  out.set(0, to_struct({{mark, to_text("record")}, {"keys", keys}, {"values", values}}));
}

void save(Arguments& in, Answers& out) {
  const std::string file = in.text("file");
  const mxArray* const from = in.next("value");
  const Options options(in);
  const auto value = FromOctave::value(from, options.type, is_mesh(options.format.codec, file));
  out.result(registry().write(value, file, options.format, options.call, options.write));
}

void encode(Arguments& in, Answers& out) {
  const mxArray* const from = in.next("value");
  const std::string codec = in.text("codec");
  Options options(in);
  options.format.codec = codec;
  const auto value = FromOctave::value(from, options.type, is_mesh(codec, {}));
  polycodec::Sink sink = polycodec::Sink::contiguous();
  registry().codec(options.format).encode(value, sink, options.call);
  out.set(0, to_bytes_row(sink.bytes()));
}

void convert(Arguments& in, Answers& out) {
  const auto from = polycodec::Source::file(in.text("file"));
  const std::string file = in.text("new file");
  const Options options(in);
  out.result(
      registry().convert(from, file, options.format, options.to, options.call, options.write));
}

void column(Arguments& in, Answers& out) {
  const auto file = polycodec::Source::file(in.text("file"));
  const std::string path = in.text("path");
  Options options(in);
  // What else is in the file is passed over.
  if (path.find('[') == path.npos && path.find('$') == path.npos) options.call.columns = {path};
  const auto value = registry().decode(file, options.call, options.format);
  polycodec_item found{};
  polycodec::border::call(polycodec_value_find, value.raw(), polycodec::to_bytes(path), &found);
  out.set(0, ToOctave(value).part(found));
  if (out.wanted(1)) out.set(1, to_text(value.type(&found)));
}

void type(Arguments& in, Answers& out) {
  const mxArray* const from = in.next("value");
  const Options options(in);
  out.set(0, to_text(FromOctave::value(from, options.type).type()));
}

void units(Arguments& in, Answers& out) {
  const mxArray* const from = in.next("numbers");
  const std::string old = in.text("unit"), wanted = in.text("new unit");
  if (!mxIsDouble(from) || mxIsComplex(from)) refuse("numbers must be double");
  mxArray* const made = mxDuplicateArray(from);
  polycodec::border::call(polycodec_units_convert, polycodec::to_bytes(old),
                          polycodec::to_bytes(wanted), static_cast<double*>(mxGetData(made)),
                          std::uint64_t{mxGetNumberOfElements(made)});
  out.set(0, made);
}

// -- messages --

/// A number of a descriptor, or the name of a file or a named pipe that is opened.
int descriptor_of(const mxArray* from, int flags, bool& owned) {
  if (from == nullptr) return -1;
  if (!is_text(from)) return static_cast<int>(mxGetScalar(from));
  const std::string path = text_of(from);
  const int made = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (made < 0) throw Error(Status::io, path + ": " + std::strerror(errno)).detail("io.open");
  owned = true;
  return made;
}

void channel(Arguments& in, Answers& out) {
  const Options options(in);
  auto made = std::make_unique<Channel>(registry(), options.channel, options.call);
  made->in = descriptor_of(options.in, O_RDONLY, made->owns_in);
  made->out = descriptor_of(options.out, O_WRONLY | O_CREAT | O_TRUNC, made->owns_out);
  State& all = state();
  const std::uint32_t number = all.next_channel++;
  all.channels.emplace(number, std::move(made));
  out.set(0, mxCreateDoubleScalar(number));
}

Channel& channel_of(Arguments& in) {
  const double number = mxGetScalar(in.next("channel"));
  const auto found = state().channels.find(static_cast<std::uint32_t>(number));
  if (found == state().channels.end()) refuse("there is no such channel, or it is closed");
  return *found->second;
}

void answer(const std::optional<polycodec::Received>& message, Answers& out) {
  if (!message) {
    out.set(0, to_null());
    return out.set(1, to_null());
  }
  out.set(0, ToOctave(message->value).all());
  if (out.wanted(1))
    out.set(1, to_struct({{"header", to_text(message->header)},
                          {"type", to_text(message->value.type())},
                          {"control", mxCreateDoubleScalar(message->control)}}));
}

void receive(Arguments& in, Answers& out) {
  Channel& from = channel_of(in);
  std::vector<char> buffer(std::size_t{1} << 16);
  while (true) {
    auto message = from.channel.next();
    if (message || from.in < 0) return answer(message, out);
    const ssize_t n = read(from.in, buffer.data(), buffer.size());
    if (n < 0) throw Error(Status::io, std::strerror(errno)).detail("io.read");
    if (n == 0) {
      from.channel.end_of_input();
      if (from.owns_in) close(from.in);
      from.owns_in = false;
      from.in = -1;
    } else {
      from.channel.feed({buffer.data(), static_cast<std::size_t>(n)});
    }
  }
}

/// A header without what each message says of itself, so that one that was received can be sent.
polycodec::Node own_members(polycodec::Builder& out, const polycodec::View& from) {
  auto made = out.object();
  for (std::uint64_t i = 0; i < from.size(); ++i) {
    const std::string_view name = from.name(i);
    if (name == "size" || name == "serializer" || name == "type") continue;
    const polycodec::View member = from.child(i);
    made.push(name, name == "__meta__" ? own_members(out, member) : *member.node());
  }
  return made;
}
std::string own_header(const std::string& header) {
  if (header.empty()) return header;
  const polycodec::Value all = polycodec::Value::parse(header);
  if (!all.view().is_object()) refuse("the header must be an object");
  const auto own = [&](polycodec::Builder& out) { return own_members(out, all.view()); };
  return polycodec::Value::build(own, {all}).text({.plain = true});
}

/// The message for a value; without one the message that ends the stream.
polycodec::Message message_of(Channel& to, Arguments& in) {
  const mxArray* const from = in.empty() ? nullptr : in.next("value");
  const Options options(in);
  if (from == nullptr) return to.channel.pack_end();
  return to.channel.pack(FromOctave::value(from, options.type), own_header(options.header));
}

void send(Arguments& in, Answers&) {
  Channel& to = channel_of(in);
  if (to.out < 0) refuse("the channel was opened without out");
  const std::string bytes = message_of(to, in).bytes();
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = write(to.out, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR) throw Error(Status::io, std::strerror(errno)).detail("io.write");
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

void pack(Arguments& in, Answers& out) {
  Channel& to = channel_of(in);
  out.set(0, to_bytes_row(message_of(to, in).bytes()));
}

void unpack(Arguments& in, Answers& out) {
  Channel& from = channel_of(in);
  answer(from.channel.unpack(polycodec::Source::view(in.bytes("message"))), out);
}

void feed(Arguments& in, Answers&) {
  Channel& to = channel_of(in);
  if (in.empty()) return to.channel.end_of_input();
  to.channel.feed(in.bytes("bytes"));
}

void close_channel(Arguments& in, Answers&) {
  state().channels.erase(static_cast<std::uint32_t>(mxGetScalar(in.next("channel"))));
}

// -- about the package --

void last_error(Arguments&, Answers& out) {
  const auto& error = state().error;
  if (!error) return out.set(0, to_null());
  const bool placed = error->offset() != Error::no_offset;
  out.set(0, to_struct({{"code", to_text(polycodec::status_name(error->code()))},
                        {"detail", to_text(error->detail())},
                        {"byte", placed ? mxCreateDoubleScalar(static_cast<double>(error->offset()))
                                        : to_null()},
                        {"path", to_text(error->path())},
                        {"codec", to_text(error->codec())},
                        {"message", to_text(error->message())}}));
}

void version(Arguments&, Answers& out) {
  out.set(0, to_text(polycodec::library_version()));
}

struct Command {
  std::string_view name;
  void (*run)(Arguments&, Answers&);
};
constexpr Command commands[] = {
    {"open", open},       {"save", save},        {"decode", decode},  {"encode", encode},
    {"convert", convert}, {"column", column},    {"type", type},      {"units", units},
    {"channel", channel}, {"receive", receive},  {"next", receive},   {"send", send},
    {"pack", pack},       {"unpack", unpack},    {"feed", feed},      {"close", close_channel},
    {"table", table},     {"error", last_error}, {"version", version}};

void run(int n_out, mxArray** out, int n_in, const mxArray* const* in) {
  state().losses.clear();
  state().on_loss = nullptr;
  Arguments arguments(n_in, in);
  const std::string name = arguments.text("command");
  Answers answers(n_out, out);
  for (const Command& command : commands)
    if (command.name == name) return command.run(arguments, answers);
  std::string known;
  for (const Command& command : commands) known += ' ' + std::string(command.name);
  refuse("there is no command " + name + "; there are" + known);
}

/// Tells `on_loss` of each loss.
void tell_losses() {
  const std::vector<Loss> losses = std::exchange(state().losses, {});
  if (state().on_loss == nullptr) return;
  for (const Loss& loss : losses) {
    mxArray* arguments[] = {const_cast<mxArray*>(state().on_loss), to_text(loss.kind),
                            to_text(loss.path), to_text(loss.what)};
    mexCallMATLAB(0, nullptr, 4, arguments, "feval");
  }
}

}  // namespace
}  // namespace octave_package

void mexFunction(int n_out, mxArray** out, int n_in, const mxArray** in) {
  using namespace octave_package;
  // The error leaves this function by a jump, so nothing may be left to destroy.
  static char identifier[64], message[8192];
  bool failed = true;
  try {
    run(n_out, out, n_in, in);
    failed = false;
  } catch (const Error& error) {
    state().error = error;
    std::snprintf(identifier, sizeof identifier, "polycodec:%s",
                  std::string(polycodec::status_name(error.code())).c_str());
    std::snprintf(message, sizeof message, "%s", error.describe().c_str());
  } catch (const std::bad_alloc&) {
    state().error = Error(Status::memory, "no memory");
    std::snprintf(identifier, sizeof identifier, "polycodec:memory");
    std::snprintf(message, sizeof message, "no memory");
  }
  if (failed) mexErrMsgIdAndTxt(identifier, "%s", message);
  tell_losses();
}
