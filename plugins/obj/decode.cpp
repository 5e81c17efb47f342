// SPDX-License-Identifier: MIT

#include <base/wanted.hpp>

#include "chunks.hpp"
#include "codec.hpp"
#include "free_form.hpp"
#include "indices.hpp"
#include "lexer.hpp"
#include "mend.hpp"
#include "model.hpp"
#include "reader.hpp"

#include <algorithm>
#include <vector>

namespace polycodec::obj {
namespace {

// With fewer bytes than this, 32 bits are enough for every count of corners (two bytes each) and of
// vertices (six).
constexpr std::uint64_t max_file_size = std::uint64_t{1} << 33;

class Decoder {
 public:
  Decoder(const Settings& settings, const Call& call, std::string_view file, Builder& out)
      : settings_(settings),
        call_(call),
        wants_faces_(wants_faces(settings, call)),
        file_(file),
        lexer_(file, settings.float32),
        model_(out),
        indices_(lexer_, model_),
        corners_(lexer_, indices_, settings.strict),
        free_form_(lexer_, indices_, corners_, out),
        reader_(settings, wants_faces_, lexer_, model_, indices_, corners_, &free_form_),
        mender_(lexer_, model_, indices_, free_form_, settings.weight_last, notes_) {
    if (settings.tolerant) lexer_.allow_blanks();
  }

  /// Reads all of the file. With Settings::tolerant: false if an index is beyond what the file has,
  /// so that it is to be read again after `limit_to()`.
  bool read() {
    if (file_.size() > max_file_size)
      throw Error(Status::limit, "OBJ files of more than 8 GiB are not read").detail("obj.limit");
    if (file_.starts_with("\xef\xbb\xbf")) lexer_.move_to(lexer_.position() + 3);
    if (!settings_.tolerant && file_.size() >= least_for_chunks) read_chunks();
    read_until(call_, lexer_.end());
    return finish();
  }
  polycodec_node give() { return model_.give(settings_.float32); }
  const MendNotes& notes() const noexcept { return notes_; }

  /// No index may be beyond what `other` read of the same file.
  void limit_to(const Decoder& other) {
    limited_ = true;
    for (const Kind kind : {vertex, texture, normal, parameter})
      indices_.limit(kind, other.indices_.count(kind));
  }

  LineEnding line_ending() const noexcept {
    const std::size_t at = file_.find_first_of("\r\n");
    if (at == std::string_view::npos || file_[at] == '\n') return LineEnding::lf;
    return file_.substr(at).starts_with("\r\n") ? LineEnding::crlf : LineEnding::cr;
  }

 private:
  // Other forms than the file's have other names.
  static bool wants_faces(const Settings& settings, const Call& call) {
    if (settings.form != mesh::Form::file || settings.triangulate) return true;
    constexpr std::string_view names[] = {"v", "vt", "vn", "vp", "f", "l", "p", "statements"};
    const Wanted wanted(call.projection());
    const Wanted& members = wanted.of(names);
    return members.find("f") != nullptr || members.find("statements") != nullptr;
  }

  // Reads the statements before `end`, which is behind the end of one, or of the file.
  void read_until(const Call& call, const char* end) {
    reader_.end_runs_at(end);
    const char* next_check = lexer_.position();
    while (lexer_.position() < end) {
      if (lexer_.position() >= next_check) {
        // About a unit for each byte of text.
        const auto part = std::min<std::ptrdiff_t>(end - lexer_.position(), 1 << 16);
        call.tick(static_cast<std::uint64_t>(part));
        next_check = lexer_.position() + part;
      }
      settings_.tolerant ? tolerant_statement() : reader_.statement();
    }
  }

  void read_chunks() {
    Chunks chunks(settings_, call_, wants_faces_,
                  {model_, indices_, reader_, [this](const Call& call, std::string_view text) {
                     lexer_.move_to(text.data());
                     read_until(call, text.data() + text.size());
                   }});
    while (!lexer_.at_end())
      lexer_.move_to(chunks.read(
          {lexer_.position(), static_cast<std::size_t>(lexer_.end() - lexer_.position())}));
  }

  // A statement; what is wrong is mended.
  void tolerant_statement() {
    const char* const start = lexer_.position();
    const Mender::Mark mark = mender_.mark();
    try {
      reader_.statement();
    } catch (const Error& error) {
      if (error.code() != Status::malformed && error.code() != Status::range &&
          error.code() != Status::truncated)
        throw;
      call_.tick(mend_units);
      mender_.statement(start, mark, error);
      reader_.end_of_line();
    }
    if (const char* const at = lexer_.take_blank()) mender_.continued_at(at);
  }

  bool finish() {
    if (!settings_.tolerant) {
      free_form_.finish();
      indices_.check();
    } else {
      if (!limited_ && indices_.any_beyond()) return false;
      try {
        free_form_.finish();
      } catch (const Error& error) {
        mender_.end_of_file(error);
      }
      mender_.check_content();
    }
    if (const Unknown& unknown = reader_.unknown(); unknown.count != 0)
      call_.log(POLYCODEC_LOG_WARNING,
                "obj: " + std::to_string(unknown.count) +
                    " statements with unknown keywords are kept as they are (line " +
                    std::to_string(lexer_.line(unknown.first)) + ")");
    return true;
  }

  // Work for a statement that is read a second time, behind an exception.
  static constexpr std::uint64_t mend_units = 256;

  const Settings& settings_;
  const Call& call_;
  const bool wants_faces_;
  std::string_view file_;
  Lexer lexer_;
  Model model_;
  Indices indices_;
  Corners corners_;
  FreeForm free_form_;
  Reader reader_;
  MendNotes notes_;
  Mender mender_;
  bool limited_ = false;
};

}  // namespace

Node Obj::decode(Call& call, const Input& input, Builder& out) const {
  Decoder decoder(settings_, call, input.bytes(), out);
  const LineEnding ending = decoder.line_ending();
  polycodec_node root;
  if (decoder.read()) {
    decoder.notes().report(call);
    root = decoder.give();
  } else {
    // Only now it is known which indices point to nothing.
    Decoder again(settings_, call, input.bytes(), out);
    again.limit_to(decoder);
    again.read();
    again.notes().report(call);
    root = again.give();
  }
  if (settings_.materials) root = with_materials(call, input, root, out);
  // Only what is not as usual is said, so that the type of a value is not cluttered with it.
  std::vector<Member> attributes;
  if (ending != LineEnding::lf)
    attributes.push_back({"line_ending", Builder::string_view(line_ending_name(ending))});
  if (settings_.weight_last)
    attributes.push_back({"seven_numbers", Builder::string_view("xyzrgbw")});
  if (!attributes.empty())
    root = out.annotated(root, out.object(std::span<const Member>(attributes)));
  if (settings_.form == mesh::Form::file && !settings_.triangulate) return root;
  return other_form(settings_, call, View(out.root(root)), out);
}

}  // namespace polycodec::obj
