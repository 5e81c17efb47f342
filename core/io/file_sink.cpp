// SPDX-License-Identifier: MIT
#include "core/io/file_sink.hpp"

#include "core/io/atomic_file.hpp"
#include "core/io/segment_state.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace polycodec {
namespace {

/// How much is written at once: fewer bytes would cost more system calls, and more bytes would not
/// stay in the cache of the processor.
constexpr std::uint64_t least_part = std::uint64_t{256} << 10;

class FileState final : public SegmentState {
 public:
  FileState(const std::string& path, const WriteOptions& options, std::uint64_t max_bytes)
      : SegmentState(max_bytes), path_(path), options_(options) {}

  void finish() {
    AtomicFile& to = file();
    to.write(segments());
    SegmentState::do_reset();  // the file has it now
    to.commit();
  }

 private:
  void do_grow(std::uint64_t need) override {
    if (!keeps_ && size() - written_ >= least_part) {
      keeps_ = !file().is_seekable();
      if (!keeps_) {
        file().write(segments());
        SegmentState::do_reset();
        written_ = size();
      }
    }
    if (keeps_ || size() == 0) return SegmentState::do_grow(need);
    // Parts end at whole pages, where the system has less to do than in the middle of one.
    add_window(std::max(need, least_part - size() % least_part), least_part);
  }
  void do_reference(const void* data, std::uint64_t size) override {
    // The encoder may still change what it refers to.
    keeps_ = keeps_ || size >= least_reference;
    SegmentState::do_reference(data, size);
  }
  void do_reset() noexcept override {
    SegmentState::do_reset();
    file_.reset();
    keeps_ = false;
    written_ = 0;
  }
  AtomicFile& file() { return file_ ? *file_ : file_.emplace(path_, options_); }

  std::string path_;
  WriteOptions options_;
  std::optional<AtomicFile> file_;
  bool keeps_ = false;         // nothing more goes to the file before finish()
  std::uint64_t written_ = 0;  // bytes in the file
};

}  // namespace

FileSink::FileSink(const std::string& path, const WriteOptions& options, std::uint64_t max_bytes)
    : Sink(std::make_unique<FileState>(path, options, max_bytes)) {}

void FileSink::finish() {
  static_cast<FileState&>(state()).finish();
}

}  // namespace polycodec
