// SPDX-License-Identifier: MIT
#include "test_files.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "case.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::kit {
namespace {

/// The bytes [offset, offset + size) of `all`, as far as they exist.
std::string_view part_of(std::string_view all, std::uint64_t offset, std::uint64_t size) {
  const std::uint64_t at = std::min<std::uint64_t>(offset, all.size());
  return all.substr(static_cast<std::size_t>(at),
                    static_cast<std::size_t>(std::min<std::uint64_t>(size, all.size() - at)));
}

std::int32_t request(polycodec_call* call, polycodec_error* error) {
  Call& c = Call::of(call);
  return c.file_requests().refused() ? fill_error(error, Status::io, "the kit reads no more")
                                     : POLYCODEC_OK;
}

/// A file over bytes() of `self`; what its view() returns stays where it is.
template <class Self>
polycodec_file file_over(Self* self) {
  static constexpr auto part = [](const polycodec_file* file, std::uint64_t at,
                                  std::uint64_t size) {
    return part_of(static_cast<const Self*>(file->private_data)->bytes(), at, size);
  };
  polycodec_file abi{};
  abi.struct_size = sizeof abi;
  abi.descriptor = -1;
  abi.private_data = self;
  abi.size = [](const polycodec_file* file, polycodec_call* call, std::uint64_t* size,
                polycodec_error* error) {
    *size = part(file, 0, UINT64_MAX).size();
    return request(call, error);
  };
  abi.read_at = [](const polycodec_file* file, polycodec_call* call, std::uint64_t offset,
                   void* buffer, std::uint64_t size, std::uint64_t* got, polycodec_error* error) {
    const std::string_view found = part(file, offset, size);
    if (!found.empty()) std::memcpy(buffer, found.data(), found.size());
    *got = found.size();
    return request(call, error);
  };
  abi.view = [](const polycodec_file* file, polycodec_call* call, std::uint64_t offset,
                std::uint64_t size, polycodec_bytes* bytes, polycodec_error* error) {
    *bytes = to_bytes(static_cast<Self*>(file->private_data)->view(part(file, offset, size)));
    return request(call, error);
  };
  abi.release = [](const polycodec_file*) {};
  return abi;
}

}  // namespace

TestFile::TestFile(std::string_view content) : abi_(file_over(this)), bytes_(content) {
  abi_.flags = POLYCODEC_FILE_STABLE;
}

// -- an output file -------------------------------------------------------------------------------

struct TestOutputFile::Thunks {
  static TestOutputFile& of(polycodec_output_file* file) {
    return *static_cast<TestOutputFile*>(file->private_data);
  }
  static std::int32_t resize(TestOutputFile& self, std::uint64_t size, polycodec_error* error) {
    if (size > (std::uint64_t{1} << 28))
      return fill_error(error, Status::io, "the kit has no room for the file");
    if (size != self.content_.size()) self.content_.resize(static_cast<std::size_t>(size));
    return POLYCODEC_OK;
  }
  static std::int32_t write_at(polycodec_output_file* file, polycodec_call* call,
                               std::uint64_t offset, const void* data, std::uint64_t size,
                               polycodec_error* error) {
    TestOutputFile& self = of(file);
    if (const auto code = request(call, error)) return code;
    const std::uint64_t end = std::min(offset, UINT64_MAX - size) + size;
    if (const auto code = resize(self, std::max<std::uint64_t>(end, self.content_.size()), error))
      return code;
    if (size != 0) std::memcpy(self.content_.data() + offset, data, size);
    return POLYCODEC_OK;
  }
  static std::int32_t truncate(polycodec_output_file* file, polycodec_call* call,
                               std::uint64_t size, polycodec_error* error) {
    if (const auto code = request(call, error)) return code;
    return resize(of(file), size, error);
  }
  static std::int32_t sync(polycodec_output_file*, polycodec_call* call, polycodec_error* error) {
    return request(call, error);
  }
};

TestOutputFile::TestOutputFile(std::string content)
    : file_(file_over(this)),
      abi_{sizeof abi_, 0, &file_, this, &Thunks::write_at, &Thunks::truncate, &Thunks::sync},
      content_(std::move(content)) {}

// -- a store --------------------------------------------------------------------------------------

struct TestStore::Thunks {
  static const TestStore& of(const polycodec_store* store) {
    return *static_cast<const TestStore*>(store->private_data);
  }
  static std::uint64_t count(const polycodec_store* store) { return of(store).names_.size(); }
  static std::int32_t entry(const polycodec_store* store, polycodec_call* call, std::uint64_t i,
                            polycodec_store_entry* entry, polycodec_error* error) {
    if (i >= of(store).names_.size())
      return fill_error(error, Status::plugin, "blob " + std::to_string(i) + " does not exist");
    entry->name = to_bytes(of(store).names_[i]);
    entry->owner = {};
    entry->size = of(store).blobs_[i]->view().size();
    return request(call, error);
  }
  static std::int32_t find(const polycodec_store* store, polycodec_call* call, polycodec_bytes name,
                           std::uint64_t* i, polycodec_error* error) {
    const auto& names = of(store).names_;
    const auto found = std::find(names.begin(), names.end(), to_string_view(name));
    if (found == names.end()) return fill_error(error, Status::not_found, "no such blob");
    *i = static_cast<std::uint64_t>(found - names.begin());
    return request(call, error);
  }
  static std::int32_t read(const polycodec_store* store, polycodec_call* call, std::uint64_t i,
                           std::uint64_t offset, std::uint64_t size, polycodec_bytes* content,
                           polycodec_error* error) {
    if (i >= of(store).names_.size())
      return fill_error(error, Status::plugin, "blob " + std::to_string(i) + " does not exist");
    *content = to_bytes(part_of(of(store).blobs_[i]->view(), offset, size));
    return request(call, error);
  }
};

TestStore::TestStore(const Parts& parts)
    : abi_{sizeof abi_,    0,
           this,           &Thunks::count,
           &Thunks::entry, &Thunks::find,
           &Thunks::read,  [](const polycodec_store*) {}} {
  for (const auto& [name, bytes] : parts) {
    names_.push_back(name);
    blobs_.push_back(std::make_unique<GuardedBytes>(bytes));
  }
}

Regions TestStore::regions() const {
  Regions all;
  for (const auto& blob : blobs_) all.add(blob->view());
  for (const auto& name : names_) all.add(name);
  return all;
}

// -- a store writer -------------------------------------------------------------------------------

struct TestStoreWriter::Thunks {
  static TestStoreWriter& of(polycodec_store_writer* writer) {
    return *static_cast<TestStoreWriter*>(writer->private_data);
  }
  static std::int32_t begin_blob(polycodec_store_writer* writer, polycodec_call*,
                                 polycodec_bytes name, polycodec_bytes, polycodec_sink** sink,
                                 polycodec_error* error) {
    TestStoreWriter& self = of(writer);
    const std::string_view text = to_string_view(name);
    if (text.empty() || text.front() == '/' || text.find("..") != text.npos)
      self.complaint_ = "wrote a blob with the unsafe name " + quote(text);
    for (const auto& blob : self.blobs_)
      if (blob.first == text) self.complaint_ = "wrote two blobs of the same name";
    SinkSettings settings = self.settings_;
    settings.refuse_from -=
        std::min(settings.refuse_from, settings.refuse_from == never ? 0 : self.requests());
    self.blobs_.emplace_back(std::string(text), std::make_unique<TestSink>(settings));
    *sink = self.blobs_.back().second->abi();
    return self.complaint_.empty() ? POLYCODEC_OK
                                   : fill_error(error, Status::invalid, self.complaint_);
  }
  static std::int32_t remove(polycodec_store_writer* writer, polycodec_call*, std::uint64_t,
                             polycodec_bytes, polycodec_error* error) {
    of(writer).complaint_ = "removed a blob of a new store";
    return fill_error(error, Status::invalid, "the store is new");
  }
  static std::int32_t commit(polycodec_store_writer* writer, polycodec_call*,
                             polycodec_error* error) {
    of(writer).complaint_ = "called commit, which is the host's to call";
    return fill_error(error, Status::plugin, "only the host commits");
  }
};

TestStoreWriter::TestStoreWriter(const SinkSettings& settings)
    : abi_{sizeof abi_,
           0,
           nullptr,
           this,
           &Thunks::begin_blob,
           &Thunks::remove,
           &Thunks::commit,
           [](polycodec_store_writer*) {}},
      settings_(settings) {}

std::uint64_t TestStoreWriter::requests() const noexcept {
  std::uint64_t all = 0;
  for (const auto& blob : blobs_) all += blob.second->requests();
  return all;
}

bool TestStoreWriter::has_refused() const noexcept {
  return std::any_of(blobs_.begin(), blobs_.end(),
                     [](const auto& blob) { return blob.second->has_refused(); });
}

void TestStoreWriter::check(const Regions& regions) {
  for (const auto& blob : blobs_) blob.second->check(regions);
  if (!complaint_.empty()) fail("the plugin " + complaint_);
}

Parts TestStoreWriter::parts() const {
  Parts parts;
  for (const auto& [name, sink] : blobs_) parts.emplace_back(name, sink->bytes());
  return parts;
}

}  // namespace polycodec::kit
