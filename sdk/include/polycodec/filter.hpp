// SPDX-License-Identifier: MIT
// Writing a filter in C++: a class that turns bytes into bytes. See docs/writing-a-plugin.md.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/input.hpp>
#include <polycodec/options.hpp>
#include <polycodec/plugin.hpp>
#include <polycodec/writer.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace polycodec {

/// The bytes that a filter is to encode: pieces, one after another.
class Pieces {
 public:
  Pieces(const polycodec_bytes* pieces, std::uint64_t n) noexcept
      : pieces_(pieces, static_cast<std::size_t>(n)) {}

  std::size_t count() const noexcept { return pieces_.size(); }
  std::string_view operator[](std::size_t i) const noexcept { return to_string_view(pieces_[i]); }
  /// Bytes of all pieces.
  std::uint64_t size() const noexcept {
    std::uint64_t size = 0;
    for (const auto& piece : pieces_) size += piece.size;
    return size;
  }
  /// All of them in one place: the only piece itself, or a copy in the call's arena.
  std::string_view contiguous(const Call& call) const {
    if (count() == 1) return (*this)[0];
    const std::uint64_t all = size();
    call.tick(all / 16);
    void* memory = nullptr;
    auto error = make_error();
    memory = polycodec_arena_alloc(call.arena(), all, 1, &error);
    if (memory == nullptr) throw to_error(error.code, error);
    auto* to = static_cast<char*>(memory);
    for (const auto& piece : pieces_) {
      if (piece.size != 0) std::memcpy(to, piece.data, piece.size);
      to += piece.size;
    }
    return to_string_view(memory, all);
  }

 private:
  std::span<const polycodec_bytes> pieces_;
};

namespace detail {

template <class F>
concept FilterEncodes = requires(const F& f, Call& call, const Pieces& pieces, Writer& out) {
  f.encode(call, pieces, out);
};
template <class F>
concept FilterDecodes = requires(const F& f, Call& call, std::string_view bytes, Writer& out) {
  f.decode(call, bytes, std::uint64_t{0}, out);
};
template <class F>
concept FilterKnowsSize = requires(const F& f, Call& call, std::string_view bytes) {
  { f.decoded_size(call, bytes) } -> std::same_as<std::uint64_t>;
};
template <class F>
concept FilterSniffs = requires(Call& call, const Input& in) {
  { F::sniff(call, in) } -> std::same_as<Sniff>;
};

/// The C functions of one filter class.
template <class F>
struct FilterThunks {
  struct Instance : polycodec_filter_instance {
    F filter;
    Instance(Call& call, const Options& options)
        : polycodec_filter_instance{}, filter(call, options) {}
  };
  static const F& of(const polycodec_filter_instance* self) noexcept {
    return static_cast<const Instance*>(self)->filter;
  }

  static std::int32_t POLYCODEC_ABI encode(const polycodec_filter_instance* self, polycodec_call* c,
                                           const polycodec_bytes* pieces, std::uint64_t n,
                                           polycodec_sink* sink, polycodec_error* error) {
    return guard(error, [&] {
      Call call(c);
      Writer out(sink);
      of(self).encode(call, Pieces(pieces, n), out);
      out.flush();
    });
  }
  static std::int32_t POLYCODEC_ABI decode(const polycodec_filter_instance* self, polycodec_call* c,
                                           polycodec_bytes bytes, std::uint64_t expected_size,
                                           polycodec_sink* sink, polycodec_error* error) {
    return guard(error, [&] {
      Call call(c);
      Writer out(sink);
      of(self).decode(call, to_string_view(bytes), expected_size, out);
      out.flush();
    });
  }
  static std::int32_t POLYCODEC_ABI decoded_size(const polycodec_filter_instance* self,
                                                 polycodec_call* c, polycodec_bytes bytes,
                                                 std::uint64_t* size, polycodec_error* error) {
    return guard(error, [&] {
      Call call(c);
      *size = of(self).decoded_size(call, to_string_view(bytes));
    });
  }
  static std::int32_t POLYCODEC_ABI sniff(const polycodec_filter*, polycodec_call* call,
                                          const polycodec_input* input, polycodec_sniff* sniff,
                                          polycodec_error* error) {
    return sniff_thunk<F>(call, input, sniff, error);
  }
  static std::int32_t POLYCODEC_ABI open(const polycodec_filter*, polycodec_call* c,
                                         const polycodec_node* options,
                                         const polycodec_filter_instance** instance,
                                         polycodec_error* error) {
    return guard(error, [&] {
      Call call(c);
      auto made = std::make_unique<Instance>(call, Options(options));
      made->struct_size = sizeof(polycodec_filter_instance);
      if constexpr (FilterEncodes<F>) made->encode = &encode;
      if constexpr (FilterDecodes<F>) made->decode = &decode;
      if constexpr (FilterKnowsSize<F>) made->decoded_size = &decoded_size;
      made->release = [](const polycodec_filter_instance* self) {
        delete static_cast<const Instance*>(self);
      };
      *instance = made.release();
    });
  }
};

}  // namespace detail

/// The C object of a filter class. The class has
///  - `static constexpr const char* name`, as in the manifest;
///  - a constructor from (Call&, const Options&);
///  - `void encode(Call&, const Pieces&, Writer&) const` and/or
///    `void decode(Call&, std::string_view, std::uint64_t expected_size, Writer&) const`. The
///    decoder's writer is contiguous: reserve() takes any size, written() is all output so far;
/// and if it likes
///  - `std::uint64_t decoded_size(Call&, std::string_view) const`;
///  - `static Sniff sniff(Call&, const Input&)`.
/// The const member functions are called from several threads at once.
template <class F>
constexpr polycodec_filter make_filter() noexcept {
  static_assert(detail::FilterEncodes<F> || detail::FilterDecodes<F>,
                "a filter class needs encode() or decode() of the documented form");
  polycodec_filter filter{};
  filter.struct_size = sizeof filter;
  filter.capabilities = (detail::FilterDecodes<F> ? POLYCODEC_CAN_DECODE : 0u) |
                        (detail::FilterEncodes<F> ? POLYCODEC_CAN_ENCODE : 0u);
  filter.name = F::name;
  if constexpr (detail::FilterSniffs<F>) filter.sniff = &detail::FilterThunks<F>::sniff;
  filter.open = &detail::FilterThunks<F>::open;
  return filter;
}

/// The filters of a plugin, for POLYCODEC_DEFINE_PLUGIN.
template <class... F>
struct Filters {
  static constexpr const char* id = POLYCODEC_FILTERS_INTERFACE;
  template <class One>
  static constexpr polycodec_filter object = make_filter<One>();
  static const void* get() noexcept {
    return detail::table_of<polycodec_filters, polycodec_filter, object<F>...>();
  }
};

}  // namespace polycodec
