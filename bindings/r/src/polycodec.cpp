// SPDX-License-Identifier: MIT
// Errors, options, and the functions of the library that take a value as a whole.
#include "glue.hpp"

#include <R_ext/Rdynload.h>

#include <cstring>
#include <iterator>
#include <vector>

namespace r_package {

// -- errors and losses --

namespace {

void raise(const Error& error) {
  const std::string_view texts[] = {error.message(), status_name(error.code()), error.detail(),
                                    error.path(), error.codec()};
  const Kept fields(vector(VECSXP, std::size(texts)));
  for (std::size_t i = 0; i < std::size(texts); ++i)
    SET_VECTOR_ELT(fields, static_cast<R_xlen_t>(i), vector_of(texts[i]));
  const bool has_byte = error.offset() != Error::no_offset;
  const Kept byte(vector(REALSXP, 1));
  REAL(byte)[0] = has_byte ? static_cast<double>(error.offset()) : NA_REAL;
  ask("raise", {fields, byte});
}

}  // namespace

[[noreturn]] void leave(const std::optional<Error>& error) {
  try {
    if (error) raise(*error);
  } catch (const Jump&) {  // of the condition
  }
  R_ContinueUnwind(jump_token());
}

namespace {

struct Loss {
  LossClass loss_class;
  std::string path, what;
};
std::vector<Loss> losses;

SEXP pc_c_lose(SEXP loss_class, SEXP path, SEXP what) {
  return entry([&] {
    on_loss(static_cast<LossClass>(Rf_asInteger(loss_class)), text_of(path), text_of(what));
    return R_NilValue;
  });
}

/// The losses since the last call, as class, path, what, ..
SEXP pc_c_losses() {
  return entry([&] {
    const std::vector<Loss> heard = std::exchange(losses, {});
    const Kept found(vector(STRSXP, 3 * heard.size()));
    R_xlen_t i = 0;
    for (const Loss& loss : heard) {
      const std::string number = std::to_string(static_cast<int>(loss.loss_class));
      for (const std::string& field : {number, loss.path, loss.what})
        SET_STRING_ELT(found, i++, item_of(field, loss.path));
    }
    return SEXP(found);
  });
}

}  // namespace

void on_loss(LossClass loss_class, std::string_view path, std::string_view what) {
  losses.push_back({loss_class, std::string(path), std::string(what)});
}

// -- objects of R --

SEXP ask(const char* function, std::initializer_list<SEXP> arguments) {
  return r([&] {
    SEXP call = R_NilValue;
    for (const SEXP* at = arguments.end(); at != arguments.begin();)
      call = PROTECT(Rf_lcons(PROTECT(Rf_lang2(R_QuoteSymbol, *--at)), call));
    call = PROTECT(Rf_lcons(Rf_install(function), call));
    SEXP space = PROTECT(R_FindNamespace(PROTECT(Rf_mkString("polycodec"))));
    SEXP result = Rf_eval(call, space);
    UNPROTECT(3 + 2 * static_cast<int>(arguments.size()));
    return result;
  });
}

std::string_view text_in(SEXP texts, std::uint64_t i) {
  SEXP item = STRING_ELT(texts, static_cast<R_xlen_t>(i));
  if (Rf_getCharCE(item) == CE_BYTES) return CHAR(item);
  const char* utf8 = nullptr;
  r([&] {
    utf8 = Rf_translateCharUTF8(item);
    return R_NilValue;
  });
  return utf8;
}
std::string text_of(SEXP text) {
  return TYPEOF(text) == STRSXP && XLENGTH(text) != 0 ? std::string(text_in(text)) : "";
}
SEXP item_of(std::string_view text, const std::string& path) {
  if (text.find('\0') != text.npos)
    throw Error(Status::unsupported, "a text of R cannot have a NUL character")
        .detail("r.nul")
        .path(path);
  if (text.size() > INT32_MAX)
    throw Error(Status::limit, "a text of R has at most 2 GiB").detail("r.text").path(path);
  return r([&] { return Rf_mkCharLenCE(text.data(), static_cast<int>(text.size()), CE_UTF8); });
}
SEXP vector_of(std::string_view text, const std::string& path) {
  const Kept item(item_of(text, path));
  return r([&] { return Rf_ScalarString(item); });
}
SEXP raw_of(std::string_view bytes) {
  SEXP raw = vector(RAWSXP, bytes.size());
  if (!bytes.empty()) std::memcpy(RAW(raw), bytes.data(), bytes.size());
  return raw;
}

namespace {

// -- options: lists in the order of call_options() and format_of() in R --

enum { FLAGS, LOSSES, THREADS, LIMITS, MEMBER, SELECT, COLUMNS, ROWS, NAME, COPY, KEEP, SYNC };

std::uint32_t number_in(SEXP given, int i) {
  return static_cast<std::uint32_t>(Rf_asInteger(VECTOR_ELT(given, i)));
}

std::vector<std::string> texts_of(SEXP texts) {
  std::vector<std::string> all;
  for (std::uint64_t i = 0; i < size_of(texts); ++i) all.emplace_back(text_in(texts, i));
  return all;
}

void check_interrupt(void*) {
  R_CheckUserInterrupt();
}

CallOptions call_of(SEXP given) {
  CallOptions call;
  const double* bounds = REAL_RO(VECTOR_ELT(given, LIMITS));
  const double* const rows = REAL_RO(VECTOR_ELT(given, ROWS));
  std::uint64_t* const limits[] = {&call.limits.max_input_bytes,  &call.limits.max_header_bytes,
                                   &call.limits.max_nodes,        &call.limits.max_elements,
                                   &call.limits.max_work,         &call.limits.max_memory_bytes,
                                   &call.limits.max_output_bytes, &call.limits.max_stack_bytes};
  call.limits.max_depth = static_cast<std::uint32_t>(bounds[0]);
  for (std::uint64_t* const limit : limits) *limit = static_cast<std::uint64_t>(*++bounds);
  call.flags = number_in(given, FLAGS);
  call.losses = number_in(given, LOSSES);
  call.threads = number_in(given, THREADS);
  call.member = text_of(VECTOR_ELT(given, MEMBER));
  call.select = text_of(VECTOR_ELT(given, SELECT));
  call.columns = texts_of(VECTOR_ELT(given, COLUMNS));
  call.first_row = static_cast<std::uint64_t>(rows[0]);
  if (rows[1] >= 0) call.rows = static_cast<std::uint64_t>(rows[1]);
  call.on_loss = on_loss;
  call.on_progress = [](const polycodec_progress&) {
    return R_ToplevelExec(check_interrupt, nullptr) != FALSE;
  };
  return call;
}

/// For channels and collections, of which nobody hears how far they are.
CallOptions quiet_call_of(SEXP given) {
  CallOptions call = call_of(given);
  call.on_progress = nullptr;
  return call;
}

Format format_of(SEXP given) {
  return {text_of(VECTOR_ELT(given, 0)), text_of(VECTOR_ELT(given, 1)),
          text_of(VECTOR_ELT(given, 2))};
}

Registry registry;

SEXP pc_c_setup(SEXP config, SEXP add_paths, SEXP threads) {
  return entry([&] {
    RegistryOptions options;
    if (Rf_xlength(config) != 0) options.layers = {{text_of(config), "pc_setup"}};
    options.add_paths = texts_of(add_paths);
    options.threads = static_cast<std::uint32_t>(Rf_asInteger(threads));
    registry = Registry::open(options);
    return R_NilValue;
  });
}

const Registry& the_registry() {
  if (!registry) registry = Registry::open();
  return registry;
}

// -- reading and writing --

std::string_view bytes_of(SEXP raw) {
  return {reinterpret_cast<const char*>(RAW_RO(raw)), static_cast<std::size_t>(XLENGTH(raw))};
}

/// `what`: bytes, which R keeps, or the path of a file.
Source source_of(SEXP what, SEXP given) {
  SourceOptions options;
  options.limits = call_of(given).limits;
  options.name = text_of(VECTOR_ELT(given, NAME));
  options.copy = number_in(given, COPY) != 0;
  MARK_NOT_MUTABLE(what);
  return TYPEOF(what) == RAWSXP ? Source::view(bytes_of(what), options)
                                : Source::file(text_of(what), options);
}

/// R's collector does not see the memory of values: it runs for each 512 MiB of input.
void press(const Source& source) {
  static std::uint64_t since = 0;
  since += source.bytes().size() + 65536;
  if (since < std::uint64_t{1} << 29) return;
  since = 0;
  R_gc();
}

SEXP pc_c_open(SEXP what, SEXP format, SEXP given) {
  return entry([&] {
    const Source source = source_of(what, given);
    press(source);
    return handle(the_registry().decode(source, call_of(given), format_of(format)),
                  TYPEOF(what) == RAWSXP ? what : R_NilValue);
  });
}

/// The part of a value at a path as an object of R.
SEXP pc_c_value(SEXP value, SEXP path) {
  return entry([&] {
    const Value& whole = owned<Value>(value);
    SEXP kept = R_ExternalPtrProtected(value);
    const std::string at = text_of(path);
    return at.empty() ? to_r(whole, kept, "$") : to_r(whole.part(at), kept, at);
  });
}

SEXP pc_c_close(SEXP value) {
  drop<Value>(value);
  return R_NilValue;
}

/// The named values of an archive, directory or store file, as JSON.
SEXP pc_c_members(SEXP path, SEXP format, SEXP given) {
  return entry([&] {
    const Collection all(the_registry(), text_of(path), format_of(format), quiet_call_of(given));
    return raw_of(all.list().text({.plain = true}));
  });
}

/// The value of a handle or of an object of R, whose vectors may change after the call.
class Given {
 public:
  explicit Given(SEXP x) : is_made_(TYPEOF(x) != EXTPTRSXP), handle_(is_made_ ? from_r(x) : x) {}
  Given(const Given&) = delete;
  Given& operator=(const Given&) = delete;
  ~Given() {
    if (is_made_) drop<Value>(handle_);
  }
  const Value* operator->() const { return &owned<Value>(handle_); }
  const Value& operator*() const { return owned<Value>(handle_); }

 private:
  bool is_made_;
  Kept handle_;
};

SEXP pc_c_view(SEXP x) {
  return entry([&] { return from_r(x); });
}

SEXP pc_c_encode(SEXP x, SEXP format, SEXP given) {
  return entry([&] {
    const Codec codec = the_registry().codec(format_of(format));
    Sink sink = Sink::contiguous();
    codec.encode(*Given(x), sink, call_of(given));
    return raw_of(sink.bytes());
  });
}

/// Writes a value to a file: of `x`, or with a format `from` of the source `x`.
SEXP pc_c_save(SEXP x, SEXP from, SEXP path, SEXP format, SEXP given) {
  return entry([&] {
    const Format to = format_of(format);
    const WriteOptions how = {.keep = number_in(given, KEEP) != 0,
                              .sync = number_in(given, SYNC) != 0};
    const Result result =
        from == R_NilValue ? the_registry().write(*Given(x), text_of(path), to, call_of(given), how)
                           : the_registry().convert(source_of(x, given), text_of(path),
                                                    format_of(from), to, call_of(given), how);
    const Kept made(vector(VECSXP, 4));
    SET_VECTOR_ELT(made, 0, vector_of(result.codec));
    SET_VECTOR_ELT(made, 1, r([&] { return Rf_ScalarReal(static_cast<double>(result.bytes)); }));
    SET_VECTOR_ELT(made, 2, r([&] { return Rf_ScalarInteger(static_cast<int>(result.kept)); }));
    SET_VECTOR_ELT(made, 3, vector_of(result.reason));
    return SEXP(made);
  });
}

SEXP pc_c_type(SEXP x) {
  return entry([&] { return vector_of(Given(x)->type()); });
}
SEXP pc_c_text(SEXP x, SEXP plain) {
  return entry([&] { return vector_of(Given(x)->text({.plain = Rf_asLogical(plain) == TRUE})); });
}
SEXP pc_c_describe(SEXP what) {
  return entry(
      [&] { return raw_of(the_registry().description(static_cast<About>(Rf_asInteger(what)))); });
}
SEXP pc_c_units(SEXP numbers, SEXP from, SEXP to) {
  return entry([&] {
    const Kept made(r([&] { return Rf_duplicate(numbers); }));
    convert_units(text_of(from), text_of(to), {REAL(made), size_of(made)});
    return SEXP(made);
  });
}

// -- messages --

SEXP pc_c_channel(SEXP options, SEXP given) {
  return entry([&] {
    return handle(Channel(the_registry(), text_of(options), quiet_call_of(given)), R_NilValue);
  });
}

/// The message for a value, or the one that ends the stream.
SEXP pc_c_pack(SEXP channel, SEXP x, SEXP header, SEXP is_end) {
  return entry([&] {
    Channel& to = owned<Channel>(channel);
    if (Rf_asLogical(is_end) == TRUE) return raw_of(to.pack_end(text_of(header)).bytes());
    const Given value(x);
    return raw_of(to.pack(*value, text_of(header)).bytes());
  });
}

SEXP pc_c_feed(SEXP channel, SEXP bytes) {
  return entry([&] {
    owned<Channel>(channel).feed(bytes_of(bytes));
    return R_NilValue;
  });
}
SEXP pc_c_end(SEXP channel) {
  return entry([&] {
    owned<Channel>(channel).end_of_input();
    return R_NilValue;
  });
}

/// The next message: a handle, its header as JSON, and the number of a control message. NULL: it is
/// not all there.
SEXP pc_c_next(SEXP channel) {
  return entry([&] {
    const std::optional<Received> received = owned<Channel>(channel).next();
    if (!received) return R_NilValue;
    const Kept next(vector(VECSXP, 3));
    SET_VECTOR_ELT(next, 0, handle(received->value, R_NilValue));
    SET_VECTOR_ELT(next, 1, raw_of(received->header));
    SET_VECTOR_ELT(next, 2, r([&] { return Rf_ScalarInteger(received->control); }));
    return SEXP(next);
  });
}

}  // namespace

// -- what a walk that reads asks R for, which asks for its parts --

SEXP pc_c_elements(SEXP walk, SEXP dtype, SEXP unit, SEXP n, SEXP may_miss);
SEXP pc_c_lists(SEXP walk);
SEXP pc_c_items(SEXP walk, SEXP are_records);

namespace {

template <class... Arguments>
R_CallMethodDef function(const char* name, SEXP (*function)(Arguments...)) {
  return {name, reinterpret_cast<DL_FUNC>(reinterpret_cast<void (*)()>(function)),
          sizeof...(Arguments)};
}

}  // namespace
}  // namespace r_package

extern "C" void R_init_polycodec(DllInfo* info) {
  using namespace r_package;
  static const R_CallMethodDef functions[] = {function("pc_c_lose", pc_c_lose),
                                              function("pc_c_losses", pc_c_losses),
                                              function("pc_c_setup", pc_c_setup),
                                              function("pc_c_open", pc_c_open),
                                              function("pc_c_value", pc_c_value),
                                              function("pc_c_close", pc_c_close),
                                              function("pc_c_members", pc_c_members),
                                              function("pc_c_view", pc_c_view),
                                              function("pc_c_encode", pc_c_encode),
                                              function("pc_c_save", pc_c_save),
                                              function("pc_c_type", pc_c_type),
                                              function("pc_c_text", pc_c_text),
                                              function("pc_c_describe", pc_c_describe),
                                              function("pc_c_units", pc_c_units),
                                              function("pc_c_channel", pc_c_channel),
                                              function("pc_c_pack", pc_c_pack),
                                              function("pc_c_feed", pc_c_feed),
                                              function("pc_c_end", pc_c_end),
                                              function("pc_c_next", pc_c_next),
                                              function("pc_c_elements", pc_c_elements),
                                              function("pc_c_lists", pc_c_lists),
                                              function("pc_c_items", pc_c_items),
                                              {nullptr, nullptr, 0}};
  R_registerRoutines(info, nullptr, functions, nullptr, nullptr);
  R_useDynamicSymbols(info, FALSE);
  R_forceSymbols(info, TRUE);
  make_view_class(info);
}
