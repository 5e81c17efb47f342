// SPDX-License-Identifier: MIT
// A store format under test. Its values are objects whose members are byte strings: the blobs.
#pragma once

#include "subject.hpp"
#include "test_files.hpp"

namespace polycodec::kit {

class StoreSubject final : public Subject {
 public:
  StoreSubject(Plugin& plugin, const Entry& entry, View options);
  const polycodec_store_format& format() const noexcept { return format_; }

  std::vector<Sample> values() const override;
  std::int32_t sniff(polycodec_call*, const polycodec_input&, polycodec_sniff&,
                     polycodec_error*) const override;
  /// Starts a new store in `file`, or with `edit` a change of the one that it holds.
  Answer open_writer(bool edit, TestOutputFile& file, polycodec_store_writer*& writer,
                     Call& call) const;
  /// Writes a blob with a sink of the plugin.
  static Answer write_blob(polycodec_store_writer& writer, std::string_view name,
                           std::string_view bytes, Call& call);

 private:
  Answer do_read(const Encoded& input, Reading& out, Call& call) const override;
  Answer do_write(const Sample& value, Encoded& out, Call& call) const override;
  const polycodec_store_format& format_;
  Value options_;
};

}  // namespace polycodec::kit
