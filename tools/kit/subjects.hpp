// SPDX-License-Identifier: MIT
// The kinds of subjects, with the functions that only one kind has.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/kit/corpus.hpp>

#include "subject.hpp"
#include "test_files.hpp"

#include <vector>

namespace polycodec::kit {

/// The corpus, and what formats for one thing take.
std::vector<CorpusEntry> all_entries();
std::vector<Sample> all_samples();

class CodecSubject final : public OpenedSubject<polycodec_codec, polycodec_instance> {
 public:
  CodecSubject(Plugin& plugin, const Entry& entry, const polycodec_node* options);
  std::vector<Sample> values() const override;
  bool takes_store() const noexcept override;

 private:
  Answer do_read(const Encoded& input, Reading& out, Call& call) const override;
  Answer do_write(const Sample& value, Encoded& out, Call& call) const override;
};

/// Its values are byte strings.
class FilterSubject final : public OpenedSubject<polycodec_filter, polycodec_filter_instance> {
 public:
  FilterSubject(Plugin& plugin, const Entry& entry, const polycodec_node* options);
  std::vector<Sample> values() const override;
  /// Undoes the filter; `expected_size` as in polycodec_filter_instance.decode.
  Answer decode(std::string_view bytes, std::uint64_t expected_size, std::string& out,
                Call& call) const;
  /// Filters the pieces.
  Answer encode(const std::vector<polycodec_bytes>& pieces, std::string& out, Call& call) const;

 private:
  Answer do_read(const Encoded& input, Reading& out, Call& call) const override;
  Answer do_write(const Sample& value, Encoded& out, Call& call) const override;
};

using StoreWriter = std::unique_ptr<polycodec_store_writer, void (*)(polycodec_store_writer*)>;

/// Its values are objects whose members are byte strings: the blobs.
class StoreSubject final : public SubjectOf<polycodec_store_format> {
 public:
  StoreSubject(Plugin& plugin, const Entry& entry, const Sample& options);
  std::vector<Sample> values() const override;
  /// Starts a new store in `file`, or with `edit` a change of the one that it holds.
  Answer open_writer(bool edit, TestOutputFile& file, StoreWriter& writer, Call& call) const;
  /// Writes a blob with a sink of the plugin.
  static Answer write_blob(polycodec_store_writer& writer, std::string_view name,
                           std::string_view bytes, Call& call);
  static Answer commit(polycodec_store_writer& writer, Call& call);

 private:
  Answer do_read(const Encoded& input, Reading& out, Call& call) const override;
  Answer do_write(const Sample& value, Encoded& out, Call& call) const override;
  Sample options_;
};

/// The parts of the name, joined by dots.
std::string function_name(const polycodec_function& function);

/// It reads its arguments, byte strings, and writes its result for arguments of every kind.
class FunctionSubject final : public SubjectOf<polycodec_function> {
 public:
  FunctionSubject(Plugin& plugin, const Entry& entry);
  std::vector<Sample> values() const override { return all_samples(); }
  Answer call_with(const polycodec_node& args, const polycodec_node* kwargs,
                   const polycodec_node** result, Call& call) const;

 private:
  Answer do_read(const Encoded& input, Reading& out, Call& call) const override;
  Answer do_write(const Sample& value, Encoded& out, Call& call) const override;
  Answer call_with_each(const Node& argument, Reading& out, Call& call) const;
};

}  // namespace polycodec::kit
