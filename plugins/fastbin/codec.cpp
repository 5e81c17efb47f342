// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include <polycodec/loss_search.hpp>

#include "decode.hpp"
#include "encode.hpp"

namespace polycodec::fastbin {

const std::shared_ptr<const Plan>& Fastbin::plan() const {
  if (plan_ == nullptr)
    throw Error(Status::unsupported,
                "a buffer does not say what is in it: give its schema with the option 'schema' or 'schema_file'")
        .detail("schema");
  return plan_;
}

const polycodec_node* Fastbin::decode(const Call& call, const Input& input, Builder& out) const {
  return fastbin::decode(plan(), call, input.bytes(), out);
}

void Fastbin::encode(const Call& call, View value, Writer& out) const {
  Encoder encoder(*plan(), call);
  Losses losses;
  add_attribute_losses(value, losses, call.limits().max_depth);
  losses.settle(call, "fastbin", "lossy");
  const Item root(value);
  out.expect(encoder.measure(root));
  encoder.write(root, out);
}

std::uint64_t Fastbin::encoded_size(const Call& call, View value) const {
  return Encoder(*plan(), call).measure(Item(value));
}

}  // namespace polycodec::fastbin
