// SPDX-License-Identifier: MIT
#include "core/text/infer.hpp"

#include <model/type/infer.hpp>
#include <polycodec/path.hpp>

#include "core/text/attributes.hpp"
#include "core/value/host_meter.hpp"

#include <algorithm>

namespace polycodec {

namespace {

using type::Type;

/// `annotated[type, annotations]`; of an annotated type the annotations are added after, by new
/// keys only.
Type annotate(Type type, std::vector<type::Annotation> annotations) {
  if (annotations.empty()) return type;
  if (!type.is(type::Kind::annotated))
    return type::annotated(std::move(type), std::move(annotations));
  const auto attribute = [](const type::Annotation& a) {
    const std::string_view key = a.key;
    return key.starts_with(text::coded_key) ? key.substr(text::coded_key.size()) : key;
  };
  const std::size_t outer = annotations.size();
  for (const type::Annotation& inner : type.annotations()) {
    const auto end = annotations.begin() + static_cast<std::ptrdiff_t>(outer);
    if (std::ranges::find(annotations.begin(), end, attribute(inner), attribute) == end)
      annotations.push_back(inner);
  }
  return type::annotated(type.element(), std::move(annotations));
}

}  // namespace

/// The inference of datashape, with metadata as annotations.
class PartTypes::Memory final : public type::Inference {
 public:
  Memory(const Limits& limits, HostMeter& meter)
      : type::Inference(limits.max_depth), limits_(limits), meter_(meter) {}

 private:
  void visit(std::uint64_t count) override { meter_.tick(count, path_root); }
  Type described(Type type, const polycodec_node& metadata) override {
    return annotate(std::move(type), text::annotations_of(NodeView(&metadata), limits_));
  }

  const Limits& limits_;
  HostMeter& meter_;
};

PartTypes::PartTypes(const Limits& limits, HostMeter& meter)
    : memory_(std::make_unique<Memory>(limits, meter)) {}

PartTypes::~PartTypes() = default;

type::Type PartTypes::of(const polycodec_node& part) {
  memory_->forget_targets();
  // Not clipped: the type of a part that is `any` elsewhere must say one level more than `any`.
  return memory_->node(part);
}

type::Type PartTypes::of_item(const polycodec_array& array) {
  return memory_->item(array);
}

type::Type infer_type(NodeView value, const Limits& limits) {
  HostMeter meter(value, limits);
  return PartTypes(limits, meter).of(*value.raw());
}

type::Type infer_item(const polycodec_array& array, const Limits& limits) {
  HostMeter meter(array, limits);
  return PartTypes(limits, meter).of_item(array);
}

}  // namespace polycodec
