// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include "decode.hpp"
#include "encode.hpp"
#include "keywords.hpp"
#include "lexer.hpp"

#include <algorithm>
#include <string>

namespace polycodec::obj {

Node Obj::decode(Call& call, const Input& input, Builder& out) const {
  return *obj::decode(settings_, call, input, out);
}

void Obj::encode(const Call& call, NodeView value, Writer& out) const {
  obj::encode(settings_, call, value, out);
}

// OBJ has no magic number: its lines start with words that few other texts start their lines with.
Sniff Obj::sniff(Call&, const Input& input) {
  const std::string_view head = input.bytes();
  std::size_t known = 0;
  std::size_t vertices = 0;
  Lexer lexer(head);
  if (head.starts_with("\xef\xbb\xbf")) lexer.move_to(lexer.position() + 3);
  while (!lexer.at_end()) {
    while (!lexer.at_end() && is_blank(lexer.peek())) lexer.move_to(lexer.position() + 1);
    if (!lexer.at_statement_end()) {
      const std::string_view word = lexer.word();
      // The last line of the head may be cut off.
      if (lexer.at_end() && head.size() < input.total()) break;
      const Statement what = statement_of(word);
      if (what == Statement::unknown) {
        // Keywords of vendors are read, but for control characters: not ruled out, and yet any text
        // may be this.
        for (const char c : word)
          if (static_cast<unsigned char>(c) < 0x20)
            return {0, "a control character: this is no text"};
        return {known > 8 ? 10u : 1u, "a line that no statement of OBJ starts"};
      }
      ++known;
      vertices += what == Statement::vertex ? 1 : 0;
    }
    static_cast<void>(lexer.rest_of_line());
    lexer.skip_line_end();
  }
  if (known == 0) return {1, "no statements: OBJ without content"};
  const std::string seen = std::to_string(known) + " lines that are statements of OBJ";
  if (vertices != 0) return {known > 3 ? 75u : 55u, seen + ", vertices among them"};
  return {known > 3 ? 45u : 20u, seen};
}

}  // namespace polycodec::obj
