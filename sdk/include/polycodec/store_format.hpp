// SPDX-License-Identifier: MIT
// Writing a store format in C++: a class that opens files as named blobs. See
// docs/writing-a-plugin.md.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/call.hpp>
#include <polycodec/plugin.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace polycodec {

/// A file that a store writer fills. Not owning; lives as long as the writer.
class OutputFile {
 public:
  explicit OutputFile(polycodec_output_file* file) noexcept : file_(file) {}
  polycodec_output_file* raw() const noexcept { return file_; }
  /// The same bytes, to read.
  File file(const Call& call) const noexcept { return File(call, file_->file); }
  void write_at(const Call& call, std::uint64_t offset, std::string_view bytes) const;
  void truncate(const Call& call, std::uint64_t size) const;

 private:
  polycodec_output_file* file_;
};

namespace detail {

template <class F>
concept Opens = requires(Call& call, const File& file, const Options& options) {
  F::open(call, file, options);
};
template <class F>
concept Creates = requires(Call& call, OutputFile file, const Options& options) {
  F::create(call, file, options);
};
template <class F>
concept Edits = requires(Call& call, OutputFile file, const Options& options) {
  F::edit(call, file, options);
};

/// The C store over an object of class S, which it owns.
template <class S>
struct StoreThunks : polycodec_store {
  std::unique_ptr<const S> store;

  explicit StoreThunks(std::unique_ptr<const S> of) : polycodec_store{}, store(std::move(of)) {
    struct_size = sizeof(polycodec_store);
    if constexpr (requires { S::flags; }) flags = S::flags;
    count = [](auto* self) -> std::uint64_t { return object(self).count(); };
    entry = [](auto* self, auto* c, auto i, auto* out, auto* error) {
      return run(c, error, [&](Call& call) {
        const Blob blob = object(self).entry(call, i);
        out->name = to_bytes(blob.name);
        out->owner = to_bytes(blob.owner);
        out->size = blob.size;
      });
    };
    find = [](auto* self, auto* c, auto name, auto* i, auto* error) {
      return run(c, error, [&](Call& call) {
        const std::optional<std::uint64_t> found = object(self).find(call, to_string_view(name));
        if (!found) throw Error(Status::not_found, "no such blob");
        *i = *found;
      });
    };
    read = [](auto* self, auto* c, auto i, auto offset, auto size, auto* content, auto* error) {
      return run(c, error, [&](Call& call) {
        *content = to_bytes(object(self).read(call, i, offset, size));
      });
    };
    release = [](auto* self) { delete static_cast<const StoreThunks*>(self); };
  }
  static const S& object(const polycodec_store* self) noexcept {
    return *static_cast<const StoreThunks*>(self)->store;
  }
};

/// The C store writer over an object of class W, which it owns.
template <class W>
struct StoreWriterThunks : polycodec_store_writer {
  std::unique_ptr<W> writer;

  explicit StoreWriterThunks(std::unique_ptr<W> of)
      : polycodec_store_writer{}, writer(std::move(of)) {
    struct_size = sizeof(polycodec_store_writer);
    if constexpr (requires { W::flags; }) flags = W::flags;
    base = writer->base();
    begin_blob = [](auto* self, auto* c, auto name, auto owner, auto** sink, auto* error) {
      return run(c, error, [&](Call& call) {
        *sink = object(self).begin_blob(call, to_string_view(name), to_string_view(owner));
      });
    };
    remove = [](auto* self, auto* c, auto i, auto owner, auto* error) {
      return run(c, error,
                 [&](Call& call) { object(self).remove(call, i, to_string_view(owner)); });
    };
    commit = [](auto* self, auto* c, auto* error) {
      return run(c, error, [&](Call& call) { object(self).commit(call); });
    };
    release = [](auto* self) { delete static_cast<StoreWriterThunks*>(self); };
  }
  static W& object(polycodec_store_writer* self) noexcept {
    return *static_cast<StoreWriterThunks*>(self)->writer;
  }
};

}  // namespace detail

/// The C object over a store of yours. S has, const and [thread-safe],
///  - `std::uint64_t count()`, `Blob entry(Call&, std::uint64_t)`,
///    `std::optional<std::uint64_t> find(Call&, std::string_view name)`;
///  - `std::string_view read(Call&, std::uint64_t i, std::uint64_t offset, std::uint64_t size)`;
///  - if it likes `static constexpr std::uint32_t flags`: POLYCODEC_STORE_*.
template <class S>
const polycodec_store* make_store(std::unique_ptr<S> store) {
  return new detail::StoreThunks<S>(std::move(store));
}
/// The C object over a store writer of yours. W has
///  - `const polycodec_store* base()`: what is in the store before the change, or NULL;
///  - `polycodec_sink* begin_blob(Call&, std::string_view name, std::string_view owner)`;
///  - `void remove(Call&, std::uint64_t i, std::string_view owner)` and `void commit(Call&)`.
template <class W>
polycodec_store_writer* make_store_writer(std::unique_ptr<W> writer) {
  return new detail::StoreWriterThunks<W>(std::move(writer));
}

/// The C object of a store format class. The class has
///  - `static constexpr const char* name`, as in the manifest;
///  - `static std::unique_ptr<S> open(Call&, const File&, const Options&)`, S as in make_store();
/// and if it likes
///  - `static std::unique_ptr<W> create(Call&, OutputFile, const Options&)` and `edit` likewise, W
///    as in make_store_writer();
///  - `static Sniff sniff(Call&, const Input&)`.
template <class F>
constexpr polycodec_store_format make_store_format() noexcept {
  static_assert(detail::Opens<F>,
                "the form is: static std::unique_ptr<S> open(Call&, const File&, const Options&)");
  static_assert(
      detail::Creates<F> || !requires { &F::create; },
      "the form is: static std::unique_ptr<W> create(Call&, OutputFile, const Options&)");
  static_assert(
      detail::Edits<F> || !requires { &F::edit; },
      "the form is: static std::unique_ptr<W> edit(Call&, OutputFile, const Options&)");
  static_assert(
      detail::Sniffs<F> || !requires { &F::sniff; },
      "the form is: static Sniff sniff(Call&, const Input&)");
  polycodec_store_format format{};
  format.struct_size = sizeof format;
  format.capabilities = POLYCODEC_CAN_DECODE;
  format.name = F::name;
  if constexpr (detail::Sniffs<F>) format.sniff = &detail::sniff<F>;
  format.open = [](auto*, auto* c, auto* file, auto* options, auto** store, auto* error) {
    return detail::run(c, error, [&](Call& call) {
      *store = make_store(F::open(call, File(call, file), Options(options)));
    });
  };
  if constexpr (detail::Creates<F>) {
    format.capabilities |= POLYCODEC_CAN_CREATE;
    format.create = [](auto*, auto* c, auto* file, auto* options, auto** writer, auto* error) {
      return detail::run(c, error, [&](Call& call) {
        *writer = make_store_writer(F::create(call, OutputFile(file), Options(options)));
      });
    };
  }
  if constexpr (detail::Edits<F>) {
    format.capabilities |= POLYCODEC_CAN_EDIT;
    format.edit = [](auto*, auto* c, auto* file, auto* options, auto** writer, auto* error) {
      return detail::run(c, error, [&](Call& call) {
        *writer = make_store_writer(F::edit(call, OutputFile(file), Options(options)));
      });
    };
  }
  return format;
}

/// The store formats of a plugin, for POLYCODEC_DEFINE_PLUGIN.
template <class... F>
struct StoreFormats : detail::TableOf<polycodec_stores, polycodec_store_format,
                                      detail::made<make_store_format<F>>...> {
  static constexpr const char* id = POLYCODEC_STORES_INTERFACE;
};

}  // namespace polycodec
