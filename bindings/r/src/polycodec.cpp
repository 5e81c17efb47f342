// SPDX-License-Identifier: MIT
// Errors, options, and the functions of the library that take a value as a whole.
#include "glue.hpp"

#include <R_ext/Rdynload.h>

#include <cstring>

namespace r_package {

// -- errors and losses --

[[noreturn]] void leave(const std::optional<Error>& error) {
  if (error) {
    try {
      const bool has_byte = error->offset() != Error::no_offset;
      const Kept byte(number(has_byte ? static_cast<double>(error->offset()) : NA_REAL));
      const std::string fields[] = {error->message(), std::string(status_name(error->code())),
                                    error->detail(), error->path(), error->codec()};
      ask("raise", {Kept(texts_of(fields)), byte});
    } catch (const Jump&) {  // of the condition
    }
  }
  R_ContinueUnwind(jump_token);
}

namespace {

std::vector<std::string> losses;  // class, path, what, ..
SEXP package;

}  // namespace

void on_loss(LossClass loss_class, std::string_view path, std::string_view what) {
  losses.insert(losses.end(), {std::to_string(static_cast<int>(loss_class)), std::string(path),
                               std::string(what)});
}

// -- objects of R --

SEXP raw_of(std::string_view bytes) {
  SEXP raw = vector(RAWSXP, bytes.size());
  if (!bytes.empty()) std::memcpy(RAW(raw), bytes.data(), bytes.size());
  return raw;
}

void set_text(SEXP texts, std::uint64_t i, std::string_view text, const std::string& path) {
  if (text.find('\0') != text.npos)
    throw Error(Status::unsupported, "a text of R cannot have a NUL character")
        .detail("r.nul")
        .path(path);
  if (text.size() > INT32_MAX)
    throw Error(Status::limit, "a text of R has at most 2 GiB").detail("r.text").path(path);
  const auto size = static_cast<int>(text.size());
  SET_STRING_ELT(texts, static_cast<R_xlen_t>(i),
                 r([&] { return Rf_mkCharLenCE(text.data(), size, CE_UTF8); }));
}
SEXP texts_of(std::span<const std::string> texts) {
  const Kept made(vector(STRSXP, texts.size()));
  for (std::size_t i = 0; i < texts.size(); ++i) set_text(made, i, texts[i]);
  return made;
}

std::string_view text_in(SEXP texts, std::uint64_t i) {
  SEXP item = STRING_ELT(texts, static_cast<R_xlen_t>(i));
  const char* text = CHAR(item);
  r([&] {
    if (Rf_getCharCE(item) != CE_BYTES) text = Rf_translateCharUTF8(item);
    return R_NilValue;
  });
  return text;
}
std::vector<std::string> texts_in(SEXP texts) {
  std::vector<std::string> all;
  for (std::uint64_t i = 0; i < size_of(texts); ++i) all.emplace_back(text_in(texts, i));
  return all;
}

SEXP ask(const char* function, std::initializer_list<SEXP> arguments) {
  return r([&] {
    SEXP call = R_NilValue;
    for (const SEXP* at = arguments.end(); at != arguments.begin();)
      call = PROTECT(Rf_lcons(Rf_lang2(R_QuoteSymbol, *--at), call));
    call = PROTECT(Rf_lcons(Rf_install(function), call));
    SEXP result = Rf_eval(call, package);
    UNPROTECT(1 + static_cast<int>(arguments.size()));
    return result;
  });
}

namespace {

// -- options: lists in the order of call_options() and format_of() in R --

enum { FLAGS, LOSSES, THREADS, LIMITS, MEMBER, SELECT, COLUMNS, ROWS, NAME, COPY, KEEP, SYNC };

std::uint32_t number_in(SEXP given, int i) {
  return static_cast<std::uint32_t>(Rf_asInteger(VECTOR_ELT(given, i)));
}
/// The only text; empty for NULL.
std::string word(SEXP text) {
  return Rf_isString(text) && Rf_xlength(text) != 0 ? std::string(text_in(text)) : std::string();
}

CallOptions call_of(SEXP given) {
  CallOptions call;
  const double* bounds = REAL_RO(VECTOR_ELT(given, LIMITS));
  const double* const rows = REAL_RO(VECTOR_ELT(given, ROWS));
  call.limits.max_depth = static_cast<std::uint32_t>(bounds[0]);
  for (std::uint64_t* const limit :
       {&call.limits.max_input_bytes, &call.limits.max_header_bytes, &call.limits.max_nodes,
        &call.limits.max_elements, &call.limits.max_work, &call.limits.max_memory_bytes,
        &call.limits.max_output_bytes, &call.limits.max_stack_bytes})
    *limit = static_cast<std::uint64_t>(*++bounds);
  call.flags = number_in(given, FLAGS);
  call.losses = number_in(given, LOSSES);
  call.threads = number_in(given, THREADS);
  call.member = word(VECTOR_ELT(given, MEMBER));
  call.select = word(VECTOR_ELT(given, SELECT));
  call.columns = texts_in(VECTOR_ELT(given, COLUMNS));
  call.first_row = static_cast<std::uint64_t>(rows[0]);
  if (rows[1] >= 0) call.rows = static_cast<std::uint64_t>(rows[1]);
  call.on_loss = on_loss;
  call.on_progress = [](const polycodec_progress&) {
    return R_ToplevelExec([](void*) { R_CheckUserInterrupt(); }, nullptr) != FALSE;
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
  return {word(VECTOR_ELT(given, 0)), word(VECTOR_ELT(given, 1)), word(VECTOR_ELT(given, 2))};
}

Registry opened;

const Registry& registry() {
  if (!opened) opened = Registry::open();
  return opened;
}

SEXP pc_c_setup(SEXP config, SEXP add_paths, SEXP threads) {
  RegistryOptions options;
  if (config != R_NilValue) options.layers = {{word(config), "pc_setup"}};
  options.add_paths = texts_in(add_paths);
  options.threads = static_cast<std::uint32_t>(Rf_asInteger(threads));
  opened = Registry::open(options);
  return R_NilValue;
}

// -- reading --

std::string_view bytes_in(SEXP raw) {
  return {reinterpret_cast<const char*>(RAW_RO(raw)), static_cast<std::size_t>(XLENGTH(raw))};
}

/// `what`: bytes, which R keeps, or the path of a file. R's collector does not see the memory of
/// values: it runs for each 512 MiB of input.
Source source_of(SEXP what, SEXP given) {
  static std::uint64_t since = 0;
  SourceOptions options;
  options.limits = call_of(given).limits;
  options.name = word(VECTOR_ELT(given, NAME));
  options.copy = number_in(given, COPY) != 0;
  MARK_NOT_MUTABLE(what);
  Source source = TYPEOF(what) == RAWSXP ? Source::view(bytes_in(what), options)
                                         : Source::file(word(what), options);
  since += source.bytes().size() + 65536;
  if (since >= std::uint64_t{1} << 29) {
    since = 0;
    R_gc();
  }
  return source;
}

SEXP pc_c_open(SEXP what, SEXP format, SEXP given) {
  return handle(registry().decode(source_of(what, given), call_of(given), format_of(format)), what);
}

/// A value, or the part at a path, as an object of R.
SEXP converted(const Value& value, SEXP path, SEXP kept) {
  const std::string at = word(path);
  return at.empty() ? to_r(value, kept, "$") : to_r(value.part(at), kept, at);
}
/// pc_c_open() and pc_c_value() at once.
SEXP pc_c_read(SEXP what, SEXP format, SEXP given, SEXP path) {
  return converted(registry().decode(source_of(what, given), call_of(given), format_of(format)),
                   path, what);
}

/// The named values of an archive, directory or store file, as JSON.
SEXP pc_c_members(SEXP path, SEXP format, SEXP given) {
  const Collection all(registry(), word(path), format_of(format), quiet_call_of(given));
  return raw_of(all.list().text({.plain = true}));
}

// -- values: of handles or of objects of R, whose vectors may change after the call --

SEXP new_list() {
  return r([] { return Rf_list1(R_NilValue); });
}

SEXP pc_c_value(SEXP x, SEXP path) {
  const Kept kept(new_list());
  return converted(from_r(x, kept), path, kept);
}

SEXP pc_c_encode(SEXP x, SEXP format, SEXP given) {
  const Kept kept(new_list());
  const Codec codec = registry().codec(format_of(format));
  Sink sink = Sink::contiguous();
  codec.encode(from_r(x, kept), sink, call_of(given));
  return raw_of(sink.bytes());
}

/// Writes a value to a file: of `x`, or with a format `from` of the source `x`.
SEXP pc_c_save(SEXP x, SEXP from, SEXP path, SEXP format, SEXP given) {
  const Kept kept(new_list());
  const Format to = format_of(format);
  const CallOptions call = call_of(given);
  const WriteOptions how = {.keep = number_in(given, KEEP) != 0,
                            .sync = number_in(given, SYNC) != 0};
  const Result result =
      from == R_NilValue
          ? registry().write(from_r(x, kept), word(path), to, call, how)
          : registry().convert(source_of(x, given), word(path), format_of(from), to, call, how);
  const std::string facts[] = {result.codec, std::to_string(result.bytes),
                               std::to_string(static_cast<int>(result.kept)), result.reason};
  return texts_of(facts);
}

SEXP pc_c_type(SEXP x) {
  const Kept kept(new_list());
  return text_of(from_r(x, kept).type());
}
SEXP pc_c_text(SEXP x, SEXP plain) {
  const Kept kept(new_list());
  return text_of(from_r(x, kept).text({.plain = Rf_asLogical(plain) == TRUE}));
}

// -- what takes no value --

SEXP pc_c_describe(SEXP what) {
  return raw_of(registry().description(static_cast<About>(Rf_asInteger(what))));
}
SEXP pc_c_units(SEXP numbers, SEXP from, SEXP to) {
  const Kept made(r([&] { return Rf_duplicate(numbers); }));
  convert_units(word(from), word(to), {REAL(made), size_of(made)});
  return made;
}
SEXP pc_c_losses() {
  return texts_of(std::exchange(losses, {}));
}
SEXP pc_c_lose(SEXP loss_class, SEXP path, SEXP what) {
  on_loss(static_cast<LossClass>(Rf_asInteger(loss_class)), word(path), word(what));
  return R_NilValue;
}

// -- messages --

SEXP pc_c_channel(SEXP options, SEXP given) {
  return handle(Channel(registry(), word(options), quiet_call_of(given)), R_NilValue);
}

/// The message for a value, or the one that ends the stream.
SEXP pc_c_pack(SEXP channel, SEXP x, SEXP header, SEXP is_end) {
  const Kept kept(new_list());
  const Value value = Rf_asLogical(is_end) == TRUE ? Value() : from_r(x, kept);
  return raw_of(owned<Channel>(channel).pack(value, word(header)).bytes());
}

/// Takes bytes, or NULL for their end.
SEXP pc_c_feed(SEXP channel, SEXP bytes) {
  if (bytes == R_NilValue)
    owned<Channel>(channel).end_of_input();
  else
    owned<Channel>(channel).feed(bytes_in(bytes));
  return R_NilValue;
}

/// The next message: its value or a handle of it, its header as JSON, and the number of a control
/// message. NULL: it is not all there.
SEXP pc_c_next(SEXP channel, SEXP as_view) {
  const std::optional<Received> received = owned<Channel>(channel).next();
  if (!received) return R_NilValue;
  const Kept next(vector(VECSXP, 3));
  SET_VECTOR_ELT(next, 0,
                 Rf_asLogical(as_view) == TRUE
                     ? handle(received->value, R_NilValue)
                     : converted(received->value, R_NilValue, R_NilValue));
  SET_VECTOR_ELT(next, 1, raw_of(received->header));
  SET_VECTOR_ELT(next, 2, number(received->control));
  return next;
}

template <auto function>
R_CallMethodDef method(const char* name) {
  const auto call = reinterpret_cast<void (*)()>(Entry<function>::call);
  return {name, reinterpret_cast<DL_FUNC>(call), Entry<function>::n};
}

}  // namespace
}  // namespace r_package

#define METHOD(name) method<name>(#name)

extern "C" void R_init_polycodec(DllInfo* info) {
  using namespace r_package;
  static const R_CallMethodDef functions[] = {
      METHOD(pc_c_setup),   METHOD(pc_c_open),     METHOD(pc_c_value), METHOD(pc_c_read),
      METHOD(pc_c_members), METHOD(pc_c_encode),   METHOD(pc_c_save),  METHOD(pc_c_type),
      METHOD(pc_c_text),    METHOD(pc_c_describe), METHOD(pc_c_units), METHOD(pc_c_losses),
      METHOD(pc_c_lose),    METHOD(pc_c_channel),  METHOD(pc_c_pack),  METHOD(pc_c_feed),
      METHOD(pc_c_next),    METHOD(pc_c_elements), METHOD(pc_c_lists), METHOD(pc_c_items),
      METHOD(pc_c_half),    {nullptr, nullptr, 0}};
  R_registerRoutines(info, nullptr, functions, nullptr, nullptr);
  R_useDynamicSymbols(info, FALSE);
  R_forceSymbols(info, TRUE);
  R_PreserveObject(jump_token = R_MakeUnwindCont());
  package = R_FindNamespace(PROTECT(Rf_mkString("polycodec")));
  UNPROTECT(1);
  make_view_class(info);
}
