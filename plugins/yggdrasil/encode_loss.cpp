// SPDX-License-Identifier: MIT
// What bodies have no place for: attributes of everything but leaves.
#include <model/loss_search.hpp>

#include "encode.hpp"

namespace polycodec::yggdrasil {

// Where the encoder is, with `[*]` for every item of a list: what all of them lack is said once.
std::string Encoder::loss_path() const {
  std::string path = inside_.empty() ? "$" : inside_;
  for (const Frame& frame : frames_) {
    if (frame.at >= frame.count) continue;
    if (frame.object) {
      append_key(path, NodeView(frame.nodes + frame.at / 2 * 2).as_string());
    } else {
      path += "[*]";
    }
  }
  return path;
}

// Throws the refusal of a loss so that it names all of them: all of the value is written once more,
// to nowhere. Only a value that is refused takes this.
void Encoder::refuse_losses(const polycodec_node* attributes, bool header_has_units) {
  Losses losses;
  MemorySink sink(call_.limits().max_output_bytes);
  Writer writer(sink.abi());
  Encoder search(settings_, call_, writer);
  search.gathering_ = &losses;
  search.inside_ = inside_;
  search.plain_ = plain_;
  if (root_ != nullptr) {
    search.value(root_);
  } else {
    search.frames_ = frames_;
    search.lose_attributes(attributes, header_has_units);
  }
  losses.settle(call_, "yggdrasil", lossy);
}

// Tells of attributes that are left out. `header_has_units`: of leaves of the old dialects, whose
// units and titles the header of the message says.
void Encoder::lose_attributes(const polycodec_node* attributes, bool header_has_units) {
  if (!has_lossy_attribute(attributes)) return;
  const std::string path = loss_path();
  const NodeView object(attributes);
  for (std::uint64_t i = 0; i < object.size(); ++i) {
    const std::string_view name = object.key(i).as_string();
    if (is_layout_attribute(name) || (header_has_units && (name == "units" || name == "title")))
      continue;
    const std::string what = "the attribute " + quote(name);
    if (!lost_.insert(path + ' ' + what).second) continue;
    const LossClass loss = attribute_loss(name);
    if (gathering_ != nullptr) {
      gathering_->add(path, what, loss);
      continue;
    }
    try {
      call_.report_loss(loss, path, what);
    } catch (const Error& e) {
      if (e.code() == Status::unsupported) refuse_losses(attributes, header_has_units);
      throw;
    }
  }
}

// The columns of an array that is written item by item.
void Encoder::lose_attributes_within(const polycodec_array& array) {
  for (std::uint32_t i = 0; i < array.n_children; ++i) {
    lose_attributes(array.children[i]->metadata);
    lose_attributes_within(*array.children[i]);
  }
}

}  // namespace polycodec::yggdrasil
