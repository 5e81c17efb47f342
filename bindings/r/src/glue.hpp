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
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <R.h>
#include <Rinternals.h>

namespace r_package {

using namespace polycodec;

// -- errors --

/// An error of R that passes through C++.
struct Jump {};

/// What R needs to go on with a Jump.
inline SEXP jump_token() {
  static SEXP const token = [] {
    SEXP made = R_MakeUnwindCont();
    R_PreserveObject(made);
    return made;
  }();
  return token;
}

/// Runs what calls R, whose error becomes a Jump. `body` has nothing to destroy.
template <class Body>
SEXP r(const Body& body) {
  SEXP token = jump_token();
  jmp_buf back;
  if (setjmp(back) != 0) throw Jump();
  return R_UnwindProtect([](void* run) { return (*static_cast<const Body*>(run))(); },
                         const_cast<Body*>(&body),
                         [](void* to, Rboolean jumps) {
                           if (jumps != FALSE) longjmp(*static_cast<jmp_buf*>(to), 1);
                         },
                         &back, token);
}

/// Raises an error in R, or without one goes on with the Jump.
[[noreturn]] void leave(const std::optional<Error>& error);

/// The body of a function that R calls.
template <class Body>
SEXP entry(const Body& body) {
  static std::optional<Error> error;  // leave() jumps, so nothing may be left to destroy
  try {
    return body();
  } catch (const Jump&) {
    error.reset();
  } catch (const Error& thrown) {
    error = thrown;
  } catch (const std::exception& thrown) {
    error = Error(Status::memory, thrown.what());
  }
  leave(error);
}

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

inline SEXP vector(SEXPTYPE type, std::uint64_t n) {
  return r([&] { return Rf_allocVector(type, static_cast<R_xlen_t>(n)); });
}
inline std::uint64_t size_of(SEXP x) {
  return static_cast<std::uint64_t>(Rf_xlength(x));
}
inline SEXP attribute(SEXP x, const char* name) {
  return Rf_getAttrib(x, Rf_install(name));
}
inline void set_attribute(SEXP x, const char* name, SEXP value) {
  r([&] { return Rf_setAttrib(x, Rf_install(name), value); });
}
/// Calls a function of this package.
SEXP ask(const char* function, std::initializer_list<SEXP> arguments);

/// An item of a character vector as UTF-8, or with its bytes. Lives as long as the vector.
std::string_view text_in(SEXP texts, std::uint64_t i = 0);
/// The only item as UTF-8; empty for NULL.
std::string text_of(SEXP text);
/// An item, or all, of a new character vector.
SEXP item_of(std::string_view text, const std::string& path);
SEXP vector_of(std::string_view text, const std::string& path = {});
SEXP raw_of(std::string_view bytes);

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

// -- walks --

/// Where in a value a walk is.
struct Place {
  std::string path = "$";
  unsigned depth = 0;
};

/// A step of a walk, which ends with this object.
class Step {
 public:
  Step(Place& place, const std::string& step) : place_(place), size_(place.path.size()) {
    if (place.depth == 1000)
      throw Error(Status::limit, "lists nest more than 1000 deep, or in a cycle")
          .detail("r.depth")
          .path(place.path);
    ++place.depth;
    place.path += step;
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  ~Step() {
    --place_.depth;
    place_.path.resize(size_);
  }

 private:
  Place& place_;
  std::size_t size_;
};

// -- the parts --

/// What a codec left out, until R asks for it.
void on_loss(LossClass loss_class, std::string_view path, std::string_view what);
/// A value, or a part of it, as an object of R; `kept` is what the value views.
SEXP to_r(const Value& value, SEXP kept, const std::string& path);
/// A handle of a value of an object of R, whose vectors it views and keeps.
SEXP from_r(SEXP x);
void make_view_class(DllInfo* info);

}  // namespace r_package
