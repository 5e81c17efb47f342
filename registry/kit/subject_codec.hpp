// SPDX-License-Identifier: MIT
// A codec under test, with the functions that only codecs have.
#pragma once

#include "subject.hpp"

namespace polycodec::kit {

class CodecSubject final : public Subject {
 public:
  CodecSubject(Plugin& plugin, const Entry& entry, View options);
  ~CodecSubject() override;
  const polycodec_codec& codec() const noexcept { return codec_; }
  const polycodec_instance& instance() const noexcept { return *instance_; }

  std::vector<Sample> values() const override;
  bool takes_store() const noexcept override;
  std::int32_t sniff(polycodec_call*, const polycodec_input&, polycodec_sniff&,
                     polycodec_error*) const override;

 private:
  Answer do_read(const Encoded& input, Reading& out, Call& call) const override;
  Answer do_write(const Sample& value, Encoded& out, Call& call) const override;
  const polycodec_codec& codec_;
  const polycodec_instance* instance_ = nullptr;
};

}  // namespace polycodec::kit
