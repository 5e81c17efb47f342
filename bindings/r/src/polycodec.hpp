// SPDX-License-Identifier: MIT
// The functions of the library that take a value as a whole. scripts/r_sys.py makes exports.cpp of
// them, and of those that begin with pc_c_.
#pragma once

#include "from_r.hpp"
#include "to_r.hpp"

namespace {

/// The registry, which the first call opens.
Registry opened;
const Registry& registry() {
  if (!opened) opened = Registry::open();
  return opened;
}

/// What is done when R loads the package.
void start(DllInfo* info) {
  R_PreserveObject(jump_token = R_MakeUnwindCont());
  package = R_FindNamespace(Kept(Rf_mkString("polycodec")));
  view_class = R_make_altreal_class("view", "polycodec", info);
  R_set_altrep_Length_method(view_class, view_length);
  R_set_altvec_Dataptr_method(view_class, view_data);
  R_set_altvec_Dataptr_or_null_method(view_class, view_or_null);
  R_set_altreal_Elt_method(view_class, view_item);
}

// -- reading --

std::string_view bytes_in(SEXP raw) {
  return {reinterpret_cast<const char*>(RAW_RO(raw)), static_cast<std::size_t>(XLENGTH(raw))};
}

/// The options of a call that Ctrl-C ends. Of channels and collections nobody hears how far they
/// are.
CallOptions interruptible(CallOptions call) {
  call.on_progress = [](const polycodec_progress&) {
    return R_ToplevelExec([](void*) { R_CheckUserInterrupt(); }, nullptr) != FALSE;
  };
  return call;
}

/// `what`: bytes, which R keeps, or the path of a file. R's collector does not see the memory of
/// values: it runs for each 512 MiB of input.
Source source_of(SEXP what, const SourceOptions& options) {
  static std::uint64_t since = 0;
  MARK_NOT_MUTABLE(what);
  Source source = TYPEOF(what) == RAWSXP ? Source::view(bytes_in(what), options)
                                         : Source::file(word_in(what), options);
  since += source.bytes().size() + 65536;
  if (since >= std::uint64_t{1} << 29) {
    since = 0;
    R_gc();
  }
  return source;
}

/// A value as a handle, or it or the part at a path as an object of R.
SEXP given_to_r(const Value& value, SEXP kept, bool as_view, const std::string& path) {
  if (!as_view) return path.empty() ? to_r(value, kept, "$") : to_r(value.part(path), kept, path);
  const Kept view(handle(value, kept));
  set_attribute(view, "class", Kept(text_of("pc_view")));
  return view;
}

SEXP facts_of(const Result& result) {
  const std::string facts[] = {result.codec, std::to_string(result.bytes),
                               std::to_string(static_cast<int>(result.kept)), result.reason};
  return texts_of(facts);
}

SEXP encoded(const Value& value, const Format& format, const CallOptions& options) {
  Sink sink = Sink::contiguous();
  registry().codec(format).encode(value, sink, options);
  return raw_of(sink.bytes());
}

// -- messages --

/// The next message: its value or a handle of it, its header as JSON, and the number of a control
/// message. NULL: it is not all there.
SEXP pc_c_next(SEXP channel, bool as_view) {
  const std::optional<Received> received = owned<Channel>(channel).next();
  if (!received) return R_NilValue;
  const Kept value(given_to_r(received->value, R_NilValue, as_view, {}));
  const Kept header(raw_of(received->header)), control(number(received->control));
  return list_of({value, header, control});
}

}  // namespace
