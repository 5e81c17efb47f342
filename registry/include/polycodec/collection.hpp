// SPDX-License-Identifier: MIT
// Several values of one codec in one file, by name.
#pragma once

#include <polycodec/blob_sink.hpp>
#include <polycodec/call_options.hpp>
#include <polycodec/export.hpp>
#include <polycodec/registry.hpp>
#include <polycodec/value.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// A ZIP archive, directory or HDF5 file as a dictionary of values, for codecs that keep several in
/// one store. The manifest of such a codec says which of its options have the roles
/// `collection.name` (which value to read or write), `collection.contents` (what there is, as
/// below), `collection.first_id` (where the numbers of blobs begin) and `container` (what the blobs
/// go to). See docs/writing-a-plugin.md.
///
/// What is on the disk is complete at any time: a ZIP archive or HDF5 file is written anew beside
/// the old one and takes its name at the end; in a directory new blobs get names that none had, and
/// the schema, which is replaced or removed in one step, decides which of them count. Conflicts of
/// names are found before anything is put in place. A crash may leave blobs in a directory that
/// nothing refers to, never a value that is not whole. Two programs must not change one container
/// at the same time: the last one wins.
///
/// For one thread. All functions throw Error: Status::io, Status::not_found (no such name),
/// Status::invalid (the name is taken), and what the codec and the stores throw.
class POLYCODEC_API Collection {
 public:
  /// A blob of a value.
  struct Blob {
    std::string name;
    std::optional<std::uint64_t> bytes;  ///< nothing: it is missing
    std::string compression;  ///< the function that reads it, such as "zlib.decompress"; or empty
  };
  /// A value.
  struct Entry {
    std::string name;
    std::string schema;  ///< the blob that says what it is
    std::uint64_t first_id = 0;
    std::vector<Blob> blobs;  ///< all others
  };

  /// The container at `path`, which need not be there yet. `options`: JSON for the codec, for
  /// reading and writing. No `codec`: the one that the container's content or name tells. Throws
  /// Status::unsupported for a codec without the options above.
  Collection(Registry registry, std::filesystem::path path, std::string_view codec = {},
             std::string options = {}, CallOptions call = {});

  /// What is there, in the order of the container. Nothing is decoded.
  std::vector<Entry> list() const;
  /// The value called `name`.
  Value read(std::string_view name) const;
  /// Adds a value; the name must be free. Makes the container if need be.
  void add(std::string_view name, NodeView value);
  /// Puts a value in the place of the one that is called `name`.
  void replace(std::string_view name, NodeView value);
  /// Removes a value and its blobs.
  void remove(std::string_view name);

  const CodecInfo& codec() const noexcept { return *codec_; }
  /// The format of the container: "zip", "directory" or that of a plugin, such as "hdf5".
  const std::string& container() const noexcept { return container_; }

 private:
  std::optional<Source> open() const;
  Value with(std::string_view name, std::uint64_t first_id) const;
  static const Entry* find(const std::vector<Entry>& all, std::string_view name);
  void rewrite(const Entry* without, std::string_view name, const NodeView* value);
  void change_directory(const Entry* without, std::string_view name, const NodeView* value,
                        std::uint64_t first_id);

  Registry registry_;
  std::filesystem::path path_;
  std::string options_;
  CallOptions call_;
  const CodecInfo* codec_;
  std::string container_;
};

/// True if the codec keeps several values in one file: its options have the roles of a collection.
POLYCODEC_API bool keeps_collections(const CodecInfo& codec);

/// Encodes `value` with a codec that writes named blobs to the container at `path`, and puts it in
/// place. The codec's option `container`, if it has one, is set unless `options` does. Returns the
/// bytes of all blobs.
POLYCODEC_API std::uint64_t encode_to_container(const Registry& registry, NodeView value,
                                                std::string_view codec, std::string_view options,
                                                const std::filesystem::path& path,
                                                const CallOptions& call = {});

}  // namespace polycodec
