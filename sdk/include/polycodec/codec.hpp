// SPDX-License-Identifier: MIT
// Writing a codec in C++: a class with decode() and encode(). See docs/writing-a-plugin.md.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/call.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/plugin.hpp>
#include <polycodec/writer.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace polycodec {

/// One step of a stream reader: the caller's bytes, and how far the reader came.
class Step {
 public:
  explicit Step(polycodec_step* step) noexcept : step_(step) {}
  /// What was not consumed yet; may hold less or more than one value.
  std::string_view bytes() const noexcept { return to_string_view(step_->bytes); }
  /// True if no byte follows bytes().
  bool final() const noexcept { return step_->final != 0; }
  /// The first `size` bytes are done with.
  void consume(std::uint64_t size) noexcept { step_->consumed = size; }
  /// There is no value yet: it takes this many bytes at least.
  void want(std::uint64_t size) noexcept { step_->wanted = size; }

 private:
  polycodec_step* step_;
};

namespace detail {

template <class C>
concept Decodes = requires(const C& c, Call& call, const Input& in, Builder& out) {
  { c.decode(call, in, out) } -> std::same_as<Node>;
};
template <class C>
concept Encodes = requires(const C& c, Call& call, NodeView v, Writer& out) {
  c.encode(call, v, out);
};
template <class C>
concept KnowsSize = requires(const C& c, Call& call, NodeView v) {
  { c.encoded_size(call, v) } -> std::same_as<std::uint64_t>;
};
template <class C>
concept ReadsStreams = requires(const C& c, Call& call, Step& step, Builder& out) {
  { c.open_reader(call)->next(call, step, out) } -> std::same_as<std::optional<Node>>;
};
template <class C>
concept WritesStreams = requires(const C& c, Call& call, NodeView v, Writer& out) {
  c.open_writer(call)->append(call, v, out);
  c.open_writer(call)->finish(call, out);
};
template <class C>
concept Lists = requires(const C& c, Call& call, const Store& store, Builder& out) {
  { c.list(call, store, out) } -> std::same_as<Node>;
};

/// The C reader over what open_reader() gave, which it owns.
template <class State>
struct StreamReader : polycodec_reader {
  State state;

  explicit StreamReader(State of) : polycodec_reader{}, state(std::move(of)) {
    struct_size = sizeof(polycodec_reader);
    next = [](auto* self, auto* c, auto* raw, auto* error) {
      return run(c, error, [&](Call& call) {
        Builder out(call);
        Step step(raw);
        const auto root = static_cast<StreamReader*>(self)->state->next(call, step, out);
        raw->root = root ? out.root(*root) : nullptr;
      });
    };
    release = [](auto* self) { delete static_cast<StreamReader*>(self); };
  }
};

/// The C writer over what open_writer() gave, which it owns.
template <class State>
struct StreamWriter : polycodec_writer {
  State state;

  explicit StreamWriter(State of) : polycodec_writer{}, state(std::move(of)) {
    struct_size = sizeof(polycodec_writer);
    append = [](auto* self, auto* c, auto* sink, auto* root, auto* error) {
      return run(c, error, [&](Call& call) {
        Writer out(sink);
        static_cast<StreamWriter*>(self)->state->append(call, NodeView(root), out);
        out.flush();
      });
    };
    finish = [](auto* self, auto* c, auto* sink, auto* error) {
      return run(c, error, [&](Call& call) {
        Writer out(sink);
        static_cast<StreamWriter*>(self)->state->finish(call, out);
        out.flush();
      });
    };
    release = [](auto* self) { delete static_cast<StreamWriter*>(self); };
  }
};

/// The C instance over a codec of class C, which it owns.
template <class C>
struct CodecInstance : polycodec_instance {
  C codec;

  static const C& of(const polycodec_instance* self) noexcept {
    return static_cast<const CodecInstance*>(self)->codec;
  }
  CodecInstance(Call& with, const Options& options) : polycodec_instance{}, codec(with, options) {
    struct_size = sizeof(polycodec_instance);
    if constexpr (Decodes<C>)
      decode = [](auto* self, auto* c, auto* input, auto** root, auto* error) {
        return run(c, error, [&](Call& call) {
          Builder out(call);
          *root = out.root(of(self).decode(call, Input(call, input), out));
        });
      };
    if constexpr (Encodes<C>)
      encode = [](auto* self, auto* c, auto* root, auto* output, auto* error) {
        return run(c, error, [&](Call& call) {
          Writer out(call, *output);
          of(self).encode(call, NodeView(root), out);
          out.flush();
        });
      };
    if constexpr (KnowsSize<C>)
      encoded_size = [](auto* self, auto* c, auto* root, auto* size, auto* error) {
        return run(c, error,
                   [&](Call& call) { *size = of(self).encoded_size(call, NodeView(root)); });
      };
    if constexpr (ReadsStreams<C>)
      open_reader = [](auto* self, auto* c, auto** reader, auto* error) {
        return run(c, error,
                   [&](Call& call) { *reader = new StreamReader(of(self).open_reader(call)); });
      };
    if constexpr (WritesStreams<C>)
      open_writer = [](auto* self, auto* c, auto** writer, auto* error) {
        return run(c, error,
                   [&](Call& call) { *writer = new StreamWriter(of(self).open_writer(call)); });
      };
    if constexpr (Lists<C>)
      list = [](auto* self, auto* c, auto* store, auto** contents, auto* error) {
        return run(c, error, [&](Call& call) {
          Builder out(call);
          *contents = out.root(of(self).list(call, Store(call, store), out));
        });
      };
    release = [](auto* self) { delete static_cast<const CodecInstance*>(self); };
  }
};

}  // namespace detail

/// The C object of a codec class. The class has
///  - `static constexpr const char* name`, as in the manifest;
///  - a constructor from (Call&, const Options&);
///  - `Node decode(Call&, const Input&, Builder&) const` and/or
///    `void encode(Call&, View, Writer&) const` (or NodeView for hot loops over documents);
/// and if it likes
///  - `static constexpr std::uint32_t inputs` and `outputs`: POLYCODEC_INPUT_*; bytes if absent;
///  - `static Sniff sniff(Call&, const Input&)`;
///  - `std::uint64_t encoded_size(Call&, View) const`;
///  - `Node list(Call&, const Store&, Builder&) const`: see polycodec_instance.list;
///  - `std::unique_ptr<R> open_reader(Call&) const`, where R has
///    `std::optional<Node> next(Call&, Step&, Builder&)`;
///  - `std::unique_ptr<W> open_writer(Call&) const`, where W has
///    `void append(Call&, View, Writer&)` and `void finish(Call&, Writer&)`.
/// The const member functions are called from several threads at once.
template <class C>
constexpr polycodec_codec make_codec() noexcept {
  static_assert(detail::Decodes<C> || detail::Encodes<C>,
                "a codec class needs decode() or encode() of the documented form");
  static_assert(std::constructible_from<C, Call&, const Options&>,
                "a codec class needs a constructor from (Call&, const Options&)");
  // A function of another form would be left out, and nobody would say so.
  static_assert(
      detail::Decodes<C> || !requires { &C::decode; },
      "the form is: Node decode(Call&, const Input&, Builder&) const");
  static_assert(
      detail::Encodes<C> || !requires { &C::encode; },
      "the form is: void encode(Call&, View, Writer&) const");
  static_assert(
      detail::KnowsSize<C> || !requires { &C::encoded_size; },
      "the form is: std::uint64_t encoded_size(Call&, View) const");
  static_assert(
      detail::ReadsStreams<C> || !requires { &C::open_reader; },
      "the form is: std::unique_ptr<R> open_reader(Call&) const, where R has "
      "std::optional<Node> next(Call&, Step&, Builder&)");
  static_assert(
      detail::WritesStreams<C> || !requires { &C::open_writer; },
      "the form is: std::unique_ptr<W> open_writer(Call&) const, where W has "
      "void append(Call&, View, Writer&) and void finish(Call&, Writer&)");
  static_assert(
      detail::Lists<C> || !requires { &C::list; },
      "the form is: Node list(Call&, const Store&, Builder&) const");
  static_assert(
      detail::Sniffs<C> || !requires { &C::sniff; },
      "the form is: static Sniff sniff(Call&, const Input&)");
  polycodec_codec codec{};
  codec.struct_size = sizeof codec;
  codec.capabilities = (detail::Decodes<C> ? POLYCODEC_CAN_DECODE : 0u) |
                       (detail::Encodes<C> ? POLYCODEC_CAN_ENCODE : 0u) |
                       (detail::ReadsStreams<C> ? POLYCODEC_CAN_READ_STREAM : 0u) |
                       (detail::WritesStreams<C> ? POLYCODEC_CAN_WRITE_STREAM : 0u) |
                       (detail::Lists<C> ? POLYCODEC_CAN_LIST : 0u);
  if constexpr (requires { C::inputs; }) codec.inputs = C::inputs;
  if constexpr (requires { C::outputs; }) codec.outputs = C::outputs;
  codec.name = C::name;
  if constexpr (detail::Sniffs<C>) codec.sniff = &detail::sniff<C>;
  codec.open = [](auto*, auto* c, auto* options, auto** instance, auto* error) {
    return detail::run(c, error, [&](Call& call) {
      *instance = new detail::CodecInstance<C>(call, Options(options));
    });
  };
  return codec;
}

/// The codecs of a plugin, for POLYCODEC_DEFINE_PLUGIN.
template <class... C>
struct Codecs : detail::TableOf<polycodec_codecs, polycodec_codec, detail::made<make_codec<C>>...> {
  static constexpr const char* id = POLYCODEC_CODECS_INTERFACE;
};

}  // namespace polycodec
