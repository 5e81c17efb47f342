// SPDX-License-Identifier: MIT
// Where the pointers of a valid value lead. A host need not look at each of them; the kit does.
#include <polycodec/dtype.hpp>

#include "case.hpp"
#include "subject.hpp"

#include <set>

namespace polycodec::kit {
namespace {

class PointerCheck {
 public:
  explicit PointerCheck(const Regions& regions) : regions_(regions) {}

  void run(const polycodec_node* root) {
    add(root, 1);
    while (!nodes_.empty()) {
      const polycodec_node* node = nodes_.back();
      nodes_.pop_back();
      check(*node);
    }
  }

 private:
  void inside(const void* data, std::uint64_t size, const char* what) const {
    if (!regions_.contains(data, size))
      fail(std::string("the value is not valid: ") + what + " of " + std::to_string(size) +
           " bytes lies outside of the memory of the call");
  }
  void inside(const polycodec_bytes& bytes, const char* what) const {
    inside(bytes.data, bytes.size, what);
  }
  void add(const polycodec_node* nodes, std::uint64_t count) {
    inside(nodes, count * sizeof *nodes, "an array of nodes");
    for (std::uint64_t i = 0; i < count; ++i) nodes_.push_back(nodes + i);
  }

  void check(const polycodec_node& node) {
    const std::uint64_t size = polycodec_node_size(&node);
    switch (node.kind) {
      case POLYCODEC_KIND_WIDE:
        return inside(node.as.data, dtype_size(node.dtype), "a number");
      case POLYCODEC_KIND_STRING:
      case POLYCODEC_KIND_BINARY:
        return inside(node.as.data, size, "a string");
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        return add(node.as.nodes, size);
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:
        return add(node.as.nodes, size * 2);
      case POLYCODEC_KIND_ARRAY:
        return check(*node.as.array);
      case POLYCODEC_KIND_EXTENSION:
        inside(node.as.extension, sizeof *node.as.extension, "an extension");
        inside(node.as.extension->name, "a name");
        return add(node.as.extension->payload, 1);
      case POLYCODEC_KIND_REFERENCE:
        if (seen_.insert(node.as.node).second) add(node.as.node, 1);
        return;
      case POLYCODEC_KIND_ANNOTATED:
        inside(node.as.annotated, sizeof *node.as.annotated, "an annotation");
        add(node.as.annotated->metadata, 1);
        return add(node.as.annotated->node, 1);
      case POLYCODEC_KIND_TIMESTAMP:
      case POLYCODEC_KIND_DURATION:
        return inside(node.as.time, sizeof *node.as.time, "a time");
      case POLYCODEC_KIND_UNION:
        inside(node.as.tagged, sizeof *node.as.tagged, "a member of a union");
        return add(node.as.tagged->node, 1);
      default:
        return;
    }
  }

  void check(const polycodec_array& array) {
    if (!seen_.insert(&array).second) return;
    inside(&array, array.struct_size, "an array");
    inside(array.buffer, array.buffer_size, "a buffer");
    inside(array.shape, std::uint64_t{array.ndim} * sizeof *array.shape, "a shape");
    inside(array.strides, std::uint64_t{array.ndim} * sizeof *array.strides, "strides");
    for (const polycodec_column* column : {&array.offsets, &array.stops})
      if (column->data != nullptr) inside(column->data, 1, "a column");
    inside(array.children, std::uint64_t{array.n_children} * sizeof *array.children, "children");
    for (std::uint32_t i = 0; i < array.n_children; ++i) {
      if (array.names != nullptr) {
        inside(array.names + i, sizeof *array.names, "names");
        inside(array.names[i], "a name");
      }
      check(*array.children[i]);
    }
    if (array.layout == POLYCODEC_LAYOUT_DOCUMENT) add(array.nodes, array.length);
    if (array.metadata != nullptr) add(array.metadata, 1);
  }

  const Regions& regions_;
  std::vector<const polycodec_node*> nodes_;
  std::set<const void*> seen_;
};

}  // namespace

void check_pointers(const polycodec_node* root, const Regions& regions) {
  PointerCheck(regions).run(root);
}

}  // namespace polycodec::kit
