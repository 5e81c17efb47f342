// SPDX-License-Identifier: MIT
#include <polycodec/blob_sink.hpp>
#include <polycodec/hdf5_store.hpp>
#include <polycodec/store.hpp>
#include <polycodec/zip_store.hpp>

namespace polycodec {

std::shared_ptr<Store> open_store(const Source& archive, const Limits& limits) {
  if (ZipStore::looks_like_zip(archive.bytes())) return std::make_shared<ZipStore>(archive, limits);
  if (Hdf5Store::looks_like_hdf5(archive.bytes())) return std::make_shared<Hdf5Store>(archive, "/", limits);
  return nullptr;
}

std::string_view container_name(Container container) noexcept {
  return container == Container::folder ? "folder" : container == Container::hdf5 ? "hdf5" : "zip";
}

Container container_at(const std::filesystem::path& path) {
  std::error_code missing;
  const auto status = std::filesystem::status(path, missing);
  if (std::filesystem::is_directory(status)) return Container::folder;
  if (std::filesystem::is_regular_file(status) && std::filesystem::file_size(path, missing) != 0) {
    const Source source = Source::file(path);
    if (Hdf5Store::looks_like_hdf5(source.bytes())) return Container::hdf5;
    if (ZipStore::looks_like_zip(source.bytes())) return Container::zip;
  }
  std::string extension = path.extension().native();
  for (char& c : extension) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  if (extension == ".h5" || extension == ".hdf5" || extension == ".he5") return Container::hdf5;
  const bool device = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  return extension.empty() && !device ? Container::folder : Container::zip;
}

std::unique_ptr<BlobSink> make_blob_sink(Container container, const std::filesystem::path& path,
                                         const WriteOptions& options, std::uint64_t max_bytes) {
  switch (container) {
    case Container::folder:
      return std::make_unique<FolderSink>(path.has_filename() ? path : path.parent_path(), options, max_bytes);
    case Container::hdf5:
      return std::make_unique<Hdf5Sink>(path, options, max_bytes);
    default:
      return std::make_unique<ZipSink>(path, options, max_bytes);
  }
}

}  // namespace polycodec
