// SPDX-License-Identifier: MIT
#include "value_tree.hpp"

#include <polycodec/array_view.hpp>
#include <polycodec/quote.hpp>

#include "common/json.hpp"
#include "common/terminal.hpp"

#include <algorithm>

namespace polycodec::cli {
namespace {

constexpr std::size_t deepest = 2000;      // levels that fit on every stack
constexpr std::size_t preview_items = 3;   // shown from each end of an array
constexpr std::size_t preview_bytes = 60;  // of one item

/// Cuts text to about `limit` bytes at a character boundary.
std::string cut(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) --end;
  return text.substr(0, end) + "...";
}

std::string plural(std::uint64_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

class Maker {
 public:
  Maker(const Value& value, const TreeOptions& options) : value_(value), options_(options) {}

  TreeNode node(NodeView v, std::string label, std::size_t depth) {
    TreeNode out;
    out.label = std::move(label);
    bytes_ += sizeof out + out.label.size();
    switch (v.kind()) {
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        out.what = std::string(kind_name(v.kind())) + " of " + plural(v.size(), "item", "items");
        children(out, v.size(), depth, [&](std::uint64_t i) {
          return node(v[i], "[" + std::to_string(i) + "]", depth + 1);
        });
        break;
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:
        out.what =
            std::string(kind_name(v.kind())) + " of " + plural(v.size(), "member", "members");
        children(out, v.size(), depth, [&](std::uint64_t i) {
          const NodeView key = v.key(i);
          return node(
              v.value(i),
              key.is_string() ? cut(std::string(key.as_string().substr(0, 44)), 40) : preview(key),
              depth + 1);
        });
        break;
      case POLYCODEC_KIND_ARRAY:
        array(out, v.as_array(), depth);
        break;
      case POLYCODEC_KIND_EXTENSION:
        out.what = "extension " + quote(to_string_view(v.as_extension().name));
        children(out, 1, depth, [&](std::uint64_t) {
          return node(NodeView(v.as_extension().payload), "payload", depth + 1);
        });
        break;
      case POLYCODEC_KIND_UNION:
        out.what = "alternative " + std::to_string(v.as_tagged().tag);
        children(out, 1, depth, [&](std::uint64_t) {
          return node(NodeView(v.as_tagged().node), "value", depth + 1);
        });
        break;
      case POLYCODEC_KIND_REFERENCE:
        out.what = "reference";
        break;
      case POLYCODEC_KIND_STRING:
        out.what = "string of " + plural(v.size(), "byte", "bytes"), out.preview = preview(v);
        break;
      case POLYCODEC_KIND_BINARY:
        out.what = plural(v.size(), "byte", "bytes");
        break;
      default:
        out.what = type_of(v), out.preview = preview(v);
        break;
    }
    return out;
  }

 private:
  std::string type_of(NodeView v) const {
    const polycodec_item part{v.raw(), nullptr, 0};
    return value_.type(&part);
  }
  std::string type_of(const polycodec_array& array) const {
    const polycodec_item part{nullptr, &array, POLYCODEC_WHOLE};
    return value_.type(&part);
  }
  /// A scalar, or the beginning of a string.
  std::string preview(NodeView v) const {
    if (v.is_string())
      return cut(text_of(Json(v.as_string().substr(0, preview_bytes + 4))), preview_bytes);
    const polycodec_item part{v.raw(), nullptr, 0};
    return cut(value_.text({.plain = true}, &part), preview_bytes);
  }

  template <class Make>
  void children(TreeNode& out, std::uint64_t count, std::size_t depth, Make make) {
    bytes_ += out.what.size();
    if (depth >= std::min(options_.max_depth, deepest)) {
      out.omitted = count;
      return;
    }
    const std::uint64_t shown = options_.first + options_.last;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (bytes_ > options_.max_bytes) {
        out.omitted = count - out.children.size();
        out.omitted_at = out.children.size();
        return;
      }
      if (count > shown && i == options_.first) {
        out.omitted = count - shown;
        out.omitted_at = options_.first;
        i = count - options_.last;
      }
      out.children.push_back(make(i));
    }
  }

  static std::string_view form_name(const ArrayView& a) {
    constexpr std::string_view forms[POLYCODEC_LAYOUT_COUNT] = {"array",
                                                                "lists by offsets",
                                                                "lists by starts and stops",
                                                                "lists of fixed size",
                                                                "record of columns",
                                                                "union",
                                                                "option by mask bytes",
                                                                "option by mask bits",
                                                                "indexed",
                                                                "chunks",
                                                                "documents"};
    if (a.is_string()) return "strings";
    if (a.is_binary()) return "byte strings";
    if (a.layout() == POLYCODEC_LAYOUT_RECORD && !a.has_names()) return "tuple of columns";
    return forms[a.layout()];
  }

  void array(TreeNode& out, const polycodec_array& of, std::size_t depth) {
    const ArrayView a(of);
    out.what = std::string(form_name(a)) + ", " + type_of(of);
    if (a.layout() == POLYCODEC_LAYOUT_NDARRAY) {
      out.what += ", " + human_size(a.element_count() * a.item_size());
      if (!a.is_contiguous()) out.what += ", strided";
      if (!a.is_host_order()) out.what += ", other byte order";
      out.preview = ends(a);
      return;
    }
    if (a.layout() == POLYCODEC_LAYOUT_DOCUMENT) {
      children(out, a.length(), depth, [&](std::uint64_t i) {
        return node(NodeView(a.raw().nodes + i), "[" + std::to_string(i) + "]", depth + 1);
      });
      return;
    }
    if (a.is_string() || a.is_binary()) return;
    children(out, a.child_count(), depth, [&](std::uint64_t i) {
      const auto index = static_cast<std::uint32_t>(i);
      TreeNode below;
      below.label = a.layout() == POLYCODEC_LAYOUT_RECORD && a.has_names()
                        ? std::string(a.name(index))
                        : "content";
      if (a.child_count() > 1 && !a.has_names()) below.label = std::to_string(i);
      bytes_ += sizeof below + below.label.size();
      array(below, *a.raw().children[index], depth + 1);
      return below;
    });
  }

  /// The first and last elements of a leaf, row by row.
  std::string ends(const ArrayView& a) const {
    if (a.ndim() == 0) {
      const polycodec_item all{nullptr, &a.raw(), POLYCODEC_WHOLE};
      return cut(value_.text({.plain = true}, &all), preview_bytes);
    }
    // A row of an n-d array may be huge, and so may an element: show rows only where they are
    // short.
    const std::uint64_t per_row = a.length() == 0 ? 0 : a.element_count() / a.length();
    if (a.length() == 0 || per_row > 16 || a.item_size() > 4096) return {};
    const auto rows = [&](std::uint64_t first, std::uint64_t count) {
      const std::string text =
          cut(value_.rows(View(a.raw()), first, count).text({.plain = true}), preview_bytes);
      return text.size() > 2 && text.front() == '[' && text.back() == ']'
                 ? text.substr(1, text.size() - 2)
                 : text;
    };
    if (a.length() <= 2 * preview_items) return "[" + rows(0, a.length()) + "]";
    return "[" + rows(0, preview_items) + ", ..., " +
           rows(a.length() - preview_items, preview_items) + "]";
  }

  const Value& value_;
  TreeOptions options_;
  std::size_t bytes_ = 0;  // of all lines up to now
};

void render_node(const TreeNode& node, const std::string& lead, const std::string& rest,
                 std::size_t width, std::string& out) {
  std::string line =
      lead + (node.label.empty() ? "" : styled(Style::name, node.label) + ": ") + node.what;
  if (!node.preview.empty()) line += "  " + styled(Style::dim, node.preview);
  out += cut(line, width * 2) + "\n";
  std::size_t shown = 0;
  for (const TreeNode& child : node.children) {
    if (node.omitted != 0 && shown == node.omitted_at)
      out += rest + "├─ ... " + std::to_string(node.omitted) + " more\n";
    const bool last = ++shown == node.children.size();
    render_node(child, rest + (last ? "└─ " : "├─ "), rest + (last ? "   " : "│  "), width, out);
  }
  if (node.omitted != 0 && shown == node.omitted_at)
    out += rest + "└─ ... " + std::to_string(node.omitted) + " not shown\n";
}

}  // namespace

TreeNode make_tree(const Value& value, const TreeOptions& options) {
  return Maker(value, options).node(NodeView(value.root()), "", 0);
}

std::string render(const TreeNode& tree, std::size_t width) {
  std::string out;
  render_node(tree, "", "", width, out);
  return out;
}

}  // namespace polycodec::cli
