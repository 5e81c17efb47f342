// SPDX-License-Identifier: MIT
// Values as objects of Python.
#pragma once

#include "meter.hpp"
#include "python.hpp"

#include <unordered_map>

namespace polycodec_python {

/// Makes objects of Python from the parts of a value: None, bool, int, float, complex, str, bytes,
/// list, tuple, dict, times, and polycodec.Extension. The interpreter is locked as long as it
/// lives, and collects no cycles.
class ToPython {
 public:
  /// Makes an array of numpy for a leaf, or is empty: then leaves are lists.
  using MakeArray = nb::object (*)(const polycodec_array& leaf, const host::Value& owner);

  /// Both must outlive it.
  explicit ToPython(Meter& meter, MakeArray make_array = nullptr,
                    const host::Value* owner = nullptr);
  ~ToPython();
  ToPython(const ToPython&) = delete;
  ToPython& operator=(const ToPython&) = delete;

  /// The object for a node.
  nb::object node(const polycodec_node* n) {
    nb::object made = nb::steal(make(n, 0));
    meter_.finish();
    return made;
  }
  /// The same of a key of a map, which is hashable.
  nb::object key(const polycodec_node* n) {
    nb::object made = nb::steal(key(n, 0));
    meter_.finish();
    return made;
  }

 private:
  PyObject* make(const polycodec_node* n, int depth);
  PyObject* rare(const polycodec_node* n, int depth);
  PyObject* key(const polycodec_node* n, int depth);
  PyObject* list(const polycodec_node* n, int depth);
  PyObject* dict(const polycodec_node* n, int depth);
  PyObject* reference(const polycodec_node* n, int depth);
  PyObject* items(const polycodec_array& a, std::uint64_t first, std::uint64_t n, int depth);
  PyObject* item(const polycodec_array& a, std::uint64_t i, int depth);
  PyObject* leaf_item(const polycodec_array& a, std::uint64_t i);
  PyObject* row(const polycodec_array& a, std::uint64_t i, int depth);
  template <class Make>
  PyObject* list_of(std::uint64_t n, const Make& make);
  PyObject* text(const void* data, std::uint64_t size, bool binary);
  PyObject* element(const polycodec_array& leaf, const std::byte* data);
  PyObject* elements(const polycodec_array& a, const std::byte* data, std::uint32_t axis);

  /// While it lives, times have a zone if the attributes name one.
  class Zone {
   public:
    Zone(ToPython& of, const polycodec_node* attributes)
        : has_zone_(of.has_zone_), before_(of.has_zone_) {
      if (attributes != nullptr && !before_) has_zone_ = of.names_zone(attributes);
    }
    ~Zone() { has_zone_ = before_; }
    Zone(const Zone&) = delete;
    Zone& operator=(const Zone&) = delete;

   private:
    bool& has_zone_;
    const bool before_;
  };
  bool names_zone(const polycodec_node* attributes);

  Meter& meter_;
  MakeArray make_array_;
  const host::Value* owner_;
  std::unordered_map<const polycodec_node*, nb::object> targets_;  // of references
  bool collects_;
  bool has_zone_ = false;
  const polycodec_node* asked_ = nullptr;  // the last attributes that were looked at
  bool answer_ = false;
};

/// All of the part at `node` of a value.
inline nb::object to_python(const host::Value& value, const polycodec_node* node) {
  Meter meter(value);
  return ToPython(meter).node(node);
}
inline nb::object to_python(const host::Value& value) {
  return to_python(value, value.root());
}

/// One element of a leaf. A time has no zone, unless it `has_zone`: then it is in UTC.
PyObject* element_of(const polycodec_array& leaf, const std::byte* data, bool has_zone);
/// A timestamp (or duration) of these many units, and nanoseconds.
PyObject* time_of(bool is_duration, std::int64_t count, std::uint32_t nanoseconds,
                  std::uint32_t unit);

}  // namespace polycodec_python
