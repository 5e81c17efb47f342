// SPDX-License-Identifier: MIT
// The properties of every statement that is kept as text.
#pragma once

#include <base/words.hpp>

#include <array>
#include <string_view>

namespace polycodec::obj {

// What a property takes of the words that are left.
enum class Take : char {
  none,
  text,      // all of them
  word,      // one
  number,    // one
  maybe,     // a number, if there is one
  flag,      // the word of its own name, if it is there
  words,     // all, as a list
  numbers,   // all, as a list
  indices,   // all, as a list of indices
  corners,   // all, as three lists of indices
  repeated,  // number or index in groups with the properties after it, each as a list
};

struct Property {
  std::string_view name;
  Take take = Take::none;
  bool index = false;  // in a group: an index, not a number
  bool whole = false;  // an integer, where it is one
};

struct Form {
  std::string_view codes;  // of the statements
  std::string_view first;  // the first word, where it decides about the others
  std::array<Property, 5> properties;
};

inline constexpr Property technique{"technique", Take::word};
inline constexpr Form forms[] = {
    {"o usemtl mtllib usemap maplib shadow_obj trace_obj", "", {{{"value", Take::text}}}},
    {"g", "", {{{"labels", Take::words}}}},
    {"s bevel c_interp d_interp", "", {{{"state", Take::word}}}},
    {"mg", "", {{{"state", Take::word}, {"resolution", Take::maybe}}}},
    {"lod", "", {{{"value", Take::number, false, true}}}},
    {"ctech", "cparm", {{technique, {"resolution", Take::number}}}},
    {"ctech stech", "cspace", {{technique, {"maxlength", Take::number}}}},
    {"ctech stech", "curv", {{technique, {"maxdist", Take::number}, {"maxangle", Take::number}}}},
    {"stech", "cparma", {{technique, {"ures", Take::number}, {"vres", Take::number}}}},
    {"stech", "cparmb", {{technique, {"uvres", Take::number}}}},
    {"cstype", "", {{{"rat", Take::flag}, {"type", Take::word}}}},
    {"deg", "", {{{"degu", Take::number, false, true}, {"degv", Take::maybe, false, true}}}},
    {"bmat", "", {{{"direction", Take::word}, {"matrix", Take::numbers}}}},
    {"step", "", {{{"stepu", Take::number}, {"stepv", Take::maybe}}}},
    {"parm", "", {{{"direction", Take::word}, {"parameter", Take::numbers}}}},
    {"curv",
     "",
     {{{"starting_param", Take::number},
       {"ending_param", Take::number},
       {"vertex_index", Take::indices}}}},
    {"curv2", "", {{{"parameter_index", Take::indices}}}},
    {"surf",
     "",
     {{{"starting_param_u", Take::number},
       {"ending_param_u", Take::number},
       {"starting_param_v", Take::number},
       {"ending_param_v", Take::number},
       {"vertex_index", Take::corners}}}},
    {"trim hole scrv",
     "",
     {{{"starting_param", Take::repeated},
       {"ending_param", Take::repeated},
       {"curve_index", Take::repeated, true}}}},
    {"con",
     "",
     {{{"surface_index", Take::repeated, true},
       {"starting_param", Take::repeated},
       {"ending_param", Take::repeated},
       {"curve_index", Take::repeated, true}}}},
    {"sp", "", {{{"param_index", Take::indices}}}},
    {"end", "", {}},
};

/// The form of a statement, or NULL; `first` is its first word.
inline const Form* form_of(std::string_view code, std::string_view first) {
  for (const Form& form : forms)
    if (has_word(form.codes, code) && (form.first.empty() || form.first == first)) return &form;
  return nullptr;
}

}  // namespace polycodec::obj
