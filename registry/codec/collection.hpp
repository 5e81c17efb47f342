// SPDX-License-Identifier: MIT
// Several values of one codec in one file, by name.
#pragma once

#include "core/value/value.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// A ZIP archive, directory or file of a store format as a dictionary of values, for codecs that
/// keep several in one store (CodecInfo::can_list): see docs/writing-a-plugin.md.
///
/// What is on the disk is complete at any time: a file is made beside the old one and takes its
/// name at the end; in a directory new blobs get names that none had, and the one that tells what
/// the value is, which is replaced or removed in one step, decides which of them count. What the
/// values do not use stays as it is. Conflicts of names are found before anything is put in place.
/// A crash may leave blobs in a directory that nothing refers to, never a value that is not whole.
/// Programs that change one container at the same time wait for each other
/// (Registry::edit_store()).
///
/// For one thread. All functions throw Error: Status::io, Status::not_found (no such name),
/// Status::invalid (the name is taken), and what the codec and the stores throw.
class Collection {
 public:
  /// A blob of a value.
  struct Blob {
    std::string name;
    std::optional<std::uint64_t> bytes;  ///< nothing: it is missing
    std::string filter;  ///< the function that reads it, such as "zlib.decompress"; or empty
  };
  /// A value.
  struct Entry {
    std::string name;
    std::string schema;       ///< the blob that says what it is
    std::vector<Blob> blobs;  ///< all others
  };

  /// The container at `path`, which need not be there yet. `options`: JSON for the codec, for
  /// reading and writing; `from`: who gives them. No `codec`: the one that the container's content
  /// or name tells. Throws Status::unsupported for a codec that cannot list values.
  Collection(Registry registry, std::string path, std::string_view codec = {},
             std::string options = {}, CallOptions call = {}, OptionsFrom from = OptionsFrom::host);

  /// What is there, in the order of the container. Nothing is decoded.
  std::vector<Entry> list() const;
  /// The value called `name`.
  Value read(std::string_view name) const;
  /// Adds a value; the name must be free. Makes the container if need be.
  void add(std::string_view name, NodeView value);
  /// Puts a value in the place of the one that is called `name`; as remove().
  std::vector<std::string> replace(std::string_view name, NodeView value, bool unowned = false);
  /// Removes a value and the blobs that it wrote. Gives what it read of no recorded owner: that
  /// stays, as any schema may name it, unless `unowned`.
  std::vector<std::string> remove(std::string_view name, bool unowned = false);

  const CodecInfo& codec() const noexcept;
  /// The format of the container: "zip", "directory" or that of a plugin, such as "hdf5".
  const std::string& container() const noexcept;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// Encodes `value` with a codec of named blobs to the container at `path`, and puts it in place.
/// Sets the codec's option `container`, unless `options`, which are given by `from`, do. Returns
/// the bytes of all blobs.
std::uint64_t encode_to_container(const Registry& registry, NodeView value, std::string_view codec,
                                  std::string_view options, const std::string& path,
                                  const CallOptions& call = {}, const WriteOptions& write = {},
                                  OptionsFrom from = OptionsFrom::host);

}  // namespace polycodec
