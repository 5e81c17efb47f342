// SPDX-License-Identifier: MIT
// What the parts of the glue share. The library throws, and R jumps: each turns into the other at
// one place, r() and entry(). What is easily said in R is done there: see the functions that ask()
// names.
#pragma once

#include <polycodec/items.h>
#include <polycodec/path.hpp>
#include <polycodec/polycodec.hpp>

#include <setjmp.h>

#include <cstdint>
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

namespace r_package {

using namespace polycodec;

// -- errors --

/// An error of R that passes through C++, and what R needs to continue it.
struct Jump {};
inline SEXP jump_token;

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

/// Raises an error in R, or without one continues the Jump.
[[noreturn]] void leave(const std::optional<Error>& error);

/// A function as R calls it.
template <auto function>
struct Entry;
template <class... Arguments, SEXP (*function)(Arguments...)>
struct Entry<function> {
  static SEXP call(Arguments... arguments) {
    static std::optional<Error> error;  // leave() jumps, so nothing may be left to destroy
    try {
      return function(arguments...);
    } catch (const Jump&) {
      error.reset();
    } catch (const Error& thrown) {
      error = thrown;
    } catch (const std::exception& thrown) {
      error = Error(Status::memory, thrown.what());
    }
    leave(error);
  }
  static constexpr int n = sizeof...(Arguments);
};

// -- objects of R --

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

inline std::uint64_t size_of(SEXP x) {
  return static_cast<std::uint64_t>(Rf_xlength(x));
}
inline SEXP item_of(SEXP list, std::uint64_t i) {
  return VECTOR_ELT(list, static_cast<R_xlen_t>(i));
}
inline SEXP vector(SEXPTYPE type, std::uint64_t n) {
  return r([&] { return Rf_allocVector(type, static_cast<R_xlen_t>(n)); });
}
inline SEXP number(double x) {
  return r([&] { return Rf_ScalarReal(x); });
}
inline void set_attribute(SEXP x, const char* name, SEXP value) {
  r([&] { return Rf_setAttrib(x, Rf_install(name), value); });
}
SEXP raw_of(std::string_view bytes);
/// Sets item `i` of a character vector; an error is one at `path`.
void set_text(SEXP texts, std::uint64_t i, std::string_view text, const std::string& path = {});
SEXP texts_of(std::span<const std::string> texts);
inline SEXP text_of(const std::string& text) {
  return texts_of({&text, 1});
}
/// An item of a character vector as UTF-8, or with its bytes. Lives as long as the call.
std::string_view text_in(SEXP texts, std::uint64_t i = 0);
/// All items.
std::vector<std::string> texts_in(SEXP texts);

/// Calls a function of this package.
SEXP ask(const char* function, std::initializer_list<SEXP> arguments);

template <class T>
void drop(SEXP handle) {
  delete static_cast<T*>(R_ExternalPtrAddr(handle));
  R_ClearExternalPtr(handle);
  R_SetExternalPtrProtected(handle, R_NilValue);
}
/// An object that lives as long as its handle in R, which also keeps `kept`.
template <class T>
SEXP handle(T object, SEXP kept) {
  const Kept made(r([&] {
    SEXP empty = PROTECT(R_MakeExternalPtr(nullptr, Rf_install(typeid(T).name()), kept));
    R_RegisterCFinalizerEx(empty, drop<T>, FALSE);
    UNPROTECT(1);
    return empty;
  }));
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

// -- the parts --

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
};

/// What a codec left out, until R asks for it.
void on_loss(LossClass loss_class, std::string_view path, std::string_view what);
/// A value, or a part of it, as an object of R; `kept` is what the value views.
SEXP to_r(const Value& value, SEXP kept, const std::string& path);
/// The value of a handle, or of an object of R, whose vectors it views: they are added to `kept`, a
/// list of one item.
Value from_r(SEXP x, SEXP kept);
void make_view_class(DllInfo* info);

// What R/read.R calls; `walk` is of the conversion that calls it.
SEXP pc_c_elements(SEXP walk, SEXP dtype, SEXP unit, SEXP n, SEXP may_miss);
SEXP pc_c_lists(SEXP walk);
SEXP pc_c_items(SEXP walk, SEXP are_records);
/// What R/write.R calls: numbers as float16.
SEXP pc_c_half(SEXP numbers);

}  // namespace r_package
