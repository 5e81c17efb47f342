// SPDX-License-Identifier: MIT
#include "writing.hpp"

#include <model/loss_search.hpp>
#include <polycodec/path.hpp>
#include <polycodec/utf.hpp>

#include <utility>

namespace polycodec::yggdrasil {

void Writing::check_depth(std::uint64_t depth) const {
  if (depth > max_depth) [[unlikely]]
    too_deep();
  call.check_stack();
}

void Writing::too_deep() const {
  throw Error(Status::limit, "nested deeper than max_depth (" + std::to_string(max_depth) + ")")
      .detail("yggdrasil.limit");
}

std::string Writing::path() const {
  std::string path = "$";
  for (const Frame& frame : frames) {
    if (frame.at >= frame.count) continue;  // after the last item
    if (frame.object) {
      append_key(path, NodeView(frame.nodes + frame.at / 2 * 2).as_string());
    } else {
      path += '[' + std::to_string(frame.at) + ']';
    }
  }
  return path;
}

void Writing::check_text(std::string_view text, bool lenient) const {
  if (lenient && !settings.lenient_utf8 && !plain && !is_utf8(text)) [[unlikely]]
    throw Error(Status::unsupported,
                "a text that is not UTF-8 (the option utf8 = lenient writes it as it is)");
}

void Writing::refuse_foreign(std::string_view what) const {
  const bool typed = settings.dialect == Dialect::current && !plain;
  if (!settings.refuse_foreign && typed) return;
  throw Error(Status::unsupported,
              std::string(what) + " has no form in yggdrasil" +
                  (typed ? "; the option foreign = exact writes one of our own" : " here"));
}

// Where the encoder is, with `[*]` for every item of a list: what all of them lack is said once.
std::string Writing::loss_path() const {
  std::string path = "$";
  if (around != nullptr) {
    path = around->loss_path();
    if (!part.empty()) append_key(path, part);
  }
  for (const Frame& frame : frames) {
    if (frame.at >= frame.count) continue;
    if (frame.object) {
      append_key(path, NodeView(frame.nodes + frame.at / 2 * 2).as_string());
    } else {
      path += "[*]";
    }
  }
  return path;
}

void Writing::lose_attributes(const polycodec_node* attributes, bool header_has_units) {
  if (!has_lossy_attribute(attributes)) return;
  const std::string path = loss_path();
  const NodeView object(attributes);
  for (std::uint64_t i = 0; i < object.size(); ++i) {
    const std::string_view name = object.key(i).as_string();
    if (is_layout_attribute(name) || (header_has_units && (name == "units" || name == "title")))
      continue;
    Loss loss = attribute_loss(path, name, *object.value(i).raw());
    if (!lost_.insert(path + ' ' + loss.what).second) continue;
    if (gathering != nullptr) {
      gathering->add(std::move(loss));
      continue;
    }
    try {
      call.report_loss(loss.loss_class, path, loss.what);
    } catch (const Error& e) {
      if (e.code() == Status::unsupported) throw LossRefused();
      throw;
    }
  }
}

void Writing::lose_attributes_within(const polycodec_array& array) {
  call.check_stack();
  call.tick(4 * std::uint64_t{array.n_children});
  for (std::uint32_t i = 0; i < array.n_children; ++i) {
    lose_attributes(array.children[i]->metadata);
    lose_attributes_within(*array.children[i]);
  }
}

}  // namespace polycodec::yggdrasil
