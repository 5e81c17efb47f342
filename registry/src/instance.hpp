// SPDX-License-Identifier: MIT
// An opened codec and the calls to it.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/codec_handle.hpp>
#include <polycodec/error.hpp>

#include "catalog.hpp"
#include "host.hpp"

#include <memory>
#include <string_view>

namespace polycodec {

/// What a plugin's open() made, with the checks around it. Immutable; for any number of threads.
struct CodecInstance {
  /// Opens; `options` may be null. Throws Error.
  CodecInstance(const Catalog& owner, const CodecSlot& of, const polycodec_codec& with,
                const polycodec_node* options);
  ~CodecInstance();
  CodecInstance(const CodecInstance&) = delete;
  CodecInstance& operator=(const CodecInstance&) = delete;

  const CodecInfo& info() const noexcept { return *slot.info; }

  /// Decodes `input` into `arena` and validates. Throws Error with the codec's name.
  const polycodec_node* decode(const CallContext& context, const polycodec_input& input,
                               polycodec_arena* arena) const;
  /// Encodes to `sink`. Throws Error with the codec's name; the caller drops what was written.
  void encode(const CallContext& context, const polycodec_node* root, polycodec_sink* sink) const;
  std::uint64_t encoded_size(const CallContext& context, const polycodec_node* root) const;
  StreamProgress stream_next(const CallContext& context, std::string_view bytes, bool final, polycodec_arena* arena,
                             const polycodec_node*& root) const;

  const Catalog& catalog;
  const CodecSlot& slot;
  const polycodec_codec& abi;
  void* handle = nullptr;

 private:
  void require(Right right) const;
  [[noreturn]] void fail(std::int32_t code, const polycodec_error& error) const;
  void accept(const CallContext& context, const polycodec_node* root) const;
};

}  // namespace polycodec
