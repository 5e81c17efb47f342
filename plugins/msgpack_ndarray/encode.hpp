// SPDX-License-Identifier: MIT
// Values to bytes.
#pragma once

#include <base/frame_room.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/view.hpp>

#include "codec.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::msgpack_ndarray {

/// Strings and binaries of at least this many bytes are referenced: a segment then costs less than
/// the copy.
inline constexpr std::uint64_t reference_size = 4096;

/// Containers with fewer items or entries are written by one thread.
inline constexpr std::uint64_t many_items = 2048;

/// Encodes values of the model. Large strings, binaries and contiguous arrays are referenced, not
/// copied. One object a call.
class Encoder {
 public:
  Encoder(const Settings& settings, const Call& call, Writer& out)
      : settings_(settings), call_(call), out_(out), max_depth_(call.limits().max_depth) {}

  /// The whole value, which must have been validated. Throws Error with the path of what cannot be
  /// written.
  void value(const polycodec_node* root);

 private:
  /// A container whose items are not all written yet. Its own node is the item before the cursor of
  /// the container around it.
  struct Frame {
    const polycodec_node* cursor;
    const polycodec_node* end;
  };
  /// Where the walk through one tree of nodes is.
  struct Walk {
    FrameRoom<Frame> frames;
    Frame here{};
    std::size_t depth = 0;  // of frames
    // The memory that is written to: what is before `o` is not committed yet.
    const std::uint8_t* begin = nullptr;
    std::uint8_t* o = nullptr;
    const std::uint8_t* limit = nullptr;

    const polycodec_node* owner(std::size_t level) const { return frames[level - 1].cursor - 1; }
    std::string path() const;
  };

  /// For items of a container of `whole`.
  Encoder(const Encoder& whole, const Call& call, Writer& out)
      : settings_(whole.settings_),
        call_(call),
        out_(out),
        max_depth_(whole.max_depth_),
        shares_(false),
        is_part_(true),
        root_(whole.root_),
        losses_settled_(whole.losses_settled_) {}

  void node(const polycodec_node* root, std::uint64_t depth);
  /// Goes on until all items at depth `last` of the walk are written.
  void loop(std::uint64_t depth, Walk& walk, std::size_t last);
  /// Writes the first items (or entries of `each` nodes) of the container at the cursor on several
  /// threads. Returns how many: the others are to be written one after another.
  std::uint64_t share(std::uint64_t depth, const Walk& walk, std::uint64_t each);
  /// Writes the item at the cursor: all of it, or the head of a container.
  void step(std::uint64_t depth, Walk& walk);
  /// Goes on below the root as long as nothing unusual comes, which is left to step(). `top`: where
  /// containers are too deep.
  void quick(Walk& walk, const Frame* top) const;
  void commit(Walk& walk);
  void reserve(Walk& walk, std::uint64_t size);
  void other(const polycodec_node& node, std::uint64_t depth);
  void extension(const polycodec_extension& extension);
  void stream(const polycodec_node& payload);
  bool packed_list(const polycodec_node& list);

  // With these attributes, its own or those of the node around it.
  void array(const polycodec_array& array, const polycodec_node* attributes, std::uint64_t depth);
  void leaf(const polycodec_array& leaf, std::string_view typestr,
            const polycodec_node* attributes);
  void time(const polycodec_time& time, bool is_duration);
  void typed_scalar(const polycodec_node& node);
  void ndarray_bytes(std::string_view typestr, const void* data, std::uint64_t size);
  // What is columnar and no numeric leaf as a whole, item by item as msgpack arrays and maps
  // (encode_columns.cpp).
  void item(const View& item, std::uint64_t depth);
  void part(const View& item, std::uint64_t depth);
  void items(const View& list, std::uint64_t depth);
  void members(const View& object, std::uint64_t depth);
  bool run_of_elements(const Elements& run);
  bool rows_of_numbers(const polycodec_array& records, std::uint64_t depth);
  void number(const View& item);

  void head(std::uint8_t* (*write)(std::uint8_t*, std::uint64_t) noexcept, std::uint64_t size);
  void ext(std::int8_t code, std::string_view body);
  void settle_losses();
  void lose_attributes(const polycodec_node* attributes);
  [[noreturn]] static void bad_text();
  void check_depth(std::uint64_t depth) const;

  const Settings& settings_;
  const Call& call_;
  Writer& out_;
  std::uint64_t max_depth_;
  bool shares_ = true;  // several threads may write long containers
  const bool is_part_ = false;
  const polycodec_node* root_ = nullptr;  // of the whole value
  bool losses_settled_ = false;
};

/// How many bytes encoding will write, if that is known without encoding (a single contiguous
/// array), or POLYCODEC_SIZE_UNKNOWN.
std::uint64_t encoded_size(const Settings& settings, NodeView value);

}  // namespace polycodec::msgpack_ndarray
