// SPDX-License-Identifier: MIT
// Writing a filter in C++: a class that turns bytes into bytes. See docs/writing-a-plugin.md.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/call.hpp>
#include <polycodec/plugin.hpp>
#include <polycodec/writer.hpp>

#include <concepts>
#include <cstdint>
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
  std::uint64_t size() const noexcept;
  /// All of them in one place: the only piece itself, or a copy in the call's arena.
  std::string_view contiguous(const Call& call) const;

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
/// The C instance over a filter of class F, which it owns.
template <class F>
struct FilterInstance : polycodec_filter_instance {
  F filter;

  static const F& of(const polycodec_filter_instance* self) noexcept {
    return static_cast<const FilterInstance*>(self)->filter;
  }
  FilterInstance(Call& with, const Options& options)
      : polycodec_filter_instance{}, filter(with, options) {
    struct_size = sizeof(polycodec_filter_instance);
    if constexpr (FilterEncodes<F>)
      encode = [](auto* self, auto* c, auto* pieces, auto n, auto* sink, auto* error) {
        return run(c, error, [&](Call& call) {
          Writer out(sink);
          of(self).encode(call, Pieces(pieces, n), out);
          out.flush();
        });
      };
    if constexpr (FilterDecodes<F>)
      decode = [](auto* self, auto* c, auto bytes, auto expected_size, auto* sink, auto* error) {
        return run(c, error, [&](Call& call) {
          Writer out(sink);
          of(self).decode(call, to_string_view(bytes), expected_size, out);
          out.flush();
        });
      };
    if constexpr (FilterKnowsSize<F>)
      decoded_size = [](auto* self, auto* c, auto bytes, auto* size, auto* error) {
        return run(c, error,
                   [&](Call& call) { *size = of(self).decoded_size(call, to_string_view(bytes)); });
      };
    release = [](auto* self) { delete static_cast<const FilterInstance*>(self); };
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
  static_assert(std::constructible_from<F, Call&, const Options&>,
                "a filter class needs a constructor from (Call&, const Options&)");
  static_assert(
      detail::FilterEncodes<F> || !requires { &F::encode; },
      "the form is: void encode(Call&, const Pieces&, Writer&) const");
  static_assert(
      detail::FilterDecodes<F> || !requires { &F::decode; },
      "the form is: void decode(Call&, std::string_view, std::uint64_t expected_size, "
      "Writer&) const");
  static_assert(
      detail::FilterKnowsSize<F> || !requires { &F::decoded_size; },
      "the form is: std::uint64_t decoded_size(Call&, std::string_view) const");
  static_assert(
      detail::Sniffs<F> || !requires { &F::sniff; },
      "the form is: static Sniff sniff(Call&, const Input&)");
  polycodec_filter filter{};
  filter.struct_size = sizeof filter;
  filter.capabilities = (detail::FilterDecodes<F> ? POLYCODEC_CAN_DECODE : 0u) |
                        (detail::FilterEncodes<F> ? POLYCODEC_CAN_ENCODE : 0u);
  filter.name = F::name;
  if constexpr (detail::Sniffs<F>) filter.sniff = &detail::sniff<F>;
  filter.open = [](auto*, auto* c, auto* options, auto** instance, auto* error) {
    return detail::run(c, error, [&](Call& call) {
      *instance = new detail::FilterInstance<F>(call, Options(options));
    });
  };
  return filter;
}

/// The filters of a plugin, for POLYCODEC_DEFINE_PLUGIN.
template <class... F>
struct Filters
    : detail::TableOf<polycodec_filters, polycodec_filter, detail::made<make_filter<F>>...> {
  static constexpr const char* id = POLYCODEC_FILTERS_INTERFACE;
};

}  // namespace polycodec
