// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include <model/loss_search.hpp>

#include "decode.hpp"
#include "encode.hpp"

namespace polycodec::fastbin {

const Plan& Fastbin::plan() const {
  if (plan_ == nullptr)
    throw Error(Status::unsupported,
                "a buffer does not say what is in it: give its schema with the option 'schema' or "
                "'schema_file'")
        .detail("fastbin.schema");
  return *plan_;
}

Node Fastbin::decode(Call& call, const Input& input, Builder& out) const {
  return fastbin::decode(plan(), call, input.bytes(), out);
}

void Fastbin::encode(const Call& call, NodeView value, Writer& out) const {
  Encoder encoder(plan(), call);
  Losses losses;
  add_attribute_losses(value, losses, call);
  losses.settle(call, "fastbin", "fastbin.lossy");
  const View root(value);
  out.expect(encoder.measure(root));
  encoder.write(root, out);
}

std::uint64_t Fastbin::encoded_size(const Call& call, NodeView value) const {
  return Encoder(plan(), call).measure(View(value));
}

}  // namespace polycodec::fastbin
