// SPDX-License-Identifier: MIT
// Arrays of the MEX API: what Octave and MATLAB have in common.
#pragma once

#include <polycodec/items.h>
#include <polycodec/path.hpp>
#include <polycodec/polycodec.hpp>

#ifndef MX_HAS_INTERLEAVED_COMPLEX
#define MX_HAS_INTERLEAVED_COMPLEX 1  // in Octave; the command `mex` of MATLAB sets it
#endif
#include <mex.h>
#ifdef HAVE_OCTAVE
/// Octave looks for this name, and then hands over complex numbers as pairs.
extern "C" __attribute__((visibility("default"))) const int __mx_has_interleaved_complex__ = 1;
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if !MX_HAS_INTERLEAVED_COMPLEX
#error "compile with -R2018a: complex numbers are pairs, as in values"
#endif

namespace octave_package {

using namespace polycodec;
using Shape = std::vector<std::uint64_t>;

/// The first field of structs that hold what the language has no type for.
inline constexpr const char* mark = "polycodec";
/// Units of time by number, see polycodec_time_unit.
inline constexpr std::string_view time_units[] = {"",  "Y",  "M",  "W",  "D",  "h",  "m",
                                                  "s", "ms", "us", "ns", "ps", "fs", "as"};

/// Where a walk is, for errors.
class Path {
 public:
  /// A step, which ends with the object.
  class Step {
   public:
    template <class Place>
    Step(Path& path, const Place& place) : step_(path.text_, place), depth_(path.depth_) {
      if (++depth_ > 1000) path.fail(Status::limit, "octave.depth", "the value is nested too deeply");
    }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { --depth_; }

   private:
    PathStep step_;
    unsigned& depth_;
  };
  /// A step to a member by name, to an item by number, or to a Part.
  template <class Place>
  Step to(const Place& place) {
    return {*this, place};
  }
  /// `below`: the rest of the path.
  [[noreturn]] void fail(Status code, const char* detail, const std::string& message,
                         std::string_view below = {}) const {
    throw Error(code, message).detail(detail).path(text_ + std::string(below));
  }

 private:
  std::string text_{path_root};
  unsigned depth_ = 0;
};

/// What a function of the language gives.
inline mxArray* call(const char* function, std::initializer_list<const mxArray*> arguments) {
  std::vector<mxArray*> given;
  for (const mxArray* const each : arguments) given.push_back(const_cast<mxArray*>(each));
  mxArray* made = nullptr;
  mexCallMATLAB(1, &made, static_cast<int>(given.size()), given.data(), function);
  return made;
}

// -- text and bytes --

/// True for a row of characters.
inline bool is_text(const mxArray* from) {
  return from != nullptr && mxIsChar(from) && mxGetNumberOfDimensions(from) == 2 &&
         (mxGetM(from) == 1 || mxGetNumberOfElements(from) == 0);
}
inline std::string_view bytes_of(const mxArray* from) {
  return {static_cast<const char*>(mxGetData(from)), mxGetNumberOfElements(from) * mxGetElementSize(from)};
}
/// UTF-8 of characters, which Octave holds as it is and MATLAB in UTF-16.
inline std::string text_of(const mxArray* from) {
  if (from == nullptr || !mxIsChar(from)) throw Error(Status::type, "text is needed").detail("octave.type");
  if (sizeof(mxChar) == 1) return std::string(bytes_of(from));
  char* const utf8 = mxArrayToString(from);
  std::string text(utf8);
  mxFree(utf8);
  return text;
}
inline mxArray* to_text(std::string_view text) {
  if (sizeof(mxChar) != 1) return mxCreateString(std::string(text).c_str());
  const mwSize dims[2] = {static_cast<mwSize>(text.empty() ? 0 : 1), static_cast<mwSize>(text.size())};
  mxArray* const made = mxCreateCharArray(2, dims);
  if (!text.empty()) std::memcpy(mxGetData(made), text.data(), text.size());
  return made;
}
inline mxArray* to_bytes_row(std::string_view bytes) {
  mxArray* const made = mxCreateNumericMatrix(1, static_cast<mwSize>(bytes.size()), mxUINT8_CLASS, mxREAL);
  if (!bytes.empty()) std::memcpy(mxGetData(made), bytes.data(), bytes.size());
  return made;
}

// -- cells and structs --

inline mxArray* cell_of(const mxArray* from, std::size_t i) { return mxGetCell(from, static_cast<mwIndex>(i)); }
inline void set_cell(mxArray* to, std::size_t i, mxArray* item) { mxSetCell(to, static_cast<mwIndex>(i), item); }

inline mxArray* to_null() { return mxCreateDoubleMatrix(0, 0, mxREAL); }
inline bool is_null(const mxArray* from) {
  return from == nullptr ||
         (mxIsDouble(from) && mxGetNumberOfDimensions(from) == 2 && mxGetM(from) == 0 && mxGetN(from) == 0);
}
inline mxArray* to_struct(std::initializer_list<std::pair<const char*, mxArray*>> fields) {
  mxArray* const made = mxCreateStructMatrix(1, 1, 0, nullptr);
  for (const auto& [name, value] : fields) mxSetFieldByNumber(made, 0, mxAddField(made, name), value);
  return made;
}
/// True for a struct of a value and its units.
inline bool is_quantity(const mxArray* from) {
  return mxIsStruct(from) && mxGetNumberOfElements(from) == 1 && mxGetNumberOfFields(from) == 2 &&
         mxGetField(from, 0, "value") != nullptr && is_text(mxGetField(from, 0, "units"));
}
/// The kind that the first field of such a struct names; empty for any other.
inline std::string mark_of(const mxArray* from) {
  if (!mxIsStruct(from) || mxGetNumberOfElements(from) != 1 || mxGetNumberOfFields(from) < 2 ||
      std::strcmp(mxGetFieldNameByNumber(from, 0), mark) != 0 || !is_text(mxGetField(from, 0, mark)))
    return {};
  return text_of(mxGetField(from, 0, mark));
}

// -- numbers --

struct Class {
  std::uint32_t dtype;
  mxClassID id;
  const char* name = nullptr;
  mxComplexity parts = mxREAL;
};
/// Element types and classes: from a class the first that has it.
inline constexpr Class classes[] = {{POLYCODEC_DTYPE_BOOLEAN, mxLOGICAL_CLASS, "logical"},
                                    {POLYCODEC_DTYPE_INT8, mxINT8_CLASS, "int8"},
                                    {POLYCODEC_DTYPE_INT16, mxINT16_CLASS, "int16"},
                                    {POLYCODEC_DTYPE_INT32, mxINT32_CLASS, "int32"},
                                    {POLYCODEC_DTYPE_INT64, mxINT64_CLASS, "int64"},
                                    {POLYCODEC_DTYPE_UINT8, mxUINT8_CLASS, "uint8"},
                                    {POLYCODEC_DTYPE_UINT16, mxUINT16_CLASS, "uint16"},
                                    {POLYCODEC_DTYPE_UINT32, mxUINT32_CLASS, "uint32"},
                                    {POLYCODEC_DTYPE_UINT64, mxUINT64_CLASS, "uint64"},
                                    {POLYCODEC_DTYPE_FLOAT32, mxSINGLE_CLASS, "single"},
                                    {POLYCODEC_DTYPE_FLOAT64, mxDOUBLE_CLASS, "double"},
                                    {POLYCODEC_DTYPE_COMPLEX64, mxSINGLE_CLASS, "single", mxCOMPLEX},
                                    {POLYCODEC_DTYPE_COMPLEX128, mxDOUBLE_CLASS, "double", mxCOMPLEX}};

/// POLYCODEC_DTYPE_NONE for what are not numbers, or are sparse.
inline std::uint32_t dtype_of_class(const mxArray* from) {
  if (from == nullptr) return POLYCODEC_DTYPE_NONE;
  const mxComplexity parts = mxIsComplex(from) ? mxCOMPLEX : mxREAL;
  for (const Class& each : classes)
    if (each.id == mxGetClassID(from) && each.parts == parts && !mxIsSparse(from)) return each.dtype;
  return POLYCODEC_DTYPE_NONE;
}
/// The class for elements of a type, of float16 the next wider one; null if no class holds them.
inline const Class* class_of(std::uint32_t dtype) {
  if (dtype == POLYCODEC_DTYPE_FLOAT16) dtype = POLYCODEC_DTYPE_FLOAT32;
  if (dtype == POLYCODEC_DTYPE_COMPLEX32) dtype = POLYCODEC_DTYPE_COMPLEX64;
  const auto* const found = std::ranges::find(classes, dtype, &Class::dtype);
  return found == std::end(classes) ? nullptr : found;
}
/// The bits of NA, which a missing number becomes; none where the type has no NA. MATLAB shows NaN and keeps the bits.
inline std::string_view missing_of(std::uint32_t dtype) {
  static constexpr std::uint64_t missing_double = 0x7ff840f440000000;
  static constexpr std::uint32_t missing_single = 0x7fc207a2;
  if (dtype == POLYCODEC_DTYPE_FLOAT64) return {reinterpret_cast<const char*>(&missing_double), sizeof missing_double};
  if (dtype == POLYCODEC_DTYPE_FLOAT32) return {reinterpret_cast<const char*>(&missing_single), sizeof missing_single};
  return {};
}

/// An array of zeros, or of anything. Octave copies those of the MEX API when they are returned, and
/// gives those of complex numbers too little memory, so that large and complex ones are its own.
inline mxArray* new_array(const Class& of, const std::vector<mwSize>& dims) {
  const auto rank = static_cast<mwSize>(dims.size());
  if (of.id == mxLOGICAL_CLASS) return mxCreateLogicalArray(rank, dims.data());
  if (of.parts == mxREAL && (dims[0] < 1u << 16 || sizeof(mxChar) != 1))
    return mxCreateUninitNumericArray(rank, dims.data(), of.id, mxREAL);
  mxArray* const lengths = mxCreateDoubleMatrix(1, rank, mxREAL);
  std::ranges::copy(dims, static_cast<double*>(mxGetData(lengths)));
  mxArray* const made = call("zeros", {lengths, mxCreateString(of.name)});
  return of.parts == mxREAL ? made : call("complex", {made});
}

/// The array with its axes in reverse order: rows that follow each other become columns that do.
inline mxArray* reversed(const mxArray* from) {
  const mwSize rank = mxGetNumberOfDimensions(from);
  mxArray* const order = mxCreateDoubleMatrix(1, rank, mxREAL);
  for (mwSize i = 0; i < rank; ++i) static_cast<double*>(mxGetData(order))[i] = static_cast<double>(rank - i);
  return call("permute", {from, order});
}
/// The lengths of the axes in reverse order; of a vector those of a column.
inline std::vector<mwSize> reversed(const Shape& shape) {
  std::vector<mwSize> dims(shape.rbegin(), shape.rend());
  while (dims.size() < 2) dims.push_back(1);
  return dims;
}

}  // namespace octave_package
