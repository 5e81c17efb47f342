// SPDX-License-Identifier: MIT
// Bytes to documents.
#pragma once

#include <base/frame_room.hpp>
#include <base/wanted.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/tolerant.hpp>

#include "codec.hpp"
#include "decode_shared.hpp"
#include "item_head.hpp"
#include "ndarray.hpp"
#include "quick_items.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::msgpack_ndarray {

/// Decodes msgpack. Strings, binaries, ext bodies and arrays are views into the input. One object a
/// call.
class Decoder {
 public:
  Decoder(const Settings& settings, const Call& call, std::string_view input, Builder& out);

  /// All of the input: one document, or a stream of several.
  const polycodec_node* all();
  /// The next document. Throws Error(Status::truncated) if the input ends within it.
  const polycodec_node* document();
  /// Bytes of the input that were taken.
  std::uint64_t position() const noexcept { return static_cast<std::uint64_t>(at_ - begin_); }
  /// What was mended, and which keys of arrays are left out.
  const MendNotes& notes() const noexcept { return notes_; }

 private:
  /// A container whose items are not all there yet. Its own node is the item before the cursor of
  /// the container around it.
  struct Frame {
    polycodec_node* cursor;     // its next item
    polycodec_node* end;        // after its last item
    const std::uint8_t* start;  // its first byte
    // Its items, and what they contain, begin before it: what follows is due to the containers
    // around it.
    const std::uint8_t* bound;
    // What is likely to come, or null: in a map, the next key of the same map in the record before;
    // in a list, a container like the next one.
    const polycodec_node* like;
  };

  /// For the value of a key of an array ext, whose decoder is `outer`.
  Decoder(const Decoder& outer, std::string_view item);
  /// For a run of items of `whole`.
  Decoder(const Decoder& whole, const Call& call, Builder& out, const ItemRun& run);
  /// True if several threads are to read the next item, a document or a part of it.
  bool is_shared() const;
  /// Reads the next item with them. False, at the same place, if one thread is to read it.
  bool read_shared(polycodec_node* root);
  /// Reads the run that this is for.
  void items(const ItemRun& run);
  /// The array with these keys as attributes.
  const polycodec_array* with_attributes(const polycodec_array& array,
                                         const std::vector<FoundKey>& keys,
                                         const std::uint8_t* start);

  void run(polycodec_node* root);
  /// Goes on until all items at depth `last` are there.
  void loop(std::size_t last);
  /// The item at `here_`, all of it or the head of a container.
  void item();
  void open(std::uint64_t kind, const ItemHead& head);
  /// Goes on after the node of the item.
  void take_place();
  /// The container at `here_` is whole.
  void close();
  /// Goes on from `here_`, below the document itself, as long as nothing unusual comes: that, and
  /// all that is wrong, is left to item().
  void quick();
  /// Makes nodes from `memory` up to `end`. Returns where the memory is free. What it is given
  /// cannot be computed anew in its loop.
  template <bool is_tail>
  [[gnu::noinline]] polycodec_node* quick(polycodec_node* memory, polycodec_node* end);
  /// So few bytes take less time one item after another.
  static constexpr std::ptrdiff_t few_bytes = 8;
  /// More bytes than that follow, and they may begin what quick() reads.
  bool has_usual() const noexcept { return end_ - at_ > few_bytes && is_usual(at_); }
  bool is_tail() const noexcept { return end_ - at_ <= static_cast<std::ptrdiff_t>(quick_window); }
  void copy_tail();
  [[gnu::noinline]] static const std::uint8_t* bound_within(const std::uint8_t* bound, Frame* outer,
                                                            const Frame* frame) noexcept;
  polycodec_node* owner(std::size_t level) const { return frames_[level - 1].cursor - 1; }
  static constexpr std::uint64_t all_rows = UINT64_MAX;
  const polycodec_node* document(std::uint64_t rows, bool may_share);
  /// The next item: all of it, or its wanted members where it or its items are maps that have them,
  /// and the first `rows` items of the outermost list on the way to them.
  void part(polycodec_node* node, const Wanted& wanted, std::uint64_t rows, std::uint64_t depth);
  void part_of_list(polycodec_node* node, const std::uint8_t* start, std::uint64_t size,
                    const Wanted& wanted, std::uint64_t rows, std::uint64_t depth);
  /// False, at any place, if a wanted member is missing or a key is not a text.
  bool part_of_map(polycodec_node* node, const std::uint8_t* start, std::uint64_t size,
                   const Wanted& wanted, std::uint64_t rows, std::uint64_t depth);
  ItemHead head() const;
  /// Passes the next item, with all that it contains.
  void pass();
  void ext(polycodec_node* node, std::int8_t code, std::string_view body,
           const std::uint8_t* start);
  /// Notes what was mended at `where` in the current item.
  void note(LossClass loss, const std::string& what, const std::uint8_t* where);
  void finish_map(polycodec_node& map, const std::uint8_t* start);
  const polycodec_node* stream(const polycodec_node* first);
  void take_nodes(std::uint64_t count, const std::uint8_t* start);
  void take_levels(std::uint64_t depth, const std::uint8_t* start);

  std::string current_path() const;
  [[noreturn]] void fail(Status status, const char* detail, std::string message,
                         const std::uint8_t* where) const;
  [[noreturn]] void fail_depth(const std::uint8_t* start) const;
  [[noreturn]] void fail_within(Error& error, const std::uint8_t* start) const;
  /// Calls body(), whose errors are of the item at `start`.
  template <class Body>
  auto within(const std::uint8_t* start, const Body& body) const {
    try {
      return body();
    } catch (Error& e) {
      fail_within(e, start);
    }
  }

  const Settings& settings_;
  const Call& call_;
  Builder& out_;
  const std::uint8_t* begin_;
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  const Wanted wanted_;
  const std::uint64_t rows_;
  const std::uint64_t first_row_ = 0;  // where rows_ is not all
  std::uint64_t nodes_left_;
  std::uint64_t max_depth_;  // levels of a document: fewer than the limit where the document is one
                             // of a stream
  const bool is_part_ = false;  // of a document that several threads read
  std::uint64_t deepest_ = 0;
  std::uint64_t document_number_ = 0;
  FrameRoom<Frame> frames_;
  /// An entry of a map that part_of_map() reads.
  struct Kept {
    const Wanted* wanted;
    polycodec_node entry[2];
  };
  std::vector<Kept> kept_;  // of all such maps around here
  /// A child of a container that part() reads.
  struct Step {
    const polycodec_node* owner;
    std::uint64_t child;
  };
  std::vector<Step> way_;  // from the document to what run() reads
  Skipper skip_;
  MendNotes notes_;
  // Where run() is: in a container at this depth, the document being one of depth 0.
  Frame here_{};
  polycodec_node* stop_ = nullptr;  // the end of this container, or of a slice of it
  std::size_t depth_ = 0;
  // Dates that quick() put into `memory`, between the nodes of containers.
  std::uint64_t times_ = 0;
  // The end of the input, once it is needed, and where that begins.
  const std::uint8_t* tail_begin_ = nullptr;
  std::uint8_t tail_[2 * quick_window];
};

}  // namespace polycodec::msgpack_ndarray
