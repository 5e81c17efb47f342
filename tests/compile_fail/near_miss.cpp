// SPDX-License-Identifier: MIT
#include <polycodec/codec.hpp>
#include <polycodec/filter.hpp>
#include <polycodec/store_format.hpp>

#include <memory>

// Each function has one form that is nearly right. A class would lose it without a word.
using namespace polycodec;

#if !defined(MUST_NOT_COMPILE)
#define MUST_NOT_COMPILE 0
#endif

struct Reading {
  std::optional<Node> next(Call&, Step&, Builder&);
};
struct Writing {
  void append(Call&, View, Writer&);
#if MUST_NOT_COMPILE != 5
  void finish(Call&, Writer&);
#else
  void finish(Call&);
#endif
};

struct Coded {
  static constexpr const char* name = "coded";
#if MUST_NOT_COMPILE != 13
  Coded(Call&, const Options&);
#else
  explicit Coded(const Options&);
#endif
#if MUST_NOT_COMPILE != 1
  Node decode(Call&, const Input&, Builder&) const;
#else
  Node decode(Call&, const Input&, Builder&);
#endif
#if MUST_NOT_COMPILE != 2
  void encode(Call&, View, Writer&) const;
#else
  void encode(Call&, View, Writer) const;
#endif
#if MUST_NOT_COMPILE != 3
  std::uint64_t encoded_size(Call&, View) const;
#else
  int encoded_size(Call&, View) const;
#endif
#if MUST_NOT_COMPILE != 4
  std::unique_ptr<Reading> open_reader(Call&) const;
#else
  std::unique_ptr<Reading> open_reader() const;
#endif
  std::unique_ptr<Writing> open_writer(Call&) const;
#if MUST_NOT_COMPILE != 6
  Node list(Call&, const Store&, Builder&) const;
#else
  Node list(Call&, Builder&) const;
#endif
#if MUST_NOT_COMPILE != 7
  static Sniff sniff(Call&, const Input&);
#else
  static bool sniff(Call&, const Input&);
#endif
};

struct Filtered {
  static constexpr const char* name = "filtered";
  Filtered(Call&, const Options&);
#if MUST_NOT_COMPILE != 8
  void encode(Call&, const Pieces&, Writer&) const;
#else
  void encode(Call&, std::string_view, Writer&) const;
#endif
#if MUST_NOT_COMPILE != 9
  void decode(Call&, std::string_view, std::uint64_t, Writer&) const;
#else
  void decode(Call&, std::string_view, Writer&) const;
#endif
#if MUST_NOT_COMPILE != 10
  std::uint64_t decoded_size(Call&, std::string_view) const;
#else
  std::uint64_t decoded_size(std::string_view) const;
#endif
};

struct Stored {
  std::uint64_t count() const;
  Blob entry(Call&, std::uint64_t) const;
  std::optional<std::uint64_t> find(Call&, std::string_view) const;
  std::string_view read(Call&, std::uint64_t, std::uint64_t, std::uint64_t) const;
};
struct Changed {
  const polycodec_store* base();
  polycodec_sink* begin_blob(Call&, std::string_view, std::string_view);
  void remove(Call&, std::uint64_t, std::string_view);
  void commit(Call&);
};
struct Format {
  static constexpr const char* name = "stored";
  static std::unique_ptr<Stored> open(Call&, const File&, const Options&);
#if MUST_NOT_COMPILE != 11
  static std::unique_ptr<Changed> create(Call&, OutputFile, const Options&);
#else
  static std::unique_ptr<Changed> create(Call&, const File&, const Options&);
#endif
};

#if MUST_NOT_COMPILE != 12
Node sum(Call&, View args, View kwargs, Builder&);
#else
Node sum(Call&, View args, Builder&);
#endif

constexpr polycodec_codec codec = make_codec<Coded>();
constexpr polycodec_filter filter = make_filter<Filtered>();
constexpr polycodec_store_format format = make_store_format<Format>();
constexpr const char* path[] = {"sum"};
constexpr polycodec_function function = make_function<sum>(path, "a sum", 1, 1);
const void* const all[] = {&codec, &filter, &format, &function};
const void* use() {
  return all;
}
