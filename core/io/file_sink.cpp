// SPDX-License-Identifier: MIT
#include "core/io/file_sink.hpp"

#include "core/io/atomic_file.hpp"
#include "core/io/segment_state.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace polycodec {
namespace {

/// How much is written at once: fewer bytes would cost more system calls, and more bytes would not
/// stay in the cache of the processor.
constexpr std::uint64_t least_part = std::uint64_t{256} << 10;
/// The same around references, each of which costs two calls then.
constexpr std::uint64_t least_around = std::uint64_t{16} << 20;

class FileState final : public SegmentState {
 public:
  FileState(const std::string& path, const WriteOptions& options, std::uint64_t max_bytes)
      : SegmentState(max_bytes), path_(path), options_(options) {}

  void finish() {
    AtomicFile& to = file();
    if (open_ == 0) {
      to.write(segments());
    } else {
      write_part();
      for (const Reference& one : references_) {
        to.seek(one.offset);
        to.write({&one.bytes, 1});
      }
    }
    SegmentState::do_reset();  // the file has it now
    to.commit();
  }

 private:
  struct Reference {
    std::uint64_t offset;  // in the file
    Segment bytes;
  };

  void do_grow(std::uint64_t need) override {
    if (!keeps_ && is_part()) {
      keeps_ = !file().is_seekable();
      if (!keeps_) write_part();
    }
    if (keeps_ || !references_.empty() || size() == 0) return SegmentState::do_grow(need);
    // Parts end at whole pages, where the system has less to do than in the middle of one.
    add_window(std::max(need, least_part - size() % least_part), least_part);
  }
  /// True if what is kept is to go to the file.
  bool is_part() {
    const std::uint64_t text = size() - written_ - referenced_;
    if (references_.empty()) return text >= least_part;
    return text >= least_around && segments().size() <= text / least_part;
  }
  /// Writes what is kept, and leaves the places of references open.
  void write_part() {
    std::vector<Segment> text;
    std::uint64_t at = written_;
    const auto write = [&] {
      file().write(text);
      text.clear();
    };
    for (Segment part : segments()) {
      if (open_ < references_.size() && references_[open_].offset == at) {
        const std::size_t size = references_[open_++].bytes.size;
        write();
        file().seek(at += size);
        part = {static_cast<const std::uint8_t*>(part.data) + size, part.size - size};
      }
      if (part.size != 0) text.push_back(part);
      at += part.size;
    }
    write();
    SegmentState::do_reset();
    written_ = size();
    referenced_ = 0;
  }
  void do_reference(const void* data, std::uint64_t size) override {
    // The encoder may still change what it refers to.
    if (size >= least_reference) {
      references_.push_back({this->size(), {data, static_cast<std::size_t>(size)}});
      referenced_ += size;
    }
    SegmentState::do_reference(data, size);
  }
  void do_reset() noexcept override {
    SegmentState::do_reset();
    file_.reset();
    references_.clear();
    keeps_ = false;
    open_ = 0;
    written_ = referenced_ = 0;
  }
  AtomicFile& file() { return file_ ? *file_ : file_.emplace(path_, options_); }

  std::string path_;
  WriteOptions options_;
  std::optional<AtomicFile> file_;
  std::vector<Reference> references_;
  std::size_t open_ = 0;          // how many of them have an open place in the file
  bool keeps_ = false;            // nothing goes to the file before finish()
  std::uint64_t written_ = 0;     // bytes in the file, with open places
  std::uint64_t referenced_ = 0;  // bytes of references behind them
};

}  // namespace

FileSink::FileSink(const std::string& path, const WriteOptions& options, std::uint64_t max_bytes)
    : Sink(std::make_unique<FileState>(path, options, max_bytes)) {}

void FileSink::finish() {
  static_cast<FileState&>(state()).finish();
}

}  // namespace polycodec
