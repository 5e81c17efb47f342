// SPDX-License-Identifier: MIT
// A filter under test. Its values are byte strings.
#pragma once

#include "subject.hpp"

#include <vector>

namespace polycodec::kit {

class FilterSubject final : public Subject {
 public:
  FilterSubject(Plugin& plugin, const Entry& entry, View options);
  ~FilterSubject() override;

  const polycodec_filter_instance& instance() const noexcept { return *instance_; }
  std::vector<Sample> values() const override;
  std::int32_t sniff(polycodec_call*, const polycodec_input&, polycodec_sniff&,
                     polycodec_error*) const override;
  /// Undoes the filter; `expected_size` as in polycodec_filter_instance.decode.
  Answer decode(std::string_view bytes, std::uint64_t expected_size, std::string& out,
                Call& call) const;
  /// Filters the pieces.
  Answer encode(const std::vector<polycodec_bytes>& pieces, std::string& out, Call& call) const;

 private:
  Answer do_read(const Encoded& input, Reading& out, Call& call) const override;
  Answer do_write(const Sample& value, Encoded& out, Call& call) const override;
  const polycodec_filter& filter_;
  const polycodec_filter_instance* instance_ = nullptr;
};

}  // namespace polycodec::kit
