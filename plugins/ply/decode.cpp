// SPDX-License-Identifier: MIT
#include "decode.hpp"

#include <base/wanted.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/operations.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/utf.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace polycodec::ply {
namespace {

polycodec_node text_node(std::string_view text) {
  polycodec_node node = Builder::string_view(text);
  // Comments are in whatever encoding their writer used.
  if (!is_utf8(text)) node.dtype = POLYCODEC_STRING_LENIENT;
  return node;
}

// True if all types are spelt the new way: said once, for the whole value.
bool all_new(const Header& header) {
  bool any = false;
  for (const Element& e : header.elements) {
    for (const Property& p : e.properties) {
      any = true;
      if (p.type_word != type_word(p.dtype, false)) return false;
      if (p.is_list() && p.count_word != type_word(p.count_dtype, false)) return false;
    }
  }
  return any;
}

// What the words of a property say that nobody would guess: a spelling of its own, or lengths that
// are not bytes. NULL for most properties, so that the type of a value is not cluttered with them.
const polycodec_node* column_attributes(Builder& out, const Property& p, bool old_names) {
  const bool type = p.type_word != type_word(p.dtype, old_names);
  const bool count = p.is_list() && (p.count_dtype != POLYCODEC_DTYPE_UINT8 ||
                                     p.count_word != type_word(p.count_dtype, old_names));
  if (!type && !count) return nullptr;
  std::vector<Member> members;
  if (type) members.push_back({"type", Builder::string_view(p.type_word)});
  if (count) members.push_back({"count_type", Builder::string_view(p.count_word)});
  return out.store(out.object(std::span<const Member>(members)));
}

polycodec_node root_attributes(Builder& out, const Header& header) {
  std::vector<Member> members{{"format", Builder::string_view(format_name(header.format))}};
  if (header.line_ending != LineEnding::lf)
    members.push_back({"line_ending", Builder::string_view(line_ending_name(header.line_ending))});
  if (all_new(header)) members.push_back({"types", Builder::string_view("new")});
  if (!header.comments.empty()) {
    polycodec_node* comments;
    members.push_back({"comments", out.list(header.comments.size(), &comments)});
    for (const Comment& c : header.comments)
      *comments++ =
          out.object({{"after", Builder::unsigned_integer(c.after)},
                      {"keyword", Builder::string_view(c.is_obj_info ? "obj_info" : "comment")},
                      {"text", text_node(c.text)}});
  }
  return out.object(std::span<const Member>(members));
}

polycodec_node element_node(Builder& out, const Element& element, std::uint64_t rows,
                            const Columns& columns, bool old_names) {
  std::vector<std::string_view> names;
  std::vector<const polycodec_array*> children;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] == nullptr) continue;
    columns[i]->metadata = column_attributes(out, element.properties[i], old_names);
    names.push_back(element.properties[i].name);
    children.push_back(columns[i]);
  }
  polycodec_array* const record = out.record(rows, names, children);
  if (names.empty()) record->names = out.allocate<polycodec_bytes>(1);  // no tuple
  return Builder::array(record);
}

// Lines up to `offset`, as the file ends them.
std::uint64_t line_at(std::string_view file, LineEnding ending, std::uint64_t offset) {
  const std::string_view before =
      file.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(offset, file.size())));
  const char end = ending == LineEnding::cr ? '\r' : '\n';
  return 1 + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), end));
}

std::string path_of(const Place& place) {
  if (place.element == nullptr) return {};
  std::string path = "$.";
  path.append(place.element->name.substr(0, 80));
  if (place.property != nullptr) {
    path.append("[").append(std::to_string(place.row)).append("].");
    path.append(place.property->name.substr(0, 80));
  }
  return path;
}

// The elements with the strings of the header as members beside them.
std::vector<Member> dictionary(const View& root, Builder& out) {
  std::vector<polycodec_node> comments;
  std::vector<polycodec_node> infos;
  if (const polycodec_node* attributes = root.metadata()) {
    if (const auto said = NodeView(attributes).find("comments")) {
      for (const polycodec_node& node : said->items()) {
        const bool info = NodeView(&node).at("keyword").as_string() == "obj_info";
        (info ? infos : comments).push_back(*NodeView(&node).at("text").raw());
      }
    }
  }
  std::vector<Member> members;
  if (!comments.empty()) members.push_back({"comment", out.list(comments)});
  if (!infos.empty()) members.push_back({"obj_info", out.list(infos)});
  for (std::uint64_t i = 0; i < root.size(); ++i)
    members.push_back({root.name(i), Builder::array(root.child(i).array())});
  return members;
}

// What the options ask for instead of the value of the file.
const polycodec_node* other_form(const Settings& settings, const Call& call, View root,
                                 Builder& out) {
  Losses losses;
  polycodec_node made = Builder::null();
  if (settings.form == mesh::Form::mesh || settings.triangulate) {
    mesh::Mesh mesh = mesh::from_elements(root, out, losses);
    if (settings.triangulate)
      mesh::triangulate(mesh, out, [&] { call.tick(mesh::units_per_check); });
    made = settings.form == mesh::Form::mesh ? mesh::to_value(mesh, out)
                                             : mesh::to_elements(mesh, out, losses);
    root = View(out.root(made));
  }
  if (settings.form == mesh::Form::dict || settings.form == mesh::Form::array_dict) {
    std::vector<Member> members = dictionary(root, out);
    if (settings.form == mesh::Form::array_dict)
      members = mesh::array_dictionary(members, out, losses);
    made = out.object(std::span<const Member>(members));
  }
  losses.settle(call,
                settings.form == mesh::Form::array_dict ? "a dictionary of matrices" : "a mesh",
                "ply.lossy");
  return out.root(made);
}

// What the caller wants of the elements. Forms other than the file's have other names.
Wanted wanted_elements(const Settings& settings, const Call& call, const Header& header) {
  if (settings.form != mesh::Form::file || settings.triangulate) return {};
  return Wanted(call.projection()).of(header.elements, &Element::name);
}

Chosen chosen_properties(const Wanted* wanted, const Element& element) {
  if (wanted == nullptr) return Chosen(element.properties.size(), false);
  const Wanted& here = wanted->of(element.properties, &Property::name);
  Chosen chosen;
  for (const Property& property : element.properties)
    chosen.push_back(here.find(property.name) != nullptr);
  return chosen;
}

// The number of the first rows of an element that the caller wants some of.
std::uint64_t rows_of(const Wanted& wanted, const Call& call, const Element& element) {
  return wanted.all() ? element.count : std::min(element.count, rows_to_read(call.projection()));
}

Columns decode_element(const Decoding& decoding, const Element& element, const Chosen& chosen,
                       std::uint64_t& offset) {
  return decoding.header.format == Format::ascii
             ? decode_ascii_element(decoding, element, chosen, offset)
             : decode_binary_element(decoding, element, chosen, offset);
}

}  // namespace

std::string Decoding::described(const std::string& message, const Place& place) const {
  std::string text;
  if (header.format == Format::ascii)
    text = "line " + std::to_string(line_at(file, header.line_ending, place.offset)) + ": ";
  if (place.element != nullptr) {
    text.append("element ").append(place.element->name.substr(0, 80));
    if (place.property != nullptr)
      text.append(", row ")
          .append(std::to_string(place.row + first_row))
          .append(", property ")
          .append(place.property->name.substr(0, 80));
    text += ": ";
  }
  return text + message;
}

void Decoding::fail(Status status, const char* detail, const std::string& message,
                    const Place& place) const {
  complete = place.row;
  Place whole = place;
  whole.row += first_row;
  throw Error(status, described(message, place), place.offset).detail(detail).path(path_of(whole));
}

void Decoding::note(LossClass loss, const std::string& message, const Place& place) const {
  // Each line is counted from the start of the file, which only some notes are worth.
  if (notes.full()) return notes.count(loss);
  Place whole = place;
  whole.row += first_row;
  notes.add(loss, path_of(whole),
            "byte " + std::to_string(place.offset) + ", " + described(message, place));
}

bool Decoding::has_room(const Element& element, std::uint64_t row_size, std::uint64_t left,
                        std::uint64_t offset) const {
  if (row_size != 0 && element.count > left / row_size) return false;
  // Rows without bytes cost the file nothing, but whoever walks over them.
  const std::uint64_t most =
      std::min({call.limits().max_elements, static_cast<std::uint64_t>(INT64_MAX),
                row_size == 0 ? call.limits().max_nodes : UINT64_MAX});
  if (element.count > most)
    fail(Status::limit, "ply.limit",
         std::to_string(element.count) + " rows are more than the limit of " + std::to_string(most),
         {offset, &element, 0, nullptr});
  return true;
}

Node Ply::decode(Call& call, const Input& input, Builder& out) const {
  const std::string_view file = input.bytes();
  MendNotes notes;
  Losses losses;
  Header header = parse_header(file, call.limits().max_header_bytes, settings_.strict,
                               settings_.tolerant ? &notes : nullptr, out);
  const Wanted wanted = wanted_elements(settings_, call, header);
  std::optional<Error> ended;  // why there are fewer rows than declared
  std::vector<Member> members;
  std::uint64_t offset = header.size;
  const bool old_names = !all_new(header);
  const auto is_wanted = [&](const Element& e) { return wanted.find(e.name) != nullptr; };
  bool is_cut = false;  // the file goes further than anybody wants
  for (auto at = header.elements.begin(); at != header.elements.end() && !is_cut; ++at) {
    const auto read = [&](std::uint64_t first, std::uint64_t& rows, const Wanted* of_element) {
      std::uint64_t complete = 0;
      const Decoding decoding{settings_, call,      file,  header,  out,
                              first,     at->count, notes, complete};
      const MendNotes::Mark before = notes.mark();
      Element part = *at;
      part.count = rows;
      const Chosen chosen = chosen_properties(of_element, part);
      try {
        return decode_element(decoding, part, chosen, offset);
      } catch (const Error& error) {
        if (!settings_.tolerant || error.code() != Status::truncated) throw;
        if (!ended) ended = error;
        notes.rewind(before);  // the rows that are there are read again
        decoding.note(LossClass::mended,
                      "the file ends, but " + std::to_string(at->count) +
                          " rows were declared; read with " + std::to_string(first + complete),
                      {file.size(), &*at, complete, nullptr});
      }
      part.count = rows = complete;
      at->count = first + complete;
      Columns columns = decode_element(decoding, part, chosen, offset);
      offset = file.size();
      return columns;
    };
    const Wanted* const of_element = wanted.find(at->name);
    std::uint64_t rows = of_element == nullptr ? 0 : rows_of(wanted, call, *at);
    if (of_element != nullptr) {
      Columns columns = read(0, rows, of_element);
      if (settings_.float32) narrow_doubles(call, out, *at, columns, old_names, losses);
      members.push_back({at->name, element_node(out, *at, rows, columns, old_names)});
    }
    is_cut = rows != at->count && of_element != nullptr &&
             std::none_of(at + 1, header.elements.end(), is_wanted);
    // The next element begins where the last row of this one ends.
    if (std::uint64_t left = at->count - rows; left != 0 && !is_cut) read(rows, left, nullptr);
  }
  if (ended && std::all_of(header.elements.begin(), header.elements.end(),
                           [](const Element& e) { return e.count == 0; }))
    throw Error(*ended);
  const polycodec_node root = out.object(std::span<const Member>(members));

  std::string_view rest = file.substr(static_cast<std::size_t>(offset));
  if (header.format == Format::ascii) {
    const std::size_t text = rest.find_first_not_of(" \t\r\n");
    rest.remove_prefix(text == std::string_view::npos ? rest.size() : text);
  }
  if (!rest.empty() && !is_cut) {
    const std::uint64_t at = file.size() - rest.size();
    const std::string message = std::to_string(rest.size()) + " bytes follow the last element";
    if (settings_.strict) throw Error(Status::trailing, message, at).detail("ply.trailing");
    const std::string ignored = message + " and are ignored (byte " + std::to_string(at) + ")";
    if (settings_.tolerant)
      notes.add(LossClass::note, "$", ignored);
    else
      call.log(POLYCODEC_LOG_WARNING, "ply: " + ignored);
  }
  notes.report(call);
  losses.settle(call, "float32", "ply.lossy");
  const polycodec_node* file_form = out.root(out.annotated(root, root_attributes(out, header)));
  if (settings_.form == mesh::Form::file && !settings_.triangulate) return *file_form;
  return *other_form(settings_, call, View(file_form), out);
}

}  // namespace polycodec::ply
