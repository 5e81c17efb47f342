// SPDX-License-Identifier: MIT
// From values to JSON, and what is lost on the way.
#include <base/depth.hpp>
#include <base/dtype_names.hpp>
#include <base/item_blocks.hpp>
#include <base/json_writer.hpp>
#include <base/seeded_hash.hpp>
#include <model/loss_search.hpp>
#include <polycodec/detail/layout_fields.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "core/text/attributes.hpp"
#include "core/text/scalar.hpp"
#include "core/text/time.hpp"
#include "registry/json/json_codec.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <utility>

namespace polycodec::json {
namespace {

constexpr std::uint64_t run_of_numbers = 1024;

/// True if an array or one inside of it has attributes. The nodes of arrays of documents are values
/// of their own.
bool has_attributes(const Call& call, const polycodec_array& a) {
  call.check_stack();
  call.tick(1 + a.n_children);
  if (has_lossy_attribute(a.metadata)) return true;
  const auto children = children_of(a);
  return std::ranges::any_of(children,
                             [&](const auto* child) { return has_attributes(call, *child); });
}

/// The nearest double to each of the two parts of a complex number.
std::pair<double, double> parts_of(const std::byte (&bits)[16], std::uint32_t dtype) {
  if (dtype == POLYCODEC_DTYPE_COMPLEX64) {
    float parts[2];
    std::memcpy(parts, bits, sizeof parts);
    return {double{parts[0]}, double{parts[1]}};
  }
  double parts[2];
  std::memcpy(parts, bits, sizeof parts);
  return {parts[0], parts[1]};
}

/// A walk over a value, which writes it, or finds what is lost.
template <bool writes>
class Walk {
 public:
  Walk(const Call& call, text::TextOut& out, unsigned indent, NodeView whole,
       Writer* shared = nullptr)
      : call_(call),
        meter_(call),
        out_(out),
        json_(out, indent),
        whole_(whole),
        shared_(shared),
        is_settled_(false) {}
  /// For items of the container that is open in `around`.
  Walk(const Walk& around, const Call& call, text::TextOut& out, bool first)
      : call_(call),
        meter_(call),
        out_(out),
        json_(around.json_, out, first),
        whole_(around.whole_),
        is_part_(true),
        is_settled_(around.is_settled_),
        depth_(around.depth_) {}

  void document() {
    value(whole_);
    out_.put('\n');
  }
  void lines() {
    const View value = whole_;
    if (!value.is_list())
      throw Error(Status::unsupported,
                  "JSON Lines hold the items of a list, one a line, and this is not a list (" +
                      std::string(kind_name(value.kind())) + "): write it as 'json'")
          .detail("json.lines")
          .path(std::string(path_root));
    lose_attributes(value);
    const Level level(*this);
    items(value, [](Walk& walk, const View& v) {
      walk.item(v);
      walk.out_.put('\n');
    });
  }
  const Losses& find() {
    value(whole_);
    return losses_;
  }

 private:
  /// Each level of nesting.
  class Level {
   public:
    explicit Level(Walk& walk) : walk_(walk) {
      if (walk_.depth_ >= walk_.call_.limits().max_depth)
        throw Error(Status::limit, "the value nests deeper than max_depth (" +
                                       std::to_string(walk_.call_.limits().max_depth) +
                                       "), or a reference makes a cycle")
            .detail("json.limit");
      walk_.call_.check_stack();
      ++walk_.depth_;
    }
    ~Level() { --walk_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Walk& walk_;
  };

  // -- what is lost --

  /// All losses are told at once, before the first of them is left out.
  void lose(LossClass loss, const std::string& what) {
    if constexpr (writes) {
      settle();
    } else {
      meter_.tick(8 + (path_.size() + what.size()) / 8);
      if (said_.insert(path_ + what).second) losses_.add(path_, what, loss);
    }
  }
  void settle() {
    if (is_settled_) return;
    if (is_part_) throw Error(Status::unsupported, "the losses are found in the whole value");
    is_settled_ = true;
    std::string nothing;
    text::TextOut nowhere(nothing);
    Walk<false> search(call_, nowhere, 0, whole_);
    losses_ = search.find();
    add_attribute_losses(whole_, losses_, call_);
    losses_.settle(call_, "JSON", "json.lossy");
  }
  void lose_attributes(const View& value) {
    if constexpr (writes) {
      if (is_settled_) return;
      if (has_lossy_attribute(value.metadata()) ||
          (value.array() != nullptr && has_attributes(call_, *value.array())))
        settle();
    }
  }

  // -- values --

  void put(std::string_view text) {
    if constexpr (writes) out_.put(text);
  }
  template <class Write>
  void number(Write write) {
    if constexpr (writes) out_.put_with(write);
  }
  /// A value as an item, whose path is that of all items.
  void item(const View& value) {
    const std::size_t size = path_.size();
    if constexpr (!writes) {
      if (size < max_path) path_ += "[*]";
    }
    this->value(value);
    path_.resize(size);
  }
  void member(std::string_view name, const View& value) {
    if constexpr (writes) json_.key(name);
    const std::size_t size = path_.size();
    if constexpr (!writes) {
      if (size < max_path) append_key(path_, name);
    }
    this->value(value);
    path_.resize(size);
  }
  void open(char bracket) {
    if constexpr (writes) json_.open(bracket);
  }
  void close(char bracket) {
    if constexpr (writes) json_.close(bracket);
  }
  void next() {
    if constexpr (writes) json_.item();
  }

  void value(const View& v) {
    meter_.tick(4);
    lose_attributes(v);
    switch (v.kind()) {
      case POLYCODEC_KIND_NULL:
        return put("null");
      case POLYCODEC_KIND_BOOLEAN:
        return put(v.as_bool() ? "true" : "false");
      case POLYCODEC_KIND_SIGNED:
        return number([&](char* p) { return text::write_signed(p, v.as_int64()); });
      case POLYCODEC_KIND_UNSIGNED:
        return number([&](char* p) { return text::write_unsigned(p, v.as_uint64()); });
      case POLYCODEC_KIND_FLOAT:
        return real(v.as_double());
      case POLYCODEC_KIND_WIDE:
        return wide(v);
      case POLYCODEC_KIND_STRING:
        return string(v.as_string(scratch_));
      case POLYCODEC_KIND_BINARY:
        return bytes(v.as_bytes());
      case POLYCODEC_KIND_TIMESTAMP:
        return time(v.as_time());
      case POLYCODEC_KIND_DURATION:
        return duration(v.as_time());
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        return list(v);
      case POLYCODEC_KIND_OBJECT:
        return object(v);
      case POLYCODEC_KIND_MAP:
        return map(v);
      case POLYCODEC_KIND_EXTENSION:
        lose(LossClass::type, "the extension " + quote(v.name()));
        return inner(v.child());
      case POLYCODEC_KIND_UNION:
        lose(LossClass::type, "which member of a union this is");
        return inner(v.child());
      case POLYCODEC_KIND_REFERENCE:
        return inner(v.target());
      default:
        throw Error(Status::invalid, "a node of unknown kind " + std::to_string(v.kind()));
    }
  }
  void inner(const View& v) {
    const Level level(*this);
    value(v);
  }

  /// Whatever its width: all readers have doubles, and each is to get the same number.
  void real(double number) {
    if (!std::isfinite(number)) {
      lose(LossClass::data, "a number that is not finite, where JSON has null");
      return put("null");
    }
    this->number([&](char* p) { return text::write_double(p, number); });
  }

  void wide(const View& v) {
    std::byte bits[16];
    v.copy_bits(bits);
    switch (v.dtype()) {
      case POLYCODEC_DTYPE_INT128:
      case POLYCODEC_DTYPE_UINT128: {
        text::Uint128 integer;
        std::memcpy(&integer, bits, sizeof integer);
        return number([&](char* p) {
          return v.dtype() == POLYCODEC_DTYPE_INT128
                     ? text::write_signed128(p, static_cast<text::Int128>(integer))
                     : text::write_unsigned128(p, integer);
        });
      }
      case POLYCODEC_DTYPE_COMPLEX64:
      case POLYCODEC_DTYPE_COMPLEX128: {
        lose(LossClass::type, "a complex number, as a list of two numbers");
        const auto [re, im] = parts_of(bits, v.dtype());
        put("[");
        real(re);
        put(", ");
        real(im);
        return put("]");
      }
      default:
        lose(LossClass::data, "a number of type " + std::string(dtype_name(v.dtype())));
        return put("null");
    }
  }

  void string(std::string_view text) {
    meter_.tick(text.size() / 16);
    if (!is_utf8(text)) {
      lose(LossClass::data, "text that is not UTF-8");
      return put("null");
    }
    if constexpr (writes) out_.put_quoted(text);
  }

  void bytes(std::string_view data) {
    meter_.tick(data.size() / 16);
    lose(LossClass::type, "bytes, as text in base64");
    if constexpr (writes) out_.put_base64(data.data(), data.size());
  }

  bool is_no_time(const polycodec_time& time) {
    if (time.count != text::not_a_time) return false;
    lose(LossClass::data, "a time that is not a time (NaT), where JSON has null");
    put("null");
    return true;
  }
  void time(const polycodec_time& time) {
    if (is_no_time(time)) return;
    if (time.unit == POLYCODEC_UNIT_NONE) {
      lose(LossClass::type, "a time without a unit, as a number");
      return number([&](char* p) { return text::write_signed(p, time.count); });
    }
    lose(LossClass::type, "a time, as text");
    if constexpr (writes) {
      char text[text::max_time_size];
      const char* const end = text::write_time(text, time);
      out_.put_quoted({text, static_cast<std::size_t>(end - text)});
    }
  }
  void duration(const polycodec_time& time) {
    if (is_no_time(time)) return;
    const std::string_view unit = time_unit_name(time.unit);
    lose(LossClass::data, "the unit of a duration (" + std::string(unit) + ")");
    number([&](char* p) { return text::write_signed(p, time.count); });
  }

  void list(const View& v) {
    const Level level(*this);
    open('[');
    if (const auto run = v.elements(); !run || !numbers(*run))
      items(v, [](Walk& walk, const View& each) {
        walk.next();
        walk.item(each);
      });
    close(']');
  }

  /// Calls each(Walk&, item) for the items, on several threads if there are many.
  template <class Each>
  void items(const View& v, const Each& each) {
    std::uint64_t i = 0;
    const std::uint64_t size = v.size();
    if constexpr (writes) {
      if (size >= many_items && shared_ != nullptr && call_.threads() > 1) {
        for (std::uint64_t next = 0; i < size; i = next) {
          out_.finish();
          next = write_item_blocks(
              call_, *shared_, i, size,
              [&](const Call& call, Writer& out, std::uint64_t from, std::uint64_t to) {
                text::TextOut text(out);
                Walk part(*this, call, text, from == 0);
                for (std::uint64_t k = from; k < to; ++k) each(part, v.child(k));
              });
          if (next != 0) json_.passed();
          // What a part cannot write, this writes or refuses.
          if (next < size) each(*this, v.child(next++));
        }
      }
    }
    for (; i < size; ++i) each(*this, v.child(i));
  }

  /// Writes numbers that JSON has as they are. False if there are others.
  bool numbers(const Elements& run) {
    if (run.dtype == POLYCODEC_DTYPE_FLOAT64) {
      meter_.tick(run.count);
      const Column<double> doubles(run.data, run.count, run.stride, run.byte_order);
      for (const double number : doubles)
        if (!std::isfinite(number)) return false;
    } else if (run.dtype != POLYCODEC_DTYPE_BOOLEAN && !is_integer(run.dtype)) {
      return false;
    }
    if constexpr (writes) {
      polycodec_array leaf{};
      leaf.layout = POLYCODEC_LAYOUT_NDARRAY;
      leaf.dtype = static_cast<decltype(leaf.dtype)>(run.dtype);
      leaf.item_size = run.item_size;
      leaf.byte_order = run.byte_order;
      const text::ElementPrinter printer(leaf);
      const std::uint64_t step = json_.is_broken() ? 1 : run_of_numbers;
      for (std::uint64_t i = 0; i < run.count; i += step) {
        const std::uint64_t n = std::min(step, run.count - i);
        meter_.tick(4 * n);
        json_.item();
        printer.put_run(out_, run.data + static_cast<std::int64_t>(i) * run.stride, n, run.stride);
      }
    }
    return true;
  }

  void object(const View& v) {
    const Level level(*this);
    const polycodec_node* const node = v.node();
    const bool is_clean = node == nullptr || text::has_record_keys(NodeView(node).entries());
    SeededSet<std::string_view> seen;
    open('{');
    for (std::uint64_t i = 0; i < v.size(); ++i) {
      const std::string_view name = v.name(i);
      meter_.tick(1 + name.size() / 16);
      if (!is_clean) {
        if (!is_utf8(name)) {
          lose(LossClass::data, "a member whose key is not UTF-8");
          continue;
        }
        if (!seen.insert(name).second) {
          lose(LossClass::data, "a second member with the key " + quote(name));
          continue;
        }
      }
      member(name, v.child(i));
    }
    close('}');
  }

  void map(const View& v) {
    if (text::has_text_keys(NodeView(v.node()).entries())) {
      const Level level(*this);
      open('{');
      for (std::uint64_t i = 0; i < v.size(); ++i) member(v.key(i).as_string(), v.child(i));
      return close('}');
    }
    lose(LossClass::type, "a map whose keys are not different strings, as a list of pairs");
    const Level level(*this);
    open('[');
    for (std::uint64_t i = 0; i < v.size(); ++i) {
      next();
      const Level pair(*this);
      open('[');
      next();
      item(v.key(i));
      next();
      item(v.child(i));
      close(']');
    }
    close(']');
  }

  /// Paths end here: otherwise a deep value would take the square of its depth.
  static constexpr std::size_t max_path = 1024;
  /// Lists with fewer items are written by one thread.
  static constexpr std::uint64_t many_items = 2048;

  const Call& call_;
  Meter meter_;
  text::TextOut& out_;
  JsonWriter json_;
  const NodeView whole_;
  Writer* const shared_ = nullptr;  // what long lists are written to on threads; null: they are not
  const bool is_part_ = false;
  Losses losses_;
  bool is_settled_;
  std::uint32_t depth_ = 0;
  std::string scratch_;
  std::string path_{path_root};
  std::set<std::string> said_;
};

}  // namespace

void write(const Call& call, NodeView value, unsigned indent, Writer& out) {
  text::TextOut target(out);
  Walk<true>(call, target, indent, value, &out).document();
}

void write_lines(const Call& call, NodeView value, Writer& out) {
  text::TextOut target(out);
  Walk<true>(call, target, 0, value, &out).lines();
}

}  // namespace polycodec::json
