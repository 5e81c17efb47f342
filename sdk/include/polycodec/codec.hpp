// SPDX-License-Identifier: MIT
// Writing a codec in C++: a class with decode() and encode(). See docs/writing-a-plugin.md.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/call.hpp>
#include <polycodec/error.hpp>
#include <polycodec/input.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/options.hpp>
#include <polycodec/plugin.hpp>
#include <polycodec/view.hpp>
#include <polycodec/writer.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
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
concept Sniffs = requires(Call& call, const Input& in) {
  { C::sniff(call, in) } -> std::same_as<Sniff>;
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

/// The C functions of one codec class.
template <class C>
struct CodecThunks {
  struct Instance : polycodec_instance {
    C codec;
    Instance(Call& call, const Options& options) : polycodec_instance{}, codec(call, options) {}
  };
  static const C& of(const polycodec_instance* self) noexcept {
    return static_cast<const Instance*>(self)->codec;
  }

  static std::int32_t POLYCODEC_ABI decode(const polycodec_instance* self, polycodec_call* c,
                                           const polycodec_input* input,
                                           const polycodec_node** root, polycodec_error* error) {
    return guard(error, [&] {
      Call call(c);
      Builder out(call);
      *root = out.root(of(self).decode(call, Input(call, input), out));
    });
  }
  static std::int32_t POLYCODEC_ABI encode(const polycodec_instance* self, polycodec_call* c,
                                           const polycodec_node* root,
                                           const polycodec_output* output, polycodec_error* error) {
    return guard(error, [&] {
      Call call(c);
      Writer out(call, *output);
      of(self).encode(call, NodeView(root), out);
      out.flush();
    });
  }
  static std::int32_t POLYCODEC_ABI encoded_size(const polycodec_instance* self, polycodec_call* c,
                                                 const polycodec_node* root, std::uint64_t* size,
                                                 polycodec_error* error) {
    return guard(error, [&] {
      Call call(c);
      *size = of(self).encoded_size(call, NodeView(root));
    });
  }
  static std::int32_t POLYCODEC_ABI list(const polycodec_instance* self, polycodec_call* c,
                                         const polycodec_store* store,
                                         const polycodec_node** contents, polycodec_error* error) {
    return guard(error, [&] {
      Call call(c);
      Builder out(call);
      *contents = out.root(of(self).list(call, Store(call, store), out));
    });
  }
  static std::int32_t POLYCODEC_ABI open_reader(const polycodec_instance* self, polycodec_call* c,
                                                polycodec_reader** reader, polycodec_error* error) {
    return guard(error, [&] {
      Call call(c);
      using State = typename decltype(of(self).open_reader(call))::element_type;
      auto state = of(self).open_reader(call);
      auto made = std::make_unique<polycodec_reader>();
      made->struct_size = sizeof *made;
      made->next = [](polycodec_reader* r, polycodec_call* with, polycodec_step* raw,
                      polycodec_error* e) {
        return guard(e, [&] {
          Call inner(with);
          Builder out(inner);
          Step step(raw);
          const auto root = static_cast<State*>(r->private_data)->next(inner, step, out);
          raw->root = root ? out.root(*root) : nullptr;
        });
      };
      made->release = [](polycodec_reader* r) {
        delete static_cast<State*>(r->private_data);
        delete r;
      };
      made->private_data = state.release();
      *reader = made.release();
    });
  }
  static std::int32_t POLYCODEC_ABI open_writer(const polycodec_instance* self, polycodec_call* c,
                                                polycodec_writer** writer, polycodec_error* error) {
    return guard(error, [&] {
      Call call(c);
      using State = typename decltype(of(self).open_writer(call))::element_type;
      auto state = of(self).open_writer(call);
      auto made = std::make_unique<polycodec_writer>();
      made->struct_size = sizeof *made;
      made->append = [](polycodec_writer* w, polycodec_call* with, polycodec_sink* sink,
                        const polycodec_node* root, polycodec_error* e) {
        return guard(e, [&] {
          Call inner(with);
          Writer out(sink);
          static_cast<State*>(w->private_data)->append(inner, NodeView(root), out);
          out.flush();
        });
      };
      made->finish = [](polycodec_writer* w, polycodec_call* with, polycodec_sink* sink,
                        polycodec_error* e) {
        return guard(e, [&] {
          Call inner(with);
          Writer out(sink);
          static_cast<State*>(w->private_data)->finish(inner, out);
          out.flush();
        });
      };
      made->release = [](polycodec_writer* w) {
        delete static_cast<State*>(w->private_data);
        delete w;
      };
      made->private_data = state.release();
      *writer = made.release();
    });
  }

  static std::int32_t POLYCODEC_ABI sniff(const polycodec_codec*, polycodec_call* call,
                                          const polycodec_input* input, polycodec_sniff* sniff,
                                          polycodec_error* error) {
    return sniff_thunk<C>(call, input, sniff, error);
  }
  static std::int32_t POLYCODEC_ABI open(const polycodec_codec*, polycodec_call* c,
                                         const polycodec_node* options,
                                         const polycodec_instance** instance,
                                         polycodec_error* error) {
    return guard(error, [&] {
      Call call(c);
      auto made = std::make_unique<Instance>(call, Options(options));
      made->struct_size = sizeof(polycodec_instance);
      if constexpr (Decodes<C>) made->decode = &decode;
      if constexpr (Encodes<C>) made->encode = &encode;
      if constexpr (KnowsSize<C>) made->encoded_size = &encoded_size;
      if constexpr (ReadsStreams<C>) made->open_reader = &open_reader;
      if constexpr (WritesStreams<C>) made->open_writer = &open_writer;
      if constexpr (Lists<C>) made->list = &list;
      made->release = [](const polycodec_instance* self) {
        delete static_cast<const Instance*>(self);
      };
      *instance = made.release();
    });
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
  using Thunks = detail::CodecThunks<C>;
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
  if constexpr (detail::Sniffs<C>) codec.sniff = &Thunks::sniff;
  codec.open = &Thunks::open;
  return codec;
}

/// The codecs of a plugin, for POLYCODEC_DEFINE_PLUGIN.
template <class... C>
struct Codecs {
  static constexpr const char* id = POLYCODEC_CODECS_INTERFACE;
  template <class One>
  static constexpr polycodec_codec object = make_codec<One>();
  static const void* get() noexcept {
    return detail::table_of<polycodec_codecs, polycodec_codec, object<C>...>();
  }
};

}  // namespace polycodec
