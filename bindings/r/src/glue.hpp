// SPDX-License-Identifier: MIT
// Errors and objects of R. The library throws, and R jumps: each turns into the other at one place,
// r() and entry(). What is easily said in R is done there: see the functions that ask() names.
#pragma once

#include <polycodec/items.h>
#include <polycodec/path.hpp>
#include <polycodec/polycodec.hpp>

#include <setjmp.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <R.h>
#include <Rinternals.h>

namespace {

using namespace polycodec;

/// An error of R that passes through C++, and what R needs to continue it.
struct Jump {};
SEXP jump_token;
SEXP package;

/// Runs what calls R, whose error becomes a Jump. `body` throws nothing and has nothing to destroy.
template <class Body>
SEXP r(const Body& body) {
  jmp_buf back;
  if (setjmp(back) != 0) throw Jump();
  return R_UnwindProtect([](void* run) { return (*static_cast<const Body*>(run))(); },
                         const_cast<Body*>(&body),
                         [](void* to, Rboolean jumps) {
                           if (jumps != FALSE) longjmp(*static_cast<jmp_buf*>(to), 1);
                         },
                         &back, jump_token);
}

/// Keeps an object from the collector of R.
class Kept {
 public:
  explicit Kept(SEXP x) : x_(PROTECT(x)) {}
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() { UNPROTECT(1); }
  operator SEXP() const { return x_; }

 private:
  SEXP x_;
};

std::uint64_t size_of(SEXP x) {
  return static_cast<std::uint64_t>(Rf_xlength(x));
}
SEXP item_of(SEXP list, std::uint64_t i) {
  return VECTOR_ELT(list, static_cast<R_xlen_t>(i));
}
SEXP vector(SEXPTYPE type, std::uint64_t n) {
  return r([&] { return Rf_allocVector(type, static_cast<R_xlen_t>(n)); });
}
SEXP number(double x) {
  return r([&] { return Rf_ScalarReal(x); });
}
void set_attribute(SEXP x, const char* name, SEXP value) {
  r([&] { return Rf_setAttrib(x, Rf_install(name), value); });
}
SEXP list_of(std::initializer_list<SEXP> items) {
  SEXP list = vector(VECSXP, items.size());
  R_xlen_t i = 0;
  for (SEXP item : items) SET_VECTOR_ELT(list, i++, item);
  return list;
}
SEXP raw_of(std::string_view bytes) {
  SEXP raw = vector(RAWSXP, bytes.size());
  if (!bytes.empty()) std::memcpy(RAW(raw), bytes.data(), bytes.size());
  return raw;
}

/// Sets item `i` of a character vector; an error is one at `path`.
void set_text(SEXP texts, std::uint64_t i, std::string_view text, const std::string& path = {}) {
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
SEXP text_of(const std::string& text) {
  return texts_of({&text, 1});
}
/// An item of a character vector as UTF-8, or with its bytes. Lives as long as the call.
std::string_view text_in(SEXP texts, std::uint64_t i = 0) {
  SEXP item = STRING_ELT(texts, static_cast<R_xlen_t>(i));
  const char* text = CHAR(item);
  r([&] {
    if (Rf_getCharCE(item) != CE_BYTES) text = Rf_translateCharUTF8(item);
    return R_NilValue;
  });
  return text;
}
/// All items; none of NULL.
std::vector<std::string> texts_in(SEXP texts) {
  std::vector<std::string> all;
  for (std::uint64_t i = 0; Rf_isString(texts) && i < size_of(texts); ++i)
    all.emplace_back(text_in(texts, i));
  return all;
}
std::string word_in(SEXP text) {
  return Rf_isString(text) && Rf_xlength(text) != 0 ? std::string(text_in(text)) : std::string();
}

/// Calls a function of this package.
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

/// Makes an error a condition of R, which waits in jump_token.
void raise(const Error& error) try {
  const bool has_byte = error.offset() != Error::no_offset;
  const std::string fields[] = {error.message(), std::string(status_name(error.code())),
                                error.detail(),  error.path(),
                                error.codec(),   has_byte ? std::to_string(error.offset()) : ""};
  ask("raise", {Kept(texts_of(fields))});
} catch (const Jump&) {
}
/// Runs what R calls.
template <class Body>
SEXP entry(const Body& body) {
  try {
    return body();
  } catch (const Jump&) {
  } catch (const Error& error) {
    raise(error);
  } catch (const std::exception& error) {
    raise(Error(Status::memory, error.what()));
  }
  R_ContinueUnwind(jump_token);
}

/// An object that lives as long as its handle in R, which also keeps `kept`.
template <class T>
SEXP handle(T object, SEXP kept) {
  const Kept made(
      r([&] { return R_MakeExternalPtr(nullptr, Rf_install(typeid(T).name()), kept); }));
  r([&] {
    const auto drop = [](SEXP ended) { delete static_cast<T*>(R_ExternalPtrAddr(ended)); };
    R_RegisterCFinalizerEx(made, drop, FALSE);
    return R_NilValue;
  });
  R_SetExternalPtrAddr(made, new T(std::move(object)));
  return made;
}
template <class T>
T& owned(SEXP handle) {
  if (TYPEOF(handle) != EXTPTRSXP || R_ExternalPtrAddr(handle) == nullptr ||
      R_ExternalPtrTag(handle) != Rf_install(typeid(T).name()))
    throw Error(Status::invalid,
                "this handle is not open: it was closed, or comes from another session of R")
        .detail("r.handle");
  return *static_cast<T*>(R_ExternalPtrAddr(handle));
}

// -- losses, and where a walk is --

std::vector<std::string> losses;  // class, path, what, .., until R asks for them

void on_loss(LossClass loss_class, std::string_view path, std::string_view what) {
  losses.insert(losses.end(), {std::to_string(static_cast<int>(loss_class)), std::string(path),
                               std::string(what)});
}

/// Where in a value a walk is. A PathStep changes the path.
struct Place {
  std::string path = "$";
  int depth = 0;

  void descend() {
    if (++depth > 1000)
      throw Error(Status::limit, "lists nest more than 1000 deep, or in a cycle")
          .detail("r.depth")
          .path(path);
  }
  /// To item `i` of a list, which may have names.
  PathStep step_to(SEXP names, std::uint64_t i) {
    return names == R_NilValue ? PathStep(path, i) : PathStep(path, text_in(names, i));
  }
};

}  // namespace
