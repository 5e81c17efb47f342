// SPDX-License-Identifier: MIT
// A function under test: it reads its one argument, a byte string.
#pragma once

#include <polycodec/builder.hpp>

#include "subject.hpp"

namespace polycodec::kit {

/// The parts of the name, joined by dots.
std::string function_name(const polycodec_function& function);

class FunctionSubject final : public Subject {
 public:
  FunctionSubject(Plugin& plugin, const Entry& entry);
  const polycodec_function& function() const noexcept { return function_; }
  std::vector<Sample> values() const override;
  Answer call_with(const polycodec_node& args, const polycodec_node* kwargs,
                   const polycodec_node** result, Call& call) const;

 private:
  Answer do_read(const Encoded& input, Reading& out, Call& call) const override;
  Answer do_write(const Sample& value, Encoded& out, Call& call) const override;
  const polycodec_function& function_;
};

}  // namespace polycodec::kit
