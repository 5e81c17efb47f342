// SPDX-License-Identifier: MIT
#include "value_tree.hpp"

#include <base/array_view.hpp>
#include <base/depth.hpp>
#include <base/quote.hpp>
#include <model/type/print.hpp>
#include <polycodec/text.hpp>

#include "core/convert/infer.hpp"
#include "tools/common/terminal.hpp"

#include <algorithm>

namespace polycodec::cli {
namespace {

constexpr std::size_t preview_items = 3;   // shown from each end of an array
constexpr std::size_t preview_bytes = 60;  // of one item

/// Cuts text to about `limit` bytes at a character boundary.
std::string cut(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) --end;
  return text.substr(0, end) + "...";
}

std::string plain(NodeView v) {
  TextOptions options;
  options.plain = true;
  options.limits.max_output_bytes = 4 * preview_bytes;
  std::string text;
  try {
    print_text(v, text, options);
  } catch (const Error& e) {
    if (e.code() != Status::limit) throw;  // only the beginning is shown
  }
  return cut(std::move(text), preview_bytes);
}

std::string plural(std::uint64_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

class Maker {
 public:
  explicit Maker(const TreeOptions& options) : options_(options) {}

  TreeNode node(NodeView v, std::string label, std::size_t depth) {
    check_stack(depth);
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
          return node(v.value(i),
                      key.is_string() ? cut(std::string(key.as_string()), 40) : plain(key),
                      depth + 1);
        });
        break;
      case POLYCODEC_KIND_ARRAY:
        array(out, v, depth);
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
        out.what = "string of " + plural(v.size(), "byte", "bytes"), out.preview = plain(v);
        break;
      case POLYCODEC_KIND_BINARY:
        out.what = plural(v.size(), "byte", "bytes");
        break;
      default:
        out.what = type::print(infer_type(v)), out.preview = plain(v);
        break;
    }
    return out;
  }

 private:
  template <class Make>
  void children(TreeNode& out, std::uint64_t count, std::size_t depth, Make make) {
    bytes_ += out.what.size();
    if (depth >= options_.max_depth) {
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

  static const char* form_name(const ArrayView& a) {
    if (a.is_string()) return "strings";
    if (a.is_binary()) return "byte strings";
    switch (a.layout()) {
      case POLYCODEC_LAYOUT_LIST_OFFSETS:
        return "lists by offsets";
      case POLYCODEC_LAYOUT_LIST_VIEW:
        return "lists by starts and stops";
      case POLYCODEC_LAYOUT_LIST_FIXED:
        return "lists of fixed size";
      case POLYCODEC_LAYOUT_RECORD:
        return a.has_names() ? "record of columns" : "tuple of columns";
      case POLYCODEC_LAYOUT_UNION:
        return "union";
      case POLYCODEC_LAYOUT_OPTION_BYTES:
        return "option by mask bytes";
      case POLYCODEC_LAYOUT_OPTION_BITS:
        return "option by mask bits";
      case POLYCODEC_LAYOUT_INDEXED:
        return "indexed";
      case POLYCODEC_LAYOUT_CHUNKED:
        return "chunks";
      case POLYCODEC_LAYOUT_DOCUMENT:
        return "documents";
      default:
        return "array";
    }
  }

  void array(TreeNode& out, NodeView v, std::size_t depth) {
    const ArrayView a = v.as_array();
    out.what = std::string(form_name(a)) + ", " + type::print(infer_type(v));
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
      std::string label = a.layout() == POLYCODEC_LAYOUT_RECORD && a.has_names()
                              ? std::string(a.name(index))
                              : "content";
      if (a.child_count() > 1 && !a.has_names()) label = std::to_string(i);
      const polycodec_node child = Builder::array(a.raw().children[index]);
      return node(NodeView(&child), std::move(label), depth + 1);
    });
  }

  /// The first and last elements of a leaf, row by row.
  static std::string ends(const ArrayView& a) {
    const auto row = [&](std::uint64_t i, std::uint64_t count) {
      polycodec_array part = a.raw();
      std::vector<std::int64_t> shape(a.shape().begin(), a.shape().end());
      shape[0] = static_cast<std::int64_t>(count);
      part.shape = shape.data();
      part.length = count;
      part.data = a.data() + static_cast<std::int64_t>(i) * a.strides()[0];
      const polycodec_node n = Builder::array(&part);
      std::string text = plain(NodeView(&n));
      return text.size() > 2 && text.front() == '[' && text.back() == ']'
                 ? text.substr(1, text.size() - 2)
                 : text;
    };
    if (a.ndim() == 0) {
      const polycodec_node n = Builder::array(&a.raw());
      return plain(NodeView(&n));
    }
    // A row of an n-d array may be huge: show rows only where they are short.
    const std::uint64_t per_row = a.length() == 0 ? 0 : a.element_count() / a.length();
    if (a.length() == 0 || per_row > 16) return {};
    if (a.length() <= 2 * preview_items) return "[" + row(0, a.length()) + "]";
    return "[" + row(0, preview_items) + ", ..., " +
           row(a.length() - preview_items, preview_items) + "]";
  }

  TreeOptions options_;
  std::size_t bytes_ = 0;  // of all lines up to now
};

void render_node(const TreeNode& node, const std::string& lead, const std::string& rest,
                 std::size_t width, std::string& out, std::size_t depth) {
  check_stack(depth);
  std::string line =
      lead + (node.label.empty() ? "" : styled(Style::name, node.label) + ": ") + node.what;
  if (!node.preview.empty()) line += "  " + styled(Style::dim, node.preview);
  out += cut(line, width * 2) + "\n";
  std::size_t shown = 0;
  for (const TreeNode& child : node.children) {
    if (node.omitted != 0 && shown == node.omitted_at)
      out += rest + "├─ ... " + std::to_string(node.omitted) + " more\n";
    const bool last = ++shown == node.children.size();
    render_node(child, rest + (last ? "└─ " : "├─ "), rest + (last ? "   " : "│  "), width, out,
                depth + 1);
  }
  if (node.omitted != 0 && shown == node.omitted_at)
    out += rest + "└─ ... " + std::to_string(node.omitted) + " not shown\n";
}

}  // namespace

TreeNode make_tree(NodeView root, const TreeOptions& options) {
  return Maker(options).node(root, "", 0);
}

std::string render(const TreeNode& tree, std::size_t width) {
  std::string out;
  render_node(tree, "", "", width, out, 0);
  return out;
}

}  // namespace polycodec::cli
