// SPDX-License-Identifier: MIT
#include "mesh_assets.hpp"

#include <polycodec/detail/uri.hpp>
#include <polycodec/mesh.hpp>
#include <polycodec/quote.hpp>

#include "assets.hpp"
#include "common/terminal.hpp"
#include "image_file.hpp"
#include "mesh_file.hpp"
#include "mesh_value.hpp"

#include <nettle/base64.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace polycodec::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* library_option = "material_library";

/// A file beside the output.
struct Companion {
  std::string name, bytes;
};

/// The files beside one output, each of which has a name of its own.
class CompanionFiles {
 public:
  /// `output`: whose directory it is, and whose name is taken.
  explicit CompanionFiles(const std::string& output) : output_(output) {}

  /// The name under which these bytes are kept: the last part of `name` without anything that leads
  /// elsewhere.
  std::string add(std::string_view name, std::string_view bytes) {
    const std::string plain = plain_name(name);
    Wanted& wanted = wanted_[plain];
    if (const auto found = wanted.names.find(bytes); found != wanted.names.end())
      return found->second;
    const fs::path path(plain);
    std::string taken = plain;
    while (!fits(taken, bytes))
      taken =
          path.stem().string() + "_" + std::to_string(wanted.next++) + path.extension().string();
    const auto [place, is_new] = by_name_.try_emplace(taken, all_.size());
    if (is_new) all_.push_back({taken, std::string(bytes)});
    wanted.names.emplace(all_[place->second].bytes, taken);
    return taken;
  }
  const std::deque<Companion>& all() const noexcept { return all_; }
  std::string path_of(const Companion& one) const {
    return (output_.parent_path() / one.name).string();
  }

 private:
  /// The names of files that want one name, by their bytes, and the next number of it.
  struct Wanted {
    std::map<std::string_view, std::string> names;
    int next = 2;
  };
  static std::string plain_name(std::string_view name) {
    constexpr std::size_t most = 200;
    if (const auto slash = name.find_last_of("/\\:"); slash != std::string_view::npos)
      name.remove_prefix(slash + 1);
    std::string plain(name.substr(name.size() - std::min(name.size(), most)));
    for (char& c : plain)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '#') c = '_';
    if (plain.empty() || plain.front() == '.' || plain.front() == '-') plain.insert(0, "texture_");
    return plain;
  }
  bool fits(const std::string& name, std::string_view bytes) const {
    if (name == output_.filename()) return false;
    const auto found = by_name_.find(name);
    return found == by_name_.end() || all_[found->second].bytes == bytes;
  }

  const fs::path output_;
  std::deque<Companion> all_;  // their bytes keep their addresses
  std::map<std::string, std::size_t> by_name_;
  std::map<std::string, Wanted> wanted_;
};

/// The files of an output in their places, which they leave again unless all are kept.
class WrittenFiles {
 public:
  explicit WrittenFiles(const Run& run) : run_(run) {}
  WrittenFiles(const WrittenFiles&) = delete;
  WrittenFiles& operator=(const WrittenFiles&) = delete;
  ~WrittenFiles() {
    for (const auto& [path, before] : done_) try {
        if (before)
          run_.registry().write_bytes(*before, path, run_.write_options());
        else
          fs::remove(path);
      } catch (const std::exception&) {
        continue;  // the first error is the one to report
      }
  }

  /// Throws Status::io for a file that exists, unless it is this one or may be replaced.
  void add(const std::string& path, std::string_view bytes) {
    std::optional<std::string> before;
    if (fs::exists(fs::symlink_status(path))) {
      if (!fs::is_regular_file(fs::symlink_status(path)))
        throw Error(Status::io, quote(path) + " is not a file: it stays as it is");
      const Source old = Source::file(path);
      if (old.bytes() == bytes) return;
      if (!run_.options.replace_assets)
        throw Error(Status::io,
                    quote(path) + " exists with other content; use --replace-assets to replace it");
      before = std::string(old.bytes());
    }
    WriteOptions how = run_.write_options();
    how.keep = !before;
    run_.registry().write_bytes(bytes, path, how);
    done_.emplace_back(path, std::move(before));
  }
  void keep() noexcept { done_.clear(); }

 private:
  const Run& run_;
  std::vector<std::pair<std::string, std::optional<std::string>>> done_;
};

/// The textures that comments of a value name.
std::vector<std::string> textures_of_comments(const View& value) {
  std::vector<std::string> names;
  if (value.metadata() == nullptr) return names;
  constexpr std::string_view word = "TextureFile ";
  const auto comments = View(value.metadata()).find("comments");
  for (std::uint64_t i = 0; comments && i < comments->size(); ++i) {
    std::string scratch;
    const View comment = comments->child(i);
    const View text = comment.is_object() ? comment.find("text").value_or(View()) : comment;
    if (!text.is_string()) continue;
    if (const auto line = text.as_string(scratch); line.starts_with(word))
      names.emplace_back(line.substr(word.size()));
  }
  return names;
}

/// True if a value says what its materials look like.
bool has_looks(const View& value) {
  if (const auto materials = value.find("materials"))
    if (materials->size() != 0 && materials->child(0).is_object()) return true;
  if (value.metadata() != nullptr && View(value.metadata()).find("looks")) return true;
  const auto faces = value.find("face");
  const bool has_rows = faces && faces->is_list() && faces->size() != 0;
  if (has_rows && faces->child(0).is_object() && faces->child(0).find("red")) return true;
  return !textures_of_comments(value).empty();
}

/// Lets losses pass that --lossy or their class allows, and throws for the others.
void settle(const Run& run, const std::vector<Loss>& losses) {
  std::vector<Loss> none;
  const std::uint32_t allowed = run.call(none).losses;
  for (const Loss& loss : losses)
    if ((allowed & POLYCODEC_LOSSES_OF(static_cast<std::uint32_t>(loss.loss_class))) == 0)
      throw Error(Status::unsupported,
                  "a mesh cannot hold " + loss.what + "; use --lossy to omit it")
          .detail("mesh.lossy")
          .path(loss.path);
}

/// The bytes that base64 stands for; none if the text is something else.
std::string from_base64(std::string_view text) {
  ::base64_decode_ctx context;
  ::base64_decode_init(&context);
  std::string bytes(BASE64_DECODE_LENGTH(text.size()), '\0');
  std::size_t size = 0;
  const bool is_base64 =
      ::base64_decode_update(&context, &size, reinterpret_cast<std::uint8_t*>(bytes.data()),
                             text.size(), text.data()) == 1 &&
      ::base64_decode_final(&context) == 1;
  bytes.resize(is_base64 ? size : 0);
  return bytes;
}

/// The images that a value has as a list of records, each with its bytes or a URI; nothing for
/// values of formats that have images in other places.
std::optional<View> images_of(const View& value) {
  if (!value.find("asset")) return std::nullopt;
  const auto images = value.find("images");
  if (!images) return View();
  if (!images->is_list()) return std::nullopt;
  for (std::uint64_t i = 0; i < images->size(); ++i)
    if (images->child(i).node() == nullptr || !images->child(i).is_object()) return std::nullopt;
  return images;
}

/// The value of member `i` of an object that is a node.
const Node& member_of(const View& object, std::uint64_t i) {
  return object.node()->as.nodes[2 * i + 1];
}

/// The words of material libraries that name files.
bool names_file(std::string_view word) {
  if (word.ends_with("_options")) return false;
  return word.starts_with("map_") || word == "norm" || word == "bump" || word == "disp" ||
         word == "decal" || word == "refl";
}

Format with_options(const Format& format, const std::string& codec, const Json& more) {
  Json options = format.options.empty() ? Json::object() : Json::parse(format.options);
  for (const auto& [name, value] : more.items()) options[name] = value;
  return {codec, cli::text_of(options), format.filters};
}

/// A conversion of a mesh.
class Conversion {
 public:
  Conversion(const Run& run, const Input& input, const std::string& file)
      : run_(run), input_(input), file_(file), files_(file), to_(run.to()) {}

  /// Nothing for a conversion that cannot have files of its own, and one that fails early: it is
  /// done as any other.
  std::optional<Written> run(const Format& from) {
    if (!find_codec() || !read(from)) return std::nullopt;
    const std::string& assets = run_.options.assets;
    const bool are_moved = assets == "copy" || assets == "embed";
    const bool is_same = match_.codec == codec_;
    const auto images = is_same ? images_of(value_.view()) : std::nullopt;
    if (is_same ? !are_moved : !is_mesh(value_.view())) return write(to_, is_compared());
    if (!is_same && assets == "copy") libraries_ = libraries_to_keep();
    const bool are_same_names = is_same || !libraries_.empty();
    if (!are_same_names && !has_looks(value_.view())) return write(to_, is_compared());
    if (assets == "embed" && (is_same ? !images : has_library_))
      throw Error(Status::option,
                  "--assets embed: " + quote(codec_) + " has no images inside; use copy or link");
    if (images)
      move_images(*images, assets == "copy");
    else if (are_same_names)
      copy_named();
    else if (are_moved)
      move_textures(assets == "copy");
    const Json library = has_library_ && !are_same_names ? add_library() : Json();
    if (files_.all().empty() && assets.empty()) return write(to_, is_compared());
    WrittenFiles written(run_);
    for (const Companion& one : files_.all()) written.add(files_.path_of(one), one.bytes);
    const Format format =
        library.is_null() ? to_ : with_options(to_, to_.codec, {{library_option, library}});
    Written done = write(format, false);
    written.keep();
    for (const Companion& one : files_.all()) run_.out.note("with " + files_.path_of(one));
    if (!run_.options.no_compare) done.reason = "parts of it are in other files";
    return done;
  }

 private:
  bool find_codec() try {
    codec_ = to_.codec;
    if (codec_.empty()) codec_ = run_.registry().codec_for(file_, Value(), to_).name();
    Value facts;
    has_library_ = options_of_codec(run_, codec_, facts).find(library_option).has_value() &&
                   to_.options.find(library_option) == std::string::npos;
    return has_library_ || !run_.options.assets.empty();
  } catch (const Error& error) {
    if (error.code() == Status::cancelled) throw;
    return false;  // writing says what is wrong
  }

  bool read(const Format& from) try {
    const Activity activity("Converting " + input_.name, !run_.options.quiet);
    budget_ = run_.budget();
    CallOptions how = run_.call(losses_, budget_);
    how.destination = codec_;
    how.select = run_.options.select;
    value_ = run_.registry().decode(input_.source, how, from, &match_);
    return true;
  } catch (const Error& error) {
    if (error.code() == Status::cancelled) throw;
    return false;  // reading again says what is wrong
  }

  bool is_compared() const noexcept { return !run_.options.no_compare; }

  Written write(const Format& format, bool is_compared) {
    Written done = about_input(input_.name, [&] {
      return run_.write(value_, file_, format, budget_,
                        is_compared ? POLYCODEC_CALL_COMPARE : std::uint32_t{0});
    });
    run_.out.note_losses(losses_);
    done.from = match_.codec;
    done.losses.insert(done.losses.begin(), losses_.begin(), losses_.end());
    return done;
  }

  /// The images of a document as files beside the output, or as bytes inside of it. All else stays.
  void move_images(const View& images, bool are_copied) {
    const Companions companions(run_, input_.name);
    const View root = value_.view();
    value_ = Value::build(
        [&](Builder& out) {
          auto list = out.list();
          for (std::uint64_t i = 0; i < images.size(); ++i)
            list.push(image(images.child(i), i, companions, are_copied, out));
          auto made = out.object();
          for (std::uint64_t i = 0; i < root.size(); ++i) {
            const bool is_list = root.name(i) == "images";
            made.push(root.name(i), is_list ? Node(list) : member_of(root, i));
          }
          return root.metadata() == nullptr ? Node(made) : out.annotated(made, *root.metadata());
        },
        {value_}, run_.limits().max_memory_bytes);
  }
  Node image(const View& given, std::uint64_t number, const Companions& companions, bool is_copied,
             Builder& out) {
    std::string scratch;
    const auto text = [&](const char* member) -> std::string {
      const auto found = given.find(member);
      return found && found->is_string() ? std::string(found->as_string(scratch)) : std::string();
    };
    const std::string uri = text("uri");
    const View data = given.find("data").value_or(View());
    std::string name = text("name"), decoded;
    std::string_view bytes;
    if (data.is_binary()) {
      bytes = data.as_bytes();
    } else if (detail::is_data_uri(uri)) {
      decoded = from_base64(detail::base64_of_data_uri(uri).value_or(std::string_view()));
      bytes = decoded;
    } else {
      name = detail::name_of_uri(uri);
      bytes = bytes_of(name, companions);
    }
    const auto head = image_head(bytes);
    auto made = out.object();
    for (std::uint64_t i = 0; i < given.size(); ++i)
      if (const auto member = given.name(i);
          member != "uri" && member != "data" && (member != "mimeType" || !head))
        made.push(member, member_of(given, i));
    if (head) made.push("mimeType", out.string_copy(head->media_type));
    if (!is_copied) {
      made.push("data", out.bytes_copy(bytes));
      return made;
    }
    if (name.empty()) name = "image_" + std::to_string(number);
    if (head && fs::path(name).extension().empty())
      name += "." + std::string(head->media_type.substr(head->media_type.find('/') + 1));
    made.push("uri", out.string_copy(detail::uri_of_name(files_.add(name, bytes))));
    return made;
  }

  /// The material libraries that the output names as the input does; none if its format, or the
  /// input, names none.
  std::vector<std::string> libraries_to_keep() {
    const std::vector<std::string> names = libraries_of(value_);
    if (names.empty()) return {};
    // Whether the format names them is known of a mesh of one triangle.
    const Value triangle = Value::build([](Builder& out) {
      constexpr std::array<std::string_view, 1> library{"a.mtl"};
      auto* const positions = out.allocate<float>(9);
      std::ranges::copy(std::array<float, 9>{0, 0, 0, 1, 0, 0, 0, 1, 0}, positions);
      auto* const faces = out.allocate<std::uint64_t>(2);
      std::ranges::copy(std::array<std::uint64_t, 2>{0, 3}, faces);
      auto* const corners = out.allocate<std::int32_t>(3);
      std::ranges::copy(std::array<std::int32_t, 3>{0, 1, 2}, corners);
      Mesh mesh;
      mesh.positions = std::span<const float>(positions, 9);
      mesh.faces = {faces, 2};
      mesh.corners = {corners, 3};
      mesh.material_libraries = library;
      return make_mesh(mesh, out);
    });
    std::vector<Loss> lost;
    const CallOptions how = with_any_loss(lost);
    Sink sink = Sink::contiguous(run_.limits().max_output_bytes);
    run_.registry().codec(codec_).encode(triangle, sink, how);
    const Value again = run_.registry().decode(Source::view(sink.bytes()), how, {codec_, {}, {}});
    return libraries_of(again).empty() ? std::vector<std::string>() : names;
  }
  std::vector<std::string> libraries_of(const Value& value) const {
    std::vector<std::string> names;
    Meter meter(budget_);
    Value::build(
        [&](Builder& out) {
          const MeshValue found(value.view(), out, meter, false);
          names.assign(found.mesh.material_libraries.begin(), found.mesh.material_libraries.end());
          return Node();
        },
        {value}, run_.limits().max_memory_bytes);
    return names;
  }

  /// The files that the output names, as the input does.
  void copy_named() {
    const Companions companions(run_, input_.name);
    std::set<std::string> names;
    Value libraries = value_;
    if (!reads_materials(run_, match_.codec)) {
      names.insert(libraries_.begin(), libraries_.end());
    } else if (!value_.view().find("materials")) {
      CallOptions how = run_.call(losses_, budget_);
      libraries = run_.registry().decode(
          input_.source, how, with_options(run_.from(), match_.codec, Json::parse(with_materials)));
    }
    const View root = libraries.view();
    std::string scratch;
    const auto records = root.find("materials").value_or(View());
    for (std::uint64_t i = 0; i < records.size(); ++i) {
      const View record = records.child(i);
      for (std::uint64_t k = 0; record.is_object() && k < record.size(); ++k)
        if ((record.name(k) == "library" || names_file(record.name(k))) &&
            record.child(k).is_string())
          names.emplace(record.child(k).as_string(scratch));
    }
    for (const std::string& texture : textures_of_comments(root)) names.insert(texture);
    for (const std::string& name : names) {
      const std::string_view bytes = bytes_of(name, companions);
      std::string_view plain = name;
      while (plain.starts_with("./")) plain.remove_prefix(2);
      if (files_.add(name, bytes) != plain)
        throw Error(Status::unsupported,
                    "--assets copy: the output names the file " + quote(name) +
                        " as the input does, which is not a name beside it; use --assets link");
    }
  }

  /// The textures as files beside the output, or as bytes inside of it.
  void move_textures(bool are_copied) {
    const Companions companions(run_, input_.name);
    Meter meter(budget_);
    std::vector<Loss> lost;
    bool is_moved = false;
    Value made = Value::build(
        [&](Builder& out) {
          MeshValue found(value_.view(), out, meter, false);
          lost = found.losses;
          auto* looks = out.allocate<MeshMaterial>(found.mesh.looks.size());
          std::uninitialized_copy(found.mesh.looks.begin(), found.mesh.looks.end(), looks);
          for (std::size_t i = 0; i < found.mesh.looks.size(); ++i)
            for (MeshTexture* texture : {&looks[i].base_texture, &looks[i].normal_texture})
              if (!texture->empty()) is_moved |= move(*texture, companions, are_copied, out);
          found.mesh.looks = {looks, found.mesh.looks.size()};
          return make_mesh(found.mesh, out);
        },
        {value_}, run_.limits().max_memory_bytes);
    if (!is_moved) return;  // the value may be more than a mesh
    value_ = std::move(made);
    settle(run_, lost);
    losses_.insert(losses_.end(), lost.begin(), lost.end());
  }
  /// Returns false if the texture is the same file as before.
  bool move(MeshTexture& texture, const Companions& companions, bool is_copied, Builder& out) {
    const bool was_inside = !texture.data.empty();
    const std::string_view bytes =
        was_inside ? texture.data : bytes_of(std::string(texture.name), companions);
    if (!is_copied) {
      if (!was_inside) texture.data = out.copy_text(bytes);
      return !was_inside;
    }
    const std::string name = files_.add(texture.name, bytes);
    const bool is_moved = was_inside || name != texture.name;
    texture.name = out.copy_text(name);
    texture.data = {};
    return is_moved;
  }

  CallOptions with_any_loss(std::vector<Loss>& lost) const {
    CallOptions how = run_.call(lost, budget_);
    how.losses = all_losses;
    how.flags &= ~std::uint32_t{POLYCODEC_CALL_LOSSLESS};
    return how;
  }

  static std::string_view bytes_of(const std::string& name, const Companions& companions) try {
    return companions.read(name);
  } catch (const Error& error) {
    throw Error(error.code(), "the texture " + quote(name) + " cannot be read: " + error.message() +
                                  "; use --assets link to keep its name");
  }

  /// The name of the library, which is one of the files then; null if there is nothing to say.
  Json add_library() {
    fs::path stem = fs::path(file_).filename().stem();
    if (stem.extension() == ".obj") stem = stem.stem();  // of a compressed file
    const std::string name = stem.string() + ".mtl";
    std::vector<Loss> again;  // of the file itself, which reports them
    const CallOptions how = with_any_loss(again);
    Sink sink = Sink::contiguous(run_.limits().max_output_bytes);
    const Format format = with_options({}, codec_, {{library_option, name}, {"part", "materials"}});
    run_.registry().codec(format).encode(value_, sink, how);
    if (sink.size() == 0) return Json();
    return files_.add(name, sink.bytes());
  }

  const Run& run_;
  const Input& input_;
  const std::string& file_;
  CompanionFiles files_;
  const Format to_;
  std::string codec_;
  bool has_library_ = false;
  std::vector<std::string> libraries_;  // that the output names as the input does
  Budget budget_;
  Value value_;
  Match match_;
  std::vector<Loss> losses_;
};

}  // namespace

Written convert_with_assets(const Run& run, const Input& input, const Format& from,
                            const std::string& file) {
  if (is_standard_output(file)) {
    if (!run.options.assets.empty())
      throw Error(Status::option, "--assets: standard output has no files beside it; name a file");
    return run.convert(input, from, file);
  }
  if (!run.options.stream)
    if (auto written = Conversion(run, input, file).run(from)) return std::move(*written);
  return run.convert(input, from, file);
}

}  // namespace polycodec::cli
